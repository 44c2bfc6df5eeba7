//! Reports points that a meeting left open and that work depends on.

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::text::content_words::{content_words, shared};

/// Words of fewer parts with a meaning do not say what they leave open: "Park it.", 再讨论.
const FEWEST_WORDS: usize = 4;
/// How many sentences back the question may stand that such words leave open.
const FURTHEST_QUESTION: usize = 6;
/// So many words in common, or all of the shorter one, make two sentences one topic.
const OF_ONE_TOPIC: usize = 3;

/// One finding per topic: "No decision. Tom to ask legal." is one, and so is the action item that says it again.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut told: Vec<(Span, Vec<String>)> = Vec::new();
    let mut topics: Vec<Span> = Vec::new();
    for point in super::open_point::core(ctx) {
        let words = content_words(point.span.slice(ctx.text));
        let again = |(before, others): &(Span, Vec<String>)| {
            let common = shared(&words, others);
            is_next(ctx, *before, point.span)
                || common >= OF_ONE_TOPIC
                || common >= 2 && common == words.len().min(others.len())
        };
        let topic = topic(ctx, point.span);
        if !topics.contains(&topic) && !told.iter().any(again) {
            topics.push(topic);
        }
        told.push((point.span, words));
    }
    topics.into_iter().map(Match::at).collect()
}

/// True for two sentences in a row on one line.
fn is_next(ctx: Context<'_>, before: Span, point: Span) -> bool {
    ctx.text.get(before.end..point.start).is_some_and(|between| between.chars().all(|c| c == ' '))
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
