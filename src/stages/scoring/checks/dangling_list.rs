//! A line that announces a list, and no list behind it.

use super::at;
use crate::model::Finding;
use crate::stages::scoring::findings::Context;
use crate::text::BlockKind;

/// Findings on paragraphs and items that end in a colon with nothing behind them.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let blocks = &ctx.reading.blocks;
    let mut found = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let words = block.text.slice(ctx.text).trim_end();
        if !matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem)
            || block.quoted
            || !words.ends_with([':', '：'])
            || words.chars().filter(|c| c.is_alphanumeric()).count() < 5
        {
            continue;
        }
        let next = blocks[index + 1..].iter().find(|next| next.kind != BlockKind::HtmlComment);
        let ends_here = match next {
            None => true,
            // A deeper heading may itself hold the list; only one of another section ends it.
            Some(next) => matches!(next.kind, BlockKind::Heading(_)) && !goes_deeper(ctx, index, next.span.start),
        };
        // Pictures and links stand in the text as blocks of prose or not at all; look at the raw text between.
        let gap = ctx.text.get(block.span.end..next.map_or(ctx.text.len(), |next| next.span.start)).unwrap_or("");
        if ends_here && gap.trim().is_empty() {
            let line = words.lines().next_back().unwrap_or(words);
            found.push(at(block.text).with("term", line.trim()));
        }
    }
    found
}

/// True if the heading at `start` stands below the section of block `index`.
fn goes_deeper(ctx: Context<'_>, index: usize, start: usize) -> bool {
    let reading = ctx.reading;
    let Some(section) = reading.section_of.get(index) else { return false };
    let next = reading.blocks.iter().position(|block| block.span.start == start);
    let below = next.and_then(|at| reading.section_of.get(at)).and_then(|at| reading.sections.get(*at));
    below.is_some_and(|below| below.level > reading.sections[*section].level && reading.sections[*section].level > 0)
}
