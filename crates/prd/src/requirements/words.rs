//! The words of a requirements document in both languages: sections, labels, priorities, states.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::Names;
use crate::{Decided, DocumentStatus, RequirementPriority};
use reqgate_base::model::Language;

/// The sections for decisions, and the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Section {
    Approved,
    Modified,
    Rejected,
    OutOfScope,
    Pending,
    History,
}

/// The labels of the lines of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Label {
    Feature,
    Status,
    Priority,
    Category,
    Aliases,
    Stories,
    WaitsFor,
    Notes,
    Reason,
    Description,
    Criteria,
    Sources,
    Approved,
    Rejected,
    Modified,
}

static SECTIONS: LazyLock<Names<Section>> = LazyLock::new(|| Names::shipped("requirements", "sections"));
static LABELS: LazyLock<Names<Label>> = LazyLock::new(|| Names::shipped("requirements", "labels"));
static PRIORITIES: LazyLock<Names<(RequirementPriority, Spelling)>> =
    LazyLock::new(|| Names::shipped("requirements", "priorities"));
static STATES: LazyLock<Names<DocumentStatus>> = LazyLock::new(|| Names::shipped("requirements", "states"));

/// The longest label, in characters.
const LONGEST_LABEL: usize = 32;

impl Section {
    pub(super) fn heading(self, language: Language) -> &'static str {
        SECTIONS.name(self, language)
    }

    /// The section that a heading names.
    pub(super) fn named(heading: &str) -> Option<Self> {
        SECTIONS.in_either(&plain(heading), |_| true)
    }

    /// The section for a decision.
    pub(super) fn of(decided: &Decided) -> Self {
        match decided {
            Decided::Pending => Self::Pending,
            Decided::Approved => Self::Approved,
            Decided::Modified { .. } => Self::Modified,
            Decided::Rejected { .. } => Self::Rejected,
            Decided::OutOfScope { .. } => Self::OutOfScope,
        }
    }

    /// The decision of this section, with its notes or reason.
    pub(super) fn decided(self, words: String) -> Decided {
        match self {
            Self::Approved => Decided::Approved,
            Self::Modified => Decided::Modified { notes: words },
            Self::Rejected => Decided::Rejected { reason: words },
            Self::OutOfScope => Decided::OutOfScope { reason: words },
            Self::Pending | Self::History => Decided::Pending,
        }
    }

    /// The label under which its decisions give notes or a reason.
    pub(super) fn why(self) -> Option<Label> {
        match self {
            Self::Modified => Some(Label::Notes),
            Self::Rejected | Self::OutOfScope => Some(Label::Reason),
            Self::Approved | Self::Pending | Self::History => None,
        }
    }
}

impl Label {
    pub(super) fn name(self, language: Language) -> &'static str {
        LABELS.name(self, language)
    }

    /// The label that some words are.
    pub(super) fn named(words: &str) -> Option<Self> {
        if words.chars().count() > LONGEST_LABEL {
            return None;
        }
        LABELS.in_either(&words.trim().to_lowercase(), |_| true)
    }
}

/// A column of a table of requirements, or the label of a line below one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Priority,
    Stories,
    Status,
    Criteria,
}

impl Column {
    /// The column that a head names.
    pub(crate) fn named(head: &str) -> Option<Self> {
        const DECISIONS: [&str; 4] = ["decision", "state", "决定", "评审结果"];
        let head = head.trim().trim_matches(['*', '_', '`']);
        match Label::named(head) {
            Some(Label::Priority) => Some(Self::Priority),
            Some(Label::Stories) => Some(Self::Stories),
            Some(Label::Status) => Some(Self::Status),
            Some(Label::Criteria) => Some(Self::Criteria),
            _ if DECISIONS.contains(&head.to_lowercase().as_str()) => Some(Self::Status),
            _ => None,
        }
    }
}

/// A decision against a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutAside {
    Rejected,
    OutOfScope,
}

impl PutAside {
    /// The decision that a heading or a cell names.
    pub(crate) fn named(words: &str) -> Option<Self> {
        match Section::named(words) {
            Some(Section::Rejected) => Some(Self::Rejected),
            Some(Section::OutOfScope) => Some(Self::OutOfScope),
            _ => None,
        }
    }

    /// The section of requirements with this decision.
    pub(super) fn section(self) -> Section {
        match self {
            Self::Rejected => Section::Rejected,
            Self::OutOfScope => Section::OutOfScope,
        }
    }
}

/// A heading in lower case without numbers, markup, counts in brackets and the word "requirements".
fn plain(heading: &str) -> String {
    let bare = heading.split(['(', '（', '[']).next().unwrap_or_default();
    let words: String = bare.chars().map(|c| if c.is_alphabetic() { c } else { ' ' }).collect();
    let words = words.to_lowercase();
    let words: Vec<&str> =
        words.split_whitespace().filter(|word| !matches!(*word, "requirements" | "requirement")).collect();
    let name = words.join(" ");
    let short = name.trim_start_matches("需求").trim_end_matches("需求").trim_end_matches('的');
    short.trim().to_owned()
}

/// The spelling of priorities: a document keeps its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spelling {
    /// high, medium, low.
    #[default]
    Words,
    /// must, should, could, won't.
    Moscow,
    /// P0 to P3.
    Numbers,
}

/// Reads a priority in any spelling: `high`, `Must have`, `P1`, 高.
pub(crate) fn priority(words: &str) -> Option<(RequirementPriority, Spelling)> {
    let bare = words.split(['(', '（', ',', '，']).next().unwrap_or_default();
    let bare = bare.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    PRIORITIES.named(&bare)
}

pub(crate) fn priority_word(priority: RequirementPriority, spelling: Spelling, language: Language) -> &'static str {
    PRIORITIES.name((priority, spelling), language)
}

/// Reads how far a document is.
pub(crate) fn status(words: &str) -> Option<DocumentStatus> {
    let bare = words.trim().trim_matches(['*', '`', '_', '.', '。']).to_lowercase();
    STATES.named(&bare)
}

/// Writes how far a document is.
pub(crate) fn status_word(status: DocumentStatus, language: Language) -> &'static str {
    STATES.name(status, language)
}

#[cfg(test)]
#[test]
fn every_section_label_and_state_has_one_row_of_names() {
    assert_eq!([SECTIONS.faulty(), LABELS.faulty(), STATES.faulty()].concat(), [""; 0]);
}
