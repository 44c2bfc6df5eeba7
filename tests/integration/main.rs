//! The one integration crate.

mod architecture;
mod cli;
mod fakes;
mod gold;
mod hostile;
mod invariants;
mod model;
mod properties;
mod rules;
#[path = "../texts/mod.rs"]
mod texts;
