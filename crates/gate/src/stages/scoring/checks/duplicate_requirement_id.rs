//! Reports two requirements of a document with the same id.

use std::collections::HashSet;

use super::broken_cross_reference::defined;
use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::item_ids::{ItemId, only_mentions};

/// Returns a match for each definition of an id that was defined before.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut seen = HashSet::new();
    let ids = defined(ctx).into_iter().filter(|id| !is_mention(ctx, id));
    ids.filter(|id| !seen.insert((id.prefix.slice(ctx.text), id.number)))
        .map(|id| Match::at(id.span).with("term", id.span.slice(ctx.text)))
        .collect()
}

/// Returns true for an id that names no requirement: in a traceability table, which repeats the ids of the tables above it,
/// and without words after it below a label, as in "User stories: US-001".
fn is_mention(ctx: Context<'_>, id: &ItemId) -> bool {
    let block = ctx.reading.blocks.partition_point(|block| block.span.end <= id.span.start);
    let section = ctx.reading.section_of.get(block).and_then(|section| ctx.reading.sections.get(*section));
    let Some((section, heading)) = section.and_then(|section| Some((section, section.heading?))) else { return false };
    let rest = ctx.reading.blocks.get(block).and_then(|block| ctx.text.get(id.span.end..block.span.end));
    let is_alone = rest.is_some_and(|rest| !rest.contains(char::is_alphanumeric));
    only_mentions(heading.slice(ctx.text)) || section.inline && is_alone
}
