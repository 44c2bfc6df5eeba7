//! Labels: the meaning that a heading, a field or an id gives to its content.

use crate::brief::BriefSection;
use reqgate_base::model::{Language, SectionRole};
use reqgate_text::headings::{Fit, Headings};
use reqgate_text::{Reading, Section};

/// The part of a brief that a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// A user story, by its heading or its form.
    Story,
    /// A problem that people have today.
    Problem,
    /// A goal of the feature.
    Goal,
    /// A person who uses it or is affected.
    User,
    /// A step of a user.
    Flow,
    /// A measure of success.
    Measure,
    /// A rule, a limit or a decision.
    Rule,
    /// A quality such as speed or security.
    Quality,
    /// A criterion of acceptance.
    Criterion,
    /// A part that is left out on purpose.
    OutOfScope,
    /// A question that is still open.
    Question,
}

impl Label {
    /// Returns true for content that may become a requirement or a criterion.
    pub(crate) fn binds(self) -> bool {
        matches!(self, Self::Rule | Self::Quality | Self::Criterion)
    }

    /// Returns true for the label of a column with the required level of a quality.
    pub(crate) fn is_level(self) -> bool {
        matches!(self, Self::Criterion | Self::Goal | Self::Measure)
    }

    /// Returns true for a part in which an id defines the text after it; elsewhere it refers to a requirement.
    pub(crate) fn may_define_ids(self) -> bool {
        !matches!(self, Self::Question | Self::Flow | Self::OutOfScope)
    }

    /// The label for a complete heading or field name.
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
            // The heading names another part, or contains a part among other words: "What we decided against".
            Some(_) => Named::Other,
            None => Named::Nothing,
        }
    }

    /// Returns the label for a role; `None` if no part of a brief corresponds to it.
    pub(crate) fn of_role(role: SectionRole) -> Option<Self> {
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

    /// Returns the area of the product for a requirement with this label.
    pub(crate) fn category(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Quality, Language::En) => "Quality",
            (Self::Quality, Language::Zh) => "质量",
            (_, Language::En) => "Functional",
            (_, Language::Zh) => "功能",
        }
    }
}

/// The meaning of a heading.
enum Named {
    Label(Label),
    /// The heading names another part of a document.
    Other,
    /// The heading does not name a part: "Case 1", "Version 2".
    Nothing,
}

/// Returns the label of a section: its own or, if its heading does not name a part, that of the enclosing section.
pub(crate) fn label_of(text: &str, reading: &Reading, section: usize, headings: &Headings) -> Option<Label> {
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
