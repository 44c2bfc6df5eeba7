//! Reports criteria that name no outcome that somebody can see.

use crate::model::{CriterionForm, Sighting};
use crate::stages::scoring::Context;

/// Only what the author himself called a criterion is reported; prose that is no rule is just prose.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let called = ctx
        .facets
        .criteria
        .iter()
        .filter(|criterion| !criterion.verifiable && criterion.form != CriterionForm::Decision);
    called.map(|criterion| Sighting::at(criterion.span)).collect()
}
