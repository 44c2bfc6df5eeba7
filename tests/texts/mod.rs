//! Texts that tests, benches and fuzz seeds share: invented tickets, and hostile texts of any size.

#![allow(dead_code, reason = "each crate that includes this file uses its own part of it")]

pub mod canaries;
pub mod hostile;
pub mod pipelines;
pub mod tickets;
