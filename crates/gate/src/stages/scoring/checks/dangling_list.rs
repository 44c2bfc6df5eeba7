//! Reports a line that announces a list without a list after it.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::BlockKind;
use reqgate_text::lexicon::is_cjk;

/// Returns a match for each paragraph or item that ends in a colon with no content after it.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let blocks = &ctx.reading.blocks;
    let mut found = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let words = block.text.slice(ctx.text).trim_end();
        // A line that ends in a colon may have been read as a heading; headings with markup are left to
        // `empty-section`.
        let marked = ctx.text.get(block.span.start..).is_some_and(|rest| rest.starts_with(['#', '*', '=', '_']));
        let fits = match block.kind {
            BlockKind::Paragraph | BlockKind::ListItem => true,
            BlockKind::Heading(_) => !marked,
            _ => false,
        };
        // The colon of a pseudo heading is not part of its words.
        let line = ctx.text.get(block.text.start..).and_then(|rest| rest.lines().next()).unwrap_or("").trim_end();
        let words = if matches!(block.kind, BlockKind::Heading(_)) { line } else { words };
        if !fits || block.quoted || !announces(words) || is_form_line(ctx, index) {
            continue;
        }
        let next = blocks[index + 1..].iter().find(|next| next.kind != BlockKind::HtmlComment);
        let ends_here = match next {
            None => true,
            // A deeper heading may contain the list, but a heading directly below the title begins a new subject.
            Some(next) => matches!(next.kind, BlockKind::Heading(_)) && !goes_deeper(ctx, index, next.span.start),
        };
        // Pictures and links may not be blocks, so the raw text in between is checked.
        let end = block.span.end.max(block.text.start + if block.text.is_empty() { 0 } else { words.len() });
        let gap = ctx.text.get(end..next.map_or(ctx.text.len(), |next| next.span.start)).unwrap_or("");
        if ends_here && gap.trim().is_empty() {
            let line = words.lines().next_back().unwrap_or(words);
            found.push(Match::at(block.text).with("term", line.trim()));
        }
    }
    found
}

/// Returns true for an empty line of a form, such as "Compiler:" below "Platform: Linux".
fn is_form_line(ctx: Context<'_>, index: usize) -> bool {
    let blocks = &ctx.reading.blocks;
    let sibling = index.checked_sub(1).and_then(|before| blocks.get(before));
    blocks[index].kind == BlockKind::ListItem
        && sibling
            .is_some_and(|item| item.kind == BlockKind::ListItem && item.text.slice(ctx.text).contains([':', '：']))
}

/// Returns true for "The sheet has these columns:", but not for "Example:" and ":gear:".
fn announces(words: &str) -> bool {
    let Some(line) = words.lines().next_back().map(str::trim) else { return false };
    let Some(before) = line.strip_suffix([':', '：']) else { return false };
    let long_enough = before.split_whitespace().count() >= 3 || before.chars().filter(|c| is_cjk(*c)).count() >= 4;
    long_enough && !before.rsplit(' ').next().is_some_and(|word| word.contains(':'))
}

/// Returns true if the heading at `start` is below the section of block `index`.
fn goes_deeper(ctx: Context<'_>, index: usize, start: usize) -> bool {
    let reading = ctx.reading;
    let Some(section) = reading.section_of.get(index) else { return false };
    // Blocks are in the order of the text.
    let next = reading.blocks[index..].iter().position(|block| block.span.start == start).map(|at| index + at);
    let below = next.and_then(|at| reading.section_of.get(at)).and_then(|at| reading.sections.get(*at));
    let above = &reading.sections[*section];
    let below_title = above.heading.is_none_or(|heading| reading.title.is_some_and(|title| title.overlaps(heading)));
    below.is_some_and(|below| below.level > above.level && !below_title)
}
