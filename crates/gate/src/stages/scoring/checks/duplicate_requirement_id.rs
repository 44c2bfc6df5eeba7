//! Reports two requirements of a document with the same id.

use std::collections::HashSet;

use super::broken_cross_reference::defined;
use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::item_ids::{ItemId, only_mentions};

/// Returns a match for each definition of an id that was defined before.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut seen = HashSet::new();
    let ids = defined(ctx).into_iter().filter(|id| !stands_under_mentions(ctx, id) && !is_alone(ctx, id));
    ids.filter(|id| !seen.insert((id.prefix.slice(ctx.text), id.number)))
        .map(|id| Match::at(id.span).with("term", id.span.slice(ctx.text)))
        .collect()
}

/// Returns true for an id without words after it, below a label: "User stories: US-001" names no requirement.
fn is_alone(ctx: Context<'_>, id: &ItemId) -> bool {
    let block = ctx.reading.blocks.partition_point(|block| block.span.end <= id.span.start);
    let section = ctx.reading.section_of.get(block).and_then(|section| ctx.reading.sections.get(*section));
    let is_labelled = section.is_some_and(|section| section.inline && section.heading.is_some());
    let rest = ctx.reading.blocks.get(block).and_then(|block| ctx.text.get(id.span.end..block.span.end));
    is_labelled && rest.is_some_and(|rest| !rest.contains(char::is_alphanumeric))
}

/// Returns true for a traceability table, which repeats the ids of the tables above it.
fn stands_under_mentions(ctx: Context<'_>, id: &ItemId) -> bool {
    let block = ctx.reading.blocks.partition_point(|block| block.span.end <= id.span.start);
    let section = ctx.reading.section_of.get(block).and_then(|section| ctx.reading.sections.get(*section));
    let heading = section.and_then(|section| section.heading);
    heading.is_some_and(|heading| only_mentions(heading.slice(ctx.text)))
}
