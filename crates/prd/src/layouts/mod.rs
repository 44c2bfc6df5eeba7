//! Reads the labelled content of documents in any layout (sections, fields, rows, ids, user stories) and the requirements in them.
//!
//! Sentences without a label are not read here.

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

/// A source of a feature: a typed request, a ticket, minutes, a transcript or an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name: [`UTTERANCE`](super::collect::UTTERANCE), the path of a file, or an answered question (`ask:…`).
    pub name: String,
    /// The text, already screened and masked.
    pub text: String,
    /// The question, if the source is an answer.
    pub asked: Option<String>,
}
