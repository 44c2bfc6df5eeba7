//! Reports a bug whose expected and actual behaviour are the same words.

use crate::model::Sighting;
use crate::stages::scoring::findings::Context;

/// Compares the two by their letters and digits.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let words = |spans: &[crate::model::Span]| -> String {
        let all = spans.iter().flat_map(|span| span.slice(ctx.text).chars());
        all.filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (expected, actual) = (words(&ctx.facets.expected), words(&ctx.facets.actual));
    // The same sentence may serve as both where a report is plain prose; only two places that say the same contradict.
    let apart = ctx.facets.expected.iter().all(|span| !ctx.facets.actual.contains(span));
    match ctx.facets.actual.first() {
        Some(place) if apart && expected == actual && expected.chars().count() >= 8 => {
            vec![Sighting::at(*place)]
        }
        _ => Vec::new(),
    }
}
