//! Opens files that people name: none is waited for, and none is read without an end.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The largest file of settings, rules, patterns or prompts that is read, in bytes: 4 MiB.
pub const SETTINGS: u64 = 4 * 1024 * 1024;
/// The largest file of records that is read, in bytes: 64 MiB. Baselines, disputes, earlier reports.
pub const RECORDS: u64 = 64 * 1024 * 1024;
/// The largest file of labelled text that is read, in bytes: 1 GiB.
pub const DATASETS: u64 = 1024 * 1024 * 1024;

/// Opens a file for reading.
///
/// # Errors
/// Fails like [`File::open`], and for a named pipe or a socket: who opens one waits until somebody writes.
pub fn open(path: &Path) -> io::Result<File> {
    if is_waited_for(path, &std::fs::metadata(path)?) {
        let message = "it is a named pipe or a socket, which could block forever; use `-` for standard input";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    File::open(path)
}

/// The bytes of a file.
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

/// The text of a file.
///
/// # Errors
/// Fails like [`read`], and if it is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let message = "it is not UTF-8: save it as UTF-8";
    String::from_utf8(read(path, most)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, message))
}

/// True for a file that, opened, waits for somebody at its other end.
pub fn is_waited_for(path: &Path, about: &Metadata) -> bool {
    !is_open_already(path) && waits(about)
}

/// True for what the shell has opened for us: standard input, and `<(command)`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_has_an_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "four").expect("works in a fresh folder");
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
