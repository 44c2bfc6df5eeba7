//! Three critics of a PRD: the director of product, the head of design, the head of engineering.
//!
//! A critic is a reader who grades and quotes; [`Readable::problems`] checks the quotes and [`Readable::critique`] computes score
//! and grade. Without a reader, [`form()`] says what is provable and gives no grade. What several critics say becomes one with
//! [`consolidate`], two readings of one critic become one with [`of_two`], and [`control`] decides whether the draft is revised again. All of it is pure.

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
mod second;
#[cfg(test)]
mod tests;

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
pub use second::{Disagreement, MOST_APART, SecondOpinion, of_two, opinion_in_lines};

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GapSeverity, SourceQuote};
use reqgate_base::model::Language;

/// The score below which nothing passes, whatever is configured.
pub const FLOOR: u8 = 70;
/// The score from which a critique passes.
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
    /// Every critic, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Director, Self::Design, Self::Engineering];

    /// The name as people read it.
    pub fn title(self, language: Language) -> &'static str {
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
    /// It does not.
    NeedsRevision,
    /// Nobody has read the document: its form alone was checked, which never passes.
    NotRead,
}

impl Grade {
    /// The grade as people read it.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Pass => language.of("pass", "通过"),
            Self::NeedsRevision => language.of("needs revision", "需要修改"),
            Self::NotRead => language.of("not read", "未阅读"),
        }
    }
}

/// Something that a critic finds wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Issue {
    /// The category of the critic's perspective.
    pub category: String,
    /// What it is about, by a code that all critics share: `risk`, `metric` …; the code of the check for an issue of form.
    pub code: String,
    /// The severity.
    pub severity: GapSeverity,
    /// The words that show it; `None` where the document says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceQuote>,
    /// The issue, in a sentence.
    pub what: String,
    /// What to write instead.
    pub suggestion: String,
    /// True if two readers have read and only one of them names it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_one: bool,
}

/// Something that a critic finds good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Commendation {
    /// The praise: words of the document, or a category with a high grade.
    pub text: String,
    /// Where those words stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceQuote>,
}

/// A part of a document whose layout the checks of form do not understand, so that nothing is said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotRead {
    /// The line of its heading, from 1.
    pub line: u32,
    /// Its heading.
    pub section: String,
}

/// The critique of one critic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Critique {
    /// The critic.
    pub critic_role: Role,
    /// The result.
    pub grade: Grade,
    /// 0 to 100, the mean of the categories by their weights, rounded down; `None` where nobody has read the document.
    pub score: Option<u8>,
    /// 0 to 100 by category; empty where nobody has read the document.
    pub category_scores: BTreeMap<String, u8>,
    /// What is wrong, the worst first.
    pub issues_found: Vec<Issue>,
    /// What to write instead, each once.
    pub suggestions: Vec<String>,
    /// What is good.
    pub commendations: Vec<Commendation>,
    /// The first three issues.
    pub priority_changes: Vec<String>,
    /// What could not be checked for form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<NotRead>,
    /// The number of the source's keyword heuristic, 0 to 100. It counts words and decides nothing.
    pub keyword_heuristic: u8,
    /// The two readings that this is made of, where there were two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<SecondOpinion>,
}

impl Critique {
    /// True if a reader has read the document.
    pub fn is_read(&self) -> bool {
        self.score.is_some()
    }

    /// The issues in order and what follows from them.
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
