//! The part about the model in every report for people: its name, contribution and discarded statements, and the
//! verdict without it.

use std::collections::BTreeMap;

use super::words::verdict_name;
use crate::points;
use reqgate_base::model::{
    DiscardReason, DraftPart, FallbackLevel, Language, LineIndex, ModelReading, ModelReport, ModelStepEnd, Outcome,
    SkipReason,
};
use reqgate_messages as messages;

/// The sentences about the model in every report; empty if no model was requested.
pub(super) fn model_words(outcome: &Outcome) -> Vec<String> {
    let Some(report) = &outcome.model else { return Vec::new() };
    let language = outcome.language;
    let mut out = vec![asked(report, language)];
    out.extend(report.steps.iter().filter_map(|step| match &step.end {
        ModelStepEnd::Failed { reason } => {
            let task = step.task.words(language);
            Some(messages::Report::of(language).no_answer_from_model(&reason, &task))
        }
        _ => None,
    }));
    let mut silent: Vec<SkipReason> = report
        .steps
        .iter()
        .filter_map(|step| match step.end {
            ModelStepEnd::NotAsked { reason } => Some(reason).filter(|reason| *reason != SkipReason::NotRejected),
            _ => None,
        })
        .collect();
    silent.dedup();
    out.extend(silent.into_iter().map(|reason| {
        let reason = reason.words(language);
        messages::Report::of(language).model_not_asked(&reason)
    }));
    out.extend(added(report, language));
    out.extend(report.reading.iter().map(|reading| read_as(reading, language)));
    out
}

/// The model's judgement in one sentence.
fn read_as(reading: &ModelReading, language: Language) -> String {
    let kind = reading.kind.map_or(messages::Report::of(language).nothing_to_work_on, |kind| kind.words(language));
    let ready = reading.ready;
    let parts: Vec<&str> = reading.evidence.iter().map(|(part, _)| part.words(language)).collect();
    let found = match (parts.is_empty(), reading.held_down) {
        (true, _) => String::new(),
        (false, true) => messages::Report::of(language).points_held_down.to_owned(),
        (false, false) => {
            let parts = parts.join(messages::Report::of(language).comma);
            messages::Report::of(language).points_at(&parts)
        }
    };
    messages::Report::of(language).model_reads(&found, &kind, &ready)
}

fn asked(report: &ModelReport, language: Language) -> String {
    let name = &report.model;
    let host = report.host.as_ref().map(|host| messages::Report::of(language).at_host(&host));
    let host = host.unwrap_or_default();
    let usage = report.usage();
    let (read, written) = (usage.input_tokens, usage.output_tokens);
    let tokens = match read + written {
        0 => messages::Report::of(language).no_tokens.to_owned(),
        _ => messages::Report::of(language).tokens(&read, &written),
    };
    let cost = usage.cost.map(|cost| messages::Report::of(language).cost(&format_args!("{cost:.4}")));
    let cost = cost.unwrap_or_default();
    let (draft, score) = (report.structuring.words(language), report.scoring.words(language));
    let levels = if report.structuring == report.scoring {
        messages::Report::of(language).levels_same(&draft)
    } else {
        messages::Report::of(language).levels(&draft, &score)
    };
    messages::Report::of(language).model_line(&cost, &host, &levels, &name, &tokens)
}

/// A sentence about a count.
type CountSentence = fn(&messages::Report, usize) -> String;

fn added(report: &ModelReport, language: Language) -> Option<String> {
    let words = messages::Report::of(language);
    let parts: [(usize, CountSentence); 5] = [
        (report.added_findings, messages::Report::added_findings),
        (report.lowered.len(), messages::Report::added_lower),
        (report.added_items.len(), messages::Report::added_items),
        (report.questions.len(), messages::Report::added_questions),
        (report.rewrites.len(), messages::Report::added_rewrites),
    ];
    let said = parts.into_iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = said.map(|(count, sentence)| sentence(words, count)).collect();
    let discarded = report.discarded.len();
    let contributed = [report.structuring, report.scoring].contains(&FallbackLevel::RulesAndModel);
    if said.is_empty() && discarded == 0 && !contributed {
        return None;
    }
    let said = match said.is_empty() {
        true => messages::Report::of(language).nothing_added.to_owned(),
        false => said.join(messages::Report::of(language).comma),
    };
    Some(messages::Report::of(language).model_added(&discarded, &said))
}

/// A rewritten sentence, ready to be shown.
pub(super) struct ShownRewrite {
    pub line: usize,
    pub words: String,
}

pub(super) fn rewrites(outcome: &Outcome) -> Vec<ShownRewrite> {
    let Some(report) = outcome.model.as_ref().filter(|report| !report.rewrites.is_empty()) else { return Vec::new() };
    let index = LineIndex::new(&outcome.packet.raw_text);
    let line = |start| index.position(&outcome.packet.raw_text, start).line;
    let rewrites = report.rewrites.iter();
    rewrites.map(|rewrite| ShownRewrite { line: line(rewrite.span.start), words: rewrite.words.clone() }).collect()
}

/// The details of the model's contribution: criteria that it lowered, items that it found, discarded statements with
/// reasons.
pub(super) fn explained(outcome: &Outcome) -> Vec<String> {
    let Some(report) = &outcome.model else { return Vec::new() };
    let language = outcome.language;
    let words = messages::Report::of(language);
    let text = &outcome.packet.raw_text;
    let index = LineIndex::new(text);
    let line = |start| words.line(&index.position(text, start).line);
    let (verdict, score) = (verdict_name(words, report.rules_verdict), points(report.rules_score));
    let mut out = vec![messages::Report::of(language).rules_alone(&score, &verdict)];
    if let Some(reading) = &report.reading {
        let (id, of_rules) = (&reading.calibration, points(100.0 - reading.rules_not_ready * 100.0));
        out.push(messages::Report::of(language).counted_by(&id, &of_rules));
        for (part, span) in &reading.evidence {
            let (line, part, quote) = (line(span.start), part.words(language), span.slice(text));
            out.push(messages::Report::of(language).missed_by_rules(&line, &part, &quote));
        }
    }
    for lowered in &report.lowered {
        let share = |share: f64| points(share * 100.0);
        let (rule, criterion) = (&lowered.rule_id, &lowered.criterion);
        let (from, to) = (share(lowered.from), share(lowered.to));
        out.push(messages::Report::of(language).lowered(&criterion, &from, &rule, &to));
    }
    for (part, span) in &report.added_items {
        let (line, part, quote) = (line(span.start), part.words(language), span.slice(text));
        out.push(messages::Report::of(language).only_model(&line, &part, &quote));
    }
    for disagreement in &report.disagreements {
        let name = |part: Option<DraftPart>| {
            part.map_or(messages::Report::of(language).nothing_in_particular, |part| part.words(language))
        };
        let (line, rules, model) = (line(disagreement.span.start), name(disagreement.rules), name(disagreement.model));
        out.push(messages::Report::of(language).disagreement(&line, &model, &rules));
    }
    let mut counts: BTreeMap<DiscardReason, usize> = BTreeMap::new();
    for discarded in &report.discarded {
        *counts.entry(discarded.reason).or_default() += 1;
    }
    for (reason, count) in counts {
        let reason = reason.words(language);
        out.push(messages::Report::of(language).discarded(&count, &reason));
    }
    for step in &report.steps {
        let end = match &step.end {
            ModelStepEnd::Answered => messages::Report::of(language).answered.to_owned(),
            ModelStepEnd::Failed { reason } => messages::Report::of(language).no_answer(&reason),
            ModelStepEnd::NotAsked { reason } => {
                let reason = reason.words(language);
                messages::Report::of(language).not_asked(&reason)
            }
        };
        out.push(format!("{} ({}){}{end}", step.prompt.id, step.prompt.hash, words.colon));
    }
    out
}
