//! The elements found in a ticket, in words: they show the author how the text was read, and explain the verdict.

use super::points;
use super::words::element_name;
use reqgate_base::clean::{inner_quotes, one_line, whole_words};
use reqgate_base::model::{Basis, FoundElement, Outcome, ReviewIssue};
use reqgate_messages as messages;
use reqgate_text::display_width;

/// The probability from which an element is reported as found.
const FOUND: f64 = 0.5;
/// The maximum width of quoted words, in columns.
const WIDEST: usize = 60;

/// The elements whose words were found, e.g. `environment: “Bitcoin Core v25.0”`.
pub(super) fn found(outcome: &Outcome) -> Vec<String> {
    let words = messages::Report::of(outcome.language);
    let text = outcome.packet.raw_text.as_str();
    let one = |found: &FoundElement| {
        let name = element_name(words, &found.element);
        Some(format!("{name}{}“{}”", words.colon, inner_quotes(&cut(found.span?.slice(text)))))
    };
    let reading = outcome.reading.iter().flat_map(|reading| &reading.found);
    reading.filter(|found| found.probability >= FOUND).filter_map(one).collect()
}

fn cut(words: &str) -> String {
    let line = one_line(words);
    let line = line.trim();
    let is_wide = |(at, c): &(usize, char)| display_width(&line[..at + c.len_utf8()]) > WIDEST;
    match line.char_indices().find(is_wide) {
        Some((at, _)) => format!("{}…", whole_words(line, at)),
        None => line.to_owned(),
    }
}

/// The rows that explain the verdict, each with a label: facts, evidence, estimate, threshold and decision.
pub(super) fn explanation(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let words = messages::Report::of(outcome.language);
    let mut rows = Vec::new();
    let report = outcome.score_report.iter();
    let issues = report.flat_map(|report| {
        report
            .blocking_issues
            .iter()
            .map(|it| (it, true))
            .chain(report.non_blocking_issues.iter().map(|it| (it, false)))
    });
    let facts = issues.filter(|(issue, _)| issue.basis == Basis::Fact && !issue.disposition.is_waived());
    rows.extend(facts.map(|(issue, blocks)| (words.fact, fact(issue, blocks, words))));
    if let Some(reading) = &outcome.reading {
        let one =
            |found: &FoundElement| format!("{} {}", element_name(words, &found.element), percent(found.probability));
        rows.push((words.evidence, reading.found.iter().map(one).collect::<Vec<_>>().join(" · ")));
        let asked =
            reading.questions.iter().map(|asked| format!("{} {}", asked.code.name(), percent(asked.probability)));
        let asked = asked.collect::<Vec<_>>().join(" · ");
        let asked = if asked.is_empty() { words.asks_nothing.to_owned() } else { asked };
        let [answer, start] = [reading.not_ready, reading.not_actionable].map(percent);
        rows.push((words.estimate, words.estimated(&answer, &asked, &start)));
    }
    if let (Some(threshold), Some(policy)) = (outcome.decision.threshold, &outcome.decision.policy) {
        rows.push((words.threshold, words.threshold_of(&points(threshold), &policy.id)));
    }
    rows.push((words.decision, outcome.decision.explanation.clone()));
    rows
}

fn fact(issue: &ReviewIssue, blocks: bool, words: &messages::Report) -> String {
    let place = issue.position.map(|at| words.line_start(&at.line) + words.colon).unwrap_or_default();
    let effect = if blocks { words.blocks } else { words.does_not_block };
    format!("{place}{} ({}){}{effect}", issue.description, issue.rule_id, words.comma)
}

fn percent(probability: f64) -> String {
    format!("{:.0} %", probability * 100.0)
}
