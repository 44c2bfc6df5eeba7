//! Reports an improvement that is demanded without a measure: "make it faster".

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::text::Cue;
use crate::text::content_words::content_words;
use crate::text::quantities::quantities;
use crate::text::words::demands::{CHANGES, LABELS_OF_CHANGE};

/// Content words of a text that says little beside the demand.
const FEW_WORDS: usize = 16;

/// "Improve the report", "better messages": a label for changes that the text goes on to name.
fn is_label(term: &str) -> bool {
    let lower = term.to_lowercase();
    LABELS_OF_CHANGE.stand_in(&lower)
}

/// "Optimise": the demand itself in a title; in a sentence it may be said of what is there.
fn is_change(term: &str) -> bool {
    let lower = term.to_lowercase();
    CHANGES.iter().any(|word| lower.starts_with(word))
}

/// The word blocks only where it is the demand itself and no criterion gives a measure; in a reason or a title beside
/// checkable criteria it is harmless.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let facets = ctx.facets;
    let checkable = facets.criteria.iter().filter(|criterion| criterion.verifiable).count();
    let measured = facets.criteria.iter().any(|c| quantities(ctx.text, c.span).iter().any(|q| q.dimension.is_some()));
    if checkable >= 2 || checkable >= 1 && measured {
        return Vec::new();
    }
    let places = [facets.need, ctx.reading.title];
    let says_nothing_else = || content_words(ctx.text).len() < FEW_WORDS;
    let demands = |span: Span| {
        let term = ctx.reading.find_cue(span, Cue::Improve)?;
        let in_title = ctx.reading.title.is_some_and(|title| title.contains(term));
        let word = term.slice(ctx.text);
        (!is_label(word) && (in_title || !is_change(word)) || says_nothing_else()).then_some(term)
    };
    let term = places.into_iter().flatten().find_map(demands);
    term.map(|term| Match::at(term).with("term", term.slice(ctx.text))).into_iter().collect()
}
