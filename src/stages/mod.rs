//! The stages of the pipeline; siblings never import each other.

pub mod guardrail;
