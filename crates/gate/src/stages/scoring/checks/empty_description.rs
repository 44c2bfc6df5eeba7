//! Reports an issue of a tracker with a title and an empty description.

use crate::stages::scoring::Context;
use reqgate_base::model::Match;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if ctx.has_empty_description { vec![Match::missing()] } else { Vec::new() }
}
