//! Reads commits and files of the checkout through `git`: names and blobs only; no hook, filter or index is used.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::event::is_commit;
use reqgate_base::clean::short_line;

/// The maximum size of a blob that is read, in bytes.
const LARGEST_BLOB: u64 = 16 * 1024 * 1024;

/// The checkout of a repository.
#[derive(Debug, Clone)]
pub struct Repository {
    folder: PathBuf,
}

/// A failure of `git`.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program `git` cannot be started.
    #[error("running git: {0}: install git, or add it to the PATH")]
    NotThere(std::io::Error),
    /// The command ended with an error.
    #[error("git {command} failed: {message}")]
    Failed {
        /// The git command that failed.
        command: String,
        /// The first words of its error message.
        message: String,
    },
    /// The checkout has no commit to compare with.
    #[error(
        "the checkout has no commit to compare with: set `fetch-depth: 2` on actions/checkout, or 0 if it checks out a \
         commit other than GitHub's merge commit"
    )]
    NoBase,
    /// A link does not point to a file of the commit.
    #[error(
        "`{path}` in commit {commit} is a link that does not point to a file in the repository: commit the file itself"
    )]
    Astray {
        /// The path of the link.
        path: String,
        /// The commit that contains it.
        commit: String,
    },
    /// A path that git cannot be asked about.
    #[error("the name of `{}` contains a line break", path.escape_debug())]
    OddName {
        /// The path in question.
        path: String,
    },
    /// A blob is too large.
    #[error("`{path}` is larger than {} MiB", LARGEST_BLOB >> 20)]
    TooLarge {
        /// The path of the file.
        path: String,
    },
}

/// A regular file in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Path from the root of the repository.
    pub path: String,
    /// Id of its content.
    pub blob: String,
}

/// A file that differs between two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Path from the root of the repository.
    pub path: String,
    /// Id of its current content; `None` if it was deleted or is not a regular file.
    pub now: Option<String>,
    /// Path before; equal to `path` unless the file was renamed.
    pub old_path: String,
    /// Id of its previous content; `None` if it is new or was not a regular file.
    pub before: Option<String>,
    /// It still exists, but as a link or a submodule.
    pub is_irregular: bool,
    /// It existed before as a link or as another repository.
    pub was_irregular: bool,
}

/// The commit that a pull request is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The commit that the request changes.
    pub changed: String,
    /// The commit whose policy judges: the newest known commit of the base branch.
    pub policy: String,
}

/// The commits that an event names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Head of the base branch.
    pub base: Option<String>,
    /// Head of the pull request.
    pub head: Option<String>,
    /// The commit that started the workflow; for a pull request, its merge into the base (`GITHUB_SHA`).
    pub merge: Option<String>,
}

/// A committed version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    /// The commit.
    pub commit: String,
    /// Its day, `YYYY-MM-DD`.
    pub day: String,
    /// The text of the file in it.
    pub text: String,
}

/// A commit with its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Id of the commit.
    pub commit: String,
    /// The complete message of the commit.
    pub text: String,
}

/// The object at a path of a commit, with links followed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    File(String),
    Folder(String),
    Nothing,
}

impl Repository {
    /// Opens the checkout in a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        told(arguments, self.command(arguments).stdin(Stdio::null()).output().map_err(GitError::NotThere)?)
    }

    /// Runs a command as [`Self::run`] does, with a line of input.
    fn run_with(&self, arguments: &[&str], line: &str) -> Result<Vec<u8>, GitError> {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(GitError::NotThere)?;
        if let Some(mut stdin) = child.stdin.take() {
            // If the process has ended already, its error message explains why.
            let _ = stdin.write_all(format!("{line}\n").as_bytes());
        }
        told(arguments, child.wait_with_output().map_err(GitError::NotThere)?)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(&self.folder)
            .args(["--no-pager", "-c", "core.fsmonitor=false"])
            .args(arguments)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1");
        command
    }

    /// The id of a commit; `None` if the commit is not in this repository.
    pub(crate) fn commit(&self, name: &str) -> Option<String> {
        let out =
            self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")]).ok()?;
        let id = String::from_utf8(out).ok()?.trim().to_owned();
        is_commit(&id).then_some(id)
    }

    /// Finds the commits that a pull request is compared with.
    ///
    /// GitHub checks out the merge of the request into its base; then the base is its first parent. The shape of a
    /// merge does not prove that GitHub made it, because the author of a request can create one too. It is GitHub's if
    /// the workflow was started for this commit and its second parent is the head that the event names. Otherwise the
    /// base is the commit at which the request branched off from the base that the event names; the policy is that of
    /// the base itself, because the author chooses where to branch off.
    ///
    /// # Errors
    /// Fails if the checkout does not contain the commits.
    pub(crate) fn base(&self, named: &Named) -> Result<Base, GitError> {
        let is_started_for = named.merge.is_none() || named.merge == self.commit("HEAD");
        let second = self.commit("HEAD^2");
        // GitHub's events name the head; a handwritten event for trying out a workflow may not.
        let is_its_head = second.is_some() && (named.head.is_none() || second == named.head);
        if is_started_for && is_its_head {
            let first = self.commit("HEAD^1").ok_or(GitError::NoBase)?;
            return Ok(Base { changed: first.clone(), policy: first });
        }
        let base = named.base.as_deref().and_then(|name| self.commit(name)).ok_or(GitError::NoBase)?;
        let out = self.run(&["merge-base", "--all", &base, "HEAD"]).map_err(|_| GitError::NoBase)?;
        let words = String::from_utf8_lossy(&out);
        let mut left = words.split_whitespace().filter(|id| is_commit(id));
        // Histories that cross have several merge bases, and the author must not choose which of them counts.
        let changed = match (left.next(), left.next()) {
            (Some(only), None) => only.to_owned(),
            (Some(_), Some(_)) => base.clone(),
            (None, _) => return Err(GitError::NoBase),
        };
        Ok(Base { changed, policy: base })
    }

    /// The files that differ between a commit and the checked-out one; a renamed file is one difference.
    ///
    /// # Errors
    /// Fails if git fails.
    pub(crate) fn differences(&self, base: &str) -> Result<Vec<Difference>, GitError> {
        let arguments = ["diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", base, "HEAD", "--"];
        let out = self.run(&arguments)?;
        let words = String::from_utf8_lossy(&out);
        let mut parts = words.split('\0');
        let mut found = Vec::new();
        while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
            let fields: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
            let [old_mode, mode, old, new, status] = fields[..] else { continue };
            let renamed = if status.starts_with('R') { parts.next() } else { None };
            let regular = |mode: &str, id: &str| (is_regular(mode) && is_commit(id)).then(|| id.to_owned());
            let (now, before) = (regular(mode, new), regular(old_mode, old));
            found.push(Difference {
                path: renamed.unwrap_or(path).to_owned(),
                old_path: path.to_owned(),
                is_irregular: now.is_none() && status != "D",
                was_irregular: before.is_none() && !is_absent(old_mode),
                now,
                before,
            });
        }
        Ok(found)
    }

    /// The files of a commit at or below a path. Links are followed if they lead to files of the same commit.
    ///
    /// # Errors
    /// Fails if git fails, or if a link leads elsewhere: its content must not be silently missing.
    pub(crate) fn files(&self, commit: &str, path: &str) -> Result<Vec<Entry>, GitError> {
        let entry = |path: &str, blob: &str| Entry { path: path.to_owned(), blob: blob.to_owned() };
        let tree = match self.place(commit, path)? {
            Place::File(blob) => return Ok(vec![entry(path, &blob)]),
            Place::Folder(tree) => tree,
            Place::Nothing => return Ok(Vec::new()),
        };
        let out = self.run(&["ls-tree", "-r", "-z", "--full-tree", &tree])?;
        let words = String::from_utf8_lossy(&out);
        let mut found = Vec::new();
        for line in words.split('\0') {
            let Some((head, name)) = line.split_once('\t') else { continue };
            let fields: Vec<&str> = head.split(' ').collect();
            let [mode, "blob", blob] = fields[..] else { continue };
            let path = format!("{path}/{name}");
            if is_regular(mode) {
                found.push(entry(&path, blob));
            } else if let Place::File(blob) = self.place(commit, &path)? {
                found.push(entry(&path, &blob));
            } else {
                return Err(GitError::Astray { path, commit: commit.to_owned() });
            }
        }
        Ok(found)
    }

    fn place(&self, commit: &str, path: &str) -> Result<Place, GitError> {
        if path.contains(['\n', '\r']) {
            return Err(GitError::OddName { path: path.to_owned() });
        }
        let out = self.run_with(&["cat-file", "--batch-check", "--follow-symlinks"], &format!("{commit}:{path}"))?;
        let words = String::from_utf8_lossy(&out);
        let first = words.lines().next().unwrap_or_default();
        let fields: Vec<&str> = first.split(' ').collect();
        match fields[..] {
            [id, "blob", _] if is_commit(id) => Ok(Place::File(id.to_owned())),
            [id, "tree", _] if is_commit(id) => Ok(Place::Folder(id.to_owned())),
            [.., "missing"] => Ok(Place::Nothing),
            _ => Err(GitError::Astray { path: path.to_owned(), commit: commit.to_owned() }),
        }
    }

    /// The commits of a range, the newest first, at most `most` of them.
    ///
    /// # Errors
    /// Fails if git fails, for example if the range does not exist.
    pub fn messages(&self, range: &str, most: usize) -> Result<Vec<Message>, GitError> {
        let most = format!("--max-count={most}");
        let format = "--format=tformat:%H%x00%B";
        let out = self.run(&[
            "log",
            "-z",
            "--no-color",
            "--no-show-signature",
            format,
            &most,
            "--end-of-options",
            range,
            "--",
        ])?;
        let words = String::from_utf8_lossy(&out);
        let mut parts = words.split('\0');
        let mut found = Vec::new();
        while let (Some(commit), Some(text)) = (parts.next(), parts.next()) {
            found.push(Message { commit: commit.trim().to_owned(), text: text.to_owned() });
        }
        Ok(found)
    }

    /// The committed versions of a file below the folder, the newest first: commit, day, text. Versions that are too large or are not
    /// UTF-8 are left out.
    ///
    /// # Errors
    /// Fails if git fails, for example outside of a repository.
    pub fn versions(&self, path: &str, most: usize) -> Result<Vec<FileVersion>, GitError> {
        let most = format!("--max-count={most}");
        let format = "--format=tformat:%H %cs";
        let shape = ["--literal-pathspecs", "log", "--no-color", "--no-show-signature", format, &most];
        let out = self.run(&[&shape[..], &["--end-of-options", "HEAD", "--", path]].concat())?;
        let listed = String::from_utf8_lossy(&out);
        let version = |line: &str| {
            let (commit, day) = line.split_once(' ')?;
            let text = String::from_utf8(self.content(path, &format!("{commit}:./{path}")).ok()?).ok()?;
            Some(FileVersion { commit: commit.to_owned(), day: day.to_owned(), text })
        };
        Ok(listed.lines().filter_map(version).collect())
    }

    /// Returns true if older commits were not fetched.
    pub fn is_shallow(&self) -> bool {
        self.run(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|out| out.starts_with(b"true"))
    }

    /// The content of a file, as it was committed.
    ///
    /// # Errors
    /// Fails if git fails or the content is too large.
    pub(crate) fn content(&self, path: &str, blob: &str) -> Result<Vec<u8>, GitError> {
        let size = self.run(&["cat-file", "-s", blob])?;
        let size: u64 = String::from_utf8_lossy(&size).trim().parse().unwrap_or(u64::MAX);
        if size > LARGEST_BLOB {
            return Err(GitError::TooLarge { path: path.to_owned() });
        }
        self.run(&["cat-file", "blob", blob])
    }
}

fn told(arguments: &[&str], output: Output) -> Result<Vec<u8>, GitError> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let line = words.lines().next().unwrap_or("no reason given");
    Err(GitError::Failed {
        command: arguments.first().copied().unwrap_or_default().to_owned(),
        message: short_line(line, 200),
    })
}

fn is_absent(mode: &str) -> bool {
    mode == "000000"
}

fn is_regular(mode: &str) -> bool {
    matches!(mode, "100644" | "100755")
}
