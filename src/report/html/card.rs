//! What the page shows of one input, ready for the template.

use serde::Serialize;

use crate::model::{LineIndex, Outcome, ReviewIssue, Verdict};
use crate::report::digest::{Digest, demotion, guardrail_words, packet_words, questions, rubric_words};
use crate::report::escape::{one_line, points};
use crate::report::excerpt::excerpt;
use crate::report::model_review::{explained, model_words, rewrites};

/// Issues of one kind that are shown with their place.
const MAX_ISSUES: usize = 50;

/// One input.
#[derive(Debug, Serialize)]
pub(super) struct Card {
    class: &'static str,
    verdict: String,
    is_open: bool,
    input: String,
    score: Option<Score>,
    explanation: String,
    blockers: Vec<Issue>,
    hidden_blockers: usize,
    warnings: Vec<Issue>,
    warning_count: usize,
    hidden_warnings: usize,
    path: Option<Path>,
    questions: Vec<String>,
    rewrites: Vec<Rewrite>,
    model: Vec<String>,
    dimensions: Vec<Dimension>,
    notes: Vec<String>,
    footer: String,
}

#[derive(Debug, Serialize)]
struct Score {
    value: String,
    width: String,
    threshold: Option<String>,
}

#[derive(Debug, Serialize)]
struct Dimension {
    id: String,
    value: String,
    width: String,
    weight: String,
}

#[derive(Debug, Serialize)]
struct Issue {
    rule_id: String,
    category: &'static str,
    description: String,
    suggestion: String,
    place: Option<String>,
    lines: Vec<Line>,
    hidden_lines: usize,
    cost: Option<String>,
}

#[derive(Debug, Serialize)]
struct Line {
    number: usize,
    before: String,
    marked: String,
    after: String,
}

#[derive(Debug, Serialize)]
struct Path {
    after: String,
    edits: Vec<Edit>,
}

#[derive(Debug, Serialize)]
struct Rewrite {
    line: usize,
    words: String,
}

#[derive(Debug, Serialize)]
struct Edit {
    line: Option<usize>,
    instruction: String,
    points: Option<String>,
    removes_blocker: bool,
}

/// The card of an outcome.
pub(super) fn card(outcome: &Outcome) -> Card {
    let digest = Digest::new(outcome);
    let index = LineIndex::new(&outcome.packet.raw_text);
    let verdict = outcome.decision.verdict;
    let issues =
        |issues: &[&ReviewIssue]| issues.iter().take(MAX_ISSUES).map(|it| issue(outcome, &index, it)).collect();
    let questions = if verdict == Verdict::Reject { questions(outcome) } else { Vec::new() };
    Card {
        class: class(verdict),
        verdict: verdict.name().replace('_', " "),
        is_open: !verdict.is_pass(),
        input: clean(&outcome.input),
        score: outcome.score_report.as_ref().map(|report| Score {
            value: points(report.total_score),
            width: width(report.total_score),
            threshold: outcome.decision.threshold.map(points),
        }),
        explanation: clean(&outcome.decision.explanation),
        blockers: issues(&digest.blockers),
        hidden_blockers: digest.blockers.len().saturating_sub(MAX_ISSUES),
        warnings: issues(&digest.warnings),
        warning_count: digest.warnings.len(),
        hidden_warnings: digest.warnings.len().saturating_sub(MAX_ISSUES),
        path: path(outcome, &index),
        questions: questions.into_iter().map(clean).collect(),
        rewrites: rewrites(outcome)
            .into_iter()
            .map(|rewrite| Rewrite { line: rewrite.line, words: clean(&rewrite.words) })
            .collect(),
        model: explained(outcome).iter().map(|words| clean(words)).collect(),
        dimensions: dimensions(outcome),
        notes: notes(outcome, &digest),
        footer: footer(outcome),
    }
}

fn clean(text: &str) -> String {
    one_line(text).into_owned()
}

/// The length of a bar, 0 to 100.
fn width(score: f64) -> String {
    points(if score.is_finite() { score.clamp(0.0, 100.0) } else { 0.0 })
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Reject => "reject",
        Verdict::NotApplicable => "not-applicable",
        Verdict::GuardrailRejected => "guardrail",
    }
}

fn issue(outcome: &Outcome, index: &LineIndex, issue: &ReviewIssue) -> Issue {
    let excerpt = issue.span.and_then(|span| excerpt(&outcome.packet.raw_text, index, span));
    let hidden_lines = excerpt.as_ref().map_or(0, |excerpt| excerpt.hidden_lines);
    let lines = excerpt.into_iter().flat_map(|excerpt| excerpt.lines);
    Issue {
        rule_id: issue.rule_id.to_string(),
        category: issue.category.name(),
        description: clean(&issue.description),
        suggestion: clean(&issue.suggestion),
        place: issue.position.map(|at| format!("{}:{}", at.line, at.column)),
        lines: lines
            .map(|line| Line { number: line.number, before: line.before, marked: line.marked, after: line.after })
            .collect(),
        hidden_lines,
        cost: (issue.points > 0.0).then(|| points(issue.points)),
    }
}

fn path(outcome: &Outcome, index: &LineIndex) -> Option<Path> {
    let path = outcome.decision.path_to_pass.as_ref()?;
    let edits = path.edits.iter().map(|edit| Edit {
        line: edit.span.map(|span| index.position(&outcome.packet.raw_text, span.start).line),
        instruction: clean(&edit.instruction),
        points: (edit.points > 0.0).then(|| points(edit.points)),
        removes_blocker: edit.removes_blocker,
    });
    Some(Path { after: points(path.score_after), edits: edits.collect() })
}

fn dimensions(outcome: &Outcome) -> Vec<Dimension> {
    let dimensions = outcome.score_report.iter().flat_map(|report| &report.dimension_scores);
    dimensions
        .map(|dimension| Dimension {
            id: clean(&dimension.id),
            value: points(dimension.score),
            width: width(dimension.score),
            weight: points(dimension.weight * 100.0),
        })
        .collect()
}

/// What else bears on the verdict, one sentence each.
fn notes(outcome: &Outcome, digest: &Digest<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    for penalty in outcome.score_report.iter().flat_map(|report| &report.penalties) {
        notes.push(format!("Penalty −{}: {}", points(penalty.points), penalty.reason));
    }
    notes.extend(outcome.structure_errors.iter().map(|words| format!("Structure check: {words}")));
    notes.extend(guardrail_words(outcome).into_iter().map(|words| format!("Guardrail {words}")));
    if outcome.fallback_activated {
        let failures = outcome.structured.as_ref().map(|structured| structured.failures.join("; "));
        notes.push(format!("Judged from the raw text, because structuring failed: {}", failures.unwrap_or_default()));
    }
    for (issue, waiver) in &digest.waived {
        notes.push(format!("Set aside by a waiver: {}, {}", issue.rule_id, waiver.reason));
    }
    for (issue, note) in digest.warnings.iter().filter_map(|issue| Some((issue, demotion(issue)?))) {
        notes.push(format!("{}: {note}", issue.rule_id));
    }
    notes.extend(model_words(outcome));
    notes.iter().map(|note| clean(note)).collect()
}

fn footer(outcome: &Outcome) -> String {
    let rubric = rubric_words(outcome).map(|rubric| format!("Rubric {rubric} · ")).unwrap_or_default();
    format!("{rubric}{}", packet_words(outcome))
}
