//! A ticket with far more criteria than one piece of work can hold.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;

/// Teams split stories at 6 to 8 criteria; twice as many is no longer a matter of taste.
const MOST: usize = 16;

/// One finding from the first criterion that is too many.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let criteria = &ctx.facets.criteria;
    let count = criteria.len().to_string();
    criteria.get(MOST).map(|criterion| Match::at(criterion.span).with("count", count)).into_iter().collect()
}
