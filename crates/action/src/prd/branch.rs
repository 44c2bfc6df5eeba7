//! The branch of an issue as the store of its thread: the log and the documents at its head, and the push.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::ActionError;
use reqgate_flow::ThreadId;
use reqgate_net::github::{Change, Client, Commit, Entry, EntryKind, Moved, Repository};

/// The start of the names of our branches.
const PREFIX: &str = "reqgate/prd-";
/// The folder of the logs.
const LOGS: &str = ".reqgate/threads";
/// The longest id of a thread.
const LONGEST_ID: usize = 80;
/// The words in a commit message that tell our commits from those of people.
const MARK: &str = "Reqgate-Log: ";

/// The name of the branch of an issue.
pub(super) fn branch_of(issue: u64) -> String {
    format!("{PREFIX}{issue}")
}

/// The issue of a branch.
pub(super) fn issue_of(branch: &str) -> Option<u64> {
    branch.strip_prefix(PREFIX)?.parse().ok()
}

/// The file of the log of an issue.
pub(super) fn log_of(issue: u64) -> String {
    format!("{LOGS}/{issue}.jsonl")
}

/// The file that keeps logs out of reviews and statistics, and its content.
pub(super) const ATTRIBUTES: (&str, &str) =
    (".reqgate/threads/.gitattributes", "*.jsonl linguist-generated=true -diff\n");

/// The thread of an issue: repository and number.
pub(super) fn thread_of(repository: &Repository, issue: u64) -> Option<ThreadId> {
    let number = format!("-{issue}");
    let words: String = repository
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .skip_while(|c| *c == '-')
        .take(LONGEST_ID - number.len())
        .collect();
    format!("{words}{number}").parse().ok()
}

/// The message of a commit of ours, for a log that ends with an event of this hash.
pub(super) fn message(headline: &str, log_hash: &str) -> String {
    format!("{headline}\n\n{MARK}{log_hash}\n")
}

/// Returns true if reqgate made the commit, for a log that ends with this hash. The commit of a person has another message.
pub(super) fn is_ours(commit: &Commit, log_hash: &str) -> bool {
    commit.message.lines().last().and_then(|line| line.strip_prefix(MARK)).is_some_and(|hash| hash.trim() == log_hash)
}

/// The files at one commit, read on demand.
pub(super) struct Files<'a> {
    client: &'a Client,
    repository: &'a Repository,
    /// The tree of the commit.
    root: &'a str,
    folders: RefCell<BTreeMap<String, Vec<Entry>>>,
}

impl<'a> Files<'a> {
    /// The files of a commit, not read yet.
    pub(super) fn at(client: &'a Client, repository: &'a Repository, commit: &'a Commit) -> Self {
        Self { client, repository, root: &commit.tree, folders: RefCell::default() }
    }

    /// The entries of a folder; none if it does not exist.
    fn folder(&self, tree: &str) -> Result<Vec<Entry>, ActionError> {
        if let Some(entries) = self.folders.borrow().get(tree) {
            return Ok(entries.clone());
        }
        let entries = self.client.folder(self.repository, tree)?;
        self.folders.borrow_mut().insert(tree.to_owned(), entries.clone());
        Ok(entries)
    }

    fn entry(&self, path: &str) -> Result<Option<Entry>, ActionError> {
        let mut tree = self.root.to_owned();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let Some(entry) = self.folder(&tree)?.into_iter().find(|entry| entry.path == part) else { return Ok(None) };
            if parts.peek().is_none() {
                return Ok(Some(entry));
            }
            if entry.kind != EntryKind::Tree {
                return Ok(None);
            }
            tree = entry.sha;
        }
        Ok(None)
    }

    /// The text of a file; `None` if there is no such file. A symbolic link is not a file.
    pub(super) fn text(&self, path: &str) -> Result<Option<String>, ActionError> {
        match self.entry(path)?.filter(Entry::is_file) {
            Some(entry) => Ok(Some(self.client.file_text(self.repository, &entry.sha)?)),
            None => Ok(None),
        }
    }

    /// The texts of files at another commit; none if the commit is gone.
    pub(super) fn texts_at(&self, commit: &str, paths: &[&str]) -> Result<Vec<Option<String>>, ActionError> {
        match self.client.commit(self.repository, commit) {
            Ok(commit) => {
                let files = Files::at(self.client, self.repository, &commit);
                paths.iter().map(|path| files.text(path)).collect()
            }
            Err(error) if matches!(error.status(), Some(404 | 422)) => Ok(vec![None; paths.len()]),
            Err(error) => Err(error.into()),
        }
    }

    /// The names of the folders in a folder; none if it does not exist.
    pub(super) fn folders_in(&self, path: &str) -> Result<Vec<String>, ActionError> {
        let Some(entry) = self.entry(path)?.filter(|entry| entry.kind == EntryKind::Tree) else {
            return Ok(Vec::new());
        };
        let entries = self.folder(&entry.sha)?.into_iter();
        Ok(entries.filter(|entry| entry.kind == EntryKind::Tree).map(|entry| entry.path).collect())
    }
}

/// The result of a push.
pub(super) enum Pushed {
    /// The branch is at this commit.
    Done(String),
    /// The branch was moved in the meantime; the push changed no file.
    Overtaken,
    /// GitHub does not let it be pushed.
    Refused(reqgate_net::github::GithubError),
}

/// Appends documents and log to a branch as one commit.
///
/// # Errors
/// Fails if GitHub cannot be asked.
pub(super) fn push(
    client: &Client,
    repository: &Repository,
    (branch, exists): (&str, bool),
    parent: &Commit,
    message: &str,
    changes: &[Change],
) -> Result<Pushed, ActionError> {
    let is_refusal = |status: Option<u16>| matches!(status, Some(403 | 404 | 409 | 422));
    let commit = match client.create_commit(repository, parent, message, changes) {
        Ok(commit) => commit,
        Err(error) if is_refusal(error.status()) => return Ok(Pushed::Refused(error)),
        Err(error) => return Err(error.into()),
    };
    let from = exists.then_some(parent.sha.as_str());
    match client.move_branch(repository, branch, from, &commit) {
        Ok(Moved::Done) => Ok(Pushed::Done(commit)),
        Ok(Moved::Overtaken) => Ok(Pushed::Overtaken),
        Err(error) if is_refusal(error.status()) => Ok(Pushed::Refused(error)),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_named_by_repository_and_issue() {
        let of = |repository: &str| thread_of(&repository.parse().unwrap(), 7).unwrap().to_string();
        assert_eq!(of("Octo/shop.web"), "octo-shop-web-7");
        assert!(of(&format!("o/{}", "x".repeat(100))).ends_with("x-7"));
        assert_eq!(issue_of(&branch_of(7)), Some(7));
        assert_eq!(issue_of("reqgate/prd-7; rm"), None);
    }

    #[test]
    fn a_commit_of_ours_names_the_end_of_its_log() {
        let commit = |message: String| Commit {
            sha: String::new(),
            tree: String::new(),
            message,
            date: String::new(),
            author: reqgate_net::github::Account::default(),
        };
        assert!(is_ours(&commit(message("PRD", "abc")), "abc"));
        assert!(!is_ours(&commit(message("PRD", "abc")), "abd"));
        assert!(!is_ours(&commit("Merge branch 'main'".to_owned()), "abc"));
    }
}
