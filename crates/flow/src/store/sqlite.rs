//! Logs in one SQLite file. Every append is one transaction, which is on disk before it is acknowledged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};

use super::checked::{DATABASE, LARGEST_RECORD, LARGEST_THREAD, MOST_THREADS, check, distrust, real};
use super::root::Place;
use super::{Event, Snapshot, Store, StoreError, ThreadId, ThreadRecord, json, read};
use crate::crash::boundary;

/// The version of the tables.
const TABLES_VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE thread (
        id TEXT PRIMARY KEY, head INTEGER NOT NULL, epoch INTEGER NOT NULL, record TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE event (
        thread TEXT NOT NULL, seq INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (thread, seq)
    ) WITHOUT ROWID;
    CREATE TABLE snapshot (thread TEXT PRIMARY KEY, seq INTEGER NOT NULL, position TEXT NOT NULL) WITHOUT ROWID;
    PRAGMA user_version = 1;
";

/// The maximum wait for a write of another process.
const PATIENCE: Duration = Duration::from_secs(10);

/// File systems on which the write-ahead log cannot be shared between machines.
const NETWORK_FILE_SYSTEMS: &[&str] = &[
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "glusterfs",
    "fuse.sshfs",
    "fuse.glusterfs",
    "fuse.s3fs",
];

/// Stores logs in `state.db` of a directory, next to a folder of locks.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    locks: PathBuf,
    place: Place,
}

/// The claim to a thread: a lock that the system releases when the process ends, and a number that increases with every
/// claim.
#[derive(Debug)]
pub struct SqliteClaim {
    _lock: File,
    epoch: u64,
}

impl SqliteStore {
    /// Opens the store in this directory, and creates it if necessary.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::NetworkFileSystem`] if the directory is on one, [`StoreError::Unusable`] if it cannot
    /// be written, [`StoreError::Damaged`] if the database was not made by this program.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        make_directory(directory)?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let path = fs::canonicalize(directory).map_err(|error| unusable(directory, &error))?;
        if let Some(kind) = file_system(&path, &mounts)
            && NETWORK_FILE_SYSTEMS.contains(&kind)
        {
            return Err(StoreError::NetworkFileSystem { path: path.display().to_string(), kind: kind.to_owned() });
        }
        check(directory, TABLES)?;
        let locks = directory.join("locks");
        make_directory(&locks)?;
        let file = directory.join(DATABASE);
        // SQLite copies the mode of the database to its journal, so the mode is set before SQLite opens the file.
        private(&file).map_err(|error| unusable(&file, &error))?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let mut connection = Connection::open_with_flags(real(&file), flags)?;
        connection.busy_timeout(PATIENCE)?;
        distrust(&connection)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match transaction.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))? {
            0 => transaction.execute_batch(TABLES)?,
            TABLES_VERSION => {}
            other => {
                return Err(StoreError::Unusable(format!(
                    "{} has tables of version {other}, but this program reads version {TABLES_VERSION}: use the program that wrote it",
                    file.display()
                )));
            }
        }
        transaction.commit()?;
        Ok(Self { connection, locks, place: Place::of(&path) })
    }

    fn lock_file(&self, thread: &ThreadId) -> Result<File, StoreError> {
        let path = self.locks.join(format!("{thread}.lock"));
        if path.is_symlink() {
            return Err(StoreError::Unusable(format!("{} is a link: delete it", path.display())));
        }
        private(&path).map_err(|error| unusable(&path, &error))
    }

    /// The stored form of a record.
    fn written(&self, record: &ThreadRecord) -> Result<String, StoreError> {
        json(&ThreadRecord { root: self.place.stored(&record.root), ..record.clone() })
    }

    /// The usable form of a stored record.
    fn read_record(&self, text: Option<String>) -> Result<ThreadRecord, StoreError> {
        let mut record: ThreadRecord = read(&within(text, "a record")?)?;
        record.root = self.place.resolved(&record.root);
        Ok(record)
    }

    /// Runs `change` as one transaction.
    fn write<T>(&self, change: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        boundary!("before a transaction");
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        let result = change(&transaction)?;
        boundary!("inside a transaction");
        transaction.commit()?;
        boundary!("after a transaction");
        Ok(result)
    }
}

impl Store for SqliteStore {
    type Claim = SqliteClaim;

    fn claim(&self, thread: &ThreadId) -> Result<SqliteClaim, StoreError> {
        let lock = self.lock_file(thread)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { thread: thread.clone(), lease: None }),
            Err(TryLockError::Error(error)) => return Err(unusable(&self.locks, &error)),
        }
        let epoch: Option<u64> = self
            .connection
            .query_row("UPDATE thread SET epoch = epoch + 1 WHERE id = ?1 RETURNING epoch", [thread.as_str()], |row| {
                row.get(0)
            })
            .optional()?;
        boundary!("after a claim");
        Ok(SqliteClaim { _lock: lock, epoch: epoch.unwrap_or_default() })
    }

    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        match self.lock_file(thread)?.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(unusable(&self.locks, &error)),
        }
    }

    fn create(
        &self,
        claim: &SqliteClaim,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let made = transaction.execute(
                "INSERT INTO thread (id, head, epoch, record) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
                params![record.id.as_str(), record.head, claim.epoch, self.written(record)?],
            )?;
            if made == 0 {
                return Err(StoreError::Exists(record.id.clone()));
            }
            keep(transaction, &record.id, events, snapshot)
        })
    }

    fn append(
        &self,
        claim: &SqliteClaim,
        head: u64,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let moved = transaction.execute(
                "UPDATE thread SET head = ?1, record = ?2 WHERE id = ?3 AND head = ?4 AND epoch = ?5",
                params![record.head, self.written(record)?, record.id.as_str(), head, claim.epoch],
            )?;
            if moved == 0 {
                let known = transaction
                    .query_row("SELECT 1 FROM thread WHERE id = ?1", [record.id.as_str()], |_| Ok(()))
                    .optional()?;
                return Err(match known {
                    Some(()) => StoreError::Stale(record.id.clone()),
                    None => StoreError::Unknown(record.id.clone()),
                });
            }
            keep(transaction, &record.id, events, snapshot)
        })
    }

    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError> {
        let text: Option<Option<String>> = self
            .connection
            .query_row(
                "SELECT iif(octet_length(record) <= ?2, record, NULL) FROM thread WHERE id = ?1",
                params![thread.as_str(), LARGEST_RECORD],
                |row| row.get(0),
            )
            .optional()?;
        text.map(|text| self.read_record(text)).transpose()
    }

    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError> {
        let mut query = self
            .connection
            .prepare_cached("SELECT iif(octet_length(record) <= ?1, record, NULL) FROM thread LIMIT ?2")?;
        let rows = query.query_map(params![LARGEST_RECORD, MOST_THREADS + 1], |row| row.get::<_, Option<String>>(0))?;
        let mut records = Vec::new();
        for row in rows {
            records.push(self.read_record(row?)?);
        }
        if records.len() > MOST_THREADS {
            return Err(StoreError::Damaged(format!("it holds more than {MOST_THREADS} threads")));
        }
        records.sort_by(|one, other| other.updated.cmp(&one.updated).then_with(|| one.id.cmp(&other.id)));
        Ok(records)
    }

    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError> {
        let mut query = self.connection.prepare_cached(
            "SELECT iif(octet_length(event) <= ?3, event, NULL) FROM event WHERE thread = ?1 AND seq > ?2 ORDER BY seq",
        )?;
        let rows =
            query.query_map(params![thread.as_str(), seq, LARGEST_THREAD], |row| row.get::<_, Option<String>>(0))?;
        let mut left = LARGEST_THREAD;
        let mut events = Vec::new();
        for row in rows {
            let text = within(row?, "an event")?;
            left = left.checked_sub(text.len()).ok_or_else(|| too_large("the log of a thread"))?;
            events.push(read(&text)?);
        }
        Ok(events)
    }

    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError> {
        let row: Option<(u64, Option<String>)> = self
            .connection
            .query_row(
                "SELECT seq, iif(octet_length(position) <= ?2, position, NULL) FROM snapshot WHERE thread = ?1",
                params![thread.as_str(), LARGEST_THREAD],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        row.map(|(seq, text)| Ok(Snapshot { seq, position: read(&within(text, "a position")?)? })).transpose()
    }

    fn delete(&self, _claim: &SqliteClaim, thread: &ThreadId) -> Result<(), StoreError> {
        self.write(|transaction| {
            if transaction.execute("DELETE FROM thread WHERE id = ?1", [thread.as_str()])? == 0 {
                return Err(StoreError::Unknown(thread.clone()));
            }
            transaction.execute("DELETE FROM event WHERE thread = ?1", [thread.as_str()])?;
            transaction.execute("DELETE FROM snapshot WHERE thread = ?1", [thread.as_str()])?;
            Ok(())
        })
    }
}

/// Adds the events and replaces the snapshot.
fn keep(
    transaction: &Transaction<'_>,
    thread: &ThreadId,
    events: &[Event],
    snapshot: &Snapshot,
) -> Result<(), StoreError> {
    let mut insert = transaction.prepare_cached("INSERT INTO event (thread, seq, event) VALUES (?1, ?2, ?3)")?;
    for event in events {
        insert.execute(params![thread.as_str(), event.seq, json(event)?])?;
    }
    transaction
        .prepare_cached("INSERT OR REPLACE INTO snapshot (thread, seq, position) VALUES (?1, ?2, ?3)")?
        .execute(params![thread.as_str(), snapshot.seq, snapshot.position.to_string()])?;
    Ok(())
}

/// The value, or an error if it was too large to be read.
fn within(text: Option<String>, what: &str) -> Result<String, StoreError> {
    text.ok_or_else(|| too_large(what))
}

fn too_large(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} is too large"))
}

fn unusable(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unusable(format!("{}: {error}", path.display()))
}

/// Makes a directory that only its owner can read.
fn make_directory(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| unusable(path, &error))
}

/// Opens a file that only its owner can read, and creates it if necessary.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The kind of file system of a path, from Linux's list of mounts; `None` if there is no such list.
fn file_system<'a>(path: &Path, mounts: &'a str) -> Option<&'a str> {
    mounts
        .lines()
        .filter_map(|line| {
            let (mount, rest) = line.split_once(" - ")?;
            // The list writes a blank in a path as \040.
            let point = mount.split(' ').nth(4)?.replace("\\040", " ");
            path.starts_with(&point).then_some((point.len(), rest.split(' ').next()?))
        })
        // Of two mounts at the same path, the later one is visible.
        .max_by_key(|(length, _)| *length)
        .map(|(_, kind)| kind)
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Unusable(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_file_system_is_told_by_the_longest_mount() {
        let mounts = "22 1 0:5 / / rw - ext4 /dev/sda rw\n30 22 0:40 / /home rw shared:1 - nfs4 server:/home rw\n\
                      31 30 0:41 / /home/ann/my\\040disk rw - xfs /dev/sdb rw\n";
        assert_eq!(file_system(Path::new("/home/ann/state"), mounts), Some("nfs4"));
        assert_eq!(file_system(Path::new("/home/ann/my disk/state"), mounts), Some("xfs"));
        assert_eq!(file_system(Path::new("/homework"), mounts), Some("ext4"));
        assert_eq!(file_system(Path::new("/homework"), ""), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_store() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let directory = folder.path().join("state");
        let _store = SqliteStore::open(&directory).expect("a store");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&directory), 0o700);
        for entry in fs::read_dir(&directory).expect("a folder") {
            let path = entry.expect("an entry").path();
            assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
        }
    }

    #[test]
    fn a_file_that_is_no_database_is_a_clear_error() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(
            folder.path().join("state.db"),
            "not a database, but long enough to be looked at by SQLite".repeat(40),
        )
        .expect("a file");
        assert!(matches!(SqliteStore::open(folder.path()), Err(StoreError::Damaged(_))));
    }
}
