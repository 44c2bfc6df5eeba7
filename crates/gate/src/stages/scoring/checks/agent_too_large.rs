//! More criteria than one run of a coding agent can be expected to meet.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, Span};
use reqgate_text::BlockKind;

/// Teams split stories at 6 to 8 criteria; a run has nobody to ask which of twice as many come first.
const MOST: usize = 12;

/// One finding from the first criterion that is too many. Sentences of a story that read like criteria do not count, items of a
/// list do.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let is_item = |span: Span| {
        let sentence = ctx.reading.sentence_at(span.start);
        sentence.is_some_and(|sentence| ctx.reading.blocks[sentence.block].kind != BlockKind::Paragraph)
    };
    let criteria: Vec<Span> =
        ctx.facets.criteria.iter().map(|criterion| criterion.span).filter(|span| is_item(*span)).collect();
    let count = criteria.len().to_string();
    criteria.get(MOST).map(|span| Match::at(*span).with("count", count)).into_iter().collect()
}
