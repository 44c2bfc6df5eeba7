//! The reasons of a stop in words for a coding agent: suggested text, questions for a person, and the next step.

use super::{Channel, OVERRIDE, Ticket};
use reqgate_base::clean::{short_line, short_words};
use reqgate_base::model::{BlockReason, Outcome, Span, Stamp, StampState};
use reqgate_messages as messages;
use reqgate_report::questions;

/// The maximum number of listed edits.
const MOST_EDITS: usize = 5;
/// The maximum number of listed questions.
const MOST_QUESTIONS: usize = 3;
/// The maximum length of a line, in characters.
const LONGEST: usize = 300;
/// The maximum length of a quote, in characters.
const LONGEST_QUOTE: usize = 80;

/// The reasons why a ticket [is stopped](is_stopped): at most 13 lines without control characters, in the ticket's language.
pub fn reasons(ticket: &Ticket, outcome: &Outcome) -> String {
    let words = messages::Hook::of(outcome.language);
    let by = short_line(&ticket.by, 100);
    if outcome.decision.verdict.is_pass() {
        return format!("{}\n{}\n", words.stale_stamp(&format!("`{by}`")), words.without_stamp);
    }
    let why = short_words(&outcome.decision.explanation, LONGEST);
    let mut lines = vec![words.stopped(&format!("`{by}`"), &why)];
    let edits = edits(outcome, words);
    if !edits.is_empty() {
        lines.push(words.edits.to_owned());
        lines.extend((1..).zip(&edits).map(|(number, edit)| format!("{number}. {}", short_words(edit, LONGEST))));
    }
    let questions: Vec<&str> = questions(outcome).into_iter().take(MOST_QUESTIONS).collect();
    if !questions.is_empty() {
        lines.push(words.questions.to_owned());
        lines.extend(questions.iter().map(|question| format!("- {}", short_words(question, LONGEST))));
    }
    lines.push(match ticket.channel {
        Channel::Command => words.command(&OVERRIDE),
        _ => words.elsewhere(&OVERRIDE),
    });
    lines.join("\n") + "\n"
}

/// Returns true if a ticket must be stopped: it is not ready, or it has the stamp of another text.
pub fn is_stopped(outcome: &Outcome) -> bool {
    let stamp = Stamp::find(&outcome.packet.raw_text);
    let is_of_other = stamp.is_some_and(|stamp| StampState::of(Some(&stamp), outcome) == StampState::TextChanged);
    !outcome.decision.verdict.is_pass() || is_of_other
}

/// The edits on the path to a pass, or else the remedies for the blockers, each once and with the words that it
/// concerns.
fn edits(outcome: &Outcome, words: &messages::Hook) -> Vec<String> {
    let text = &outcome.packet.raw_text;
    let reports = || outcome.score_report.iter();
    let issues = || reports().flat_map(|report| report.blocking_issues.iter().chain(&report.non_blocking_issues));
    let mut edits: Vec<String> = Vec::new();
    let mut add = |span: Option<Span>, instruction: &str| {
        let quote = match span.and_then(|span| text.get(span.start..span.end)) {
            None => String::new(),
            Some(quote) if quote.chars().nth(LONGEST_QUOTE).is_none() => words.quote(&quote),
            // The description of a finding on a long passage quotes its important words.
            Some(quote) => match issues().find(|issue| issue.span == span) {
                Some(issue) => words.finding(&issue.description),
                None => words.quote(&short_words(quote, LONGEST_QUOTE)),
            },
        };
        let edit = format!("{quote}{instruction}");
        if edits.len() < MOST_EDITS && !edits.contains(&edit) {
            edits.push(edit);
        }
    };
    if let Some(path) = outcome.decision.path_to_pass.as_ref().filter(|path| !path.edits.is_empty()) {
        path.edits.iter().for_each(|edit| add(edit.span, &edit.instruction));
        return edits;
    }
    for issue in outcome.score_report.iter().flat_map(|report| &report.blocking_issues) {
        add(issue.span, &issue.suggestion);
    }
    for reason in &outcome.decision.reasons {
        if let BlockReason::Guardrail { description } = reason {
            add(None, description);
        }
    }
    edits
}
