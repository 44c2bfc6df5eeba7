//! The model review beside the pipeline: it takes what the rules found and returns further evidence, checked in code.
//!
//! Nothing here decides. Where readings decide, a model carries out one order, to read the ticket ([`crate::orders`]), and the
//! pipeline counts the result by `rubrics/models/`. Elsewhere it is asked up to three questions: what it says counts only with
//! words that stand in the text; it can lower a score within the bounds of `rubrics/questions/` and add findings, and can
//! neither raise a score nor clear a blocker.

mod asking;
mod at_hand;
mod clarify;
mod draft;
mod evidence;
mod reading;
mod report;

pub use asking::{DryRun, ModelReviewer, Review, lacks_the_model};
pub use at_hand::AtHand;
pub use draft::Assisted;
pub use evidence::ModelEvidence;
pub use reading::{Heard, ReadReport};
pub use report::{Reviewed, RulesAlone, failures};
