//! What an audit keeps between runs: every page with its tag and entries, so that nothing is fetched or judged twice.

use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::Entry;
use reqgate_base::files;
use reqgate_net::github::PageAddress;

/// The name of the stored form. Another form is not read: the audit starts anew, which costs requests and nothing else.
const SCHEMA: &str = "reqgate/audit-state/v2";
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// The state of an audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    schema: String,
    /// What was audited.
    pub(super) source: String,
    /// Names everything that decides a verdict; entries of another judge are of no use.
    pub(super) judge: String,
    /// True if the last run came to the end: then each page is asked again whether it has changed.
    pub(super) is_complete: bool,
    /// The pages, in order.
    pub(super) pages: Vec<Leaf>,
}

/// One page of a list of issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Leaf {
    /// Where it is.
    pub(super) address: PageAddress,
    /// The tag under which it was given.
    pub(super) etag: Option<String>,
    /// Where the next one is.
    pub(super) next: Option<PageAddress>,
    /// How many issues it held, pull requests among them.
    pub(super) items: usize,
    /// Pull requests that were left out.
    pub(super) pull_requests: usize,
    /// Issues that could not be judged.
    pub(super) unreadable: usize,
    /// The judged issues.
    pub(super) entries: Vec<Entry>,
}

/// A state that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookmarkError {
    /// The file cannot be read.
    #[error("reading the state `{path}`: {source}")]
    Read {
        /// Its name.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("`{path}` does not hold the state of an audit: name another file, or remove it")]
    Foreign {
        /// Its name.
        path: String,
    },
}

impl Bookmark {
    /// A state with nothing in it.
    pub fn new(source: &str, judge: &str) -> Self {
        let (source, judge) = (source.to_owned(), judge.to_owned());
        Self { schema: SCHEMA.to_owned(), source, judge, is_complete: false, pages: Vec::new() }
    }

    /// The state in a file; a new one if there is no such file, or if it is about something else or by another judge.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is no state: somebody else's file must not be overwritten.
    pub fn read(path: &Path, source: &str, judge: &str) -> Result<Self, BookmarkError> {
        let shown = || path.display().to_string();
        let size = match fs::metadata(path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::new(source, judge)),
            Err(error) => return Err(BookmarkError::Read { path: shown(), source: error }),
        };
        if size > MOST_BYTES {
            return Err(BookmarkError::Foreign { path: shown() });
        }
        let text = files::read(path, MOST_BYTES).map_err(|source| BookmarkError::Read { path: shown(), source })?;
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|_| BookmarkError::Foreign { path: shown() })?;
        let schema = value.get("schema").and_then(serde_json::Value::as_str).unwrap_or_default();
        if !schema.starts_with("reqgate/audit-state/") {
            return Err(BookmarkError::Foreign { path: shown() });
        }
        let read: Option<Self> = (schema == SCHEMA).then(|| serde_json::from_value(value).ok()).flatten();
        let fits = |read: &Self| read.source == source && read.judge == judge;
        Ok(read.filter(fits).unwrap_or_else(|| Self::new(source, judge)))
    }

    /// The text to store.
    pub fn written(&self) -> String {
        serde_json::to_string(self).expect("a state has string keys only")
    }

    /// True if an earlier run was broken off.
    pub fn is_broken_off(&self) -> bool {
        !self.is_complete && !self.pages.is_empty()
    }
}
