//! A branch as a store: files are read from Git's own objects, and a change is one commit, to which the branch is moved
//! only if it has not moved in the meantime.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::parsed;
use super::issues::null_as_default;
use super::{Account, Client, GithubError, Repository};
use crate::segment;
use crate::{Method, Repeat, Request};

/// A commit of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The hash of the commit.
    pub sha: String,
    /// The hash of the tree of its files.
    pub tree: String,
    /// The message of the commit.
    pub message: String,
    /// The time of the commit, e.g. `2026-11-21T08:00:00Z`; for commits made through the API, the time of the server.
    pub date: String,
    /// The account that wrote it, or the account `ghost` if GitHub does not know the author.
    pub author: Account,
}

/// GitHub's description of a commit.
#[derive(Deserialize)]
struct CommitReply {
    sha: String,
    commit: Described,
    #[serde(default, deserialize_with = "null_as_default")]
    author: Account,
}

#[derive(Deserialize)]
struct Described {
    message: String,
    tree: Named,
    committer: Option<Dated>,
}

#[derive(Deserialize)]
struct Dated {
    #[serde(default)]
    date: String,
}

#[derive(Deserialize)]
struct Named {
    sha: String,
}

#[derive(Deserialize)]
struct Reference {
    object: Named,
}

#[derive(Deserialize)]
struct TreeReply {
    tree: Vec<Entry>,
    #[serde(default)]
    truncated: bool,
}

#[derive(Deserialize)]
struct BlobReply {
    content: String,
}

#[derive(Deserialize)]
struct RepositoryReply {
    default_branch: String,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Entry {
    /// The name of the entry in the folder.
    pub path: String,
    /// The kind of entry.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// The hash of its content.
    pub sha: String,
    /// The file mode, which distinguishes a link from a file.
    #[serde(default)]
    pub mode: String,
}

impl Entry {
    /// Returns true for a file that is not a symbolic link.
    pub fn is_file(&self) -> bool {
        self.kind == EntryKind::Blob && self.mode != "120000"
    }
}

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A file or a symbolic link.
    Blob,
    /// A folder of the repository.
    Tree,
    /// Anything else, e.g. a submodule.
    #[serde(other)]
    Other,
}

/// A change of one file: its new content, or `None` to delete it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the root of the repository.
    pub path: String,
    /// The new content, or `None` to delete the file.
    pub content: Option<String>,
}

/// The result of moving a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// The branch is at the new commit.
    Done,
    /// The branch was moved or created by another client in the meantime; it was not changed.
    Overtaken,
}

impl Client {
    /// The name of the repository's default branch.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn default_branch(&self, repository: &Repository) -> Result<String, GithubError> {
        let reply: RepositoryReply = self.read(&format!("reading {repository}"), &Request::get(repository.path()))?;
        Ok(reply.default_branch)
    }

    /// The hash of the commit at the head of a branch; `None` if the branch does not exist. In a repository without any
    /// commit, GitHub answers 409 instead of 404.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn branch_head(&self, repository: &Repository, branch: &str) -> Result<Option<String>, GithubError> {
        let doing = format!("reading the branch {branch} of {repository}");
        let address = format!("{}/git/ref/heads/{}", repository.path(), path_of(branch));
        match self.read::<Reference>(&doing, &Request::get(address)) {
            Ok(reference) => Ok(Some(reference.object.sha)),
            Err(error) if matches!(error.status(), Some(404 | 409)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads a commit by its hash.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn commit(&self, repository: &Repository, sha: &str) -> Result<Commit, GithubError> {
        let doing = format!("reading a commit of {repository}");
        // One file per page, because the list of changed files is not needed.
        let address = format!("{}/commits/{}?per_page=1", repository.path(), segment(sha));
        let reply: CommitReply = self.read(&doing, &Request::get(address))?;
        let date = reply.commit.committer.map(|committer| committer.date).unwrap_or_default();
        let (tree, message) = (reply.commit.tree.sha, reply.commit.message);
        Ok(Commit { sha: reply.sha, tree, message, date, author: reply.author })
    }

    /// The entries of one folder, by the hash of its tree.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses, or if the folder is too large to be listed completely.
    pub fn folder(&self, repository: &Repository, tree: &str) -> Result<Vec<Entry>, GithubError> {
        let doing = format!("listing a folder of {repository}");
        let address = format!("{}/git/trees/{}", repository.path(), segment(tree));
        let reply: TreeReply = self.read(&doing, &Request::get(address))?;
        if reply.truncated {
            let message = "the folder is too large to be listed".to_owned();
            return Err(GithubError::Malformed { doing, message });
        }
        Ok(reply.tree)
    }

    /// The content of a file, by its hash.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses, or if the file is not UTF-8 text.
    pub fn file_text(&self, repository: &Repository, sha: &str) -> Result<String, GithubError> {
        let doing = format!("reading a file of {repository}");
        let address = format!("{}/git/blobs/{}", repository.path(), segment(sha));
        let reply: BlobReply = self.read(&doing, &Request::get(address))?;
        let packed: String = reply.content.split_ascii_whitespace().collect();
        let bytes = STANDARD.decode(packed).ok();
        bytes
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or_else(|| GithubError::Malformed { doing, message: "the file is not UTF-8 text".to_owned() })
    }

    /// Creates a commit that changes files of its parent, and returns its hash. No branch is moved.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn create_commit(
        &self,
        repository: &Repository,
        parent: &Commit,
        message: &str,
        changes: &[Change],
    ) -> Result<String, GithubError> {
        let doing = format!("making a commit in {repository}");
        let entry = |change: &Change| match &change.content {
            Some(content) => json!({ "path": change.path, "mode": "100644", "type": "blob", "content": content }),
            None => json!({ "path": change.path, "mode": "100644", "type": "blob", "sha": Value::Null }),
        };
        let entries: Vec<Value> = changes.iter().map(entry).collect();
        let body = json!({ "base_tree": parent.tree, "tree": entries });
        let tree = self.made(&doing, format!("{}/git/trees", repository.path()), body)?;
        let body = json!({ "message": message, "tree": tree, "parents": [parent.sha] });
        self.made(&doing, format!("{}/git/commits", repository.path()), body)
    }

    /// Objects are named by their content, so creating one twice is harmless.
    fn made(&self, doing: &str, address: String, body: Value) -> Result<String, GithubError> {
        let reply = self.call(doing, &Request::new(Method::Post, address, Some(body)), Repeat::Harmless)?;
        Ok(parsed::<Named>(doing, &reply)?.sha)
    }

    /// Moves a branch from `from` to `to`, which must follow it; creates the branch if `from` is `None`. The move is
    /// never forced: of several runs that move a branch at once, one gets [`Moved::Done`] and the others
    /// [`Moved::Overtaken`].
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached, or refuses although the branch has not moved, for lack of
    /// permission or because of a rule.
    pub fn move_branch(
        &self,
        repository: &Repository,
        branch: &str,
        from: Option<&str>,
        to: &str,
    ) -> Result<Moved, GithubError> {
        let doing = format!("moving the branch {branch} of {repository}");
        let path = repository.path();
        let request = match from {
            Some(_) => Request::new(
                Method::Patch,
                format!("{path}/git/refs/heads/{}", path_of(branch)),
                Some(json!({ "sha": to, "force": false })),
            ),
            None => Request::new(
                Method::Post,
                format!("{path}/git/refs"),
                Some(json!({ "ref": format!("refs/heads/{branch}"), "sha": to })),
            ),
        };
        // A repetition moves the branch to the commit where it already is.
        let Err(error) = self.call(&doing, &request, Repeat::Harmless) else { return Ok(Moved::Done) };
        if !error.may_have_landed() && !matches!(error.status(), Some(404 | 409 | 422)) {
            return Err(error);
        }
        // The answer may belong to a repetition of a successful request, so the branch itself is checked.
        match self.branch_head(repository, branch)? {
            Some(head) if head == to => Ok(Moved::Done),
            head if head.as_deref() == from => Err(error),
            _ => Ok(Moved::Overtaken),
        }
    }
}

/// The name of a branch as part of an address, with each part encoded.
fn path_of(branch: &str) -> String {
    branch.split('/').map(segment).collect::<Vec<_>>().join("/")
}
