//! Reports references to a requirement that the document does not define.

use std::collections::{HashMap, HashSet};

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, Span};
use reqgate_text::BlockKind;
use reqgate_text::item_ids::{ItemId, item_ids};

/// Returns a match for each undefined id of a series that the document defines.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let defined = defined(ctx);
    // A few definitions are not a series; the others may be in another document.
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for id in &defined {
        *counts.entry(id.prefix.slice(ctx.text)).or_default() += 1;
    }
    let series = |prefix: &str| counts.get(prefix).is_some_and(|count| *count >= 3);
    let known: HashSet<(&str, u32)> = defined.iter().map(|id| (id.prefix.slice(ctx.text), id.number)).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut reported = HashSet::new();
    let mut found = Vec::new();
    for block in ctx.reading.blocks.iter().filter(|block| block.is_prose()) {
        for id in item_ids(ctx.text, block.span) {
            let name = (id.prefix.slice(ctx.text), id.number);
            if !known.contains(&name) && series(name.0) && reported.insert(name) {
                found.push(Match::at(id.span).with("term", id.span.slice(ctx.text)));
            }
        }
    }
    found
}

/// The ids at the beginning of a block, each of which names the text that follows.
pub(super) fn defined(ctx: Context<'_>) -> Vec<ItemId> {
    let mut out = Vec::new();
    for block in ctx.reading.blocks.iter().filter(|block| block.is_prose()) {
        let lines = match block.kind {
            BlockKind::Paragraph => 8,
            BlockKind::Heading(_) | BlockKind::ListItem | BlockKind::TableRow { .. } => 1,
            _ => 0,
        };
        let mut start = block.span.start;
        for line in block.span.slice(ctx.text).split_inclusive('\n').take(lines) {
            let head = line.trim_start_matches(|c: char| !c.is_alphanumeric());
            let from = start + (line.len() - head.len());
            start += line.len();
            let limit = head.char_indices().nth(12).map_or(head.len(), |(at, _)| at);
            let first = item_ids(ctx.text, Span::new(from, from + limit)).into_iter().next();
            // "FR-3 and FR-4 depend on it" and "FR-1, FR-2" in a cell only mention the id.
            let rest = |id: &ItemId| ctx.text.get(id.span.end..from + head.len()).unwrap_or("").trim_start();
            let mention =
                |id: &ItemId| rest(id).starts_with([',', '、', '/', ';', '–', '~']) || rest(id).starts_with("and ");
            out.extend(first.filter(|id| id.span.start == from && !mention(id)));
        }
    }
    out
}
