//! Encodes words in a brief so that they can be read back unchanged: line ends, unusual white space, comments, sources.

use crate::SourceQuote;
use reqgate_docs::{GAP, is_live};

/// Represents a text without words, which would otherwise be invisible.
const EMPTY: &str = "<!-- empty -->";
const SOURCE: &str = "source:";
/// The label of the place that contradicts the source of a question.
const AGAINST: &str = "against:";

/// Words on one line, or on several lines that are indented by two columns.
pub fn encode(text: &str) -> String {
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

/// Words on one line, however many lines they have.
pub fn encode_on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str("&#10;");
        }
        encode_line(line, hides_a_comment(text), &mut out);
    }
    out
}

/// True if the words of a source contain something that would be read as one of reqgate's comments.
fn hides_a_comment(text: &str) -> bool {
    text.contains("<!--") && [SOURCE, AGAINST, "empty"].iter().any(|word| text.contains(word))
}

fn encode_line(line: &str, hides_a_comment: bool, out: &mut String) {
    let first = line.len() - line.trim_start().len();
    let last = line.trim_end().len();
    let mut before = None;
    for (at, c) in line.char_indices() {
        let mut following = line[at..].chars().skip(1);
        let after = following.next();
        let would_live = is_live(before, c, after);
        // A backslash would change the meaning of the character after it.
        let shields = c == '\\' && after.is_some_and(|next| next == '&' || is_live(Some(c), next, following.next()));
        let outermost = at < first || at >= last;
        let opens_comment = hides_a_comment && c == '<';
        let ends_line = c == '\\' && at + 1 == line.len();
        if c == '@' && would_live {
            out.extend(["@", GAP]);
        } else if outermost
            || would_live
            || shields
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

/// A character as Markdown and HTML spell it by its number.
pub fn push_entity(c: char, out: &mut String) {
    use std::fmt::Write;
    // Writing into a string cannot fail.
    let _ = write!(out, "&#{};", u32::from(c));
}

/// True for the mark of a text without words.
pub fn is_empty(text: &str) -> bool {
    text.trim() == EMPTY
}

/// The original words, with entities replaced; anything that is not an entity stays.
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
                // Behind an @ it only keeps a mention from being one.
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

/// The comment that names a source: ` <!-- source: NAME:LINE "words" -->`.
pub fn source_comment(source: &SourceQuote) -> String {
    comment(SOURCE, source)
}

/// The comment that names a place that contradicts the source.
pub fn against_comment(source: &SourceQuote) -> String {
    comment(AGAINST, source)
}

fn comment(label: &str, source: &SourceQuote) -> String {
    format!(" <!-- {label} {}:{} \"{}\" -->", in_comment(&source.source), source.line, in_comment(&source.quote))
}

/// Words that end neither a comment nor a quotation; every line end is an entity.
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

/// Removes the first comment that names a source from the words; other comments stay.
pub fn split_source(words: &str) -> (String, Option<SourceQuote>) {
    split(SOURCE, words)
}

/// Removes the first comment that names a place that contradicts the source.
pub fn split_against(words: &str) -> (String, Option<SourceQuote>) {
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

/// `NAME:LINE "words"`; the words may be missing, the line may not.
fn source(inside: &str) -> Option<SourceQuote> {
    let inside = inside.trim();
    let (place, quote) = inside.split_once('"').unwrap_or((inside, ""));
    let (name, line) = place.trim().rsplit_once(':')?;
    let quote = quote.strip_suffix('"').unwrap_or(quote);
    Some(SourceQuote { source: decode(name), line: line.trim().parse().ok()?, quote: decode(quote) })
}
