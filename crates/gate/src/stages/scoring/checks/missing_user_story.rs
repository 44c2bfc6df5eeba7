//! Reports a text that says neither who needs it nor why.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;

/// One part may be left out as understood; both together leave nobody to ask and nothing to judge by.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if ctx.facets.actor.is_none() && ctx.facets.benefit.is_none() { vec![Match::missing()] } else { Vec::new() }
}
