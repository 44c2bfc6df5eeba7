//! Draws one blocker: the rule, the words in the source, and the suggestion.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use unicode_width::UnicodeWidthStr;

use super::layout::{Layout, wrapped};
use crate::excerpt::{Excerpt, excerpt};
use crate::words::nowhere;
use reqgate_base::clean::one_line;
use reqgate_base::model::{Language, LineIndex, Outcome, ReviewIssue};
use reqgate_messages as messages;

/// The minimum number of columns for the words of a title, even if the id of the rule is long.
const MIN_TITLE: usize = 30;

/// The lines of one blocker, indented, with a line end.
pub(super) fn block(layout: &Layout, outcome: &Outcome, index: &LineIndex, issue: &ReviewIssue) -> String {
    let renderer = if layout.colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(layout.width.saturating_sub(2));
    let excerpt = issue.span.and_then(|span| excerpt(&outcome.packet.raw_text, index, span));
    let source = excerpt.as_ref().map(source);
    let words = messages::Report::of(outcome.language);
    let label = words.blocker.width() + "[]: ".len() + issue.rule_id.as_str().len();
    let title = wrapped(&one_line(&issue.description), layout.width.saturating_sub(2 + label).max(MIN_TITLE));
    let level = Level::ERROR.with_name(words.blocker);
    let mut group = Group::with_title(level.primary_title(title.join("\n")).id(issue.rule_id.as_str()));
    let mut gutter = 1;
    if let (Some(excerpt), Some((source, marks))) = (&excerpt, &source) {
        gutter = excerpt.lines.last().map_or(1, |line| line.number.to_string().len());
        let marks = marks.iter().map(|mark| AnnotationKind::Primary.span(mark.clone()));
        group = group
            .element(Snippet::source(source).line_start(excerpt.start.line).fold(false).annotations(marks))
            .elements(hidden_lines(excerpt, words));
    }
    group = group.elements(advice(layout, issue, gutter, outcome.language));
    let rendered = renderer.render(&[group]);
    let mut lines: Vec<String> = rendered.lines().map(str::to_owned).collect();
    if let Some(excerpt) = &excerpt {
        lines.insert(title.len().min(lines.len()), origin(layout, outcome, excerpt, gutter));
    }
    lines.iter().map(|line| format!("{}\n", format!("  {line}").trim_end())).collect()
}

/// The position in the form that terminals and editors turn into a link. The renderer cannot write it, because it would
/// count the column within the shown window of a long line.
fn origin(layout: &Layout, outcome: &Outcome, excerpt: &Excerpt, gutter: usize) -> String {
    let arrow = layout.painted(DEFAULT_LINE_NUM_STYLE, "-->");
    let start = excerpt.start;
    format!("{:gutter$}{arrow} {}:{}:{}", "", one_line(&outcome.input), start.line, start.column)
}

/// The lines of an excerpt and the ranges of the finding in them. Each line is marked separately, because brackets over
/// several lines are hard to read in prose.
fn source(excerpt: &Excerpt) -> (String, Vec<std::ops::Range<usize>>) {
    let mut source = String::new();
    let mut marks = Vec::new();
    for line in &excerpt.lines {
        let start = source.len() + line.before.len();
        if !line.marked.is_empty() {
            marks.push(start..start + line.marked.len());
        }
        source.push_str(&format!("{}{}{}\n", line.before, line.marked, line.after));
    }
    source.pop();
    if marks.is_empty() {
        marks.push(0..0);
    }
    (source, marks)
}

fn hidden_lines(excerpt: &Excerpt, words: &messages::Report) -> Option<Element<'static>> {
    let lines = match excerpt.hidden_lines {
        0 => return None,
        count => words.more_lines(count),
    };
    Some(Level::NOTE.with_name(None::<&str>).message(lines).into())
}

fn advice(layout: &Layout, issue: &ReviewIssue, gutter: usize, language: Language) -> Vec<Element<'static>> {
    let words = messages::Report::of(language);
    let message = |name: &'static str, text: &str| {
        let width = layout.width.saturating_sub(2 + gutter + " = : ".len() + name.width());
        let lines = wrapped(&one_line(text), width).join("\n");
        Element::from(Level::HELP.with_name(name).message(lines))
    };
    let mut advice = Vec::new();
    // The description of an estimate already says that the element could not be found.
    if issue.span.is_none() && !issue.rule_id.as_str().starts_with("asks-") {
        advice.push(message(words.place, nowhere(words, issue)));
    }
    if !issue.suggestion.is_empty() {
        advice.push(message(words.write, &issue.suggestion));
    }
    if let Some(note) = issue.disposition.note(language) {
        advice.push(message(words.note, &note));
    }
    advice
}
