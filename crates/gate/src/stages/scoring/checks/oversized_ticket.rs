//! Reports a ticket with far more criteria than one piece of work can include.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;

/// Teams split stories at 6 to 8 criteria; twice as many is too many by any standard.
const MOST: usize = 16;

/// Returns one match at the first criterion beyond the limit.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let criteria = &ctx.facets.criteria;
    let count = criteria.len().to_string();
    criteria.get(MOST).map(|criterion| Match::at(criterion.span).with("count", count)).into_iter().collect()
}
