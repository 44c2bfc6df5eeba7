//! Two requirements of a document with the same id.

use std::collections::HashSet;

use super::at;
use super::broken_cross_reference::defined;
use crate::model::Finding;
use crate::stages::scoring::findings::Context;

/// Findings on definitions of an id that was defined before.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let ids = defined(ctx).into_iter();
    ids.filter(|id| !seen.insert((id.prefix.slice(ctx.text), id.number)))
        .map(|id| at(id.span).with("term", id.span.slice(ctx.text)))
        .collect()
}
