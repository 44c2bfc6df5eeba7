//! Finds gaps and errors in the requirements of a feature, without a model.

mod any;
mod cover;
mod data;
mod feature;
mod meaning;
mod measures;
mod pairs;
mod report;
mod usual;

#[cfg(test)]
mod tests;

pub use any::requirements_of;
pub use feature::{Input, Named};
pub use report::{Terminal, human, markdown};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Gap, GapCategory, GapSeverity, RequirementId, SourceQuote, SuggestedRequirement};
use crate::model::Language;
use feature::{Feature, Wanted, clipped};

/// The name and version of the machine form.
pub const SCHEMA: &str = "reqgate/gaps/v1";

/// How complete the requirements are, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Completeness {
    /// From 0.9.
    Excellent,
    /// From 0.75.
    Good,
    /// From 0.6.
    Fair,
    /// Below 0.6.
    Poor,
}

/// The result of an analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GapAnalysis {
    /// `reqgate/gaps/v1`.
    pub schema: String,
    /// The completeness of the requirements, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub score: f64,
    /// The same in a word.
    pub word: Completeness,
    /// The strengths, in a sentence each.
    pub strengths: Vec<String>,
    /// The gaps, the worst first.
    pub gaps: Vec<Gap>,
    /// The first steps, in a sentence each.
    pub recommendations: Vec<String>,
    /// The whole in a sentence.
    pub summary: String,
    /// The language of the words.
    pub language: Language,
}

/// A gap before it has words.
#[derive(Debug)]
struct Found {
    category: GapCategory,
    /// The words that show it.
    words: String,
    /// The other side of it: a second requirement, an id, a term.
    other: String,
    place: SourceQuote,
    requirements: Vec<RequirementId>,
}

impl Found {
    fn new(category: GapCategory, words: &str, place: SourceQuote) -> Self {
        Self { category, words: words.to_owned(), other: String::new(), place, requirements: Vec::new() }
    }

    fn on(category: GapCategory, wanted: &Wanted, words: &str) -> Self {
        let requirements = vec![wanted.id.clone()];
        Self { requirements, ..Self::new(category, words, wanted.place.clone()) }
    }
}

/// Compares requirements with their brief and with a list of usual gaps. Requirements that were rejected or put out of
/// scope cover nothing in the brief and are not suggested again, but such a decision closes a usual gap.
pub fn analyse(input: Input<'_>) -> GapAnalysis {
    let feature = Feature::new(input);
    let mut found = cover::gaps(&feature);
    found.extend(usual::gaps(&feature));
    found.extend(pairs::gaps(&feature));
    let mut gaps: Vec<Gap> = found.into_iter().filter_map(|found| gap(found, &feature)).collect();
    gaps.sort_by(|a, b| {
        let key = |gap: &Gap| (gap.severity, gap.category, gap.place.as_ref().map(|place| place.line));
        key(a).cmp(&key(b))
    });
    for (gap, number) in gaps.iter_mut().zip(1..) {
        gap.id = format!("GAP-{number:03}");
    }
    whole(&feature, gaps)
}

/// A gap in the words of its category.
fn gap(found: Found, feature: &Feature) -> Option<Gap> {
    let language = feature.language;
    let rule = data::data().rule(found.category)?;
    let fill = |words: &str| {
        // A constraint of the brief may show a gap.
        let brief = if language == Language::Zh { "简介" } else { "The brief" };
        let id = |n: usize| found.requirements.get(n).map_or_else(|| brief.to_owned(), |id| feature.written_id(id));
        // Names are replaced in the order in which they occur, so that words of the document are never replaced again.
        filled(
            words,
            &[
                ("id", &id(0)),
                ("other_id", &id(1)),
                ("words", &clipped(&found.words)),
                ("other", &clipped(&found.other)),
            ],
        )
    };
    Some(Gap {
        id: String::new(),
        title: fill(rule.title.get(language)),
        description: fill(rule.description.get(language)),
        severity: rule.severity,
        category: found.category,
        impact: fill(rule.impact.get(language)),
        suggested_requirements: vec![SuggestedRequirement {
            title: fill(rule.suggestion.title.get(language)),
            description: fill(rule.suggestion.description.get(language)),
            priority: rule.suggestion.priority,
            category: rule.suggestion.category.get(language).to_owned(),
        }],
        place: Some(found.place),
        requirements: found.requirements,
    })
}

/// Fills `{name}` holes, each once, from left to right.
fn filled(words: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let value = behind.split_once('}').and_then(|(name, after)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, after))
        });
        match value {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('{');
                rest = behind;
            }
        }
    }
    out + rest
}

/// The reduction of the score by gaps: the first of a category in full, each further one by a third of it.
fn score(gaps: &[Gap]) -> f64 {
    let mut seen = Vec::new();
    let off: f64 = gaps
        .iter()
        .map(|gap| {
            let full = match gap.severity {
                GapSeverity::Critical => 0.25,
                GapSeverity::High => 0.12,
                GapSeverity::Medium => 0.07,
                GapSeverity::Low => 0.03,
            };
            let again = seen.contains(&gap.category);
            seen.push(gap.category);
            if again { full / 3.0 } else { full }
        })
        .sum();
    // Two digits: more would be false precision.
    ((1.0 - off).max(0.0) * 100.0).round() / 100.0
}

fn whole(feature: &Feature, gaps: Vec<Gap>) -> GapAnalysis {
    let score = if feature.wanted.is_empty() { 0.0 } else { score(&gaps) };
    let word = match score {
        score if score >= 0.9 => Completeness::Excellent,
        score if score >= 0.75 => Completeness::Good,
        score if score >= 0.6 => Completeness::Fair,
        _ => Completeness::Poor,
    };
    let zh = feature.language == Language::Zh;
    let mut recommendations: Vec<String> = Vec::new();
    for gap in gaps.iter().filter(|gap| gap.severity <= GapSeverity::High) {
        if let Some(suggested) = gap.suggested_requirements.first() {
            let colon = if zh { "：" } else { ": " };
            let line = format!("{}{colon}{}", gap.title, suggested.description);
            if !recommendations.contains(&line) && recommendations.len() < 5 {
                recommendations.push(line);
            }
        }
    }
    let (count, gap_count) = (feature.wanted.len(), gaps.len());
    let summary = match (zh, gap_count) {
        (true, 0) => format!("{count} 条需求，未发现缺口。"),
        (true, _) => format!("{count} 条需求，发现 {gap_count} 处缺口。"),
        (false, 0) => format!("{}, no gap found.", counted(count, "requirement")),
        (false, _) => format!("{}, {}.", counted(count, "requirement"), counted(gap_count, "gap")),
    };
    let strengths = strengths(feature, &gaps, zh);
    let (schema, language) = (SCHEMA.to_owned(), feature.language);
    GapAnalysis { schema, score, word, strengths, gaps, recommendations, summary, language }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The covered statements of the brief, and the requirements that can be checked.
fn strengths(feature: &Feature, gaps: &[Gap], zh: bool) -> Vec<String> {
    let missing = |category| gaps.iter().filter(|gap| gap.category == category).count();
    let brief = &feature.brief;
    let rows = [
        (brief.goals.len(), GapCategory::UncoveredGoal, "goal", "目标"),
        (brief.users.len(), GapCategory::UncoveredUser, "user group", "用户"),
        (brief.flows.len(), GapCategory::UncoveredFlow, "flow", "流程"),
        (brief.measures.len(), GapCategory::UncoveredMeasure, "success measure", "成功指标"),
    ];
    let mut out = Vec::new();
    for (total, category, en, name) in rows {
        if total > 0 && missing(category) == 0 {
            out.push(if zh {
                format!("{name}都有对应的需求（{total} 项）。")
            } else {
                format!("Covered: {}.", counted(total, en))
            });
        }
    }
    if !feature.wanted.is_empty() && missing(GapCategory::MissingCriterion) == 0 {
        out.push(if zh {
            "每条需求都可检验。".to_owned()
        } else {
            "Every requirement can be checked.".to_owned()
        });
    }
    out
}
