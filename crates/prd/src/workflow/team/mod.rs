//! The flow of a team: outline, research, draft, rounds of critics and revisions, the end.
//!
//! Every agent of the source is an order that a model, a coding agent or a person carries out; every decision between them is
//! code over recorded results. Without a reader a person writes the draft, and the critics check its form alone.

pub mod alone;
pub mod asks;
mod citable;
mod critics;
pub(super) mod files;
pub mod findings;
mod marks;
mod results;
pub mod revision;
pub mod searching;
mod second_research;
pub mod state;
pub mod steps;
pub(super) mod without_reader;

pub use asks::{Checkpoint, TeamReview, TeamReviewAnswer};
pub use searching::TeamSearch;
pub use state::{TeamPatch, TeamSettings, TeamState};
