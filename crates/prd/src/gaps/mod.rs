//! Checks the form of requirements with rules that need no understanding of the text.
//!
//! Only a reader (a model, a coding agent or a person) can tell whether requirements cover their brief, omit an error
//! case or contradict each other in other words. An analysis says when no reader has checked this. The module chooses
//! the statements that a reader compares (`passages`, `pairs`), and checks the results (`reading`, `conflicts`).

#[cfg(test)]
mod conflict_tests;
mod conflicts;
mod form;
mod pairs;
mod passages;
mod reading;
mod report;
#[cfg(test)]
mod tests;
mod wording;

pub(crate) use conflicts::is_same_contradiction;
pub use conflicts::{ComparedStatements, ConflictKind, ReadConflict, ReadConflicts, with_contradictions};
pub use form::{Input, has_blank};
pub use passages::ComparedFeature;
pub(crate) use reading::{BRIEF, REQUIREMENTS};
pub use reading::{Documents, GapReading, ReadGap, ReadGaps, ReadStrength, with_reading};
pub use report::safe;
pub use report::{Terminal, both_quotes, human, markdown};
pub use wording::filled;
pub use wording::is_worded;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::requirements::RequirementsDocument;
use super::{Gap, RequirementId, SourceQuote, Strength};
use reqgate_base::model::Language;

/// The name and version of the JSON format.
pub const SCHEMA: &str = "reqgate/gaps/v2";

/// An analysis of requirements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GapAnalysis {
    /// The name and version of this format: `reqgate/gaps/v2`.
    pub schema: String,
    /// The number of checked requirements, without those that a person rejected or put out of scope.
    pub requirements: usize,
    /// The number of requirements without a gap.
    pub without_gaps: usize,
    /// A reader has read the requirements for their meaning; false if only their form was checked.
    pub read_for_meaning: bool,
    /// The gaps, the most severe first.
    pub gaps: Vec<Gap>,
    /// The strengths that a reader found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strengths: Vec<Strength>,
    /// The advice of a reader on the requirements as a whole, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommendations: Vec<String>,
    /// A summary in one sentence.
    pub summary: String,
    /// The language of the texts.
    pub language: Language,
}

impl GapAnalysis {
    /// The share of requirements without a gap, from 0 to 1; requirements that are missing altogether count as having one.
    pub fn score(&self) -> f64 {
        let missing = self.gaps.iter().filter(|gap| gap.requirements.is_empty()).count();
        self.without_gaps as f64 / (self.requirements + missing).max(1) as f64
    }
}

/// Checks the form of requirements, without a reader.
pub fn analyse(input: &Input<'_>) -> GapAnalysis {
    let language = input.document.language();
    let gaps = form::found(input).into_iter().map(|found| wording::gap(found, language)).collect();
    analysis_of(gaps, false, input.document)
}

/// Builds an analysis of contradictions between features, in which the places of both quotes name the document of their
/// feature. The form of the requirements is not part of it.
pub fn across(contradictions: Vec<Gap>, features: &[ComparedFeature<'_>]) -> GapAnalysis {
    let mut concerned = BTreeSet::new();
    for place in contradictions.iter().flat_map(|gap| gap.place.iter().chain(&gap.against)) {
        for (index, feature) in features.iter().enumerate().filter(|(_, one)| one.requirements.0 == place.source) {
            concerned.extend(passages::requirement_at(feature, place.line).map(|id| (index, id)));
        }
    }
    let requirements = features.iter().map(|feature| form::wanted(feature.document).count()).sum();
    let language = features.first().map_or(Language::En, |feature| feature.document.language());
    let gaps = in_order(contradictions);
    let summary = summary(requirements, gaps.len(), true, language);
    GapAnalysis {
        schema: SCHEMA.to_owned(),
        requirements,
        without_gaps: usize::saturating_sub(requirements, concerned.len()),
        read_for_meaning: true,
        gaps,
        strengths: Vec::new(),
        recommendations: Vec::new(),
        summary,
        language,
    }
}

/// The gaps with their ids, the most severe first.
fn in_order(mut gaps: Vec<Gap>) -> Vec<Gap> {
    gaps.sort_by_key(|gap| (gap.severity, gap.category, gap.place.as_ref().map(|place| place.line)));
    for (gap, number) in gaps.iter_mut().zip(1..) {
        gap.id = format!("GAP-{number:03}");
    }
    gaps
}

/// Builds an analysis of these gaps, the most severe first.
pub(crate) fn analysis_of(gaps: Vec<Gap>, read_for_meaning: bool, document: &RequirementsDocument) -> GapAnalysis {
    let language = document.language();
    let gaps = in_order(gaps);
    let wanted: Vec<&RequirementId> = form::wanted(document).map(|one| &one.requirement.id).collect();
    let is_concerned = |id: &RequirementId| gaps.iter().any(|gap| gap.requirements.contains(id));
    let without_gaps = wanted.iter().filter(|id| !is_concerned(id)).count();
    let summary = summary(wanted.len(), gaps.len(), read_for_meaning, language);
    GapAnalysis {
        schema: SCHEMA.to_owned(),
        requirements: wanted.len(),
        without_gaps,
        read_for_meaning,
        gaps,
        strengths: Vec::new(),
        recommendations: Vec::new(),
        summary,
        language,
    }
}

fn summary(requirements: usize, gaps: usize, read: bool, language: Language) -> String {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match (language, gaps) {
        (Language::Zh, 0) if requirements == 0 => "没有需要检查的需求。".to_owned(),
        (Language::En, 0) if requirements == 0 => "There is no requirement to check.".to_owned(),
        (Language::Zh, 0) if read => format!("{requirements} 条需求，没有发现缺口。"),
        (Language::En, 0) if read => format!("{}, no gap found.", counted(requirements, "requirement")),
        (Language::Zh, 0) => format!("{requirements} 条需求，形式上没有发现问题。"),
        (Language::Zh, _) => format!("{requirements} 条需求，发现 {gaps} 处问题。"),
        (Language::En, 0) => format!("{}, nothing wrong with their form.", counted(requirements, "requirement")),
        (Language::En, _) => format!("{}, {}.", counted(requirements, "requirement"), counted(gaps, "gap")),
    }
}
