//! What the checkout knows of commits and files, asked of `git`: names and blobs only, never a hook, a filter or the index.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::event::is_commit;

/// The largest blob that is read, in bytes.
const LARGEST_BLOB: u64 = 16 * 1024 * 1024;

/// A checkout.
#[derive(Debug, Clone)]
pub struct Repository {
    folder: PathBuf,
}

/// Why `git` could not tell.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// It is not there.
    #[error("running git: {0}; the step needs git on the PATH")]
    NotThere(std::io::Error),
    /// It said no.
    #[error("git {command} failed: {message}")]
    Failed {
        /// What was asked.
        command: String,
        /// Its first words.
        message: String,
    },
    /// There is nothing to compare with.
    #[error("the checkout has no commit to compare with: give actions/checkout `fetch-depth: 2`")]
    NoBase,
    /// A blob is too large.
    #[error("`{path}` is larger than {} MiB", LARGEST_BLOB >> 20)]
    TooLarge {
        /// Its path.
        path: String,
    },
}

/// A regular file in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path from the root of the repository.
    pub path: String,
    /// Id of its content.
    pub blob: String,
}

/// A regular file that differs between two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file as it is now.
    pub now: Entry,
    /// Id of its content before; `None` if it is new.
    pub before: Option<String>,
}

impl Repository {
    /// The checkout in a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = Command::new("git")
            .arg("-C")
            .arg(&self.folder)
            .args(["--no-pager", "-c", "core.fsmonitor=false"])
            .args(arguments)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .stdin(Stdio::null())
            .output()
            .map_err(GitError::NotThere)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let line = words.lines().next().unwrap_or("no reason given");
        Err(GitError::Failed {
            command: arguments.first().copied().unwrap_or_default().to_owned(),
            message: line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect(),
        })
    }

    /// The id of a commit; `None` if it is not here.
    pub fn commit(&self, name: &str) -> Option<String> {
        let out =
            self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")]).ok()?;
        let id = String::from_utf8(out).ok()?.trim().to_owned();
        is_commit(&id).then_some(id)
    }

    /// The commit that a pull request is to be compared with.
    ///
    /// GitHub checks out the merge of the request into its base: then it is the first parent. Otherwise it is where the
    /// request left the base that the event names.
    ///
    /// # Errors
    /// Fails if the checkout does not hold it.
    pub fn base(&self, named: Option<&str>) -> Result<String, GitError> {
        if self.commit("HEAD^2").is_some() {
            return self.commit("HEAD^1").ok_or(GitError::NoBase);
        }
        let named = named.and_then(|name| self.commit(name)).ok_or(GitError::NoBase)?;
        let out = self.run(&["merge-base", &named, "HEAD"]).map_err(|_| GitError::NoBase)?;
        let id = String::from_utf8_lossy(&out).trim().to_owned();
        if is_commit(&id) { Ok(id) } else { Err(GitError::NoBase) }
    }

    /// The regular files that differ between a commit and the checked-out one; deleted ones are left out.
    ///
    /// # Errors
    /// Fails if git fails.
    pub fn differences(&self, base: &str) -> Result<Vec<Difference>, GitError> {
        let out = self.run(&[
            "diff",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--no-ext-diff",
            "--diff-filter=AMT",
            base,
            "HEAD",
            "--",
        ])?;
        let words = String::from_utf8_lossy(&out);
        let mut parts = words.split('\0');
        let mut found = Vec::new();
        while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
            let fields: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
            let [old_mode, mode, old, new, _] = fields[..] else { continue };
            // A link's content is a path, and a submodule has none.
            if is_regular(mode) && is_commit(new) {
                let before = (is_regular(old_mode) && is_commit(old)).then(|| old.to_owned());
                found.push(Difference { now: Entry { path: path.to_owned(), blob: new.to_owned() }, before });
            }
        }
        Ok(found)
    }

    /// The regular files of a commit at or below a path.
    ///
    /// # Errors
    /// Fails if git fails.
    pub fn files(&self, commit: &str, path: &str) -> Result<Vec<Entry>, GitError> {
        let out = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit, "--", path])?;
        let words = String::from_utf8_lossy(&out);
        let entry = |line: &str| {
            let (head, path) = line.split_once('\t')?;
            let fields: Vec<&str> = head.split(' ').collect();
            let [mode, "blob", blob] = fields[..] else { return None };
            is_regular(mode).then(|| Entry { path: path.to_owned(), blob: blob.to_owned() })
        };
        Ok(words.split('\0').filter_map(entry).collect())
    }

    /// The content of a file, as it was committed.
    ///
    /// # Errors
    /// Fails if git fails or the content is too large.
    pub fn content(&self, path: &str, blob: &str) -> Result<Vec<u8>, GitError> {
        let size = self.run(&["cat-file", "-s", blob])?;
        let size: u64 = String::from_utf8_lossy(&size).trim().parse().unwrap_or(u64::MAX);
        if size > LARGEST_BLOB {
            return Err(GitError::TooLarge { path: path.to_owned() });
        }
        self.run(&["cat-file", "blob", blob])
    }
}

fn is_regular(mode: &str) -> bool {
    matches!(mode, "100644" | "100755")
}
