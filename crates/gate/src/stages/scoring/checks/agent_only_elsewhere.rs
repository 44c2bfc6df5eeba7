//! The whole matter stands in a picture, behind a link or in an attachment.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::is_elsewhere;
use reqgate_base::model::Match;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    if is_elsewhere(ctx) { vec![Match::missing()] } else { Vec::new() }
}
