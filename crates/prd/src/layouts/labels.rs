//! Labels: what a heading, a field or an id says about the words that stand with it.

use crate::brief::BriefSection;
use reqgate_base::model::{Language, SectionRole};
use reqgate_text::headings::{Fit, Headings};
use reqgate_text::{Reading, Section};

/// The part of a brief that a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A user story, by its heading or its form.
    Story,
    /// Wrong or missing today.
    Problem,
    /// To be achieved.
    Goal,
    /// Uses it or is affected.
    User,
    /// Done by a user.
    Flow,
    /// A measure of success.
    Measure,
    /// A rule, a limit, a decision.
    Rule,
    /// A quality: how fast, how safe.
    Quality,
    /// A condition of acceptance.
    Criterion,
    /// Left out on purpose.
    OutOfScope,
    /// Not known yet.
    Question,
}

impl Label {
    /// True for words that may become a requirement or a criterion.
    pub fn binds(self) -> bool {
        matches!(self, Self::Rule | Self::Quality | Self::Criterion)
    }

    /// True for a column that says which level a quality has to reach.
    pub fn is_level(self) -> bool {
        matches!(self, Self::Criterion | Self::Goal | Self::Measure)
    }

    /// True for a part in which an id names the words behind it; elsewhere it refers to a requirement.
    pub fn may_define_ids(self) -> bool {
        !matches!(self, Self::Question | Self::Flow | Self::OutOfScope)
    }

    /// The label that a heading or the name of a field is, as a whole; `None` for one that names no part or several.
    fn named(words: &str, headings: &Headings) -> Named {
        let undated: Vec<&str> =
            words.split_whitespace().filter(|word| !word.chars().any(|c| c.is_ascii_digit())).collect();
        for words in [words, &undated.join(" ")] {
            if let Some((role, Fit::Exact)) = headings.role_of(words)
                && let Some(label) = Self::of_role(role)
            {
                return Named::Label(label);
            }
            if let Some(section) = BriefSection::named(words) {
                return Named::Label(Self::of_section(section));
            }
        }
        match headings.role_of(words) {
            // It names another part, or holds the name of one among other words: "What we decided against".
            Some(_) => Named::Other,
            None => Named::Nothing,
        }
    }

    /// The label of a role; `None` for a role that no part of a brief is for.
    pub fn of_role(role: SectionRole) -> Option<Self> {
        Some(match role {
            SectionRole::Story => Self::Story,
            SectionRole::AcceptanceCriteria | SectionRole::Expected => Self::Criterion,
            SectionRole::Requirements | SectionRole::EdgeCases | SectionRole::Decisions => Self::Rule,
            SectionRole::NonFunctional => Self::Quality,
            SectionRole::Goals => Self::Goal,
            SectionRole::Metrics => Self::Measure,
            SectionRole::Audience => Self::User,
            SectionRole::OutOfScope => Self::OutOfScope,
            SectionRole::OpenQuestions => Self::Question,
            SectionRole::Rationale | SectionRole::Actual => Self::Problem,
            _ => return None,
        })
    }

    fn of_section(section: BriefSection) -> Self {
        match section {
            BriefSection::Problem => Self::Problem,
            BriefSection::Goals => Self::Goal,
            BriefSection::Users => Self::User,
            BriefSection::Flows => Self::Flow,
            BriefSection::SuccessMeasures => Self::Measure,
            BriefSection::Constraints => Self::Rule,
            BriefSection::OutOfScope => Self::OutOfScope,
            BriefSection::OpenQuestions => Self::Question,
        }
    }

    /// The area of the product that a requirement with this label belongs to.
    pub fn category(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Quality, Language::En) => "Quality",
            (Self::Quality, Language::Zh) => "质量",
            (_, Language::En) => "Functional",
            (_, Language::Zh) => "功能",
        }
    }
}

/// What the words of a heading name.
enum Named {
    Label(Label),
    /// Another part of a document.
    Other,
    /// No part: "Case 1", "Version 2".
    Nothing,
}

/// The label of a section: its own, or, where its heading names nothing, that of the section around it.
pub fn label_of(text: &str, reading: &Reading, section: usize, headings: &Headings) -> Option<Label> {
    let mut at = Some(section);
    while let Some(index) = at {
        let Section { heading, parent, .. } = &reading.sections[index];
        match heading.map(|heading| Label::named(heading.slice(text), headings)) {
            Some(Named::Label(label)) => return Some(label),
            Some(Named::Other) => return None,
            Some(Named::Nothing) | None => at = *parent,
        }
    }
    None
}
