//! Turns evidence and findings into points, using only the rubric.
//!
//! This is a pure function of its arguments, so that the gate can compute the score after an edit.

use super::Context;
use super::findings::count;
use reqgate_base::model::{CriterionScore, Deduction, DimensionScore, Penalty, PenaltyReason, RuleId, Severity};
use reqgate_rules::{Deductions, Dimension, Evidence, Rubric};
use reqgate_text::{Cue, Reading};

/// A finding with its final severity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedFinding {
    /// The rule that found it.
    pub rule: RuleId,
    /// The category of the rule, which decides the affected dimensions.
    pub category: reqgate_base::model::Category,
    /// The severity after rubric and configuration.
    pub severity: Severity,
}

/// The fraction of a criterion's requirements that are met, 0 to 1.
pub(crate) type Fulfilment = f64;

/// Everything that scoring counts, apart from the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoreInput {
    /// The fulfilment of every criterion of every dimension, in the rubric's order.
    pub fulfilment: Vec<Vec<Fulfilment>>,
    /// The findings that cost points.
    pub findings: Vec<CountedFinding>,
    /// Hard Check #1 failed.
    pub structure_check_failed: bool,
    /// The raw text is scored because it has no draft.
    pub fallback: bool,
    /// The difference between the total and the weighted sum if the score is an estimate: the total is then the
    /// probability, in percent, that a reader needs no answer, and an edit changes it as it changes the sum.
    pub moved: f64,
}

/// The score of a text, with its dimensions and penalties.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The score, 0 to 100, with one decimal.
    pub total: f64,
    /// The scores of the dimensions, in the rubric's order.
    pub dimensions: Vec<DimensionScore>,
    /// The points taken from the weighted sum.
    pub penalties: Vec<Penalty>,
}

/// Measures how far a text meets every criterion of a rubric.
pub(crate) fn fulfilment(rubric: &Rubric, ctx: Context<'_>, fired: &[RuleId]) -> Vec<Vec<Fulfilment>> {
    let of = |dimension: &Dimension| dimension.criteria.iter().map(|c| met(&c.evidence, ctx, fired)).collect();
    rubric.file.dimensions.iter().map(of).collect()
}

fn met(evidence: &Evidence, ctx: Context<'_>, fired: &[RuleId]) -> Fulfilment {
    match evidence {
        Evidence::Facet { name, full } => {
            let found = count(*name, ctx).min(*full);
            if *full == 0 { 1.0 } else { found as f64 / *full as f64 }
        }
        Evidence::Likely { any, none, full } => likely(any, *none, *full, ctx),
        Evidence::Pattern { find } => f64::from(u8::from(find.is_match(ctx.text))),
        Evidence::Section { headings } => f64::from(u8::from(has_section(ctx.text, ctx.reading, headings))),
        Evidence::Clean { rules } => f64::from(u8::from(!rules.iter().any(|rule| fired.contains(rule)))),
    }
}

/// The position of the highest log-odds of the facets between `none` and `full`, 0 to 1.
fn likely(any: &[String], none: f64, full: f64, ctx: Context<'_>) -> Fulfilment {
    let evidence = any.iter().filter_map(|facet| ctx.facets.evidence_of(facet));
    let most = evidence.map(|evidence| evidence.log_odds).fold(f64::NEG_INFINITY, f64::max);
    ((most - none) / (full - none).max(f64::EPSILON)).clamp(0.0, 1.0)
}

fn has_section(text: &str, reading: &Reading, headings: &[String]) -> bool {
    let named = |index: usize| {
        let heading = reading.sections[index].heading.map(|span| span.slice(text).to_lowercase());
        heading.is_some_and(|heading| headings.iter().any(|word| heading.contains(word.as_str())))
    };
    reading
        .sentences
        .iter()
        .any(|s| named(s.section) && !s.cues.has(Cue::Placeholder) && s.genre != reqgate_base::model::Genre::Heading)
}

/// Scores evidence by a rubric.
pub(crate) fn score(rubric: &Rubric, evidence: &ScoreInput) -> Score {
    let empty = Vec::new();
    let mut dimensions: Vec<DimensionScore> = rubric
        .file
        .dimensions
        .iter()
        .enumerate()
        .map(|(index, dimension)| {
            dimension_score(dimension, evidence.fulfilment.get(index).unwrap_or(&empty), &evidence.findings)
        })
        .collect();
    let weighted: f64 = dimensions.iter().map(|dimension| dimension.weight * dimension.score).sum();
    let mut penalties = Vec::new();
    if evidence.fallback {
        penalties.push(Penalty { reason: PenaltyReason::RawText, points: rubric.file.penalties.fallback });
    } else if evidence.structure_check_failed {
        penalties
            .push(Penalty { reason: PenaltyReason::StructureCheck, points: rubric.file.penalties.structure_check });
    }
    penalties.retain(|penalty| penalty.points > 0.0);
    let lost: f64 = penalties.iter().map(|penalty| penalty.points).sum();
    let total = one_decimal((weighted - lost + evidence.moved).clamp(0.0, 100.0));
    if evidence.moved != 0.0 {
        spread(&mut dimensions, weighted, total + lost);
    }
    Score { total, dimensions, penalties }
}

/// Adjusts the dimension scores so that their weighted sum changes from `weighted` to `wanted`, which keeps the figures
/// in the report consistent with an estimated total. Each dimension changes in proportion to its points, or to the
/// points it lacks.
fn spread(dimensions: &mut [DimensionScore], weighted: f64, wanted: f64) {
    let wanted = wanted.clamp(0.0, 100.0);
    for dimension in dimensions {
        let moved = if wanted <= weighted {
            dimension.score * wanted / weighted.max(f64::EPSILON)
        } else {
            100.0 - (100.0 - dimension.score) * (100.0 - wanted) / (100.0 - weighted).max(f64::EPSILON)
        };
        dimension.score = one_decimal(moved.clamp(0.0, 100.0));
    }
}

fn dimension_score(dimension: &Dimension, fulfilment: &[Fulfilment], findings: &[CountedFinding]) -> DimensionScore {
    let possible: f64 = dimension.criteria.iter().map(|criterion| criterion.points).sum();
    let criteria: Vec<CriterionScore> = dimension
        .criteria
        .iter()
        .zip(fulfilment.iter().chain(std::iter::repeat(&0.0)))
        .map(|(criterion, met)| CriterionScore {
            id: criterion.id.clone(),
            earned: one_decimal(criterion.points * met),
            points: criterion.points,
        })
        .collect();
    let earned: f64 = criteria.iter().map(|criterion| criterion.earned).sum();
    let base = if possible > 0.0 { earned / possible * 100.0 } else { 100.0 };
    let deductions = deductions(&dimension.deductions, findings);
    let lost = deductions.iter().map(|deduction| deduction.points).sum::<f64>().min(dimension.deductions.cap);
    DimensionScore {
        id: dimension.id.clone(),
        weight: dimension.weight,
        score: one_decimal((base - lost).clamp(0.0, 100.0)),
        criteria,
        deductions,
    }
}

fn deductions(policy: &Deductions, findings: &[CountedFinding]) -> Vec<Deduction> {
    let mut out: Vec<Deduction> = Vec::new();
    for finding in findings {
        let own = policy.rules.get(&finding.rule).copied();
        if own.is_none() && !policy.categories.contains(&finding.category) {
            continue;
        }
        let by_severity = if finding.severity == Severity::Blocker { policy.blocker } else { policy.warning };
        let points = own.unwrap_or(by_severity);
        let cap = policy.per_rule.max(points);
        match out.iter_mut().find(|deduction| deduction.rule_id == finding.rule) {
            Some(deduction) => {
                deduction.count += 1;
                deduction.points = (deduction.points + points).min(cap);
            }
            None => out.push(Deduction { rule_id: finding.rule.clone(), count: 1, points }),
        }
    }
    out
}

/// Rounds to one decimal, so that a printed score equals the computed one.
pub(crate) fn one_decimal(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
