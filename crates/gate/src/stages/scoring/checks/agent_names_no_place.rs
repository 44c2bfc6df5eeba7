//! Reports a text that names no file, code or part of the product to search for in a repository.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::names_a_place;
use reqgate_base::model::Match;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if names_a_place(ctx) { Vec::new() } else { vec![Match::missing()] }
}
