//! Reports questions of the author that the text does not answer.

use super::open_point::{asked_before, core, is_called_open};
use crate::stages::scoring::Context;
use reqgate_base::model::{Match, OpenPoint, SectionRole, Span};
use reqgate_text::BlockKind;
use reqgate_text::deliberation::deliberates;

/// Returns one match per question that is not explicitly called open: in a section of criteria, requirements or
/// questions, in a list, or about the solution.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let (called, points): (Vec<&OpenPoint>, Vec<&OpenPoint>) = core(ctx).partition(|point| is_called_open(ctx, point));
    let left_open: Vec<Span> = called.into_iter().filter_map(|point| asked_before(ctx, point)).collect();
    let is_left_open = |question: &OpenPoint| left_open.iter().any(|asked| asked.overlaps(question.span));
    let points = points.into_iter().filter(|point| is_asked_of_the_team(ctx, point) && !is_left_open(point));
    points.map(|point| Match::at(point.span)).collect()
}

/// Returns false for most other questions in prose, which address the reader and are not open points.
fn is_asked_of_the_team(ctx: Context<'_>, point: &OpenPoint) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(point.span.start) else { return false };
    let listed = ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem;
    point.span.slice(ctx.text).ends_with(['?', '？'])
        && match sentence.role {
            SectionRole::AcceptanceCriteria
            | SectionRole::Requirements
            | SectionRole::EdgeCases
            | SectionRole::OpenQuestions => true,
            SectionRole::Body | SectionRole::Demand | SectionRole::Scope => listed || deliberates(ctx.text, sentence),
            SectionRole::Story | SectionRole::Notes => deliberates(ctx.text, sentence),
            _ => false,
        }
}
