//! The lines of a Markdown document: headings, bullets and labels; code and comments, in which nothing is one.

use super::words::Label;
use crate::markup;

/// One line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    /// The start, in bytes.
    pub start: usize,
    /// The start of the next line.
    pub end: usize,
    /// Its words without the line break and without blanks at the end.
    pub text: &'t str,
    /// The possible kind.
    pub kind: LineKind,
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// Text, in which headings and bullets count.
    Text,
    /// A fence, or code between fences.
    Code,
    /// A comment, or a line of one.
    Comment,
}

/// A fence or comment that is open at the end of the text, and the number of its line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NeverClosed {
    Fence(u32),
    Comment(u32),
}

enum Open {
    Fence(char, usize, u32),
    Comment(u32),
}

/// Splits a text into lines in one pass; a fence or comment that is never closed is reported.
pub(crate) fn lines(text: &str) -> (Vec<Line<'_>>, Option<NeverClosed>) {
    let mut out = Vec::new();
    let mut open: Option<Open> = None;
    let mut start = 0;
    for (number, raw) in (1..).zip(text.split_inclusive('\n')) {
        let end = start + raw.len();
        let shown = if start == 0 { raw.trim_start_matches('\u{feff}') } else { raw };
        let words = shown.trim_end();
        let (kind, next) = step(words, open, number);
        open = next;
        out.push(Line { start, end, text: words, kind });
        start = end;
    }
    let never = open.map(|open| match open {
        Open::Fence(_, _, line) => NeverClosed::Fence(line),
        Open::Comment(line) => NeverClosed::Comment(line),
    });
    (out, never)
}

fn step(words: &str, open: Option<Open>, number: u32) -> (LineKind, Option<Open>) {
    match open {
        Some(Open::Fence(mark, length, line)) => {
            let closes = fence(words).is_some_and(|(c, n, rest)| c == mark && n >= length && rest.is_empty());
            (LineKind::Code, (!closes).then_some(Open::Fence(mark, length, line)))
        }
        Some(Open::Comment(line)) => {
            let after = words.split_once("-->").map(|(_, after)| after);
            let still = after.is_none_or(leaves_comment_open);
            (LineKind::Comment, still.then_some(Open::Comment(line)))
        }
        None => {
            if let Some((mark, length, _)) = fence(words) {
                return (LineKind::Code, Some(Open::Fence(mark, length, number)));
            }
            let next = leaves_comment_open(words).then_some(Open::Comment(number));
            let begins = words.trim_start().starts_with("<!--");
            (if begins { LineKind::Comment } else { LineKind::Text }, next)
        }
    }
}

/// The mark of a fence, its length, and the text after it.
pub(crate) fn fence(words: &str) -> Option<(char, usize, &str)> {
    let words = words.trim_start();
    let mark = words.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = words.trim_start_matches(mark);
    let length = words.len() - rest.len();
    // "```a```" on one line is code in a sentence.
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length, rest))
}

/// True if a comment begins on the line and does not end on it.
fn leaves_comment_open(words: &str) -> bool {
    let mut rest = words;
    while let Some(at) = rest.find("<!--") {
        let escaped = rest[..at].ends_with('\\');
        let inside = &rest[at + 4..];
        rest = if escaped {
            inside
        } else {
            match inside.split_once("-->") {
                Some((_, after)) => after,
                None => return true,
            }
        };
    }
    false
}

/// The level and the words of a heading.
pub(crate) fn heading(line: &str) -> Option<(u8, &str)> {
    let words = line.trim_start_matches(' ');
    if line.len() - words.len() > 3 {
        return None;
    }
    let rest = words.trim_start_matches('#');
    let level = u8::try_from(words.len() - rest.len()).ok().filter(|level| (1..=6).contains(level))?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (level, rest.trim()))
}

/// The indentation of an item in columns, and its words without bullet, number and tick box.
pub(crate) fn bullet(line: &str) -> Option<(usize, &str)> {
    let words = line.trim_start();
    let indent = line[..line.len() - words.len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let after_number = || {
        let rest = words.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = words.len() - rest.len();
        (1..=9).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
    };
    let rest = words.strip_prefix(['-', '*', '+', '•']).or_else(after_number)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (indent, without_tick_box(rest)))
}

/// The words behind `[ ]` and `[x]`.
pub(crate) fn without_tick_box(words: &str) -> &str {
    let words = words.trim();
    let ticked = ["[ ]", "[x]", "[X]"].iter().find_map(|tick| words.strip_prefix(tick));
    ticked.filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])).map_or(words, |rest| without_tick_box(rest))
}

/// A label and the text after it: `- **Priority**: high`, `Reason：…`.
pub(super) fn labelled(line: &str) -> Option<(Label, &str)> {
    labelled_by(line, Label::named)
}

/// A label that `named` knows, and the text after it.
pub(crate) fn labelled_by<L>(line: &str, named: impl Fn(&str) -> Option<L>) -> Option<(L, &str)> {
    let words = bullet(line).map_or(line, |(_, words)| words).trim();
    let Some(at) = words.find([':', '：']) else {
        // A bold line is a heading without a heading mark: `**Acceptance criteria**`.
        let name = words.strip_prefix("**")?.strip_suffix("**")?;
        return named(name).map(|label| (label, ""));
    };
    let (name, rest) = words.split_at(at);
    let mut value = rest.strip_prefix([':', '：']).unwrap_or(rest).trim_start();
    let bare = name.trim_start_matches(['*', '_']);
    if bare.len() < name.len() {
        // The closing mark is before or after the colon.
        value = value.strip_prefix("**").or_else(|| value.strip_prefix("__")).unwrap_or(value).trim_start();
    }
    named(bare.trim_end_matches(['*', '_'])).map(|label| (label, value.trim()))
}

/// True for a line that means something else than its words where it begins like this.
fn is_structure(words: &str) -> bool {
    heading(words).is_some() || labelled(words).is_some() || fence(words).is_some()
}

/// A line of prose, escaped: a possible heading or label gets a backslash, markup becomes text.
pub(super) fn escaped(line: &str) -> String {
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    let mark = if is_structure(body.trim_start_matches('\\')) { "\\" } else { "" };
    format!("{indent}{mark}{}", markup::escaped(body))
}

/// The words of a line that was written by [`escaped`].
pub(super) fn unescaped(line: &str) -> String {
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    let bare = body.trim_start_matches('\\');
    let body = if bare.len() < body.len() && is_structure(bare) { &body[1..] } else { body };
    format!("{indent}{}", markup::unescaped(body))
}
