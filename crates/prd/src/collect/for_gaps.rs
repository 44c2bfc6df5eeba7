//! Gaps → requirements that close them, with blanks where nobody has said anything.

use serde::{Deserialize, Serialize};

use super::requirements::number;
use crate::layouts::sentences::says_the_same;
use crate::{Decided, Gap, GapSeverity, Requirement, RequirementId, RequirementPriority, SourceQuote};
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_text::words::qualities::CATEGORIES;

/// Requirements that close gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForGaps {
    /// The requirements, the most urgent first.
    pub functional_requirements: Vec<Requirement>,
    /// The result, in one sentence.
    pub summary: String,
    /// The ids of the gaps that they close.
    pub gaps_addressed: Vec<String>,
}

/// Proposes requirements for gaps. Existing requirements, in whatever state, are not proposed again; a gap that only
/// repeats such a requirement counts as addressed if the requirement was approved, and stays open if it was rejected.
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
                id: if is_quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
                title: suggested.title.clone(),
                description: suggested.description.clone(),
                priority: priority(gap.severity),
                category: suggested.category.clone(),
                acceptance_criteria: Vec::new(),
                sources: sources(gap),
                aliases: Vec::new(),
                user_stories: Vec::new(),
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

/// The gap, and the place that shows it.
fn sources(gap: &Gap) -> Vec<SourceQuote> {
    let itself = SourceQuote { source: format!("gap:{}", gap.id), line: 1, quote: gap.title.clone() };
    std::iter::once(itself).chain(gap.place.clone()).collect()
}

/// True for a category of ISO 25010.
fn is_quality(category: &str) -> bool {
    CATEGORIES.stand_in(&category.to_lowercase())
}
