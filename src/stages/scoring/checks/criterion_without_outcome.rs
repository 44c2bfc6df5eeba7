//! Reports criteria that name no outcome that somebody can see.

use crate::model::{CriterionForm, Finding, RuleId};
use crate::stages::scoring::findings::Context;

/// Only what the author himself called a criterion is reported; prose that is no rule is just prose.
pub fn check(id: &RuleId, ctx: Context<'_>) -> Vec<Finding> {
    let called = ctx
        .facets
        .criteria
        .iter()
        .filter(|criterion| !criterion.verifiable && criterion.form != CriterionForm::Decision);
    called.map(|criterion| Finding::at(id.clone(), criterion.span)).collect()
}
