//! Checks that data cannot say, one file each; the file's name is the rule's id.

mod action_without_owner;
mod broken_cross_reference;
mod circular_benefit;
mod conflicting_values;
mod criterion_restates_title;
mod criterion_without_outcome;
mod dangling_list;
mod duplicate_criterion;
mod duplicate_requirement_id;
mod expected_equals_actual;
mod happy_path_only;
mod intermittent_without_rate;
mod missing_user_story;
mod non_atomic_story;
mod not_minimal_story;
mod open_point;
mod oversized_ticket;
mod passive_without_actor;
mod quality_without_measure;
mod screenshot_only_evidence;
mod sensitive_action_without_permission;
mod timer_without_expiry;
mod undecided_topic;
mod undefined_acronym;
mod unfilled_template;
mod unmeasured_metric;
mod unreadable_log;
mod vague_demand;

use super::findings::Context;
use crate::model::{Finding, RuleId, Span};

/// A check over a whole text; it gets the id under which its findings go.
type Check = fn(&RuleId, Context<'_>) -> Vec<Finding>;

/// Every check and the rule it belongs to, ordered by id; a test compares the list with the rule files.
pub const ALL: &[(&str, Check)] = &[
    ("action-without-owner", |_, ctx| action_without_owner::check(ctx)),
    ("broken-cross-reference", |_, ctx| broken_cross_reference::check(ctx)),
    ("circular-benefit", |_, ctx| circular_benefit::check(ctx)),
    ("conflicting-values", conflicting_values::check),
    ("criterion-restates-title", |_, ctx| criterion_restates_title::check(ctx)),
    ("criterion-without-outcome", criterion_without_outcome::check),
    ("dangling-list", |_, ctx| dangling_list::check(ctx)),
    ("duplicate-criterion", |_, ctx| duplicate_criterion::check(ctx)),
    ("duplicate-requirement-id", |_, ctx| duplicate_requirement_id::check(ctx)),
    ("expected-equals-actual", expected_equals_actual::check),
    ("happy-path-only", |_, ctx| happy_path_only::check(ctx)),
    ("intermittent-without-rate", |_, ctx| intermittent_without_rate::check(ctx)),
    ("missing-user-story", missing_user_story::check),
    ("non-atomic-story", |_, ctx| non_atomic_story::check(ctx)),
    ("not-minimal-story", |_, ctx| not_minimal_story::check(ctx)),
    ("open-point", open_point::check),
    ("oversized-ticket", |_, ctx| oversized_ticket::check(ctx)),
    ("passive-without-actor", |_, ctx| passive_without_actor::check(ctx)),
    ("quality-without-measure", |_, ctx| quality_without_measure::check(ctx)),
    ("screenshot-only-evidence", |_, ctx| screenshot_only_evidence::check(ctx)),
    ("sensitive-action-without-permission", |_, ctx| sensitive_action_without_permission::check(ctx)),
    ("timer-without-expiry", |_, ctx| timer_without_expiry::check(ctx)),
    ("undecided-topic", undecided_topic::check),
    ("undefined-acronym", |_, ctx| undefined_acronym::check(ctx)),
    ("unfilled-template", unfilled_template::check),
    ("unmeasured-metric", |_, ctx| unmeasured_metric::check(ctx)),
    ("unreadable-log", |_, ctx| unreadable_log::check(ctx)),
    ("vague-demand", vague_demand::check),
];

/// Runs the check of a rule; `None` if there is no such check.
pub fn run(id: &RuleId, ctx: Context<'_>) -> Option<Vec<Finding>> {
    let mut found = ALL.iter().find(|(name, _)| *name == id.as_str()).map(|(_, check)| check(id, ctx))?;
    for finding in &mut found {
        finding.rule = id.clone();
    }
    Some(found)
}

/// A finding at a place; whose it is, the caller knows.
fn at(span: Span) -> Finding {
    Finding::at(unnamed(), span)
}

fn unnamed() -> RuleId {
    RuleId::new("unnamed").expect("a word of lower-case letters is a rule id")
}
