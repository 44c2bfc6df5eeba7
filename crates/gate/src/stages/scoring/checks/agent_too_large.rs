//! Reports more criteria than one run of a coding agent can be expected to meet.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, Span};
use reqgate_text::BlockKind;

/// Teams split stories at 6 to 8 criteria. A coding agent cannot ask which of twice as many come first.
const MOST: usize = 12;

/// Returns one match at the first criterion beyond the limit. Items of a list count; sentences of a story that resemble
/// criteria do not.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let is_item = |span: Span| {
        let sentence = ctx.reading.sentence_at(span.start);
        sentence.is_some_and(|sentence| ctx.reading.blocks[sentence.block].kind != BlockKind::Paragraph)
    };
    let criteria: Vec<Span> =
        ctx.facets.criteria.iter().map(|criterion| criterion.span).filter(|span| is_item(*span)).collect();
    let count = criteria.len().to_string();
    criteria.get(MOST).map(|span| Match::at(*span).with("count", count)).into_iter().collect()
}
