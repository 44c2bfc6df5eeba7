//! Reports points that the author left open and that work depends on.

use crate::model::{Finding, RuleId};
use crate::stages::scoring::findings::Context;

/// One finding per open point of the core.
pub fn check(id: &RuleId, ctx: Context<'_>) -> Vec<Finding> {
    let core = ctx.facets.open_points.iter().filter(|point| point.core);
    core.map(|point| Finding::at(id.clone(), point.span)).collect()
}
