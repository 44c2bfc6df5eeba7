//! Which requirements of a feature are mentioned in tests, code and commit messages, and which ids there have no requirement.
//!
//! A mention proves that somebody had the requirement in mind, never that it is met.

mod feature;
mod files;
mod gathering;
mod html;
mod ids;
mod report;
#[cfg(test)]
mod tests;

pub use feature::Feature;
pub use files::FileSets;
pub use gathering::trace;
pub use html::html;
pub use report::{human, markdown};

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use self::files::FileKind;
use super::requirements::RequirementsDocument;
use reqgate_base::model::Language;

/// The name and version of the machine form.
pub const SCHEMA: &str = "reqgate/trace/v1";
/// At most this many places are kept of each kind of mention of an id; all are counted.
const MOST_PLACES: usize = 100;

/// A search that cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TraceError {
    /// A pattern of files is not valid.
    #[error("`{glob}` is not a valid pattern: {message}")]
    Glob {
        /// The pattern.
        glob: String,
        /// The fault.
        message: String,
    },
    /// Nothing can be looked for.
    #[error("the requirements have no ids, so nothing can be looked for: begin each with an id such as `FR-001`")]
    NoIds,
}

/// Where a requirement can be mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// In a test.
    Tests,
    /// In code that is not a test.
    Code,
    /// In the message of a commit.
    Commits,
}

/// The commits that were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commits {
    /// Their messages, the newest first.
    Read {
        /// Id and message of each.
        messages: Vec<(String, String)>,
        /// The reason why older ones are missing, in words; `None` if they are all there.
        cut: Option<String>,
    },
    /// Nobody looked, for this reason.
    NotRead(String),
}

/// The requirements to look for, and where.
#[derive(Debug)]
pub struct Input<'a> {
    /// The document as the user named it.
    pub name: &'a str,
    /// The text of the document.
    pub text: &'a str,
    /// The requirements.
    pub document: &'a RequirementsDocument,
    /// The feature and its neighbours.
    pub feature: &'a Feature,
    /// The folder that is searched.
    pub root: &'a Path,
    /// Its tests and code.
    pub sets: &'a FileSets,
    /// Its commits.
    pub commits: &'a Commits,
    /// The kinds of mention that every wanted requirement must have.
    pub required: &'a [Evidence],
}

/// A report on the mentions of requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// `reqgate/trace/v1`.
    pub schema: String,
    /// The document with the requirements.
    pub document: String,
    /// The requirements that have an id, in the order of the document.
    pub requirements: Vec<TracedRequirement>,
    /// The number of requirements without an id, which cannot be looked for.
    pub without_id: usize,
    /// Ids that are mentioned although no document of a feature has such a requirement, or it was rejected.
    pub strays: Vec<Stray>,
    /// What was required, and who lacks it.
    pub required: Vec<Required>,
    /// What was searched.
    pub searched: Searched,
    /// The language of the document.
    pub language: Language,
}

/// A requirement and its mentions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedRequirement {
    /// Its id as the document writes it.
    pub id: String,
    /// Other ids under which it is looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Its name.
    pub title: String,
    /// The decision on it.
    pub status: RequirementStatus,
    /// True if `--require` applies to it: it is approved, or nobody decides about requirements in this document.
    pub wanted: bool,
    /// The features beside this one that have the same id: a mention may be meant for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_with: Vec<String>,
    /// Its mentions.
    #[serde(flatten)]
    pub mentions: Mentions,
}

/// The decision on a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RequirementStatus {
    /// Nothing yet.
    Pending,
    /// Approved.
    Approved,
    /// Approved with changes.
    Modified,
    /// Rejected.
    Rejected,
    /// Wanted, but not in this feature.
    OutOfScope,
}

/// The mentions of an id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mentions {
    /// In tests.
    pub tests: FileMentions,
    /// In code.
    pub code: FileMentions,
    /// In commit messages; absent if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<CommitMentions>,
}

/// Mentions in files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileMentions {
    /// The number of lines.
    pub count: usize,
    /// The first hundred of them.
    pub places: Vec<FilePlace>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilePlace {
    /// Path from the folder that was searched.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

/// Mentions in commit messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitMentions {
    /// The number of commits.
    pub count: usize,
    /// The ids of the newest hundred.
    pub ids: Vec<String>,
}

/// An id that is mentioned and that no document wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stray {
    /// The id.
    pub id: String,
    /// Why nobody wants it.
    pub reason: StrayReason,
    /// Where it is mentioned.
    #[serde(flatten)]
    pub mentions: Mentions,
}

/// The reason why an id that is mentioned is not a requirement to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrayReason {
    /// The requirement was rejected.
    Rejected,
    /// It was put out of scope.
    OutOfScope,
    /// Only the history or the prose of a document still names it.
    Removed,
    /// No document names it.
    Unknown,
}

/// A kind of mention that was required.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Required {
    /// The kind.
    pub evidence: Evidence,
    /// The ids of wanted requirements without one.
    pub missing: Vec<String>,
}

/// The extent of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Searched {
    /// Files of tests that were read.
    pub test_files: usize,
    /// Other files that were read.
    pub code_files: usize,
    /// Files that were left out, because they are larger than 2 MiB.
    pub too_large: usize,
    /// Files that could not be opened.
    pub unreadable: usize,
    /// Commits that were read; absent if nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<usize>,
    /// Why commits were not read, or not all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits_note: Option<String>,
}

impl Mentions {
    fn new(commits: &Commits) -> Self {
        let is_read = matches!(commits, Commits::Read { .. });
        Self { commits: is_read.then(CommitMentions::default), ..Self::default() }
    }

    /// The number of mentions of a kind; `None` if nobody looked.
    pub fn count(&self, evidence: Evidence) -> Option<usize> {
        match evidence {
            Evidence::Tests => Some(self.tests.count),
            Evidence::Code => Some(self.code.count),
            Evidence::Commits => self.commits.as_ref().map(|commits| commits.count),
        }
    }

    /// The number of mentions of every kind.
    pub fn total(&self) -> usize {
        [Evidence::Tests, Evidence::Code, Evidence::Commits].into_iter().filter_map(|kind| self.count(kind)).sum()
    }

    fn add_place(&mut self, kind: FileKind, place: FilePlace) {
        let into = match kind {
            FileKind::Tests => &mut self.tests,
            FileKind::Code => &mut self.code,
        };
        into.count += 1;
        if into.places.len() < MOST_PLACES {
            into.places.push(place);
        }
    }

    fn add_commit(&mut self, id: &str) {
        if let Some(commits) = &mut self.commits {
            commits.count += 1;
            if commits.ids.len() < MOST_PLACES {
                commits.ids.push(id.to_owned());
            }
        }
    }
}

impl Trace {
    /// True if nothing that was required is missing.
    pub fn passes(&self) -> bool {
        self.required.iter().all(|required| required.missing.is_empty())
    }

    /// The requirements that somebody is to build.
    pub fn wanted(&self) -> impl Iterator<Item = &TracedRequirement> {
        self.requirements.iter().filter(|one| one.wanted)
    }

    /// True if no requirement is mentioned anywhere.
    pub fn is_silent(&self) -> bool {
        self.requirements.iter().all(|one| one.mentions.total() == 0)
    }
}
