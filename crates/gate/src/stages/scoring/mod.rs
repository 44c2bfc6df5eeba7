//! Applies rules and rubric to a read and structured text: findings, points, report.

mod about;
mod accounts;
mod agent_signs;
pub mod binding;
pub mod checks;
mod claims;
mod context;
mod details;
pub mod estimate;
pub mod examples;
pub mod findings;
pub mod issues;
mod names;
mod run;
pub mod score;

pub use checks::{is_explained_acronym, is_known_acronym, is_measure};
pub use context::Context;
pub use run::{Failures, MoreEvidence, RuleFindings, Scored, Weights, issues, run};
