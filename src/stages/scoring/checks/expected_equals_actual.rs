//! Reports a bug whose expected and actual behaviour are the same words.

use crate::model::{Sighting, Span};
use crate::stages::scoring::Context;

/// Compares the first sentences of the two by their letters and digits.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let words = |span: Span| -> String {
        span.slice(ctx.text).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (Some(expected), Some(actual)) = (ctx.facets.expected.first(), ctx.facets.actual.first()) else {
        return Vec::new();
    };
    let (left, right) = (words(*expected), words(*actual));
    // The same sentence may serve as both where a report is plain prose; only two places that say the same contradict.
    let contradicts = !expected.overlaps(*actual) && left == right && left.chars().count() >= 8;
    if contradicts { vec![Sighting::at(*actual)] } else { Vec::new() }
}
