//! Records the searches of a run in a file of JSON lines, and replays them without a request.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{SearchError, SearchQuery, SearchResult};
use reqgate_base::files::{self, Readers};
use reqgate_rules::config::SearchProviderName;

/// One search and its outcome: a line of the file, without any key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Recorded {
    /// The version of this line; 1.
    pub version: u32,
    /// The provider that was asked.
    pub provider: SearchProviderName,
    /// The query that was sent.
    #[serde(flatten)]
    pub query: SearchQuery,
    /// The time in UTC (RFC 3339).
    pub timestamp: String,
    /// The outcome of the search.
    pub came: Came,
}

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Came {
    /// The results that were found.
    Results(Vec<SearchResult>),
    /// The reason why there are none.
    Error(SearchError),
}

/// The searches of a recorded run.
pub(super) struct Recording {
    path: PathBuf,
    lines: Vec<Recorded>,
}

impl Recording {
    /// Creates an empty recording, which replaces the file with its first search.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), lines: Vec::new() }
    }

    /// Reads the recording in a file.
    ///
    /// # Errors
    /// Returns [`SearchError::Recording`] if the file cannot be read or a line of it is not a search.
    pub(super) fn read(path: &Path) -> Result<Self, SearchError> {
        let refuse = |what: String| SearchError::Recording(format!("`{}` {what}", path.display()));
        let text = files::text(path, files::RECORDS).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => refuse("does not exist: make it with --record".to_owned()),
            _ => refuse(format!("cannot be read: {error}")),
        })?;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let is_known = |line: &Recorded| line.version == 1;
            // The parser's message may quote the file, which may be a link to another user's file.
            let read = serde_json::from_str(line).ok().filter(is_known);
            lines.push(read.ok_or_else(|| refuse(format!("cannot be used: line {number} is not a recorded search")))?);
        }
        Ok(Self { path: path.to_owned(), lines })
    }

    /// The recorded outcome of a query.
    pub(super) fn find(&self, query: &SearchQuery) -> Option<&Recorded> {
        self.lines.iter().find(|line| line.query.key() == query.key())
    }

    /// Adds a search, and writes the whole file.
    ///
    /// # Errors
    /// Returns [`SearchError::Recording`] if the file cannot be written.
    pub(super) fn add(&mut self, line: Recorded) -> Result<(), SearchError> {
        let refuse =
            |why: String| SearchError::Recording(format!("`{}` cannot be written: {why}", self.path.display()));
        self.lines.push(line);
        let mut text = Vec::new();
        for line in &self.lines {
            serde_json::to_writer(&mut text, line).map_err(|error| refuse(error.to_string()))?;
            text.push(b'\n');
        }
        files::write(&self.path, &text, Readers::Owner).map_err(|error| refuse(error.to_string()))
    }
}
