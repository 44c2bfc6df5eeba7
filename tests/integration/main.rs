//! The one integration crate.

mod architecture;
mod cli;
mod eval;
mod fakes;
mod gold;
mod guardrail;
mod hostile;
mod invariants;
mod model;
mod properties;
mod roles;
mod rules;
#[path = "../texts/mod.rs"]
mod texts;
mod webhooks;
