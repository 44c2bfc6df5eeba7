//! Two requirements of a document with the same id.

use std::collections::HashSet;

use super::broken_cross_reference::defined;
use crate::model::Match;
use crate::stages::scoring::Context;

/// Findings on definitions of an id that was defined before.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut seen = HashSet::new();
    let ids = defined(ctx).into_iter();
    ids.filter(|id| !seen.insert((id.prefix.slice(ctx.text), id.number)))
        .map(|id| Match::at(id.span).with("term", id.span.slice(ctx.text)))
        .collect()
}
