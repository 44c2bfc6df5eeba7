//! Reports a text that only refers to a conversation in which its reader took no part.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::is_only_discussed;
use reqgate_base::model::Match;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if is_only_discussed(ctx) { vec![Match::missing()] } else { Vec::new() }
}
