//! Proposes requirements that close gaps, with blanks for information that the sources do not contain.

use serde::{Deserialize, Serialize};

use super::requirements::number;
use crate::layouts::sentences::says_the_same;
use crate::{Decided, Gap, GapSeverity, Requirement, RequirementId, RequirementPriority, SourceQuote};
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_text::words::qualities::CATEGORIES;

/// The proposed requirements for a list of gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForGaps {
    /// The requirements, the most urgent first.
    pub functional_requirements: Vec<Requirement>,
    /// A summary in one sentence.
    pub summary: String,
    /// The ids of the gaps that these requirements close.
    pub gaps_addressed: Vec<String>,
}

/// Proposes requirements for gaps. Existing requirements, in any state, are not proposed again: a gap that only
/// repeats an approved requirement counts as addressed, and one that repeats a rejected requirement stays open.
pub fn requirements_for_gaps(gaps: &[Gap], existing: &[(Requirement, Decided)], language: Language) -> ForGaps {
    let mut ordered: Vec<&Gap> = gaps.iter().collect();
    ordered.sort_by_key(|gap| gap.severity);
    let mut out = ForGaps::default();
    for gap in ordered {
        let mut addressed = false;
        for suggested in &gap.suggested_requirements {
            let same = |other: &Requirement| {
                says_the_same(&other.title, &suggested.title)
                    || says_the_same(&other.description, &suggested.description)
            };
            if let Some((_, decided)) = existing.iter().find(|(other, _)| same(other)) {
                addressed |= matches!(decided, Decided::Approved | Decided::Modified { .. } | Decided::Pending);
                continue;
            }
            addressed = true;
            if out.functional_requirements.iter().any(same) {
                continue;
            }
            let is_quality = is_quality(&suggested.category);
            out.functional_requirements.push(Requirement {
                priority: priority(gap.severity),
                category: suggested.category.clone(),
                sources: sources(gap),
                ..Requirement::new(
                    if is_quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
                    suggested.title.clone(),
                    suggested.description.clone(),
                )
            });
        }
        if addressed {
            out.gaps_addressed.push(gap.id.clone());
        }
    }
    let taken: Vec<RequirementId> = existing.iter().map(|(requirement, _)| requirement.id.clone()).collect();
    number(&mut out.functional_requirements, &taken);
    let (proposed, addressed, all) = (out.functional_requirements.len(), out.gaps_addressed.len(), gaps.len());
    out.summary = messages::Prd::of(language).gaps_addressed(&addressed, &all, &proposed);
    out
}

fn priority(severity: GapSeverity) -> RequirementPriority {
    match severity {
        GapSeverity::Critical | GapSeverity::High => RequirementPriority::High,
        GapSeverity::Medium => RequirementPriority::Medium,
        GapSeverity::Low => RequirementPriority::Low,
    }
}

/// The sources of a proposed requirement: the gap and the passage that shows it.
fn sources(gap: &Gap) -> Vec<SourceQuote> {
    let itself = SourceQuote { source: format!("gap:{}", gap.id), line: 1, quote: gap.title.clone() };
    std::iter::once(itself).chain(gap.place.clone()).collect()
}

/// Returns true for a quality category of ISO 25010.
fn is_quality(category: &str) -> bool {
    CATEGORIES.stand_in(&category.to_lowercase())
}
