//! Texts shared by tests, benches and fuzz seeds: invented tickets, and hostile texts of any size.

#![allow(dead_code, reason = "each crate that includes this file uses its own part of it")]

pub mod canaries;
pub mod hostile;
pub mod pipelines;
pub mod tickets;
