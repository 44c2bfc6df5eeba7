//! Reports points that a meeting left open and that the work depends on.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, Span};
use reqgate_text::content_words::{content_words, shared};

/// The fewest content words that can describe an open topic. "Park it." and 再讨论 do not.
const FEWEST_WORDS: usize = 4;
/// The greatest distance, in sentences, of the question that such words leave open.
const FURTHEST_QUESTION: usize = 6;
/// The fewest repeated content words that make two sentences one topic.
const FEWEST_REPEATED: usize = 2;

/// Returns one match per topic: "No decision. Tom to ask legal." is one topic, and so is the action item that repeats
/// it.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut told: Vec<EarlierPoint> = Vec::new();
    let mut topics: Vec<Span> = Vec::new();
    for point in super::open_point::core(ctx) {
        let words = content_words(point.span.slice(ctx.text));
        let beside = told.last().filter(|before| is_next(ctx, before.span, point.span));
        let few = words.len() < FEWEST_WORDS;
        let adds_nothing = beside.is_some_and(|before| before.names_nothing || few);
        // Words that belong to the preceding sentence do not describe another one.
        let names_nothing = few && beside.is_none_or(|before| before.names_nothing);
        let topic = topic(ctx, point.span);
        // "Let's park it." after another question leaves that question open.
        let is_again = topic == point.span && told.iter().any(|before| says_again(&words, &before.words));
        if !(adds_nothing || is_again || topics.contains(&topic)) {
            topics.push(topic);
        }
        told.push(EarlierPoint { span: point.span, words, names_nothing });
    }
    topics.into_iter().map(Match::at).collect()
}

/// An open point found earlier.
struct EarlierPoint {
    span: Span,
    words: Vec<String>,
    /// The point has too few words to describe its topic, and so has the sentence before it.
    names_nothing: bool,
}

/// Returns true if the content words of one are included in those of the other.
fn says_again(words: &[String], others: &[String]) -> bool {
    let shorter = words.len().min(others.len());
    shorter >= FEWEST_REPEATED && shared(words, others) == shorter
}

/// Returns true for two consecutive sentences on one line.
fn is_next(ctx: Context<'_>, before: Span, point: Span) -> bool {
    ctx.text.get(before.end..point.start).is_some_and(|between| between.chars().all(|c| c == ' '))
}

/// The question that the words leave open, unless the words describe it themselves.
fn topic(ctx: Context<'_>, span: Span) -> Span {
    let sentences = &ctx.reading.sentences;
    if content_words(span.slice(ctx.text)).len() >= FEWEST_WORDS {
        return span;
    }
    let Ok(at) = sentences.binary_search_by_key(&span.start, |sentence| sentence.span.start) else { return span };
    let asks = |index: &usize| sentences[*index].span.slice(ctx.text).ends_with(['?', '？']);
    let Some(last) = (at.saturating_sub(FURTHEST_QUESTION)..at).rev().find(asks) else { return span };
    // The first of several questions in one turn is the topic: "Who keeps the goods? You or the shop?"
    let earliest = last.saturating_sub(FURTHEST_QUESTION);
    let first = (earliest..=last).find(|index| sentences[*index].block == sentences[last].block && asks(index));
    first.map_or(span, |index| sentences[index].span)
}
