//! Nothing in the text tells a machine that the work is done: no test, command, output, figure or expected result.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::names_a_proof;
use reqgate_base::model::Match;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if names_a_proof(ctx) { Vec::new() } else { vec![Match::missing()] }
}
