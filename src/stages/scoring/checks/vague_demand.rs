//! Reports an improvement that is demanded without a measure: "make it faster".

use crate::model::Sighting;
use crate::stages::scoring::Context;
use crate::text::Cue;
use crate::text::quantities::quantities;

/// The word blocks only where it is the demand itself and no criterion gives a measure; in a reason or a title beside
/// checkable criteria it is harmless.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let facets = ctx.facets;
    let checkable = facets.criteria.iter().filter(|criterion| criterion.verifiable).count();
    let measured = facets.criteria.iter().any(|c| quantities(ctx.text, c.span).iter().any(|q| q.dimension.is_some()));
    if checkable >= 2 || checkable >= 1 && measured {
        return Vec::new();
    }
    let places = [facets.need, ctx.reading.title];
    let term = places.into_iter().flatten().find_map(|span| ctx.reading.find_cue(span, Cue::Improve));
    term.map(|term| Sighting::at(term).with("term", term.slice(ctx.text))).into_iter().collect()
}
