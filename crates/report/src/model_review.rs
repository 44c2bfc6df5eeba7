//! The part about the model in every report for people: its name, contribution and discarded statements, and the
//! verdict without it.

use std::collections::BTreeMap;

use super::words::{Words, fill};
use crate::points;
use reqgate_base::model::{
    DiscardReason, DraftPart, FallbackLevel, Language, LineIndex, ModelReading, ModelReport, ModelStepEnd, Outcome,
    SkipReason,
};

/// The sentences about the model in every report; empty if no model was requested.
pub(super) fn model_words(outcome: &Outcome) -> Vec<String> {
    let Some(report) = &outcome.model else { return Vec::new() };
    let language = outcome.language;
    let mut out = vec![asked(report, language)];
    out.extend(report.steps.iter().filter_map(|step| match &step.end {
        ModelStepEnd::Failed { reason } => {
            let task = step.task.words(language);
            Some(language.of(format!("Model {task}: no answer, {reason}"), format!("模型{task}：没有回答，{reason}")))
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
        language.of(format!("Model not asked: {reason}"), format!("未询问模型：{reason}"))
    }));
    out.extend(added(report, language));
    out.extend(report.reading.iter().map(|reading| read_as(reading, language)));
    out
}

/// The model's judgement in one sentence.
fn read_as(reading: &ModelReading, language: Language) -> String {
    let kind =
        reading.kind.map_or(language.of("nothing to work on", "无法处理的内容"), |kind| kind.words(language));
    let ready = reading.ready;
    let parts: Vec<&str> = reading.evidence.iter().map(|(part, _)| part.words(language)).collect();
    let found = match (parts.is_empty(), reading.held_down) {
        (true, _) => String::new(),
        (false, true) => language
            .of(
                "; what it points at does not count, because something is left open or contradictory",
                "；原文有待定或矛盾之处，它指出的内容不计入",
            )
            .to_owned(),
        (false, false) => {
            let parts = parts.join(Words::of(language).comma);
            language.of(
                format!("; it points at what the rules had missed: {parts}"),
                format!("；它指出了规则漏看的内容：{parts}"),
            )
        }
    };
    language.of(
        format!("The model reads it as {kind}, readiness {ready} of 4{found}"),
        format!("模型的判断：{kind}，就绪程度 {ready}/4{found}"),
    )
}

fn asked(report: &ModelReport, language: Language) -> String {
    let name = &report.model;
    let host = report.host.as_ref().map(|host| language.of(format!(" at {host}"), format!("（{host}）")));
    let host = host.unwrap_or_default();
    let usage = report.usage();
    let (read, written) = (usage.input_tokens, usage.output_tokens);
    let tokens = match read + written {
        0 => language.of("no tokens".to_owned(), "未消耗词元".to_owned()),
        _ => language.of(
            format!("{read} input tokens, {written} output tokens"),
            format!("读取 {read} 个词元，写出 {written} 个词元"),
        ),
    };
    let cost = usage.cost.map(|cost| language.of(format!(", cost {cost:.4}"), format!("，费用 {cost:.4}")));
    let cost = cost.unwrap_or_default();
    let (draft, score) = (report.structuring.words(language), report.scoring.words(language));
    let levels = if report.structuring == report.scoring {
        language.of(format!("draft and score by {draft}"), format!("草稿和评分依据{draft}"))
    } else {
        language.of(format!("draft by {draft}, score by {score}"), format!("草稿依据{draft}，评分依据{score}"))
    };
    language.of(
        format!("Model {name}{host}: {tokens}{cost}; {levels}"),
        format!("模型 {name}{host}：{tokens}{cost}；{levels}"),
    )
}

fn added(report: &ModelReport, language: Language) -> Option<String> {
    let parts = [
        (report.added_findings, "finding", "findings", "条问题"),
        (report.lowered.len(), "criterion lowered", "criteria lowered", "项评分下调"),
        (report.added_items.len(), "item of the draft", "items of the draft", "项草稿内容"),
        (report.questions.len(), "question", "questions", "个待澄清问题"),
        (report.rewrites.len(), "rewrite", "rewrites", "处改写"),
    ];
    let said = parts.iter().filter(|(count, ..)| *count > 0).map(|(count, one, many, chinese)| {
        let english = if *count == 1 { one } else { many };
        format!("{count} {}", language.of(english, chinese))
    });
    let said: Vec<String> = said.collect();
    let discarded = report.discarded.len();
    let contributed = [report.structuring, report.scoring].contains(&FallbackLevel::RulesAndModel);
    if said.is_empty() && discarded == 0 && !contributed {
        return None;
    }
    let said = match said.is_empty() {
        true => language.of("nothing", "没有新内容").to_owned(),
        false => said.join(Words::of(language).comma),
    };
    Some(language.of(
        format!("The model added {said}; {discarded} of its statements discarded"),
        format!("模型补充：{said}；{discarded} 条说法未采用"),
    ))
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
    let words = Words::of(language);
    let text = &outcome.packet.raw_text;
    let index = LineIndex::new(text);
    let line = |start| fill(words.line, &[("n", &index.position(text, start).line)]);
    let (verdict, score) = (words.verdict(report.rules_verdict), points(report.rules_score));
    let mut out = vec![language.of(
        format!(
            "The rules alone give {verdict} with {score} points; a model can lower this, and raise it only with words of the text."
        ),
        format!("仅按规则：{verdict}，{score} 分；模型可以使其降低，只有引用原文才能使其升高。"),
    )];
    if let Some(reading) = &report.reading {
        let (id, of_rules) = (&reading.calibration, points(100.0 - reading.rules_not_ready * 100.0));
        out.push(language.of(
            format!("Counted by the calibration `{id}`; the weights alone hold it ready with {of_rules} %."),
            format!("按校准“{id}”计入；仅按权重，就绪的可能性为 {of_rules} %。"),
        ));
        for (part, span) in &reading.evidence {
            let (line, part, quote) = (line(span.start), part.words(language), span.slice(text));
            out.push(language.of(
                format!("{line}: {part}, missed by the rules: {quote}"),
                format!("{line}：规则漏看的{part}：{quote}"),
            ));
        }
    }
    for lowered in &report.lowered {
        let share = |share: f64| points(share * 100.0);
        let (rule, criterion) = (&lowered.rule_id, &lowered.criterion);
        let (from, to) = (share(lowered.from), share(lowered.to));
        out.push(language.of(
            format!("{rule}: “{criterion}” from {from} % to {to} %"),
            format!("{rule}：“{criterion}”由 {from} % 降至 {to} %"),
        ));
    }
    for (part, span) in &report.added_items {
        let (line, part, quote) = (line(span.start), part.words(language), span.slice(text));
        out.push(language.of(
            format!("{line}: only the model sees this as {part}: {quote}"),
            format!("{line}：只有模型认为这是{part}：{quote}"),
        ));
    }
    for disagreement in &report.disagreements {
        let name = |part: Option<DraftPart>| {
            part.map_or(language.of("nothing in particular", "普通内容"), |part| part.words(language))
        };
        let (line, rules, model) = (line(disagreement.span.start), name(disagreement.rules), name(disagreement.model));
        out.push(language.of(
            format!("{line}: {rules} according to the rules, {model} according to the model"),
            format!("{line}：规则认为是{rules}，模型认为是{model}"),
        ));
    }
    let mut counts: BTreeMap<DiscardReason, usize> = BTreeMap::new();
    for discarded in &report.discarded {
        *counts.entry(discarded.reason).or_default() += 1;
    }
    for (reason, count) in counts {
        let reason = reason.words(language);
        out.push(language.of(format!("discarded, {reason}: {count}"), format!("未采用，{reason}：{count}")));
    }
    for step in &report.steps {
        let end = match &step.end {
            ModelStepEnd::Answered => language.of("answered", "已回答").to_owned(),
            ModelStepEnd::Failed { reason } => {
                language.of(format!("no answer, {reason}"), format!("没有回答，{reason}"))
            }
            ModelStepEnd::NotAsked { reason } => {
                let reason = reason.words(language);
                language.of(format!("not asked, {reason}"), format!("未询问，{reason}"))
            }
        };
        out.push(format!("{} ({}){}{end}", step.prompt.id, step.prompt.hash, words.colon));
    }
    out
}
