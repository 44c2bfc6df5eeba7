//! Reports points that a meeting left open and that work depends on.

use crate::model::Match;
use crate::stages::scoring::Context;

/// One finding per open point of the core; a meeting's open points are told apart from a document's by their wording only.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    super::open_point::core(ctx).map(|point| Match::at(point.span)).collect()
}
