//! The model review next to the pipeline: it takes the findings of the rules and returns further evidence, checked in code.
//!
//! The review does not decide. If readings decide, a model carries out one order, to read the ticket
//! ([`crate::orders`]), and the pipeline counts the result by `rubrics/models/`. Otherwise it is asked up to three
//! questions: its statements count only with words that are in the text; they can lower a score within the bounds of
//! `rubrics/questions/` and add findings, but neither raise a score nor clear a blocker.

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
pub use reading::{ReadReport, WeighedReading};
pub use report::{Reviewed, RulesAlone, failures};
