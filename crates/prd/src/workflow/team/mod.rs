//! The team flow: outline, research, draft, rounds of critiques and revisions, final approval.
//!
//! Every agent of the source is an order for a model, a coding agent or a person; every decision between them is made
//! by code from recorded results. Without a reader, a person writes the draft, and only its form is checked.

pub mod alone;
pub mod asks;
mod citable;
mod comparison;
pub(crate) mod contradictions;
mod critics;
mod draft_faults;
pub(super) mod files;
pub mod findings;
mod issues;
mod marks;
mod options;
mod orders;
mod results;
mod reviews;
pub mod revision;
pub mod searching;
mod second_research;
pub mod state;
pub mod steps;
pub(super) mod without_reader;

pub use asks::{Checkpoint, TeamReview, TeamReviewAnswer};
pub use options::{AskPoint, SecondReader, TeamOptions};
pub use searching::TeamSearch;
pub use state::{TeamPatch, TeamSettings, TeamState};
