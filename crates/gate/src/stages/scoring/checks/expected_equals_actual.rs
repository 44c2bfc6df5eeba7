//! Reports a bug whose expected and actual behaviour are the same words.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, Span};
use reqgate_text::words::checks::PASSED;

/// Compares the first sentences of both by their letters and digits.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let words = |span: Span| -> String {
        span.slice(ctx.text).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (Some(expected), Some(actual)) = (ctx.facets.expected.first(), ctx.facets.actual.first()) else {
        return Vec::new();
    };
    let (left, right) = (words(*expected), words(*actual));
    // In plain prose one sentence may be read as both, so two different places are required.
    let contradicts = !expected.overlaps(*actual) && left == right && left.chars().count() >= 8;
    if contradicts && !has_passed(ctx) { vec![Match::at(*actual)] } else { Vec::new() }
}

/// Returns true for the record of a passed test, in which the actual behaviour equals the expected one.
fn has_passed(ctx: Context<'_>) -> bool {
    let verdict = |words: &str| {
        let value = words.rsplit([':', '：']).next().unwrap_or(words).trim_matches(|c: char| !c.is_alphanumeric());
        PASSED.has_in_any_case(value)
    };
    // A verdict is a separate field, so it is short.
    ctx.reading.sentences.iter().map(|s| s.span.slice(ctx.text)).any(|words| words.len() <= 60 && verdict(words))
}
