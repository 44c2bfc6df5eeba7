//! The state of an audit between runs: every page with its tag and entries, so that no page is fetched or judged twice.

use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::Entry;
use reqgate_base::files;
use reqgate_net::github::PageAddress;

/// The name of the stored form. Other forms are not read; the audit then starts again from the first page.
const SCHEMA: &str = "reqgate/audit-state/v2";
/// The maximum size of a file that is read, in bytes.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// The state of an audit that can be continued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    schema: String,
    /// The name of the audited repository.
    pub(super) source: String,
    /// A digest of everything that affects a verdict; entries of another judge cannot be used.
    pub(super) judge: String,
    /// The last run was completed; the next one checks every page for changes.
    pub(super) is_complete: bool,
    /// The pages, in the order of their links.
    pub(super) pages: Vec<Leaf>,
}

/// One page of a list of issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Leaf {
    /// The address of the page.
    pub(super) address: PageAddress,
    /// The entity tag that the page was sent with.
    pub(super) etag: Option<String>,
    /// The address of the next page.
    pub(super) next: Option<PageAddress>,
    /// The number of issues on the page, including pull requests.
    pub(super) items: usize,
    /// The number of pull requests that were left out.
    pub(super) pull_requests: usize,
    /// The number of issues that could not be judged.
    pub(super) unreadable: usize,
    pub(super) entries: Vec<Entry>,
}

/// The reason why a state cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BookmarkError {
    /// The file could not be read.
    #[error("reading the state `{path}`: {source}")]
    Read {
        /// The name of the file.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The file does not contain the state of an audit.
    #[error("`{path}` does not hold the state of an audit: name another file, or remove it")]
    Foreign {
        /// The name of the file.
        path: String,
    },
}

impl Bookmark {
    /// A state without pages.
    pub fn new(source: &str, judge: &str) -> Self {
        let (source, judge) = (source.to_owned(), judge.to_owned());
        Self { schema: SCHEMA.to_owned(), source, judge, is_complete: false, pages: Vec::new() }
    }

    /// The state in a file; a new one if the file does not exist, or belongs to another source or judge.
    ///
    /// # Errors
    /// Fails if the file cannot be read or does not contain a state, so that an unrelated file is not overwritten.
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

    /// The state as JSON, to be stored.
    pub fn written(&self) -> String {
        serde_json::to_string(self).expect("a state has string keys only")
    }

    /// Returns true if an earlier run was interrupted.
    pub fn is_broken_off(&self) -> bool {
        !self.is_complete && !self.pages.is_empty()
    }
}
