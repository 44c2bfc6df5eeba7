//! Reports a text that only refers to a conversation that its reader did not see.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::is_only_discussed;
use reqgate_base::model::Match;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if is_only_discussed(ctx) { vec![Match::missing()] } else { Vec::new() }
}
