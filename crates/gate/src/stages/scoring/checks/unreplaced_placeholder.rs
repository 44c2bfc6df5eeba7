//! Reports placeholders of a template that the author has not replaced.

use std::collections::BTreeSet;

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, SectionRole, Span};
use reqgate_text::words::brief_answers::LABELS;

/// Returns one match per placeholder; the same words are reported once. Metadata of a document may remain unfilled.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut seen = BTreeSet::new();
    let is_meant = |span: &&Span| {
        let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
        !sentence.struck
            && sentence.role != SectionRole::Metadata
            && !matches!(sentence.genre, Genre::Code | Genre::Quotation)
            // A blank for an answer belongs to the open question above it.
            && !LABELS.begin(&shown(ctx.text, **span).to_lowercase())
    };
    let left = ctx.reading.placeholders.iter().filter(is_meant);
    left.filter(|span| seen.insert(span.slice(ctx.text)))
        .map(|span| Match::at(*span).with("term", shown(ctx.text, *span)))
        .collect()
}

/// The placeholder, or the line around a bare sign.
fn shown(text: &str, span: Span) -> &str {
    if span.slice(text).chars().any(char::is_alphanumeric) {
        return span.slice(text);
    }
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    let line = text[start..end].trim().trim_start_matches(['-', '*', '#', ' ']);
    &line[..line.floor_char_boundary(LONGEST)]
}

/// The longest line that is shown, in bytes.
const LONGEST: usize = 120;
