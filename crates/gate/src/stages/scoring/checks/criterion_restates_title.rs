//! Reports a criterion that only repeats the title.

use crate::stages::scoring::Context;
use reqgate_base::model::{CriterionForm, Match};
use reqgate_text::content_words::{content_words, shared};

/// Returns a match for each criterion whose words are all in the title.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let Some(title) = ctx.reading.title else { return Vec::new() };
    let title = content_words(title.slice(ctx.text));
    let listed = ctx.facets.criteria.iter().filter(|criterion| criterion.form != CriterionForm::Scenario);
    listed
        .filter(|criterion| {
            let words = content_words(criterion.span.slice(ctx.text));
            // Most of the title must recur, too: one shared word is a topic, not a repetition.
            words.len() >= 2 && shared(&words, &title) == words.len() && words.len() * 3 >= title.len() * 2
        })
        .map(|criterion| Match::at(criterion.span).with("term", criterion.span.trimmed(ctx.text).slice(ctx.text)))
        .collect()
}
