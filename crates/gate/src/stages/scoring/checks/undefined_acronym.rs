//! Reports an acronym that a document uses often and never explains.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::quotation_marks::is_quoted;
use reqgate_text::words::acronyms::{KNOWN, MEASURES};
use reqgate_text::words::checks::EXPLAINING;

/// The fewest uses that require an explanation.
const FEWEST: usize = 3;

/// Returns a match at the first use of each frequent acronym without an explanation.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut uses: BTreeMap<&str, (usize, Span)> = BTreeMap::new();
    let sentences = ctx.reading.sentences.iter();
    for sentence in sentences.filter(|s| !matches!(s.genre, Genre::Code | Genre::Quotation | Genre::Aside)) {
        // Quoted screen texts may be in capitals.
        let named = |span: &Span| {
            let at = sentence.span.start;
            !is_quoted(ctx.text, sentence.span, *span)
                && !is_measure(sentence.span.slice(ctx.text), span.start - at..span.end - at)
        };
        for span in acronyms(ctx.text, sentence.span).into_iter().filter(named) {
            uses.entry(span.slice(ctx.text)).or_insert((0, span)).0 += 1;
        }
    }
    let mut repeated: Vec<(&str, Span)> = uses
        .into_iter()
        .filter(|(name, (count, _))| *count >= FEWEST && !is_known_acronym(name))
        .map(|(name, (_, span))| (name, span))
        .collect();
    repeated.sort_by_key(|(_, span)| *span);
    let unexplained = repeated.into_iter().take(MOST).filter(|(name, _)| !is_explained_acronym(ctx.text, name));
    unexplained.map(|(name, span)| Match::at(span).with("term", name)).collect()
}

/// The most acronyms to look up in the whole text. A text with more is a table of codes, and looking up all of them
/// would take quadratic time.
const MOST: usize = 40;

/// Words of three to five capitals in prose; lines written in capitals are excluded.
fn acronyms(text: &str, within: Span) -> Vec<Span> {
    let slice = within.slice(text);
    let lower = slice.bytes().filter(u8::is_ascii_lowercase).count();
    let upper = slice.bytes().filter(u8::is_ascii_uppercase).count();
    if upper < 3 || upper > lower + 12 {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut start = None;
    for (index, c) in slice.char_indices().chain([(slice.len(), ' ')]) {
        let inside = c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '`');
        match (start, inside) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                let word = slice[from..index].trim_end_matches('.');
                if (3..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase()) {
                    out.push(Span::new(within.start + from, within.start + from + word.len()));
                }
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// Returns true for an acronym that every reader of a requirements document knows.
pub fn is_known_acronym(name: &str) -> bool {
    KNOWN.en.contains(name)
}

/// Returns true for a time zone, a currency or a unit, by its name or by the figure next to it: 18:00 HKT, HKD 500, 5
/// KWH.
pub fn is_measure(line: &str, word: Range<usize>) -> bool {
    if MEASURES.en.contains(&line[word.clone()]) {
        return true;
    }
    let behind = &line[word.end..];
    if behind.trim_start_matches([' ', '\u{a0}']).starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let before = line[..word.start].trim_end_matches([' ', '\u{a0}']);
    let figure = before.rsplit([' ', '\u{a0}', '(', '（', '~']).next().unwrap_or_default();
    let is_figure = figure.ends_with(|c: char| c.is_ascii_digit())
        && figure
            .chars()
            .rev()
            .take_while(char::is_ascii)
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '-' | '/'));
    // "30 KLX labels" counts labels; "5 KWH a day" and "18:00 HKT daily" measure.
    let next = behind.strip_prefix(' ').and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    let counts = next.len() > 3 && next.starts_with(|c: char| c.is_ascii_lowercase());
    is_figure && (figure.contains(':') || !counts)
}

/// Returns true for "Point of sale (POS)", "POS (point of sale)", "POS: …", "POS = …", or a table row that begins with
/// it.
pub fn is_explained_acronym(text: &str, name: &str) -> bool {
    let mut from = 0;
    while let Some(found) = text[from..].find(name).map(|found| from + found) {
        let before = text[..found].chars().next_back();
        let after = text[found + name.len()..].trim_start_matches(['*', '`', '_']).trim_start();
        let bracketed = matches!(before, Some('(' | '（')) && after.starts_with([')', '）', ',', '，']);
        let is_marked = after.starts_with(['(', '（', ':', '：', '=', '|', '—', '–']) || after.starts_with("- ");
        if bracketed || is_marked || EXPLAINING.begin(after) {
            return true;
        }
        from = found + name.len();
    }
    false
}
