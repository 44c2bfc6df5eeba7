//! The reasons of a stop in words for a coding agent: suggested text, questions for a person, and the next step.

use super::{Channel, OVERRIDE, Ticket};
use reqgate_base::clean::{short_line, short_words};
use reqgate_base::model::{BlockReason, Language, Outcome, Span};
use reqgate_report::questions;

/// The maximum number of listed edits.
const MOST_EDITS: usize = 5;
/// The maximum number of listed questions.
const MOST_QUESTIONS: usize = 3;
/// The maximum length of a line, in characters.
const LONGEST: usize = 300;
/// The maximum length of a quote, in characters.
const LONGEST_QUOTE: usize = 80;

struct Words {
    stopped: &'static str,
    edits: &'static str,
    quote: &'static str,
    finding: &'static str,
    questions: &'static str,
    command: &'static str,
    elsewhere: &'static str,
}

const EN: Words = Words {
    stopped: "reqgate stopped {by}, nothing was created. {why}",
    edits: "Write instead:",
    quote: "“{quote}”: ",
    finding: "{finding}: ",
    questions: "Ask a person what the sources do not say; do not invent it:",
    command: "Then run the command again. If a person decides to create it as it is: {name}=\"their reason\" before the command.",
    elsewhere: "Then try again. If a person decides to create it as it is, they do it, or start you with {name}=\"reason\".",
};

const ZH: Words = Words {
    stopped: "reqgate 已拦截 {by}，未创建任何内容。{why}",
    edits: "请改写：",
    quote: "“{quote}”：",
    finding: "{finding}：",
    questions: "资料中没有的内容请询问相关人员，不要编造：",
    command: "修改后重新执行命令。如果有人决定照原样创建，在命令前加 {name}=\"理由\"。",
    elsewhere: "修改后重试。如果有人决定照原样创建，由其本人创建，或以 {name}=\"理由\" 启动。",
};

/// The reasons why the gate stops a ticket: at most 13 lines without control characters, in the ticket's language.
pub fn reasons(ticket: &Ticket, outcome: &Outcome) -> String {
    let words = match outcome.language {
        Language::En => &EN,
        Language::Zh => &ZH,
    };
    let by = short_line(&ticket.by, 100);
    let why = short_words(&outcome.decision.explanation, LONGEST);
    let mut lines = vec![words.stopped.replace("{by}", &format!("`{by}`")).replace("{why}", &why)];
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
    let end = if ticket.channel == Channel::Command { words.command } else { words.elsewhere };
    lines.push(end.replace("{name}", OVERRIDE));
    lines.join("\n") + "\n"
}

/// The edits on the path to a pass, or else the remedies for the blockers, each once and with the words that it
/// concerns.
fn edits(outcome: &Outcome, words: &Words) -> Vec<String> {
    let text = &outcome.packet.raw_text;
    let reports = || outcome.score_report.iter();
    let issues = || reports().flat_map(|report| report.blocking_issues.iter().chain(&report.non_blocking_issues));
    let mut edits: Vec<String> = Vec::new();
    let mut add = |span: Option<Span>, instruction: &str| {
        let quote = match span.and_then(|span| text.get(span.start..span.end)) {
            None => String::new(),
            Some(quote) if quote.chars().nth(LONGEST_QUOTE).is_none() => words.quote.replace("{quote}", quote),
            // The description of a finding on a long passage quotes its important words.
            Some(quote) => match issues().find(|issue| issue.span == span) {
                Some(issue) => words.finding.replace("{finding}", &issue.description),
                None => words.quote.replace("{quote}", &short_words(quote, LONGEST_QUOTE)),
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
