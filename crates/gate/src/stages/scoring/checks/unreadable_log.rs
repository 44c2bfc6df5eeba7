//! Reports a long log or stack trace pasted as prose, outside a code fence.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::BlockKind;

/// The longest log that readers can easily skip, in lines.
const LONGEST: usize = 25;

/// Returns a match for each pasted log beyond this length.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let logs = ctx.reading.blocks.iter().filter(|block| block.kind == BlockKind::Log);
    logs.filter_map(|block| {
        let lines = block.span.slice(ctx.text).lines().count();
        (lines > LONGEST).then(|| Match::at(block.span).with("count", lines.to_string()))
    })
    .collect()
}
