//! Nothing in the text can be looked for in a repository: no file, no name, no part of the product.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::names_a_place;
use reqgate_base::model::Match;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if names_a_place(ctx) { Vec::new() } else { vec![Match::missing()] }
}
