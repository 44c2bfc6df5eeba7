//! Reports questions that stand among requirements and that nobody answers.

use super::open_point::{core, is_called_open};
use crate::model::{Match, OpenPoint, SectionRole};
use crate::stages::scoring::Context;
use crate::text::BlockKind;

/// One finding per question in a section of criteria or requirements, or in a list, that is not called open outright.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let points = core(ctx).filter(|point| !is_called_open(ctx, point) && stands_among_rules(ctx, point));
    points.map(|point| Match::at(point.span)).collect()
}

/// In prose a question is put to the reader more often than to the requirement.
fn stands_among_rules(ctx: Context<'_>, point: &OpenPoint) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(point.span.start) else { return false };
    let listed = ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem;
    point.span.slice(ctx.text).ends_with(['?', '？'])
        && match sentence.role {
            SectionRole::AcceptanceCriteria | SectionRole::Requirements | SectionRole::EdgeCases => true,
            SectionRole::Body | SectionRole::Demand | SectionRole::Scope => listed,
            _ => false,
        }
}
