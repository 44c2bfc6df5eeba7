//! Reports criteria that name no outcome that somebody can see.

use crate::stages::scoring::Context;
use reqgate_base::model::{CriterionForm, Match, SectionRole, Span};
use reqgate_text::{BlockKind, Cue};

/// Only what the author himself called a criterion is reported; prose that is no rule is just prose.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let called = ctx
        .facets
        .criteria
        .iter()
        .filter(|criterion| !criterion.verifiable && criterion.form != CriterionForm::Decision)
        .filter(|criterion| is_item(ctx, criterion.span) && is_empty(ctx, criterion.span));
    called.map(|criterion| Match::at(criterion.span)).collect()
}

/// What a tester could tick off counts unless something speaks against it: words that are empty, vague, hedged or open.
fn is_empty(ctx: Context<'_>, span: Span) -> bool {
    ctx.reading.cues_in(span).any(&[Cue::Empty, Cue::Vague, Cue::Hedge, Cue::Open])
}

/// True in a section of criteria and in a list; a sentence of prose is no criterion of the author's.
fn is_item(ctx: Context<'_>, span: Span) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
    sentence.role == SectionRole::AcceptanceCriteria || ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem
}
