//! Reports points that a meeting left open and that work depends on.

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::text::content_words::{content_words, shared};

/// So many words in common, or all of the shorter one, make two sentences one topic.
const OF_ONE_TOPIC: usize = 3;

/// One finding per topic: "No decision. Tom to ask legal." is one, and so is the action item that says it again.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut told: Vec<(Span, Vec<String>)> = Vec::new();
    let mut found = Vec::new();
    for point in super::open_point::core(ctx) {
        let words = content_words(point.span.slice(ctx.text));
        let again = |(before, others): &(Span, Vec<String>)| {
            let common = shared(&words, others);
            is_next(ctx, *before, point.span)
                || common >= OF_ONE_TOPIC
                || common >= 2 && common == words.len().min(others.len())
        };
        if !told.iter().any(again) {
            found.push(Match::at(point.span));
        }
        told.push((point.span, words));
    }
    found
}

/// True for two sentences in a row on one line.
fn is_next(ctx: Context<'_>, before: Span, point: Span) -> bool {
    ctx.text.get(before.end..point.start).is_some_and(|between| between.chars().all(|c| c == ' '))
}
