//! Reports a text without a test, command, output, figure or expected result that would show a machine that the work is
//! done.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::names_a_proof;
use reqgate_base::model::Match;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if names_a_proof(ctx) { Vec::new() } else { vec![Match::missing()] }
}
