//! Finds the mentions of requirements in tests, code and commit messages, and mentioned ids without a requirement.
//!
//! A mention proves that an author had the requirement in mind, not that the requirement is met.

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

/// The name and version of the JSON format.
pub const SCHEMA: &str = "reqgate/trace/v1";
/// The most places that are kept of each kind of mention of an id; all are counted.
const MOST_PLACES: usize = 100;

/// The reason why a search cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TraceError {
    /// A pattern of files is not valid.
    #[error("`{glob}` is not a valid pattern: {message}")]
    Glob {
        /// The pattern that is invalid.
        glob: String,
        /// The error in the pattern.
        message: String,
    },
    /// The requirements have no ids to search for.
    #[error("the requirements have no ids, so nothing can be looked for: begin each with an id such as `FR-001`")]
    NoIds,
}

/// The kinds of places where a requirement can be mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// A test file, or an inline test.
    Tests,
    /// Code that is not a test.
    Code,
    /// The message of a commit.
    Commits,
}

/// The commits of a repository, if they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commits {
    /// The commits were read.
    Read {
        /// The id and message of each commit, the newest first.
        messages: Vec<(String, String)>,
        /// The reason why older commits are missing; `None` if all were read.
        cut: Option<String>,
    },
    /// The commits were not read, for this reason.
    NotRead(String),
}

/// The requirements to search for, and the places to search.
#[derive(Debug)]
pub struct Input<'a> {
    /// The document as the user named it.
    pub name: &'a str,
    /// The text of the document.
    pub text: &'a str,
    /// The requirements of the document.
    pub document: &'a RequirementsDocument,
    /// The feature and its neighbours.
    pub feature: &'a Feature,
    /// The folder to search.
    pub root: &'a Path,
    /// The patterns for its tests and code.
    pub sets: &'a FileSets,
    /// The commits of the repository.
    pub commits: &'a Commits,
    /// The kinds of mention that every wanted requirement must have.
    pub required: &'a [Evidence],
}

/// A report on the mentions of requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The name and version of this format: `reqgate/trace/v1`.
    pub schema: String,
    /// The document with the requirements.
    pub document: String,
    /// The requirements that have an id, in the order of the document.
    pub requirements: Vec<TracedRequirement>,
    /// The number of requirements without an id, which cannot be searched for.
    pub without_id: usize,
    /// Mentioned ids of requirements that are rejected or in no document of a feature.
    pub strays: Vec<Stray>,
    /// The required kinds of mention, with the requirements that lack one.
    pub required: Vec<Required>,
    /// The extent of the search.
    pub searched: Searched,
    /// The language of the document.
    pub language: Language,
}

/// A requirement and its mentions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TracedRequirement {
    /// The id as written in the document.
    pub id: String,
    /// Other ids that count as mentions of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The title of the requirement.
    pub title: String,
    /// The decision on the requirement.
    pub status: RequirementStatus,
    /// `--require` applies to this requirement: it is approved, or the document records no decisions.
    pub wanted: bool,
    /// The neighbouring features with the same id: a mention may refer to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_with: Vec<String>,
    /// The mentions of the requirement.
    #[serde(flatten)]
    pub mentions: Mentions,
}

/// The decision on a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RequirementStatus {
    /// The requirement is not decided yet.
    Pending,
    /// The requirement is approved.
    Approved,
    /// The requirement is approved with changes.
    Modified,
    /// The requirement is rejected.
    Rejected,
    /// The requirement is wanted, but not in this feature.
    OutOfScope,
}

/// The mentions of an id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mentions {
    /// The mentions in tests.
    pub tests: FileMentions,
    /// The mentions in code.
    pub code: FileMentions,
    /// The mentions in commit messages; absent if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<CommitMentions>,
}

/// The mentions of an id in files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileMentions {
    /// The number of lines with a mention.
    pub count: usize,
    /// The first hundred of these lines.
    pub places: Vec<FilePlace>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilePlace {
    /// The path, relative to the searched folder.
    pub path: String,
    /// The line number, from 1.
    pub line: u32,
}

/// Mentions in commit messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitMentions {
    /// The number of commits.
    pub count: usize,
    /// The ids of the newest hundred commits.
    pub ids: Vec<String>,
}

/// A mentioned id that is not a requirement to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stray {
    /// The id in canonical form.
    pub id: String,
    /// The reason why it is not to be built.
    pub reason: StrayReason,
    /// The places that mention it.
    #[serde(flatten)]
    pub mentions: Mentions,
}

/// The reason why a mentioned id is not a requirement to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrayReason {
    /// The requirement was rejected.
    Rejected,
    /// The requirement was put out of scope.
    OutOfScope,
    /// Only the history or the prose of a document still contains the id.
    Removed,
    /// No document contains the id.
    Unknown,
}

/// A required kind of mention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Required {
    /// The kind of mention.
    pub evidence: Evidence,
    /// The ids of wanted requirements without such a mention.
    pub missing: Vec<String>,
}

/// The extent of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Searched {
    /// The number of test files that were read.
    pub test_files: usize,
    /// The number of other files that were read.
    pub code_files: usize,
    /// The number of files that were skipped because they are larger than 2 MiB.
    pub too_large: usize,
    /// The number of files that could not be opened.
    pub unreadable: usize,
    /// The number of commits that were read; absent if they were not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<usize>,
    /// The reason why commits were not read, or not all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits_note: Option<String>,
}

impl Mentions {
    fn new(commits: &Commits) -> Self {
        let is_read = matches!(commits, Commits::Read { .. });
        Self { commits: is_read.then(CommitMentions::default), ..Self::default() }
    }

    /// The number of mentions of a kind; `None` if that kind was not searched.
    pub(crate) fn count(&self, evidence: Evidence) -> Option<usize> {
        match evidence {
            Evidence::Tests => Some(self.tests.count),
            Evidence::Code => Some(self.code.count),
            Evidence::Commits => self.commits.as_ref().map(|commits| commits.count),
        }
    }

    /// The number of mentions of all kinds.
    pub(crate) fn total(&self) -> usize {
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
    /// Returns true if every required mention exists.
    pub fn passes(&self) -> bool {
        self.required.iter().all(|required| required.missing.is_empty())
    }

    /// The requirements that are to be built.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &TracedRequirement> {
        self.requirements.iter().filter(|one| one.wanted)
    }

    /// Returns true if no requirement is mentioned anywhere.
    pub(crate) fn is_silent(&self) -> bool {
        self.requirements.iter().all(|one| one.mentions.total() == 0)
    }
}
