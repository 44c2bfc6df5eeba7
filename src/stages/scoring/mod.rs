//! Rules and rubric over a read and structured text: findings, points, report.

pub mod checks;
mod claims;
mod context;
mod details;
pub mod examples;
pub mod findings;
pub mod issues;
pub mod score;
pub mod witness;

pub use context::Context;
