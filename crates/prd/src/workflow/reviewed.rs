//! The decision in an answer to the review of a document, however its fields are spelled.

use serde_json::Value;

use super::asks::{PrdAsk, PrdReviewAnswer};
use super::brief_review::BriefReviewAnswer;
use super::team::TeamReviewAnswer;
use reqgate_flow::read_reply;

/// The decision on a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// Whether it is approved.
    pub approved: bool,
    /// The document as the reviewer has edited it, if there is a text.
    pub edited: Option<String>,
}

impl PrdAsk {
    /// The decision in an answer; `None` if this question is not about a document, or the answer does not fit it.
    pub fn reviewed(&self, answer: &Value) -> Option<Reviewed> {
        let (approved, edited) = match self {
            Self::BriefReview(_) => {
                let given: BriefReviewAnswer = read_reply(answer).ok()?;
                (given.approved, given.edited_document)
            }
            Self::PrdReview(_) => {
                let given: PrdReviewAnswer = read_reply(answer).ok()?;
                (given.prd_approved, given.edited_document)
            }
            Self::Team(_) => {
                let given: TeamReviewAnswer = read_reply(answer).ok()?;
                (given.approved, given.edited_document)
            }
            Self::Clarification(_) | Self::RequirementsReview(_) | Self::GapDecision(_) => return None,
        };
        Some(Reviewed { approved, edited: edited.filter(|text| !text.trim().is_empty()) })
    }
}
