//! A line that announces a list, and no list behind it.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::BlockKind;
use reqgate_text::lexicon::is_cjk;

/// Findings on paragraphs and items that end in a colon with nothing behind them.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let blocks = &ctx.reading.blocks;
    let mut found = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let words = block.text.slice(ctx.text).trim_end();
        // A line that ends in a colon may have been read as a heading; the one the author marked up is left to
        // `empty-section`.
        let marked = ctx.text.get(block.span.start..).is_some_and(|rest| rest.starts_with(['#', '*', '=', '_']));
        let fits = match block.kind {
            BlockKind::Paragraph | BlockKind::ListItem => true,
            BlockKind::Heading(_) => !marked,
            _ => false,
        };
        // The colon of a pseudo heading stands behind its words.
        let line = ctx.text.get(block.text.start..).and_then(|rest| rest.lines().next()).unwrap_or("").trim_end();
        let words = if matches!(block.kind, BlockKind::Heading(_)) { line } else { words };
        if !fits || block.quoted || !announces(words) || is_form_line(ctx, index) {
            continue;
        }
        let next = blocks[index + 1..].iter().find(|next| next.kind != BlockKind::HtmlComment);
        let ends_here = match next {
            None => true,
            // A deeper heading may itself hold the list, but one right below the title is a new matter.
            Some(next) => matches!(next.kind, BlockKind::Heading(_)) && !goes_deeper(ctx, index, next.span.start),
        };
        // Pictures and links stand in the text as blocks of prose or not at all; look at the raw text between.
        let end = block.span.end.max(block.text.start + if block.text.is_empty() { 0 } else { words.len() });
        let gap = ctx.text.get(end..next.map_or(ctx.text.len(), |next| next.span.start)).unwrap_or("");
        if ends_here && gap.trim().is_empty() {
            let line = words.lines().next_back().unwrap_or(words);
            found.push(Match::at(block.text).with("term", line.trim()));
        }
    }
    found
}

/// "Compiler:" below "Platform: Linux" is a line of a form that was left empty, not a list.
fn is_form_line(ctx: Context<'_>, index: usize) -> bool {
    let blocks = &ctx.reading.blocks;
    let sibling = index.checked_sub(1).and_then(|before| blocks.get(before));
    blocks[index].kind == BlockKind::ListItem
        && sibling
            .is_some_and(|item| item.kind == BlockKind::ListItem && item.text.slice(ctx.text).contains([':', '：']))
}

/// "The sheet has these columns:" announces; "Example:" and ":gear:" do not.
fn announces(words: &str) -> bool {
    let Some(line) = words.lines().next_back().map(str::trim) else { return false };
    let Some(before) = line.strip_suffix([':', '：']) else { return false };
    let long_enough = before.split_whitespace().count() >= 3 || before.chars().filter(|c| is_cjk(*c)).count() >= 4;
    long_enough && !before.rsplit(' ').next().is_some_and(|word| word.contains(':'))
}

/// True if the heading at `start` stands below the section of block `index`.
fn goes_deeper(ctx: Context<'_>, index: usize, start: usize) -> bool {
    let reading = ctx.reading;
    let Some(section) = reading.section_of.get(index) else { return false };
    // Blocks stand in the order of the text.
    let next = reading.blocks[index..].iter().position(|block| block.span.start == start).map(|at| index + at);
    let below = next.and_then(|at| reading.section_of.get(at)).and_then(|at| reading.sections.get(*at));
    let above = &reading.sections[*section];
    let below_title = above.heading.is_none_or(|heading| reading.title.is_some_and(|title| title.overlaps(heading)));
    below.is_some_and(|below| below.level > above.level && !below_title)
}
