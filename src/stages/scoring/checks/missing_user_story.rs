//! Reports a text that says neither who needs it nor why.

use crate::model::{Finding, RuleId};
use crate::stages::scoring::findings::Context;

/// One part may be left out as understood; both together leave nobody to ask and nothing to judge by.
pub fn check(id: &RuleId, ctx: Context<'_>) -> Vec<Finding> {
    if ctx.facets.actor.is_none() && ctx.facets.benefit.is_none() {
        vec![Finding::missing(id.clone())]
    } else {
        Vec::new()
    }
}
