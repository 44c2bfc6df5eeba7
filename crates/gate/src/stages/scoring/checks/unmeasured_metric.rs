//! Reports a measure of success without a figure.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, SectionRole};
use reqgate_text::BlockKind;
use reqgate_text::quantities::quantities;

/// Returns a match for each item of a section about metrics that contains no number.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let reading = ctx.reading;
    let mut found = Vec::new();
    for (index, block) in reading.blocks.iter().enumerate() {
        let role = reading.section_of.get(index).and_then(|at| reading.sections.get(*at)).map(|section| section.role);
        let listed = matches!(block.kind, BlockKind::ListItem);
        if role != Some(SectionRole::Metrics) || !listed || block.depth > 0 {
            continue;
        }
        let words = block.text.slice(ctx.text).trim();
        let short = words.chars().filter(|c| c.is_alphanumeric()).count() < 8;
        let has_children = reading.blocks.get(index + 1).is_some_and(|next| next.depth > block.depth);
        let measured = words.contains(|c: char| c.is_ascii_digit()) || !quantities(ctx.text, block.text).is_empty();
        if !short && !has_children && !measured && !words.ends_with([':', '：']) {
            found.push(Match::at(block.text).with("term", words));
        }
    }
    found
}
