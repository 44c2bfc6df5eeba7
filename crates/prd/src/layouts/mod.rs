//! Reads what documents of any layout label: sections, fields, rows, ids, the form of a user story; and the requirements in them.
//!
//! What stands in sentences without a label is not read here.

mod any_document;
pub(crate) mod labels;
mod openspec;
pub(crate) mod pieces;
pub(crate) mod sentences;
mod spec_kit;
mod story_rows;
#[cfg(test)]
mod tests;
pub(crate) mod titles;

pub use any_document::{AnyRequirements, ReadStory, requirements_of};

/// A text that a feature is described from: what somebody typed, a ticket, minutes, a transcript, an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// [`UTTERANCE`](super::collect::UTTERANCE), the path of a file, or an answered question (`ask:…`).
    pub name: String,
    /// Its words, already screened and masked.
    pub text: String,
    /// The question that it answers, for an answer.
    pub asked: Option<String>,
}
