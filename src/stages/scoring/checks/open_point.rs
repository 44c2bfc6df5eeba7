//! Reports points that the author left open and that work depends on.

use crate::model::Sighting;
use crate::stages::scoring::Context;

/// One finding per open point of the core.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let core = ctx.facets.open_points.iter().filter(|point| point.core);
    core.map(|point| Sighting::at(point.span)).collect()
}
