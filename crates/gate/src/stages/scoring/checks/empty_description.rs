//! Reports a ticket of a tracker whose description is empty, so that the title is all there is.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if ctx.has_empty_description { vec![Match::missing()] } else { Vec::new() }
}
