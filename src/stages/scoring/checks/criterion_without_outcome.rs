//! Reports criteria that name no outcome that somebody can see.

use crate::model::{CriterionForm, Sighting, Span};
use crate::stages::scoring::Context;
use crate::text::Cue;
use crate::text::content_words::content_words;
use crate::text::lexicon::is_cjk;

/// Only what the author himself called a criterion is reported; prose that is no rule is just prose.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let called = ctx
        .facets
        .criteria
        .iter()
        .filter(|criterion| !criterion.verifiable && criterion.form != CriterionForm::Decision)
        .filter(|criterion| is_empty(ctx, criterion.span));
    called.map(|criterion| Sighting::at(criterion.span)).collect()
}

/// What a tester could tick off counts unless something speaks against it: empty or vague words, or hardly any words at all.
fn is_empty(ctx: Context<'_>, span: Span) -> bool {
    let words = content_words(span.slice(ctx.text));
    let pairs = words.iter().filter(|word| word.chars().any(is_cjk)).count();
    ctx.reading.cues_in(span).any(&[Cue::Empty, Cue::Vague, Cue::Hedge, Cue::Open])
        || words.len() - pairs + pairs / 2 < 3
}
