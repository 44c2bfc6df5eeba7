//! What every report for people says of a model: who was asked, what it added, what was thrown away, what stood without it.

use std::collections::BTreeMap;

use super::escape::points;
use crate::model::{DiscardReason, FallbackLevel, LineIndex, ModelReport, ModelStepEnd, Outcome};

/// The sentences about the model that stand in every report; empty where none was to be asked.
pub(super) fn model_words(outcome: &Outcome) -> Vec<String> {
    let Some(report) = &outcome.model else { return Vec::new() };
    let mut out = vec![asked(report)];
    out.extend(report.steps.iter().filter_map(|step| match &step.end {
        ModelStepEnd::Failed { reason } => Some(format!("Model {}: no answer, {reason}", step.task.name())),
        _ => None,
    }));
    let reasons = report.steps.iter().filter_map(|step| match &step.end {
        ModelStepEnd::NotAsked { reason } => Some(reason.as_str()),
        _ => None,
    });
    let mut silent: Vec<&str> = reasons.filter(|reason| *reason != "the ticket is not rejected").collect();
    silent.dedup();
    out.extend(silent.into_iter().map(|reason| format!("Model not asked: {reason}")));
    out.extend(added(report));
    out
}

fn asked(report: &ModelReport) -> String {
    let host = report.host.as_ref().map(|host| format!(" at {host}")).unwrap_or_default();
    let usage = report.usage();
    let tokens = match usage.input_tokens + usage.output_tokens {
        0 => "no tokens".to_owned(),
        _ => format!("{} tokens read, {} written", usage.input_tokens, usage.output_tokens),
    };
    let cost = usage.cost.map(|cost| format!(", cost {cost:.4}")).unwrap_or_default();
    let rungs = match (report.structuring, report.scoring) {
        (one, other) if one == other => format!("draft and score by {}", one.words()),
        (draft, score) => format!("draft by {}, score by {}", draft.words(), score.words()),
    };
    format!("Model {}{host}: {tokens}{cost}; {rungs}", report.model)
}

fn added(report: &ModelReport) -> Option<String> {
    let lowered = report.lowered.len();
    let parts = [
        (report.added_findings, "finding", "findings"),
        (lowered, "criterion lowered", "criteria lowered"),
        (report.added_items.len(), "item of the draft", "items of the draft"),
        (report.questions.len(), "question", "questions"),
        (report.rewrites.len(), "rewrite", "rewrites"),
    ];
    let said = parts.iter().filter(|(count, ..)| *count > 0);
    let said: Vec<String> =
        said.map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many })).collect();
    let discarded = report.discarded.len();
    let heard = report.structuring == FallbackLevel::RulesAndModel || report.scoring == FallbackLevel::RulesAndModel;
    if said.is_empty() && discarded == 0 && !heard {
        return None;
    }
    let said = if said.is_empty() { "nothing".to_owned() } else { said.join(", ") };
    Some(format!("The model added {said}; {discarded} of its statements thrown away"))
}

/// A rewrite with its line, ready to be shown.
pub(super) struct ShownRewrite {
    /// Line of the sentence.
    pub line: usize,
    /// The new wording.
    pub words: String,
}

/// The rewrites of an outcome.
pub(super) fn rewrites(outcome: &Outcome) -> Vec<ShownRewrite> {
    let Some(report) = outcome.model.as_ref().filter(|report| !report.rewrites.is_empty()) else { return Vec::new() };
    let index = LineIndex::new(&outcome.packet.raw_text);
    let line = |start| index.position(&outcome.packet.raw_text, start).line;
    let rewrites = report.rewrites.iter();
    rewrites.map(|rewrite| ShownRewrite { line: line(rewrite.span.start), words: rewrite.words.clone() }).collect()
}

/// What the model did, sentence by sentence: what it lowered, what it saw, what was thrown away and why.
pub(super) fn explained(outcome: &Outcome) -> Vec<String> {
    let Some(report) = &outcome.model else { return Vec::new() };
    let text = &outcome.packet.raw_text;
    let index = LineIndex::new(text);
    let line = |start| index.position(text, start).line;
    let mut out = vec![format!(
        "The rules alone say {} with {} points; a model can only lower that.",
        report.rules_verdict.name(),
        points(report.rules_score)
    )];
    for lowered in &report.lowered {
        let share = |share: f64| points(share * 100.0);
        let (from, to) = (share(lowered.from), share(lowered.to));
        out.push(format!("{}: “{}” from {from} % to {to} %", lowered.rule_id, lowered.criterion));
    }
    for (part, span) in &report.added_items {
        out.push(format!(
            "line {}: seen as {} by the model alone: {}",
            line(span.start),
            part.words(),
            span.slice(text)
        ));
    }
    for disagreement in &report.disagreements {
        let words = |part: Option<crate::model::DraftPart>| part.map_or("nothing in particular", |part| part.words());
        let (rules, model) = (words(disagreement.rules), words(disagreement.model));
        out.push(format!("line {}: {rules} by the rules, {model} by the model", line(disagreement.span.start)));
    }
    let mut counts: BTreeMap<DiscardReason, usize> = BTreeMap::new();
    for discarded in &report.discarded {
        *counts.entry(discarded.reason).or_default() += 1;
    }
    for (reason, count) in counts {
        out.push(format!("thrown away, {}: {count}", reason.words()));
    }
    for step in &report.steps {
        let end = match &step.end {
            ModelStepEnd::Answered => "answered".to_owned(),
            ModelStepEnd::Failed { reason } => format!("no answer, {reason}"),
            ModelStepEnd::NotAsked { reason } => format!("not asked, {reason}"),
        };
        out.push(format!("{} ({}): {end}", step.prompt.id, step.prompt.hash));
    }
    out
}
