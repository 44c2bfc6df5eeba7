//! How an installation behaves: settings as written, checked and filled with the shipped defaults.

pub mod guardrail;
