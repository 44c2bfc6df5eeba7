//! The PRD as a model, and as Markdown: one codec reads and writes it, in English and in Chinese.
//!
//! [`parse_anyway`] of `render` gives the document back in its normal form (`ProductRequirementsDocument::normalised`), and a document
//! that was edited by hand keeps everything: text without a meaning here stays in its section, or becomes a separate section.

mod faults;
mod fields;
mod normal;
mod parts;
mod read;
mod tame;
mod values;
mod words;
mod write;

#[cfg(test)]
mod tests;

pub use faults::{Fault, FaultKind};
pub use normal::DocumentProblem;
pub use parts::{
    FunctionalRequirement, MetricCategory, Milestone, NonFunctionalRequirement, QualityCategory, Risk, RiskCategory,
    RiskLevel, SuccessMetric, UserPersona, UserStory,
};
#[cfg(test)]
pub(crate) use read::parse;
pub use read::parse_anyway;
pub use tame::tame;
use words::{Label, Sub, labelled};
pub(crate) use words::{is_questions_heading, questions_heading};
use write::render;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sections::SectionId;
use crate::DocumentStatus;
use crate::gaps::has_blank;
use crate::requirements::PrioritySpelling;
use reqgate_base::model::Language;

/// The head of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdMetadata {
    /// The name of the product or feature.
    pub title: String,
    /// The language of headings and labels.
    pub language: Language,
    /// The number of the draft, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The status, if the document gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<DocumentStatus>,
    /// The author.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The day of the last change, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub updated: String,
    /// The YAML between `---` before the title, unchanged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub front_matter: String,
    /// The spelling of its priorities: must, high or P0.
    #[serde(default = "moscow")]
    pub priorities: PrioritySpelling,
}

impl Default for PrdMetadata {
    fn default() -> Self {
        Self {
            title: String::new(),
            language: Language::En,
            version: None,
            status: None,
            author: String::new(),
            updated: String::new(),
            front_matter: String::new(),
            priorities: moscow(),
        }
    }
}

/// The spelling of priorities in a new document.
fn moscow() -> PrioritySpelling {
    PrioritySpelling::Moscow
}

/// A section that is not a standard one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FurtherSection {
    /// The standard section behind which it stands; none for one that stands before all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<SectionId>,
    /// Its heading; empty for the text between the title and the first heading.
    pub heading: String,
    /// The Markdown below it.
    pub text: String,
}

/// The texts of sections by their names, as a schema: their names are fixed.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema counts")]
struct SectionTexts {
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    target_users: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    user_stories: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    functional_requirements: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    non_functional_requirements: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    success_metrics: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    dependencies_risks: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    timeline: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    technical_architecture: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    go_to_market: Option<String>,
    #[schemars(default, skip_serializing_if = "Option::is_none")]
    open_questions: Option<String>,
}

/// A PRD. Texts are Markdown; empty means that nobody has written them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProductRequirementsDocument {
    /// The head.
    pub metadata: PrdMetadata,
    /// The whole on one page.
    #[serde(default)]
    pub executive_summary: String,
    /// The problem, and how it fits the strategy.
    #[serde(default)]
    pub problem_statement: String,
    /// The market.
    #[serde(default)]
    pub market_opportunity: String,
    /// The competitors.
    #[serde(default)]
    pub competitive_landscape: String,
    /// The personas.
    #[serde(default)]
    pub target_users: Vec<UserPersona>,
    /// The steps of the users from first to last, today and with the product.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub user_journeys: Vec<String>,
    /// The user stories.
    #[serde(default)]
    pub user_stories: Vec<UserStory>,
    /// The cases off the usual path: empty lists, limits, refusals, failures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edge_cases: Vec<String>,
    /// The functional requirements.
    #[serde(default)]
    pub functional_requirements: Vec<FunctionalRequirement>,
    /// The contents and controls of the screens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interface_requirements: Vec<String>,
    /// The data that other systems give and take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integration_requirements: Vec<String>,
    /// The quality requirements.
    #[serde(default)]
    pub non_functional_requirements: Vec<NonFunctionalRequirement>,
    /// The success metrics.
    #[serde(default)]
    pub success_metrics: Vec<SuccessMetric>,
    /// The risks.
    #[serde(default)]
    pub risks: Vec<Risk>,
    /// The milestones.
    #[serde(default)]
    pub timeline: Vec<Milestone>,
    /// What the work waits for.
    #[serde(default)]
    pub dependencies: Vec<String>,
    /// What is assumed without proof.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// What nobody knows yet.
    #[serde(default)]
    pub open_questions: Vec<String>,
    /// The text of the other standard sections, before their entries.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "SectionTexts")]
    pub section_texts: BTreeMap<SectionId, String>,
    /// Appendices, and sections that people have added.
    #[serde(default, alias = "appendices", skip_serializing_if = "Vec::is_empty")]
    pub other_sections: Vec<FurtherSection>,
}

/// The criterion of a quality requirement in its text: its measure with its target; `None` if one of them is missing or
/// blank.
pub(crate) fn measured_target(text: &str) -> Option<String> {
    let value = |wanted: Label| {
        let found = text.lines().find_map(|line| labelled(line, &[wanted]))?.1.trim();
        (!found.is_empty() && !has_blank(found)).then_some(found)
    };
    Some(format!("{}: {}", value(Label::Measurement)?, value(Label::Target)?))
}

/// The presence of the main parts of a PRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "the five answers of the source")]
pub struct Completeness {
    /// The PRD has an executive summary.
    pub has_executive_summary: bool,
    /// The PRD has functional requirements.
    pub has_requirements: bool,
    /// The PRD has success metrics.
    pub has_metrics: bool,
    /// The PRD has milestones.
    pub has_timeline: bool,
    /// The PRD has risks.
    pub has_risks: bool,
}

impl Completeness {
    /// Returns true if all parts are present.
    pub fn is_complete(self) -> bool {
        self.has_executive_summary && self.has_requirements && self.has_metrics && self.has_timeline && self.has_risks
    }

    /// The fields without an entry that every draft needs: a draft has requirements, metrics and risks before critics
    /// read it.
    pub(crate) fn missing(self) -> impl Iterator<Item = &'static str> {
        let needed = [
            (self.has_requirements, "functional_requirements"),
            (self.has_metrics, "success_metrics"),
            (self.has_risks, "risks"),
        ];
        needed.into_iter().filter(|(has, _)| !has).map(|(_, field)| field)
    }
}

impl ProductRequirementsDocument {
    /// Creates an empty document.
    pub(crate) fn new(title: &str, language: Language) -> Self {
        let metadata = PrdMetadata { title: title.to_owned(), language, ..PrdMetadata::default() };
        Self { metadata, ..Self::default() }
    }

    /// Returns the text of a standard section, without its entries.
    pub(crate) fn text(&self, section: SectionId) -> &str {
        match section {
            SectionId::ExecutiveSummary => &self.executive_summary,
            SectionId::ProblemStatement => &self.problem_statement,
            other => self.section_texts.get(&other).map_or("", String::as_str),
        }
    }

    /// Sets the text of a standard section that has none.
    pub(crate) fn fill(&mut self, section: SectionId, text: &str) {
        let own = self.text_mut(section);
        if own.trim().is_empty() {
            text.clone_into(own);
        }
    }

    /// The text of a standard section, for editing.
    fn text_mut(&mut self, section: SectionId) -> &mut String {
        match section {
            SectionId::ExecutiveSummary => &mut self.executive_summary,
            SectionId::ProblemStatement => &mut self.problem_statement,
            other => self.section_texts.entry(other).or_default(),
        }
    }

    /// The items of a part of a section; `None` for a part that is a text.
    fn list(&self, sub: Sub) -> Option<&Vec<String>> {
        Some(match sub {
            Sub::Market | Sub::Competition => return None,
            Sub::Journeys => &self.user_journeys,
            Sub::EdgeCases => &self.edge_cases,
            Sub::Interface => &self.interface_requirements,
            Sub::Integration => &self.integration_requirements,
            Sub::Dependencies => &self.dependencies,
            Sub::Questions => &self.open_questions,
            Sub::Assumptions => &self.assumptions,
        })
    }

    /// The items of a part of a section, for editing.
    fn list_mut(&mut self, sub: Sub) -> Option<&mut Vec<String>> {
        Some(match sub {
            Sub::Market | Sub::Competition => return None,
            Sub::Journeys => &mut self.user_journeys,
            Sub::EdgeCases => &mut self.edge_cases,
            Sub::Interface => &mut self.interface_requirements,
            Sub::Integration => &mut self.integration_requirements,
            Sub::Dependencies => &mut self.dependencies,
            Sub::Questions => &mut self.open_questions,
            Sub::Assumptions => &mut self.assumptions,
        })
    }

    /// Checks which of the main parts the document has.
    pub fn validate_completeness(&self) -> Completeness {
        Completeness {
            has_executive_summary: !self.executive_summary.trim().is_empty(),
            has_requirements: !self.functional_requirements.is_empty(),
            has_metrics: !self.success_metrics.is_empty(),
            has_timeline: !self.timeline.is_empty(),
            has_risks: !self.risks.is_empty(),
        }
    }

    /// Renders the document as Markdown.
    pub fn to_markdown(&self) -> String {
        render(self)
    }
}
