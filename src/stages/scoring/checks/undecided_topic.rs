//! Reports points that a meeting left open and that work depends on.

use crate::model::{Finding, RuleId};
use crate::stages::scoring::findings::Context;

/// One finding per open point of the core; a meeting's open points are told apart from a document's by their wording only.
pub fn check(id: &RuleId, ctx: Context<'_>) -> Vec<Finding> {
    super::open_point::check(id, ctx)
}
