//! Reports criteria without an observable outcome.

use crate::stages::scoring::Context;
use reqgate_base::model::{CriterionForm, Match, SectionRole, Span};
use reqgate_text::{BlockKind, Cue};

/// Reports only text that the author presents as a criterion; other prose is not a rule.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let called = ctx
        .facets
        .criteria
        .iter()
        .filter(|criterion| !criterion.verifiable && criterion.form != CriterionForm::Decision)
        .filter(|criterion| is_item(ctx, criterion.span) && is_empty(ctx, criterion.span));
    called.map(|criterion| Match::at(criterion.span)).collect()
}

/// Returns true for words that are empty, vague, hedged or open. Without them a tester is assumed to be able to check
/// the criterion.
fn is_empty(ctx: Context<'_>, span: Span) -> bool {
    ctx.reading.cues_in(span).any(&[Cue::Empty, Cue::Vague, Cue::Hedge, Cue::Open])
}

/// Returns true in a section of criteria and in a list; a sentence of prose is not meant as a criterion.
fn is_item(ctx: Context<'_>, span: Span) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
    sentence.role == SectionRole::AcceptanceCriteria || ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem
}
