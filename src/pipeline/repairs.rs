//! Lists the edits that would help a rejected ticket, and what each does to the evidence.

use crate::model::{Edit, Severity};
use crate::rules::{Detect, Evidence, Facet, Rubric, RuleBook, RuleFile};
use crate::stages::gate::{Issues, Repair};
use crate::stages::scoring::Context;
use crate::stages::scoring::score::ScoreInput;

/// Every edit that would help: one per rule that fired, one per criterion of the rubric that is not met.
pub fn repairs(
    book: &RuleBook,
    rubric: &Rubric,
    issues: &Issues,
    input: &ScoreInput,
    ctx: Context<'_>,
) -> Vec<Repair<ScoreInput>> {
    let mut repairs: Vec<Repair<ScoreInput>> = Vec::new();
    for issue in issues.blocking.iter().chain(&issues.warnings) {
        let known = repairs.iter().any(|repair| repair.edit.rule_id.as_ref() == Some(&issue.rule_id));
        if known || issue.disposition.is_waived() {
            continue;
        }
        let rule = issue.rule_id.clone();
        let fills: Vec<(usize, usize)> = book.rule(&rule).map_or_else(Vec::new, |rule| filled_by(rubric, &rule.file));
        let edit = Edit {
            instruction: issue.suggestion.clone(),
            rule_id: Some(rule.clone()),
            criterion: None,
            span: issue.span,
            points: 0.0,
            removes_blocker: issue.severity == Severity::Blocker,
        };
        let apply = move |evidence: &mut ScoreInput| {
            evidence.findings.retain(|finding| finding.rule != rule);
            for (dimension, criterion) in &fills {
                set_full(evidence, *dimension, *criterion);
            }
            if !fills.is_empty() {
                evidence.structure_check_failed = false;
                evidence.fallback = false;
            }
        };
        repairs.push(Repair { edit, apply: Box::new(apply) });
    }
    for (index, dimension) in rubric.file.dimensions.iter().enumerate() {
        for (position, criterion) in dimension.criteria.iter().enumerate() {
            let met = input.fulfilment.get(index).and_then(|row| row.get(position)).copied().unwrap_or(0.0);
            if met >= 1.0 {
                continue;
            }
            let edit = Edit {
                instruction: criterion.advice_in(ctx.language).to_string(),
                rule_id: None,
                criterion: Some(criterion.id.clone()),
                span: None,
                points: 0.0,
                removes_blocker: false,
            };
            repairs.push(Repair { edit, apply: Box::new(move |evidence| set_full(evidence, index, position)) });
        }
    }
    repairs
}

fn set_full(evidence: &mut ScoreInput, dimension: usize, criterion: usize) {
    if let Some(met) = evidence.fulfilment.get_mut(dimension).and_then(|row| row.get_mut(criterion)) {
        *met = 1.0;
    }
}

/// The criteria of a rubric that are met once what a rule finds is mended: those about the facet that it misses, and those
/// about the facets that it says it mends.
fn filled_by(rubric: &Rubric, rule: &RuleFile) -> Vec<(usize, usize)> {
    let (missed, likely) = match &rule.detect {
        Detect::Missing { facet, unless_likely, .. } => (Some(*facet), unless_likely.as_slice()),
        _ => (None, &[][..]),
    };
    let same = |other: Facet| {
        missed == Some(other)
            || matches!(
                (missed, other),
                (Some(Facet::VerifiableCriteria), Facet::Criteria) | (Some(Facet::Criteria), Facet::VerifiableCriteria)
            )
    };
    let brings = |facet: &String| likely.contains(facet) || rule.mends.contains(facet);
    let mut out = Vec::new();
    for (index, dimension) in rubric.file.dimensions.iter().enumerate() {
        for (position, criterion) in dimension.criteria.iter().enumerate() {
            let fills = match &criterion.evidence {
                Evidence::Facet { name, .. } => same(*name),
                Evidence::Likely { any, .. } => any.iter().any(brings),
                _ => false,
            };
            if fills {
                out.push((index, position));
            }
        }
    }
    out
}
