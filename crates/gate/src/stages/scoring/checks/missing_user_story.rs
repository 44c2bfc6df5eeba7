//! Reports a text with neither the person who needs the change nor the reason.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;

/// One of the two may be inferred; without both, the reader has no person to ask and no reason to judge by.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if ctx.facets.actor.is_none() && ctx.facets.benefit.is_none() { vec![Match::missing()] } else { Vec::new() }
}
