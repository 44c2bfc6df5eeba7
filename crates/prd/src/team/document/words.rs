//! The words of a PRD in both languages: labels, kinds of entries, lists, values.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::parts::{MetricCategory, QualityCategory, RiskCategory, RiskLevel};
use crate::RequirementId;
use crate::names::Names;
use crate::requirements::ids;
use crate::team::sections::{SectionId, same_words};
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, Line, LineKind};

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Persona,
    Story,
    Functional,
    Quality,
    Metric,
    Risk,
    Milestone,
}

/// The label of a value of an entry, or of the head of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Label {
    Version,
    Status,
    Author,
    Updated,
    Role,
    Demographics,
    Goals,
    PainPoints,
    UseCases,
    Quote,
    Persona,
    Priority,
    Points,
    Criteria,
    Category,
    Stories,
    DependsOn,
    Effort,
    Measurement,
    Target,
    Baseline,
    Timeframe,
    Frequency,
    Probability,
    Impact,
    Mitigation,
    Owner,
    Contingency,
    Date,
    Deliverables,
    SuccessCriteria,
    Dependencies,
    Risks,
}

static LABELS: LazyLock<Names<Label>> = LazyLock::new(|| Names::shipped("prd", "labels"));
static PARTS: LazyLock<Names<Sub>> = LazyLock::new(|| Names::shipped("prd", "parts"));
/// The categories of quality requirements.
pub(super) static QUALITIES: LazyLock<Names<QualityCategory>> = LazyLock::new(|| Names::shipped("prd", "qualities"));
/// The categories of metrics.
pub(super) static METRICS: LazyLock<Names<MetricCategory>> = LazyLock::new(|| Names::shipped("prd", "metrics"));
/// The categories of risks.
pub(super) static RISKS: LazyLock<Names<RiskCategory>> = LazyLock::new(|| Names::shipped("prd", "risks"));
/// The levels of probability and impact.
pub(super) static LEVELS: LazyLock<Names<RiskLevel>> = LazyLock::new(|| Names::shipped("prd", "levels"));

/// The position of the value of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// On the line of the label.
    Line,
    /// As items below it.
    Items,
    /// Ids on the line of the label, separated by commas.
    Ids,
}

impl Label {
    /// The label in a language.
    pub(super) fn name(self, language: Language) -> &'static str {
        LABELS.name(self, language)
    }

    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Stories | Self::DependsOn => Shape::Ids,
            Self::Demographics | Self::Goals | Self::PainPoints | Self::UseCases | Self::Criteria => Shape::Items,
            Self::Deliverables | Self::SuccessCriteria | Self::Dependencies | Self::Risks => Shape::Items,
            _ => Shape::Line,
        }
    }

    /// The label among `known` that some words are, in either language or both.
    fn named(words: &str, known: &[Self]) -> Option<Self> {
        LABELS.in_either(&words.trim().to_lowercase(), |label| known.contains(&label))
    }
}

/// The labels of the head of a document.
pub(super) const HEAD: &[Label] = &[Label::Version, Label::Status, Label::Author, Label::Updated];

/// A label of `known` that begins a line, and the text after it. A line indented by two columns belongs to the one above.
pub(super) fn labelled<'l>(line: &'l str, known: &[Label]) -> Option<(Label, &'l str)> {
    if indent(line) >= 2 {
        return None;
    }
    lines::labelled_by(line, |name| Label::named(name, known))
}

/// The columns before the first word of a line.
pub(super) fn indent(line: &str) -> usize {
    let white = &line[..line.len() - line.trim_start().len()];
    white.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

impl Kind {
    /// The labels of its entries, in the order in which they are written.
    pub(super) fn labels(self) -> &'static [Label] {
        use Label as L;
        match self {
            Self::Persona => &[L::Role, L::Demographics, L::Goals, L::PainPoints, L::UseCases, L::Quote],
            Self::Story => &[L::Persona, L::Priority, L::Points, L::Criteria],
            Self::Functional => &[L::Priority, L::Category, L::Stories, L::DependsOn, L::Effort, L::Criteria],
            Self::Quality => &[L::Priority, L::Category, L::Measurement, L::Target],
            Self::Metric => &[L::Category, L::Measurement, L::Baseline, L::Target, L::Timeframe, L::Frequency],
            Self::Risk => &[L::Category, L::Probability, L::Impact, L::Owner, L::Mitigation, L::Contingency],
            Self::Milestone => &[L::Date, L::Deliverables, L::SuccessCriteria, L::Dependencies, L::Risks],
        }
    }

    /// The section in which its entries are written.
    pub(super) fn section(self) -> SectionId {
        match self {
            Self::Persona => SectionId::TargetUsers,
            Self::Story => SectionId::UserStories,
            Self::Functional => SectionId::FunctionalRequirements,
            Self::Quality => SectionId::NonFunctionalRequirements,
            Self::Metric => SectionId::SuccessMetrics,
            Self::Risk => SectionId::DependenciesRisks,
            Self::Milestone => SectionId::Timeline,
        }
    }

    /// The kinds of entries that a section holds.
    fn of(section: SectionId) -> &'static [Self] {
        match section {
            SectionId::TargetUsers => &[Self::Persona],
            SectionId::UserStories => &[Self::Story],
            // Many documents have one section for both.
            SectionId::FunctionalRequirements | SectionId::NonFunctionalRequirements => {
                &[Self::Functional, Self::Quality]
            }
            SectionId::SuccessMetrics => &[Self::Metric],
            SectionId::DependenciesRisks => &[Self::Risk],
            SectionId::Timeline => &[Self::Milestone],
            _ => &[],
        }
    }

    /// Returns true if its entries have ids.
    pub(super) fn has_id(self) -> bool {
        !matches!(self, Self::Persona | Self::Metric | Self::Milestone)
    }

    /// The word before the name of an entry that has no id.
    pub(super) fn prefix(self, language: Language) -> &'static str {
        match self {
            Self::Persona => language.of("Persona", "角色"),
            Self::Metric => language.of("Metric", "指标"),
            Self::Milestone => language.of("Milestone", "里程碑"),
            _ => "",
        }
    }

    /// Name or id and title of the entry that a heading begins.
    fn begun(self, heading: &str) -> Option<(&str, &str)> {
        let requirement = || ids::leading(heading).filter(|(id, _)| id.parse::<RequirementId>().is_ok());
        match self {
            Self::Persona | Self::Metric | Self::Milestone => {
                let (prefix, name) = heading.split_once([':', '：'])?;
                let is_own = [Language::En, Language::Zh].iter().any(|of| same_words(prefix, self.prefix(*of)));
                is_own.then(|| (name.trim(), ""))
            }
            Self::Functional => requirement().filter(|(id, _)| !id.starts_with("NFR")),
            Self::Quality => requirement().filter(|(id, _)| id.starts_with("NFR")),
            Self::Story => ids::leading(heading).filter(|(id, _)| is_entry_id(id, "US")),
            Self::Risk => ids::leading(heading).filter(|(id, _)| is_entry_id(id, "R")),
        }
    }
}

/// Returns true for `US-001` and `R7`; a word with a number such as `Q3` is an id only if it has a hyphen or the usual letters.
pub(super) fn is_entry_id(id: &str, letters: &str) -> bool {
    id.contains('-') || id.strip_prefix(letters).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// A part of a section with its own heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sub {
    Market,
    Competition,
    Journeys,
    EdgeCases,
    Interface,
    Integration,
    Dependencies,
    Questions,
    Assumptions,
}

impl Sub {
    pub(super) const ALL: [Self; 9] = [
        Self::Market,
        Self::Competition,
        Self::Journeys,
        Self::EdgeCases,
        Self::Interface,
        Self::Integration,
        Self::Dependencies,
        Self::Questions,
        Self::Assumptions,
    ];

    pub(super) fn section(self) -> SectionId {
        match self {
            Self::Market | Self::Competition => SectionId::ProblemStatement,
            Self::Journeys => SectionId::TargetUsers,
            Self::EdgeCases => SectionId::UserStories,
            Self::Interface | Self::Integration => SectionId::FunctionalRequirements,
            Self::Dependencies => SectionId::DependenciesRisks,
            Self::Questions | Self::Assumptions => SectionId::OpenQuestions,
        }
    }

    pub(super) fn is_list(self) -> bool {
        !matches!(self, Self::Market | Self::Competition)
    }

    pub(super) fn heading(self, language: Language) -> &'static str {
        PARTS.name(self, language)
    }

    /// The piece that a heading of the second level names: it may be a section in documents of people.
    pub(super) fn named_as_section(heading: &str) -> Option<Self> {
        Self::named(heading).filter(|sub| !sub.may_be_text())
    }

    /// Returns true for a piece that people also write as text: only a flat list below its heading is one of its items.
    pub(super) fn may_be_text(self) -> bool {
        matches!(self, Self::Journeys | Self::EdgeCases | Self::Interface | Self::Integration)
    }

    /// The piece that a heading names.
    pub(super) fn named(heading: &str) -> Option<Self> {
        PARTS.fitting(|name| same_words(name, heading))
    }
}

/// The heading of the open questions.
pub(crate) fn questions_heading(language: Language) -> &'static str {
    Sub::Questions.heading(language)
}

/// Returns true for a heading of the open questions.
pub(crate) fn is_questions_heading(heading: &str) -> bool {
    Sub::named(heading) == Some(Sub::Questions)
}

/// The meaning of a heading below that of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'h> {
    Sub(Sub),
    /// The kind, its id or name, its title.
    Entry(Kind, &'h str, &'h str),
}

/// The meaning of a heading that is part of a section; `None` for plain text.
pub(super) fn mark(section: SectionId, heading: &str) -> Option<Mark<'_>> {
    if let Some(sub) = Sub::named(heading).filter(|sub| sub.section() == section) {
        return Some(Mark::Sub(sub));
    }
    let begun = |kind: &Kind| kind.begun(heading).map(|(name, title)| Mark::Entry(*kind, name, title));
    Kind::of(section).iter().find_map(begun)
}

/// The meaning of a heading with its level, given the lines below it; `None` for plain text.
pub(super) fn mark_above<'h>(section: SectionId, heading: (u8, &'h str), below: &[Line<'_>]) -> Option<Mark<'h>> {
    let (level, words) = heading;
    let is_text = |mark: &Mark<'_>| match mark {
        Mark::Sub(sub) => sub.may_be_text() && !begins_with_a_list(section, level, below),
        Mark::Entry(..) => false,
    };
    mark(section, words).filter(|mark| !is_text(mark))
}

/// Returns true if a flat list is all that is below a heading of this level.
fn begins_with_a_list(section: SectionId, level: u8, below: &[Line<'_>]) -> bool {
    let mut has_items = false;
    for line in below.iter().filter(|line| !line.text.trim().is_empty()) {
        let bare = without_backslash(line.text);
        match lines::heading(&bare).filter(|_| line.kind == LineKind::Text) {
            Some((next, words)) if next <= level || mark(section, words).is_some() => break,
            None if line.kind == LineKind::Text && is_plain_item(line.text) => has_items = true,
            _ => return false,
        }
    }
    has_items
}

/// Returns true for an item that is neither indented nor numbered, and has words but no tick box.
fn is_plain_item(line: &str) -> bool {
    let words = line.trim_start().strip_prefix(['-', '*', '+', '•']).map(str::trim).filter(|words| !words.is_empty());
    indent(line) < 2 && words.is_some() && lines::bullet(line).map(|(_, words)| words) == words
}

/// A line without the backslashes at the start of its words.
pub(super) fn without_backslash(line: &str) -> String {
    let body = line.trim_start();
    format!("{}{}", &line[..line.len() - body.len()], body.trim_start_matches('\\'))
}

/// The id of a requirement in a heading that is not written as ours are: it begins no entry.
pub(super) fn foreign_id(section: SectionId, heading: &str) -> Option<&str> {
    let holds_them = Kind::of(section).contains(&Kind::Functional);
    let (id, _) = ids::leading(heading).filter(|(id, _)| holds_them && ids::is_of_a_requirement(id))?;
    id.parse::<RequirementId>().is_err().then_some(id)
}

/// Reads a word of a closed set.
pub(super) fn word<T: Copy + PartialEq + DeserializeOwned>(names: &Names<T>, words: &str) -> Option<T> {
    names.named(&words.trim().trim_matches(['*', '_', '`', '.', '。']).to_lowercase())
}

/// The words of a closed set, for a message.
pub(super) fn choices<T: Copy + PartialEq + DeserializeOwned>(names: &Names<T>, language: Language) -> String {
    names.written(language).join(language.of(", ", "、"))
}

#[cfg(test)]
#[test]
fn every_label_part_and_value_has_one_row_of_names() {
    let values = [QUALITIES.faulty(), METRICS.faulty(), RISKS.faulty(), LEVELS.faulty()].concat();
    assert_eq!([LABELS.faulty(), PARTS.faulty(), values].concat(), [""; 0]);
}
