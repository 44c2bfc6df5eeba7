//! A ticket with far more criteria than one piece of work can hold.

use super::at;
use crate::model::Finding;
use crate::stages::scoring::findings::Context;

/// Teams split stories at 6 to 8 criteria; twice as many is no longer a matter of taste.
const MOST: usize = 16;

/// One finding from the first criterion that is too many.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let criteria = &ctx.facets.criteria;
    let count = criteria.len().to_string();
    criteria.get(MOST).map(|criterion| at(criterion.span).with("count", count)).into_iter().collect()
}
