//! The one integration crate.

mod cli;
