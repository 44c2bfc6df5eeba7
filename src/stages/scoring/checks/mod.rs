//! Checks that data cannot say, one file each; the file's name is the rule's id.

use super::findings::Context;
use crate::model::Finding;

/// A check over a whole text. The rule id of its findings is filled in by the caller.
type Check = fn(Context<'_>) -> Vec<Finding>;

/// Every check and the rule it belongs to, ordered by id; a test compares the list with the rule files.
pub const ALL: &[(&str, Check)] = &[];

/// Runs the check of a rule; `None` if there is no such check.
pub fn run(id: &str, ctx: Context<'_>) -> Option<Vec<Finding>> {
    ALL.iter().find(|(name, _)| *name == id).map(|(_, check)| check(ctx))
}
