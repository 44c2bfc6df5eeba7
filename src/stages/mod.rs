//! The stages of the pipeline; siblings never import each other.

pub mod intake;
pub mod scoring;
