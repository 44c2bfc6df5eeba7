//! Nothing says where a change without an edge ends, or what it must leave alone.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::has_no_end;
use reqgate_base::model::Match;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if has_no_end(ctx) { vec![Match::missing()] } else { Vec::new() }
}
