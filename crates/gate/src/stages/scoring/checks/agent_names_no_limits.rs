//! Reports an open-ended change without limits on its scope.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::has_no_end;
use reqgate_base::model::Match;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if has_no_end(ctx) { vec![Match::missing()] } else { Vec::new() }
}
