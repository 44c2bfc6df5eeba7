//! A long log or stack trace pasted as prose, outside a code fence.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::BlockKind;

/// Below this a reader scrolls past without harm.
const LONGEST: usize = 25;

/// Findings on pasted logs of more lines than anybody reads.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let logs = ctx.reading.blocks.iter().filter(|block| block.kind == BlockKind::Log);
    logs.filter_map(|block| {
        let lines = block.span.slice(ctx.text).lines().count();
        (lines > LONGEST).then(|| Match::at(block.span).with("count", lines.to_string()))
    })
    .collect()
}
