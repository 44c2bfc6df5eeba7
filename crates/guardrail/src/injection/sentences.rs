//! Cuts a text into sentences as an order is written: at stops, at ends of lines, rows and items.

use reqgate_base::model::Span;

use super::quotation::begins_block;

/// Longest sentence, in bytes; longer ones are cut.
const LONGEST: usize = 400;

/// Shortest line that may have been broken for its length, in bytes.
const SHORTEST_BROKEN: usize = 40;

/// A sentence and its relation to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) span: Span,
    /// The sentence continues the paragraph of the sentence before it.
    pub(super) follows: bool,
}

/// Every sentence of the text, in order.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut follows = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let may_end = matches!(c, '\n' | '|' | '.' | '!' | '?') || !c.is_ascii() || end - start >= LONGEST;
        if !may_end {
            continue;
        }
        let ends_block = c == '\n' && ends_block(&text[end..]) || c == '|';
        let ends_line = c == '\n' && !goes_on(&text[start..at], &text[end..]);
        let stops = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                text[end..].chars().next().is_none_or(|next| next.is_whitespace() || ends_quotation(next))
            }
            _ => end - start >= LONGEST,
        };
        if !ends_block && !ends_line && !stops {
            continue;
        }
        if !text[start..end].trim().is_empty() {
            found.push(Sentence { span: Span::new(start, end), follows });
            follows = true;
        }
        follows &= !ends_block && (c != '\n' || end - start > SHORTEST_BROKEN);
        start = end;
    }
    if start < text.len() {
        found.push(Sentence { span: Span::new(start, text.len()), follows });
    }
    found
}

/// Returns true if a line was probably broken only because of its length.
fn goes_on(line: &str, rest: &str) -> bool {
    line.len() >= SHORTEST_BROKEN && rest.trim_start_matches([' ', '>']).starts_with(char::is_lowercase)
}

fn ends_quotation(next: char) -> bool {
    matches!(next, '"' | '\'' | '”' | ')' | '*' | '_' | '<')
}

/// Returns true if the line that begins `rest` does not continue the one before it.
fn ends_block(rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or(rest).trim_start();
    line.is_empty() || begins_block(line)
}
