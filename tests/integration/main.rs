//! The one integration crate.

mod architecture;
mod cli;
mod gold;
mod hostile;
mod invariants;
mod properties;
mod rules;
#[path = "../texts/mod.rs"]
mod texts;
mod webhooks;
