//! Every sentence that people read: one struct per file of `messages/`, with the keys of the file as its names.
//!
//! A sentence without placeholders is a field: `Report::of(language).blocker`. One with placeholders is a method that takes their
//! values in alphabetical order: `Report::of(language).needs(&score, &threshold)`. A misspelt key does not compile.

mod fill;
mod language;

use std::fmt::Display;

use serde::Serialize;

pub use fill::{fill, fill_with};
pub use language::Language;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
