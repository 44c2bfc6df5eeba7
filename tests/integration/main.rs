//! The one integration crate.

mod architecture;
mod hostile;
mod invariants;
mod properties;
#[path = "../texts/mod.rs"]
mod texts;
