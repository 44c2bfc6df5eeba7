//! Reads files that users name, without blocking and up to a limit. Writes files whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

/// The largest file of settings, rules, patterns or prompts that is read, in bytes: 4 MiB.
pub const SETTINGS: u64 = 4 * 1024 * 1024;
/// The largest file of records (baselines, disputes, earlier reports) that is read, in bytes: 64 MiB.
pub const RECORDS: u64 = 64 * 1024 * 1024;
/// The largest file of labelled text that is read, in bytes: 1 GiB.
pub const DATASETS: u64 = 1024 * 1024 * 1024;

/// Opens a file for reading.
///
/// # Errors
/// Fails like [`File::open`], and for a named pipe or a socket: opening one waits until another process writes.
pub fn open(path: &Path) -> io::Result<File> {
    if is_waited_for(path, &fs::metadata(path)?) {
        let message = "it is a named pipe or a socket, which could block forever; use `-` for standard input";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    File::open(path)
}

/// Reads the bytes of a file.
///
/// # Errors
/// Fails like [`open`], and if there are more than `most`.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it is larger than the limit of {} KiB", most / 1024);
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}

/// Reads the text of a file.
///
/// # Errors
/// Fails like [`read`], and if it is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let message = "it is not UTF-8: save it as UTF-8";
    String::from_utf8(read(path, most)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, message))
}

/// Returns true for a link to another folder: the owner of its target may not want it shown. Also true if this cannot
/// be determined.
pub fn is_link_elsewhere(path: &Path) -> bool {
    if is_open_already(path) || !path.is_symlink() {
        return false;
    }
    match (path.canonicalize(), folder_of(path).canonicalize()) {
        (Ok(real), Ok(folder)) => real.parent() != Some(folder.as_path()),
        _ => true,
    }
}

/// The error message about a file's content if [`is_link_elsewhere`] is true.
pub const NOT_SHOWN: &str = "its content is not valid, and is not shown, because the file is a link to another folder: \
                             copy the file to see what is wrong";

/// Returns true for a file that, when opened, waits for another process.
pub fn is_waited_for(path: &Path, about: &Metadata) -> bool {
    !is_open_already(path) && waits(about)
}

/// Returns true for a file that the shell has opened: standard input, and `<(command)`.
fn is_open_already(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/proc"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(unix)]
fn waits(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo() || metadata.file_type().is_socket()
}

#[cfg(not(unix))]
fn waits(_: &Metadata) -> bool {
    false
}

/// The prefix of a file's name while it is being written. A killed process may leave such a file; [`remove_unfinished`]
/// removes it.
pub const UNFINISHED: &str = ".unfinished-";

/// The users who may read a written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Only its owner; new folders for it are private too.
    Owner,
    /// Everyone whom the process allows (its umask).
    Everyone,
    /// Those who may read the file that it replaces; if there is none, as the umask allows.
    AsBefore,
}

/// A file that is written in a temporary place, flushed to the disk and then renamed, so that it appears only when
/// complete. If dropped before that, it is removed.
#[derive(Debug)]
pub struct WholeFile {
    beside: NamedTempFile,
    path: PathBuf,
}

impl WholeFile {
    /// Begins a file that will lie at `path`, whose folder must exist.
    ///
    /// # Errors
    /// Fails if the folder cannot be written to.
    pub fn create(path: &Path, readers: Readers) -> io::Result<Self> {
        let prefix = unfinished_prefix(path);
        let before = if readers == Readers::AsBefore { fs::metadata(path).ok() } else { None };
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = if readers == Readers::Owner || before.is_some() { 0o600 } else { 0o666 };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        let beside = builder.tempfile_in(folder_of(path))?;
        if let Some(before) = before {
            beside.as_file().set_permissions(before.permissions())?;
        }
        Ok(Self { beside, path: path.to_path_buf() })
    }

    /// Writes all bytes and waits until they are on the disk.
    ///
    /// # Errors
    /// Fails if the disk does; the previous file is then unchanged.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.beside.write_all(bytes)?;
        self.beside.as_file().sync_all()
    }

    /// A second handle to write through, for a writer that needs to own one.
    ///
    /// # Errors
    /// Fails if the system has no more handles.
    pub fn handle(&self) -> io::Result<File> {
        self.beside.as_file().try_clone()
    }

    /// Moves the file to its place and replaces the previous one. All bytes must have been written.
    ///
    /// # Errors
    /// Fails if the disk does; the previous file is then unchanged.
    pub fn put_in_place(self) -> io::Result<()> {
        self.beside.as_file().sync_all()?;
        self.beside.persist(&self.path)?;
        // The new name survives a power cut only once its folder is on the disk too; Windows has no such call. If the
        // file system cannot do this, the file has been renamed anyway.
        #[cfg(unix)]
        let _ = File::open(folder_of(&self.path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// Writes `bytes` at `path` whole or not at all, and creates its folder.
///
/// # Errors
/// Fails if the disk does; the previous file is then unchanged.
pub fn write(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    make_folder(folder_of(path), readers)?;
    let mut whole = WholeFile::create(path, readers)?;
    whole.beside.write_all(bytes)?;
    whole.put_in_place()
}

/// Removes the unfinished files that a killed process left while writing `path`. No other process may be writing it.
pub fn remove_unfinished(path: &Path) {
    let prefix = unfinished_prefix(path);
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            // A stray file does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The prefix of the file's name while it is being written.
fn unfinished_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // File names may have 255 bytes; the rest is for the prefix and a random suffix.
    format!("{UNFINISHED}{}-", &name[..name.floor_char_boundary(220)])
}

/// Makes a folder and its parents if they do not exist.
///
/// # Errors
/// Fails if the system refuses.
pub fn make_folder(folder: &Path, readers: Readers) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(if readers == Readers::Owner { 0o700 } else { 0o777 });
    }
    #[cfg(not(unix))]
    let _ = readers;
    builder.create(folder)
}

/// Makes a temporary folder that only its owner can open, in the shared folder for temporary files or in `parent`. It
/// is deleted when it is dropped.
///
/// # Errors
/// Fails if the system refuses.
pub fn temporary_folder(prefix: &str, parent: Option<&Path>) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    match parent {
        Some(parent) => builder.tempdir_in(parent),
        None => builder.tempdir(),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b/file.json");
        write(&path, b"one", Readers::Owner).expect("works in a fresh folder");
        write(&path, b"two", Readers::Owner).expect("works in a fresh folder");
        let unfinished = WholeFile::create(&path, Readers::Owner).expect("works in a fresh folder");
        unfinished.handle().and_then(|mut file| file.write_all(b"half")).expect("it is written");
        assert_eq!(text(&path, 3).expect("it fits"), "two");
        drop(unfinished);
        assert_eq!(fs::read_dir(folder.path().join("a/b")).expect("it is there").count(), 1);
    }

    #[test]
    fn what_a_killed_process_left_of_a_file_is_removed_and_of_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let long = "名".repeat(80);
        for name in ["a.md", "b.md", &long] {
            let left =
                WholeFile::create(&folder.path().join(name), Readers::Everyone).expect("works in a fresh folder");
            // Leaves the file as a process that is killed here.
            left.beside.keep().expect("works in a fresh folder");
        }
        remove_unfinished(&folder.path().join("a.md"));
        remove_unfinished(&folder.path().join(&long));
        let left: Vec<_> =
            fs::read_dir(folder.path()).expect("it is there").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(left[0].to_string_lossy().starts_with(".unfinished-b.md-"));
    }

    #[cfg(unix)]
    #[test]
    fn a_temporary_folder_is_its_owners() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().expect("a folder");
        for place in [None, Some(parent.path())] {
            let folder = temporary_folder("reqgate-", place).expect("a folder");
            let mode = fs::metadata(folder.path()).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_the_owners_is_read_by_nobody_else() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (own, open) = (folder.path().join("own/file"), folder.path().join("open"));
        write(&own, b"x", Readers::Owner).expect("works in a fresh folder");
        write(&open, b"x", Readers::Everyone).expect("works in a fresh folder");
        fs::write(folder.path().join("usual"), "x").expect("works in a fresh folder");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(&own), mode(&folder.path().join("own"))), (0o600, 0o700));
        assert_eq!(mode(&open), mode(&folder.path().join("usual")));
        for path in [&own, &open] {
            let before = mode(path);
            write(path, b"y", Readers::AsBefore).expect("works in a fresh folder");
            assert_eq!(mode(path), before);
        }
    }

    #[test]
    fn size_has_an_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "four").expect("works in a fresh folder");
        assert_eq!(text(&path, 4).expect("it fits"), "four");
        assert!(text(&path, 3).expect_err("it does not fit").to_string().contains("larger than the limit of 0 KiB"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_without_an_end_and_pipes_without_a_writer_are_refused() {
        assert!(read(Path::new("/dev/zero"), 1000).is_err());
        assert_eq!(read(Path::new("/dev/null"), 1000).expect("it is empty"), b"");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts");
        assert!(made.success());
        assert!(read(&path, 1000).expect_err("nobody writes").to_string().contains("named pipe"));
    }
}
