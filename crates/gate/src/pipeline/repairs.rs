//! Lists the edits that would help a rejected ticket, with the effect of each on the evidence.

use crate::stages::gate::{Issues, Repair};
use crate::stages::scoring::Context;
use crate::stages::scoring::score::ScoreInput;
use reqgate_base::model::{Edit, PathToPass, ReviewIssue, Severity};
use reqgate_rules::{Detect, Evidence, Facet, Rubric, RuleBook, RuleFile};

/// Every edit that would help: one for each finding, grouped by rule, and one for each unmet criterion of the rubric.
pub(super) fn repairs(
    book: &RuleBook,
    rubric: &Rubric,
    issues: &Issues,
    input: &ScoreInput,
    ctx: Context<'_>,
) -> Vec<Repair<ScoreInput>> {
    let mut by_rule: Vec<Vec<&ReviewIssue>> = Vec::new();
    for issue in issues.blocking.iter().chain(&issues.warnings).filter(|issue| !issue.disposition.is_waived()) {
        let same = |group: &&mut Vec<&ReviewIssue>| {
            group.first().is_some_and(|other| other.rule_id == issue.rule_id && other.severity == issue.severity)
        };
        match by_rule.iter_mut().find(same) {
            Some(group) => group.push(issue),
            None => by_rule.push(vec![issue]),
        }
    }
    let mut repairs: Vec<Repair<ScoreInput>> =
        by_rule.into_iter().map(|issues| repair_of_rule(book, rubric, issues)).collect();
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
            let apply = move |evidence: &mut ScoreInput, _| set_full(evidence, index, position);
            repairs.push(Repair { edits: vec![edit], apply: Box::new(apply) });
        }
    }
    repairs
}

/// The edits for the blockers, if the score is an estimate. The estimate after the edits is not known in advance.
pub(super) fn without_gains(issues: &Issues, score: f64) -> PathToPass {
    let edits = issues.blocking.iter().filter(|issue| !issue.disposition.is_waived()).map(edit).collect();
    PathToPass { edits, score_after: score }
}

fn edit(issue: &ReviewIssue) -> Edit {
    Edit {
        instruction: issue.suggestion.clone(),
        rule_id: Some(issue.rule_id.clone()),
        criterion: None,
        span: issue.span,
        points: 0.0,
        removes_blocker: issue.severity == Severity::Blocker && !issue.is_estimate(),
    }
}

/// The edits that mend the findings of one rule. The criteria of the rule are met once none of its findings is left.
fn repair_of_rule(book: &RuleBook, rubric: &Rubric, mut issues: Vec<&ReviewIssue>) -> Repair<ScoreInput> {
    issues.sort_by_key(|issue| issue.span.map(|span| span.start));
    let edits: Vec<Edit> = issues.iter().map(|issue| edit(issue)).collect();
    let all = edits.len();
    let rule = issues.first().map(|issue| issue.rule_id.clone());
    let fills: Vec<(usize, usize)> =
        rule.as_ref().and_then(|rule| book.rule(rule)).map_or_else(Vec::new, |rule| filled_by(rubric, &rule.file));
    let apply = move |evidence: &mut ScoreInput, made: usize| {
        let mut left = made;
        evidence.findings.retain(|finding| {
            let mended = left > 0 && Some(&finding.rule) == rule.as_ref();
            left -= usize::from(mended);
            !mended
        });
        if made < all || evidence.findings.iter().any(|finding| Some(&finding.rule) == rule.as_ref()) {
            return;
        }
        for (dimension, criterion) in &fills {
            set_full(evidence, *dimension, *criterion);
        }
        if !fills.is_empty() {
            evidence.structure_check_failed = false;
            evidence.fallback = false;
        }
    };
    Repair { edits, apply: Box::new(apply) }
}

fn set_full(evidence: &mut ScoreInput, dimension: usize, criterion: usize) {
    if let Some(met) = evidence.fulfilment.get_mut(dimension).and_then(|row| row.get_mut(criterion)) {
        *met = 1.0;
    }
}

/// The criteria of a rubric that are met once the findings of a rule are mended: those about the facet that it misses,
/// and those about the facets that it mends.
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
