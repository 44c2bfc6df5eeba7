//! A question to a model: instructions that we wrote, and data that nobody should trust.

use std::time::Instant;

use super::Bound;

/// One question. Put what the guardrail has masked into `data`, never what it has not.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Name and version of the prompt, e.g. `structuring_v1`: letters, digits, `_` and `-`, at most 64.
    pub id: String,
    /// What the model is to do. Written by us; nothing of a ticket stands in it.
    pub instructions: String,
    /// The text it is about, delimited and named as untrusted by whoever made the prompt.
    pub data: String,
    /// The nonce of this run that delimits the data, if any. It is left out of the hash of the request wherever it stands in
    /// instructions and data, so that a run with another nonce finds the same cached answer.
    pub nonce: String,
    /// When asking must end at the latest, e.g. the deadline of a gate over several questions. `None`: the deadline of the
    /// settings, counted from the start of the question.
    pub until: Option<Instant>,
    /// What the answer must keep to beyond the shape of its type.
    pub bounds: Vec<Bound>,
}
