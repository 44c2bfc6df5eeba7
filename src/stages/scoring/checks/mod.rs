//! Checks that data cannot say, one file each; the file's name is the rule's id.

mod conflicting_values;
mod criterion_without_outcome;
mod expected_equals_actual;
mod missing_user_story;
mod open_point;
mod undecided_topic;
mod unfilled_template;
mod vague_demand;

use super::findings::Context;
use crate::model::{Finding, RuleId};

/// A check over a whole text; it gets the id under which its findings go.
type Check = fn(&RuleId, Context<'_>) -> Vec<Finding>;

/// Every check and the rule it belongs to, ordered by id; a test compares the list with the rule files.
pub const ALL: &[(&str, Check)] = &[
    ("conflicting-values", conflicting_values::check),
    ("criterion-without-outcome", criterion_without_outcome::check),
    ("expected-equals-actual", expected_equals_actual::check),
    ("missing-user-story", missing_user_story::check),
    ("open-point", open_point::check),
    ("undecided-topic", undecided_topic::check),
    ("unfilled-template", unfilled_template::check),
    ("vague-demand", vague_demand::check),
];

/// Runs the check of a rule; `None` if there is no such check.
pub fn run(id: &RuleId, ctx: Context<'_>) -> Option<Vec<Finding>> {
    ALL.iter().find(|(name, _)| *name == id.as_str()).map(|(_, check)| check(id, ctx))
}
