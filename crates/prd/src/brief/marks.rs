//! Encodes text in a brief so that it can be read back unchanged: line ends, unusual white space, comments, sources.

use crate::SourceQuote;
use reqgate_docs::{GAP, is_live, shields};

/// The marker of an empty text, which would otherwise be invisible.
const EMPTY: &str = "<!-- empty -->";
const SOURCE: &str = "source:";
/// The label of the passage that contradicts the source of a question.
const AGAINST: &str = "against:";

/// Encodes a text on one line, or on several lines that are indented by two columns.
pub(super) fn encode(text: &str) -> String {
    if text.is_empty() {
        return EMPTY.to_owned();
    }
    let hides = hides_a_comment(text);
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split('\n').peekable();
    encode_line(lines.next().unwrap_or_default(), hides, &mut out);
    while let Some(line) = lines.next() {
        // An empty line at the end would be lost.
        out.push_str(if line.is_empty() && lines.peek().is_none() { "&#10;" } else { "\\\n  " });
        encode_line(line, hides, &mut out);
    }
    out
}

/// Encodes a text on one line.
pub(super) fn encode_on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str("&#10;");
        }
        encode_line(line, hides_a_comment(text), &mut out);
    }
    out
}

/// Returns true if a text of a source could be read as one of reqgate's comments.
fn hides_a_comment(text: &str) -> bool {
    text.contains("<!--") && [SOURCE, AGAINST, "empty"].iter().any(|word| text.contains(word))
}

fn encode_line(line: &str, hides_a_comment: bool, out: &mut String) {
    let first = line.len() - line.trim_start().len();
    let last = line.trim_end().len();
    let (mut before, mut is_shield) = (None, false);
    for (at, c) in line.char_indices() {
        let after = line[at..].chars().nth(1);
        let would_live = is_live(before, c, after);
        // A backslash would change the meaning of the character after it.
        if c == '\\' && before != Some(c) {
            is_shield = shields(&line[at..]);
        }
        let outermost = at < first || at >= last;
        let opens_comment = hides_a_comment && c == '<';
        let ends_line = c == '\\' && at + 1 == line.len();
        if c == '@' && would_live {
            out.extend(["@", GAP]);
        } else if outermost
            || would_live
            || c == '\\' && is_shield
            || c.is_control()
            || opens_comment
            || ends_line
            || line[at..].starts_with("&#")
        {
            push_entity(c, out);
        } else {
            out.push(c);
        }
        before = Some(c);
    }
}

/// Appends a character as a numeric entity of Markdown and HTML.
pub(super) fn push_entity(c: char, out: &mut String) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = write!(out, "&#{};", u32::from(c));
}

/// Returns true for the marker of an empty text.
pub(super) fn is_empty(text: &str) -> bool {
    text.trim() == EMPTY
}

/// Returns the original text, with entities replaced; text that is not an entity is kept.
pub fn decode(text: &str) -> String {
    if is_empty(text) {
        return String::new();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("&#") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 2..];
        let digits = after.bytes().take(8).take_while(u8::is_ascii_digit).count();
        let number = after[..digits].parse::<u32>().ok().and_then(char::from_u32);
        match number.filter(|_| after[digits..].starts_with(';')) {
            Some(c) => {
                // After an @, the character only breaks a mention.
                if c != '\u{200b}' || !out.ends_with('@') {
                    out.push(c);
                }
                rest = &after[digits + 1..];
            }
            None => {
                out.push_str("&#");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns the comment that names a source: ` <!-- source: NAME:LINE "words" -->`.
pub(super) fn source_comment(source: &SourceQuote) -> String {
    comment(SOURCE, source)
}

/// Returns the comment that names a passage that contradicts the source.
pub(super) fn against_comment(source: &SourceQuote) -> String {
    comment(AGAINST, source)
}

fn comment(label: &str, source: &SourceQuote) -> String {
    format!(" <!-- {label} {}:{} \"{}\" -->", in_comment(&source.source), source.line, in_comment(&source.quote))
}

/// Encodes text so that it ends neither a comment nor a quotation; every line end is an entity.
fn in_comment(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut chars = words.chars().peekable();
    let mut first = true;
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let outermost_space = c.is_whitespace() && (first || next.is_none());
        let dash = c == '-' && next.is_none_or(|next| matches!(next, '-' | '>' | '!'));
        let entity = c == '&' && next == Some('#');
        if c == '"' || dash || entity || outermost_space || c.is_control() {
            push_entity(c, &mut out);
        } else {
            out.push(c);
        }
        first = false;
    }
    out
}

/// Removes the first comment that names a source from the text; other comments are kept.
pub(super) fn split_source(words: &str) -> (String, Option<SourceQuote>) {
    split(SOURCE, words)
}

/// Removes the first comment that names a passage that contradicts the source.
pub(super) fn split_against(words: &str) -> (String, Option<SourceQuote>) {
    split(AGAINST, words)
}

fn split(label: &str, words: &str) -> (String, Option<SourceQuote>) {
    let mut from = 0;
    while let Some(at) = words[from..].find("<!--").map(|at| from + at) {
        let inside = &words[at + 4..];
        if let Some(end) = inside.find("-->")
            && let Some(source) = inside[..end].trim().strip_prefix(label).and_then(source)
        {
            let (before, after) = (words[..at].trim_end(), inside[end + 3..].trim());
            let space = if before.is_empty() || after.is_empty() { "" } else { " " };
            return (format!("{before}{space}{after}"), Some(source));
        }
        from = at + 4;
    }
    (words.to_owned(), None)
}

/// Parses `NAME:LINE "words"`; the words are optional.
fn source(inside: &str) -> Option<SourceQuote> {
    let inside = inside.trim();
    let (place, quote) = inside.split_once('"').unwrap_or((inside, ""));
    let (name, line) = place.trim().rsplit_once(':')?;
    let quote = quote.strip_suffix('"').unwrap_or(quote);
    Some(SourceQuote { source: decode(name), line: line.trim().parse().ok()?, quote: decode(quote) })
}
