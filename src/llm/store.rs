//! Files that are whole or not there: written beside their place and renamed, so that a kill at any moment leaves no half file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

use crate::files;

/// What the name of a file begins with while it is written.
pub const UNFINISHED: &str = ".unfinished-";

/// Writes `bytes` at `path`, making its folder; only the owner can read it.
///
/// # Errors
/// Fails if the disk does; then nothing is at `path` that was not there before.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!("{UNFINISHED}{}-{count}", std::process::id()));
    let written =
        create(&unfinished).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// The bytes at `path`; `None` if there are none, or more than `most`.
pub fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    files::read(path, most).ok()
}

/// SHA-256 over `parts`, each with its length before it, as 64 hex digits.
pub fn hex(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/file.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(read(&path, 3).as_deref(), Some(&b"two"[..]));
        assert_eq!(read(&path, 2), None);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn parts_do_not_flow_together() {
        assert_ne!(hex(&["ab", "c"]), hex(&["a", "bc"]));
        assert_eq!(hex(&[]).len(), 64);
    }
}
