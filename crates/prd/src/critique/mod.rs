//! Three critics of a PRD: the director of product, the head of design and the head of engineering.
//!
//! A critic is a reader who grades and quotes; [`Readable::problems`] checks the quotes and [`Readable::critique`]
//! computes score and grade. Without a reader, [`form()`] reports provable findings and gives no grade.
//! [`consolidate`] combines the critiques of several critics, [`of_two`] combines two readings of one critic, and
//! [`control`] decides whether the draft is revised again. All of it is pure.

mod advice;
mod blanks;
mod consolidated;
mod control;
mod document;
mod evidence;
mod finding;
mod form;
mod measured;
mod order;
mod people;
mod perspective;
mod places;
mod reading;
mod records;
mod report;
mod requests;
mod second;
#[cfg(test)]
mod tests;

pub use advice::Advice;
pub(crate) use consolidated::is_same;
pub use consolidated::{Conflict, ConsensusIssue, ConsolidatedFeedback, consolidate};
pub use control::{LoopDecision, LoopSettings, LoopState, Round, StopReason, control, next_steps, summary};
pub use document::Document;
pub use finding::FindingCode;
pub use form::form;
pub use measured::{feasibility, lines_without_a_bound};
pub use order::{CRITIQUE, CritiqueOrder};
pub use perspective::{Category, Criterion, FindingWords, Framework, Perspective, PerspectiveError, perspective};
pub use reading::{CategoryGrade, ReadCommendation, ReadCritique, ReadIssue, Readable};
pub use report::{CritiqueReport, SCHEMA, human, markdown};
pub(crate) use requests::requests;
pub use second::{Disagreement, MOST_APART, SecondOpinion, of_two, opinion_in_lines};

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GapSeverity, SourceQuote};
use reqgate_base::model::Language;

/// The lowest score that can pass, regardless of the configuration.
pub const FLOOR: u8 = 70;
/// The default score from which a critique passes.
pub const PASS_MARK: u8 = 75;

/// A critic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The director of product.
    Director,
    /// The head of design.
    Design,
    /// The head of engineering.
    Engineering,
}

impl Role {
    /// All critics, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Director, Self::Design, Self::Engineering];

    /// The title of the critic in this language.
    pub(crate) fn title(self, language: Language) -> &'static str {
        perspective(self).title.of(language)
    }

    /// The name in files and arguments: `director`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Director => "director",
            Self::Design => "design",
            Self::Engineering => "engineering",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of a critique.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The score reaches the pass mark.
    Pass,
    /// The score is below the pass mark.
    NeedsRevision,
    /// Only the form of the document was checked, which never passes.
    NotRead,
}

impl Grade {
    /// The grade in this language.
    pub(crate) fn words(self, language: Language) -> &'static str {
        match self {
            Self::Pass => language.of("pass", "通过"),
            Self::NeedsRevision => language.of("needs revision", "需要修改"),
            Self::NotRead => language.of("not read", "未阅读"),
        }
    }
}

/// A problem that a critic finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Issue {
    /// The category of the critic's perspective.
    pub category: String,
    /// The subject, by a code that all critics share: `risk`, `metric` …; for an issue of form, the code of the check.
    pub code: String,
    /// The severity of the issue.
    pub severity: GapSeverity,
    /// The passage that shows the issue; `None` if the document does not mention it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceQuote>,
    /// The issue, in one sentence.
    pub what: String,
    /// The suggested text for the document.
    pub suggestion: String,
    /// Two readers have read the document, and only one of them names this issue.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_one: bool,
}

/// A strength that a critic finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Commendation {
    /// The praise: a quote of the document, or a category with a high grade.
    pub text: String,
    /// The location of the quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceQuote>,
}

/// A part of a document whose layout the checks of form do not understand, and which therefore has no findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotRead {
    /// The line of its heading, from 1.
    pub line: u32,
    /// The heading of the part.
    pub section: String,
}

/// The critique of one critic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Critique {
    /// The role of the critic.
    pub critic_role: Role,
    /// The grade for the document.
    pub grade: Grade,
    /// The score from 0 to 100: the weighted mean of the categories, rounded down; `None` if the document was not read.
    pub score: Option<u8>,
    /// The scores from 0 to 100 by category; empty if the document was not read.
    pub category_scores: BTreeMap<String, u8>,
    /// The issues, the most severe first.
    pub issues_found: Vec<Issue>,
    /// The suggested texts, without duplicates.
    pub suggestions: Vec<String>,
    /// The strengths of the document.
    pub commendations: Vec<Commendation>,
    /// The first three issues.
    pub priority_changes: Vec<String>,
    /// The advice of the head of engineering besides the issues.
    #[serde(default, skip_serializing_if = "Advice::is_empty")]
    pub advice: Advice,
    /// The parts whose form could not be checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<NotRead>,
    /// The result of the source's keyword heuristic, 0 to 100. It is informative and does not affect the grade.
    pub keyword_heuristic: u8,
    /// The two readings that this critique combines, if there were two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<SecondOpinion>,
}

impl Critique {
    /// Returns true if a reader has read the document.
    pub(crate) fn is_read(&self) -> bool {
        self.score.is_some()
    }

    /// Sets the issues, sorted by severity, and the fields that are derived from them.
    fn with_issues(mut self, mut issues: Vec<Issue>) -> Self {
        issues.sort_by_key(|issue| issue.severity);
        for issue in &issues {
            if !self.suggestions.contains(&issue.suggestion) {
                self.suggestions.push(issue.suggestion.clone());
            }
        }
        self.priority_changes = issues.iter().take(3).map(|issue| issue.what.clone()).collect();
        self.issues_found = issues;
        self
    }
}
