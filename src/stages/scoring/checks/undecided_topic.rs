//! Reports points that a meeting left open and that work depends on.

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::text::content_words::content_words;

/// Words of fewer parts with a meaning do not say what they leave open: "Park it.", 再讨论.
const FEWEST_WORDS: usize = 4;
/// How many sentences back the question may stand that such words leave open.
const FURTHEST_QUESTION: usize = 6;

/// One finding per open point of the core; a meeting's open points are told apart from a document's by their wording only.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut topics: Vec<Span> = super::open_point::core(ctx).map(|point| topic(ctx, point.span)).collect();
    topics.dedup();
    topics.into_iter().map(Match::at).collect()
}

/// The question that the words leave open, where they do not say it themselves.
fn topic(ctx: Context<'_>, span: Span) -> Span {
    let sentences = &ctx.reading.sentences;
    if content_words(span.slice(ctx.text)).len() >= FEWEST_WORDS {
        return span;
    }
    let Ok(at) = sentences.binary_search_by_key(&span.start, |sentence| sentence.span.start) else { return span };
    let asks = |index: &usize| sentences[*index].span.slice(ctx.text).ends_with(['?', '？']);
    let Some(last) = (at.saturating_sub(FURTHEST_QUESTION)..at).rev().find(asks) else { return span };
    // Of several questions in one turn the first is the topic: "Who keeps the goods? You or the shop?"
    let earliest = last.saturating_sub(FURTHEST_QUESTION);
    let first = (earliest..=last).find(|index| sentences[*index].block == sentences[last].block && asks(index));
    first.map_or(span, |index| sentences[index].span)
}
