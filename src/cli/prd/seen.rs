//! The parts of a question that the reader of the output has seen before.

use reqgate::prd::Requirement;

/// The parts of a question that were seen before.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The lines that stand for the document under review.
    pub document: Option<String>,
    /// Requirements that need no more than their titles.
    pub requirements: Vec<Requirement>,
    /// The file in which those requirements stand whole.
    pub requirements_file: String,
}

impl Seen {
    /// Returns true for a requirement that was seen with these words.
    pub(super) fn has(&self, one: &Requirement) -> bool {
        self.requirements.contains(one)
    }
}
