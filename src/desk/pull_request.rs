//! A pull request: which files it changes, and the policy of the branch it goes to.
//!
//! No token and no call: everything comes from the checkout. What judges a change is never taken from the change.

use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::git::{Difference, GitError, Repository};
use crate::stages::intake::{self, IntakeError, RawInput};

/// Where requirements lie unless the inputs say it.
const USUAL_PLACES: [&str; 6] =
    ["**/prd/**/*.md", "**/prds/**/*.md", "**/requirements/**/*.md", "**/*.prd.md", "**/PRD*.md", "**/*-prd.md"];
/// Files of policy that are read.
const MOST_POLICY_FILES: usize = 2_000;

/// A changed file, ready to be judged.
pub struct Change {
    /// As it is now.
    pub now: Vec<Result<RawInput, IntakeError>>,
    /// As it was before; empty if it is new.
    pub before: Vec<RawInput>,
}

/// The changed files that the patterns name, as they are in the commit: the working tree is not looked at.
///
/// # Errors
/// Fails if git fails or a pattern is none.
pub fn changes(git: &Repository, base: &str, patterns: &[String]) -> Result<Vec<Change>, ChangesError> {
    let wanted = wanted(patterns)?;
    let mut changes = Vec::new();
    for Difference { now, before } in git.differences(base)? {
        if !wanted.is_match(&now.path) {
            continue;
        }
        let bytes = git.content(&now.path, &now.blob)?;
        let before = match before {
            Some(blob) => intake::read_bytes(&now.path, &git.content(&now.path, &blob)?),
            None => Vec::new(),
        };
        changes.push(Change {
            now: intake::read_bytes(&now.path, &bytes),
            before: before.into_iter().filter_map(Result::ok).collect(),
        });
    }
    Ok(changes)
}

/// Why the changes of a pull request are not known.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// Git.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A pattern is none.
    #[error("`{pattern}` in REQGATE_PATHS is no pattern: {message}")]
    Pattern {
        /// What was written.
        pattern: String,
        /// What is wrong.
        message: String,
    },
    /// The policy cannot be put in its place.
    #[error("putting the policy of the base branch into {folder}: {message}")]
    Place {
        /// Where.
        folder: String,
        /// Why not.
        message: String,
    },
}

fn wanted(patterns: &[String]) -> Result<GlobSet, ChangesError> {
    let mut set = GlobSetBuilder::new();
    let mut add = |pattern: &str| -> Result<(), ChangesError> {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build().map_err(|error| {
            ChangesError::Pattern { pattern: pattern.to_owned(), message: error.kind().to_string() }
        })?;
        set.add(glob);
        Ok(())
    };
    let patterns = patterns.iter().map(|pattern| pattern.trim_start_matches("./").trim_end_matches('/'));
    let mut is_any = false;
    for pattern in patterns {
        is_any = true;
        add(pattern)?;
        // A folder stands for what lies in it.
        add(&format!("{pattern}/**"))?;
    }
    if !is_any {
        USUAL_PLACES.iter().try_for_each(|pattern| add(pattern))?;
    }
    set.build().map_err(|error| ChangesError::Pattern { pattern: String::new(), message: error.kind().to_string() })
}

/// Writes files and folders of a commit into `folder`, at the same paths; what is not in the commit is left out.
///
/// Returns how many files were written.
///
/// # Errors
/// Fails if git fails or a file cannot be written.
pub fn policy(git: &Repository, base: &str, paths: &[&Path], folder: &Path) -> Result<usize, ChangesError> {
    let place = |error: std::io::Error| ChangesError::Place {
        folder: folder.display().to_string(),
        message: error.to_string(),
    };
    let mut written = 0;
    for path in paths {
        let Some(path) = inside(path) else { continue };
        for entry in git.files(base, &path)? {
            let Some(relative) = inside(Path::new(&entry.path)) else { continue };
            if written >= MOST_POLICY_FILES {
                return Ok(written);
            }
            let target: PathBuf = folder.join(relative);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent).map_err(place)?;
            }
            fs::write(&target, git.content(&entry.path, &entry.blob)?).map_err(place)?;
            written += 1;
        }
    }
    Ok(written)
}

/// The path without `.` and, if it stays inside the repository, as text with `/` between its parts.
fn inside(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let first = parts.first()?;
    (!first.eq_ignore_ascii_case(".git")).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_files_and_folders() {
        let is_wanted = |patterns: &[&str], path: &str| {
            let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            wanted(&patterns).unwrap().is_match(path)
        };
        assert!(is_wanted(&["docs/prd/**/*.md"], "docs/prd/a/b.md"));
        assert!(is_wanted(&["docs/prd/"], "docs/prd/a/b.md"));
        assert!(is_wanted(&["./spec.md"], "spec.md"));
        assert!(!is_wanted(&["docs/*.md"], "docs/prd/a.md"));
        for path in ["docs/prd/checkout.md", "PRD.md", "x/PRD-1.md", "a/checkout-prd.md", "requirements/a/b.md"] {
            assert!(is_wanted(&[], path), "{path}");
        }
        assert!(!is_wanted(&[], "README.md"));
        assert!(wanted(&["[".to_owned()]).is_err());
    }

    #[test]
    fn policy_never_leaves_the_repository() {
        for (path, expected) in [
            ("quality/rules", Some("quality/rules")),
            ("./a/../b", Some("b")),
            ("../b", None),
            ("/etc/passwd", None),
            ("", None),
            (".git/config", None),
        ] {
            assert_eq!(inside(Path::new(path)).as_deref(), expected, "{path}");
        }
    }
}
