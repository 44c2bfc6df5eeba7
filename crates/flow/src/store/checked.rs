//! Checks the file of a store before it is used. The file may have come with a checkout, and a database can contain
//! code of its author (views, triggers) or name other files (links, journals).

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Row};

use super::StoreError;

/// The name of the database in its directory.
pub(super) const DATABASE: &str = "state.db";
/// The maximum size of a database that is opened, in bytes.
const LARGEST: u64 = 1024 * 1024 * 1024;
/// The maximum size of a database whose pages are all checked when it is opened, in bytes.
const LARGEST_CHECKED: u64 = 4 * 1024 * 1024;
/// The maximum size of a thread that is read, in bytes: all events together, or a position.
pub(super) const LARGEST_THREAD: usize = 256 * 1024 * 1024;
/// The maximum size of a record, in bytes.
pub(super) const LARGEST_RECORD: usize = 1024 * 1024;
/// The maximum number of threads in a store.
pub(super) const MOST_THREADS: usize = 100_000;
/// The size of a database without tables, in bytes.
const ONE_PAGE: u64 = 4096;
/// The maximum wait for a database that another process is creating.
const PATIENCE: Duration = Duration::from_secs(3);

/// Checks the directory of a store and its database, if there is one: no links, only the tables `tables`, no damage.
pub(super) fn check(directory: &Path, tables: &str) -> Result<(), StoreError> {
    let unusable = |error: std::io::Error| StoreError::Unusable(format!("{}: {error}", directory.display()));
    for entry in fs::read_dir(directory).map_err(unusable)? {
        let entry = entry.map_err(unusable)?;
        if entry.file_type().map_err(unusable)?.is_symlink() {
            return Err(StoreError::Unusable(format!(
                "{} is a link, which may lead anywhere: delete it, or name another directory with --state",
                entry.path().display()
            )));
        }
    }
    let file = directory.join(DATABASE);
    let size = match fs::symlink_metadata(&file) {
        Ok(about) if about.is_file() => about.len(),
        Ok(_) => return Err(StoreError::Damaged(format!("{} is not a file", file.display()))),
        Err(_) => return Ok(()),
    };
    if size > LARGEST {
        return Err(StoreError::Damaged(format!("{} is larger than 1 GiB", file.display())));
    }
    no_journal(directory, size)?;
    if size == 0 {
        return Ok(());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(real(&file), flags)?;
    connection.busy_timeout(PATIENCE)?;
    distrust(&connection)?;
    has_tables_only(&connection, tables)?;
    if size <= LARGEST_CHECKED {
        let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            return Err(StoreError::Damaged(format!("{}: {found}", file.display())));
        }
    }
    Ok(())
}

/// The path of the file with all links in its folders resolved, as SQLite requires when it must not follow links.
pub(super) fn real(file: &Path) -> std::path::PathBuf {
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    folder.map_or_else(|| file.to_path_buf(), |folder| folder.join(file.file_name().unwrap_or_default()))
}

/// Makes SQLite distrust the schema and check the data it reads.
pub(super) fn distrust(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")?;
    Ok(())
}

/// Deletes a left-over rollback journal, because it may name further files that SQLite would delete. A store has such a
/// journal only while it is being created, when it has no threads yet.
fn no_journal(directory: &Path, size: u64) -> Result<(), StoreError> {
    let journal = directory.join(format!("{DATABASE}-journal"));
    let until = Instant::now() + PATIENCE;
    while fs::symlink_metadata(&journal).is_ok() {
        if Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        } else if size > ONE_PAGE || fs::remove_file(&journal).is_err() {
            return Err(StoreError::Damaged(format!("{} does not belong to a store: delete it", journal.display())));
        }
    }
    Ok(())
}

/// The definition of a table without its layout.
fn bare(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

fn has_tables_only(connection: &Connection, tables: &str) -> Result<(), StoreError> {
    let mut wanted: Vec<String> = tables.split(';').map(bare).filter(|sql| sql.starts_with("CREATE TABLE")).collect();
    let mut query = connection.prepare("SELECT type, name, sql FROM sqlite_schema LIMIT 100")?;
    let read = |row: &Row<'_>| -> rusqlite::Result<(String, String, Option<String>)> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    };
    let parts: Vec<(String, String, Option<String>)> = query.query_map([], read)?.collect::<Result<_, _>>()?;
    // Another process has only just created the file.
    if parts.is_empty() {
        return Ok(());
    }
    for (kind, name, sql) in parts {
        let sql = sql.as_deref().map(bare).unwrap_or_default();
        match wanted.iter().position(|wanted| kind == "table" && *wanted == sql) {
            Some(at) => drop(wanted.remove(at)),
            None => {
                let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
                return Err(StoreError::Damaged(format!(
                    "the {kind} `{name}` was not made by this program: its threads cannot be trusted"
                )));
            }
        }
    }
    match wanted.is_empty() {
        true => Ok(()),
        false => Err(StoreError::Damaged("a table is missing".to_owned())),
    }
}
