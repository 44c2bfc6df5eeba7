//! Reports a text whose content is only in a picture, a link or an attachment.

use crate::stages::scoring::Context;
use crate::stages::scoring::agent_signs::is_elsewhere;
use reqgate_base::model::Match;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    if is_elsewhere(ctx) { vec![Match::missing()] } else { Vec::new() }
}
