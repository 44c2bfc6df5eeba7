//! Reports a fault that occurs "sometimes", without its frequency.

use super::first_in;
use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match};
use reqgate_text::Hit;
use reqgate_text::words::failures::RATES;

/// Returns one match at the first "sometimes" of a report without a rate.
pub(super) fn check(ctx: Context<'_>, places: &[Hit]) -> Vec<Match> {
    let genres =
        [Genre::ActualBehaviour, Genre::Prose, Genre::Title, Genre::BugStep, Genre::ShallStatement, Genre::Rationale];
    let Some(span) = first_in(ctx, places, &genres) else { return Vec::new() };
    let whole = ctx.text.to_ascii_lowercase();
    if RATES.iter().any(|sign| whole.contains(sign)) {
        return Vec::new();
    }
    vec![Match::at(span).with("term", span.slice(ctx.text))]
}
