//! Performs effects on files. Performing an effect again is harmless, and a change by another person is never
//! overwritten.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use super::crash::boundary;
use super::definition::{Before, Effect};
use super::hash;
use reqgate_base::files::{Readers, WholeFile, make_folder, remove_unfinished};

/// The longest file that is read before it is written, in bytes.
pub(crate) const LONGEST: u64 = 64 * 1024 * 1024;

/// The result of performing an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Done {
    /// The file or directory was written.
    Written,
    /// The wanted state existed already.
    Unchanged,
    /// Another person has changed the file, or the path is not a file.
    Refused(String),
}

/// Performs an effect below `root`.
///
/// # Errors
///
/// Fails if the file system refuses, e.g. for missing permissions or a full disk.
pub(crate) fn perform(root: &Path, effect: &Effect) -> io::Result<Done> {
    boundary!("before an effect");
    let done = match effect {
        Effect::Directory { path } => match inside(root, path) {
            Err(reason) => Done::Refused(reason),
            Ok(path) if path.is_dir() => Done::Unchanged,
            Ok(path) => {
                fs::create_dir_all(path)?;
                Done::Written
            }
        },
        Effect::File { path, content, before } => match inside(root, path) {
            Err(reason) => Done::Refused(reason),
            Ok(path) => write(&path, content, before)?,
        },
    };
    boundary!("after an effect");
    Ok(done)
}

/// Checks that a path may be written: relative, without `..`, and without names that have a special meaning to tools,
/// such as `.git` or `.envrc`.
///
/// # Errors
///
/// Returns the reason, which begins with the path.
pub fn permitted(path: &Path) -> Result<(), String> {
    if !path.components().all(|part| matches!(part, Component::Normal(_))) || path.as_os_str().is_empty() {
        return Err(format!("{} is outside the directory of the run", path.display()));
    }
    // Some systems read a backslash as a separator, a colon as the start of a stream, and GIT~1 as .git.
    let is_odd =
        |name: &str| name.starts_with('.') || name.contains(['\\', ':', '~']) || name.contains(char::is_control);
    if path.components().any(|part| is_odd(&part.as_os_str().to_string_lossy())) {
        let reason = "has a part that starts with a dot or is not a portable name";
        return Err(format!("{} {reason}", path.display()));
    }
    Ok(())
}

/// The path of an effect below the root.
///
/// # Errors
///
/// Fails if the path is not [`permitted`], or contains a symbolic link.
pub fn inside(root: &Path, path: &Path) -> Result<PathBuf, String> {
    permitted(path)?;
    let mut whole = root.to_path_buf();
    for part in path.components() {
        whole.push(part);
        if whole.is_symlink() {
            return Err(format!("{} is a symbolic link", whole.display()));
        }
    }
    Ok(whole)
}

fn write(path: &Path, content: &str, before: &Before) -> io::Result<Done> {
    let found = content_of(path)?;
    if found.as_deref() == Some(content.as_bytes()) {
        return Ok(Done::Unchanged);
    }
    let as_expected = match (before, &found) {
        (Before::Absent, None) => true,
        (Before::Hash(expected), Some(found)) => hash(found) == *expected,
        _ => false,
    };
    if !as_expected {
        let reason = if found.is_some() { "was changed by somebody else" } else { "was deleted by somebody else" };
        return Ok(Done::Refused(format!("{} {reason}", path.display())));
    }
    // Other users of the directory must be able to read the file.
    make_folder(path.parent().unwrap_or(Path::new(".")), Readers::Everyone)?;
    remove_unfinished(path);
    let mut whole = WholeFile::create(path, Readers::AsBefore)?;
    whole.write(content.as_bytes())?;
    boundary!("after the temporary file");
    whole.put_in_place()?;
    boundary!("after the rename");
    Ok(Done::Written)
}

/// The content of a file; `None` if it does not exist.
///
/// # Errors
///
/// Fails if the file exists but cannot be read, is not a regular file, or is too long.
pub fn content_of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !metadata.is_file() || metadata.len() > LONGEST {
        return Err(io::Error::other(format!("{} is not a file of at most 64 MB", path.display())));
    }
    let mut content = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut content)?;
    Ok(Some(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: &str, before: Before) -> Effect {
        Effect::File { path: path.into(), content: content.to_owned(), before }
    }

    #[test]
    fn doing_it_twice_is_doing_it_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let effect = file("a/b.md", "text", Before::Absent);
        assert_eq!(perform(folder.path(), &effect).expect("a disk"), Done::Written);
        assert_eq!(perform(folder.path(), &effect).expect("a disk"), Done::Unchanged);
        assert_eq!(fs::read_to_string(folder.path().join("a/b.md")).expect("a file"), "text");
    }

    #[test]
    fn what_somebody_else_wrote_is_never_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.md");
        fs::write(&path, "theirs").expect("a file");
        for before in [Before::Absent, Before::Hash(hash(b"what we read"))] {
            let done = perform(folder.path(), &file("a.md", "ours", before)).expect("a disk");
            assert!(matches!(done, Done::Refused(_)), "{done:?}");
            assert_eq!(fs::read_to_string(&path).expect("a file"), "theirs");
        }
        let done = perform(folder.path(), &file("a.md", "ours", Before::Hash(hash(b"theirs")))).expect("a disk");
        assert_eq!(done, Done::Written);
        fs::remove_file(&path).expect("a file");
        let done = perform(folder.path(), &file("a.md", "new", Before::Hash(hash(b"ours")))).expect("a disk");
        assert!(matches!(done, Done::Refused(_)), "{done:?}");
    }

    #[test]
    fn no_path_leads_out_of_the_root() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        fs::create_dir(&root).expect("a folder");
        let hidden = [".envrc", ".git/config", "docs/.github/x.yml", "GIT~1/config", "a\\..\\b", "c:x", "a\n/b"];
        for path in ["../out.md", "/etc/out.md", "a/../../out.md", ""].into_iter().chain(hidden) {
            let done = perform(&root, &file(path, "x", Before::Absent)).expect("a disk");
            assert!(matches!(done, Done::Refused(_)), "{path}: {done:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path(), root.join("link")).expect("a link");
            let done = perform(&root, &file("link/out.md", "x", Before::Absent)).expect("a disk");
            assert!(matches!(done, Done::Refused(_)), "{done:?}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_temporary_file_of_a_crash_is_cleaned_up() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(".unfinished-a.md-abc"), "half").expect("a file");
        perform(folder.path(), &file("a.md", "whole", Before::Absent)).expect("a disk");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
