//! The files that a pull request changes, and the policy of its base branch.
//!
//! No token and no API call is needed: all data comes from the checkout. The rules that judge a change are never taken
//! from the change.

use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::git::{Difference, GitError, Repository};
use reqgate_gate::stages::intake::{self, IntakeError, RawInput};

/// The usual folders of requirements, used if the inputs name none.
const USUAL_PLACES: [&str; 6] =
    ["**/prd/**/*.md", "**/prds/**/*.md", "**/requirements/**/*.md", "**/*.prd.md", "**/PRD*.md", "**/*-prd.md"];
/// The maximum number of policy files that are read.
const MOST_POLICY_FILES: usize = 2_000;

/// A changed file, ready to be judged.
pub(crate) struct Change {
    /// The files after the change.
    pub now: Vec<Result<RawInput, IntakeError>>,
    /// The files before the change; empty if the file is new.
    pub before: Vec<RawInput>,
}

/// The changes of a pull request.
pub(crate) struct Changes {
    /// The files to judge.
    pub files: Vec<Change>,
    /// Paths at which the request puts a link or another repository in place of files to judge.
    pub hidden: Vec<String>,
    /// Paths that match the patterns and were a link or another repository before. They are not read.
    pub left_out: Vec<String>,
}

/// Returns the changed files that match the patterns, as they are in the commit; the working tree is ignored. A request
/// from a fork cannot add acceptances that the base branch does not have.
///
/// # Errors
/// Fails if git fails, if a pattern is not valid, or if no file differs although GitHub reports `said` changed files.
pub(crate) fn changes(
    git: &Repository,
    base: &str,
    patterns: &[String],
    (said, is_from_fork): (u64, bool),
) -> Result<Changes, ChangesError> {
    let wanted = wanted(patterns)?;
    let differences = git.differences(base)?;
    if differences.is_empty() && said > 0 {
        return Err(ChangesError::NothingDiffers { said });
    }
    let mut changes = Changes { files: Vec::new(), hidden: Vec::new(), left_out: Vec::new() };
    for difference in &differences {
        let Difference { path, old_path, now, before, .. } = difference;
        if difference.is_irregular {
            if !difference.was_irregular && hides(git, &wanted, difference, &differences) {
                changes.hidden.push(path.clone());
            } else if wanted.is_match(path) {
                changes.left_out.push(path.clone());
            }
        }
        let Some(now) = now.as_ref().filter(|_| wanted.is_match(path)) else { continue };
        // A file renamed from outside the patterns was never judged.
        let before = match before.as_ref().filter(|_| wanted.is_match(old_path)) {
            Some(blob) => intake::read_own_bytes(path, &git.content(path, blob)?),
            None => Vec::new(),
        };
        let before: Vec<RawInput> = before.into_iter().filter_map(Result::ok).collect();
        let counted = |input: RawInput| match is_from_fork && before.iter().all(|it| it.accepted != input.accepted) {
            true => input.without_acceptance(),
            false => input,
        };
        let now = intake::read_own_bytes(path, &git.content(path, now)?);
        let now = now.into_iter().map(|item| item.map(counted)).collect();
        changes.files.push(Change { now, before });
    }
    Ok(changes)
}

/// Returns true if a link or a submodule is in the place of files that are, were or would be judged.
fn hides(git: &Repository, wanted: &GlobSet, link: &Difference, all: &[Difference]) -> bool {
    let below = format!("{}/", link.path);
    let belongs_here = wanted.is_match(&link.path) || wanted.is_match(format!("{below}x.md"));
    let was_below = |other: &Difference| {
        let is_gone = other.now.is_none() || other.path != other.old_path;
        is_gone && other.old_path.starts_with(&below) && wanted.is_match(&other.old_path)
    };
    belongs_here
        || all.iter().any(was_below)
        // A link that leads out of the repository has no files here.
        || git.files("HEAD", &link.path).is_ok_and(|files| files.iter().any(|file| wanted.is_match(&file.path)))
}

/// The reason why the changes of a pull request cannot be determined.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// A git command failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A pattern is not valid.
    #[error("`{pattern}` in REQGATE_PATHS is not a valid pattern: {message}")]
    Pattern {
        /// The pattern as written.
        pattern: String,
        /// The problem with the pattern.
        message: String,
    },
    /// The checkout shows no change although the event lists changed files.
    #[error(
        "the event lists {said} changed files, but the checkout does not differ from its base: check out the event's merge \
         commit with `fetch-depth: 2`"
    )]
    NothingDiffers {
        /// The number of changed files according to GitHub.
        said: u64,
    },
    /// A path of the policy points outside the repository.
    #[error(
        "`{}` ({name}) is outside the repository: in a pull request the policy comes from the base branch only; \
         use a path inside the repository", path.display()
    )]
    Outside {
        /// The setting that names it.
        name: String,
        /// The path as configured.
        path: PathBuf,
    },
    /// The policy has more files than the limit allows.
    #[error("the policy of the base branch has more than {MOST_POLICY_FILES} files")]
    TooManyFiles,
    /// The files of the policy cannot be written.
    #[error("writing the base branch's policy to {folder}: {message}")]
    Place {
        /// The folder for the policy.
        folder: String,
        /// The cause of the failure.
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
        // A folder means the files in it.
        add(&format!("{pattern}/**"))?;
    }
    if !is_any {
        USUAL_PLACES.iter().try_for_each(|pattern| add(pattern))?;
    }
    set.build().map_err(|error| ChangesError::Pattern { pattern: String::new(), message: error.kind().to_string() })
}

/// Writes files and folders of a commit into `folder`, at the same paths; paths that are not in the commit are skipped.
///
/// # Errors
/// Fails if git fails, if a path points outside the repository, or if a file cannot be written.
pub(crate) fn policy(git: &Repository, base: &str, paths: &[&Path], folder: &Path) -> Result<(), ChangesError> {
    let place = |error: std::io::Error| ChangesError::Place {
        folder: folder.display().to_string(),
        message: error.to_string(),
    };
    let mut written = 0;
    for path in paths {
        let inner = inside(path).ok_or_else(|| outside("the configuration", path))?;
        for entry in git.files(base, &inner)? {
            let relative = inside(Path::new(&entry.path)).ok_or_else(|| outside("the base branch", path))?;
            if written >= MOST_POLICY_FILES {
                return Err(ChangesError::TooManyFiles);
            }
            let target: PathBuf = folder.join(relative);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent).map_err(place)?;
            }
            fs::write(&target, git.content(&entry.path, &entry.blob)?).map_err(place)?;
            written += 1;
        }
    }
    Ok(())
}

/// Converts a path that the setting `name` contains into a path from the root of the repository that is checked out in
/// one of `roots`.
///
/// Only the words of the path decide. The checkout is not read, because its links come from the request.
///
/// # Errors
/// Fails for a path that points outside the repository.
pub(crate) fn in_repository(name: &str, path: &Path, roots: &[PathBuf]) -> Result<PathBuf, ChangesError> {
    let within = |path: &Path| inside(path).map(PathBuf::from);
    let found = if path.has_root() || path.is_absolute() {
        let plain = plain(path);
        roots.iter().find_map(|root| plain.strip_prefix(self::plain(root)).ok().and_then(within))
    } else {
        within(path)
    };
    found.ok_or_else(|| outside(name, path))
}

fn outside(name: &str, path: &Path) -> ChangesError {
    ChangesError::Outside { name: name.to_owned(), path: path.to_path_buf() }
}

/// An absolute path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

/// The path without `.`, as text with `/` between its parts; `None` if it leaves the repository.
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

    #[test]
    fn path_of_the_policy_is_one_of_the_repository_however_it_is_written() {
        let roots = [PathBuf::from("/checkout/shop/shop"), PathBuf::from("/w/./shop/")];
        for (path, expected) in [
            (".reqgate.yaml", Some(".reqgate.yaml")),
            ("./quality/../.reqgate.yaml", Some(".reqgate.yaml")),
            ("/checkout/shop/shop/.reqgate.yaml", Some(".reqgate.yaml")),
            ("/checkout/shop/shop//quality/./a.yaml", Some("quality/a.yaml")),
            ("/checkout/x/../shop/shop/a.yaml", Some("a.yaml")),
            ("/w/shop/a.yaml", Some("a.yaml")),
            ("../shop/.reqgate.yaml", None),
            ("quality/../../shop/.reqgate.yaml", None),
            ("/checkout/shop/shop/../evil.yaml", None),
            ("/checkout/shop/shopping/a.yaml", None),
            ("/checkout/shop/shop", None),
            ("/checkout/shop/shop/.git/config", None),
            ("/etc/reqgate.yaml", None),
        ] {
            let found = in_repository("REQGATE_CONFIG", Path::new(path), &roots);
            assert_eq!(found.ok().as_deref(), expected.map(Path::new), "{path}");
        }
    }
}
