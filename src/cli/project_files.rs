//! Writes the files of `reqgate init` into a project; an existing file that differs is kept, unless it is to be
//! overwritten.

use std::path::Path;

use reqgate::files::{self, Readers};

use super::exit::{self, Failure};
use super::outputs;

/// The result for one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// The file was written.
    Written,
    /// The file exists with the same text.
    Unchanged,
    /// The file exists and differs.
    Kept,
}

/// Reports the result for each file.
///
/// # Errors
/// Fails if a file was kept.
pub(super) fn report(all: &[(&str, Done)]) -> Result<u8, Failure> {
    let mut report = String::new();
    for (name, done) in all {
        let word = match done {
            Done::Written => "wrote",
            Done::Unchanged => "unchanged",
            Done::Kept => "kept",
        };
        report.push_str(&format!("{word:9}  {name}\n"));
    }
    outputs::print(&report)?;
    let kept = all.iter().filter(|(_, done)| *done == Done::Kept).map(|(name, _)| format!("`{name}`"));
    let kept = kept.collect::<Vec<_>>().join(", ");
    if !kept.is_empty() {
        return Err(Failure::usage(format!(
            "these files already exist and differ: {kept}; use --force to overwrite them"
        )));
    }
    Ok(exit::PASS)
}

/// Refuses a folder that does not exist.
///
/// # Errors
/// Fails if it does not exist.
pub(super) fn folder(dir: &Path) -> Result<(), Failure> {
    if dir.is_dir() {
        return Ok(());
    }
    Err(Failure::usage(format!("the folder `{}` does not exist: create it first", dir.display())))
}

/// Writes a file that contains only our text; `is_same` compares an existing one with it.
///
/// # Errors
/// Fails if the file cannot be read or written, or is a link.
pub(super) fn whole(
    dir: &Path,
    name: &str,
    text: &str,
    force: bool,
    is_same: impl Fn(&str, &str) -> bool,
) -> Result<Done, Failure> {
    match existing(dir, name)? {
        Some(there) if is_same(&there, text) && !(force && there != text) => return Ok(Done::Unchanged),
        Some(_) if !force => return Ok(Done::Kept),
        _ => {}
    }
    write(dir, name, text)
}

/// The text of a file; `None` if it does not exist.
///
/// # Errors
/// Fails if the file cannot be read, or is a link.
pub(super) fn existing(dir: &Path, name: &str) -> Result<Option<String>, Failure> {
    let path = dir.join(name);
    // A link may lead to another person's file, or out of the project.
    let mut below = dir.to_path_buf();
    for part in Path::new(name) {
        below.push(part);
        if below.is_symlink() {
            let message = format!("`{}` is a link: replace it by a file or folder of its own first", below.display());
            return Err(Failure::usage(message));
        }
    }
    match files::text(&path, files::SETTINGS) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::usage(format!("reading `{}`: {error}", path.display()))),
    }
}

/// Writes a file in the project.
///
/// # Errors
/// Fails if it cannot be written.
pub(super) fn write(dir: &Path, name: &str, text: &str) -> Result<Done, Failure> {
    let path = dir.join(name);
    files::write(&path, text.as_bytes(), Readers::AsBefore)
        .map_err(|error| Failure::writing(&format!("`{}`", path.display()), &error))?;
    Ok(Done::Written)
}
