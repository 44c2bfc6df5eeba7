//! The decision in an answer of any kind.

use std::collections::BTreeMap;

use reqgate_flow::{InterruptAction, Reply};
use serde_json::Value;

use crate::GapChoice;
use crate::requirements::VerdictKind;
use crate::workflow::PrdAnswer;

/// The decision on a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// The document is approved.
    pub approved: bool,
    /// The document as the reviewer has edited it, if there is a text.
    pub edited: Option<String>,
}

impl PrdAnswer {
    /// The answer as JSON.
    pub fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The decision on a document; `None` if the answer is about something else.
    pub fn reviewed(&self) -> Option<Reviewed> {
        let (approved, edited) = match self {
            Self::BriefReview(given) => (given.approved, &given.edited_document),
            Self::PrdReview(given) => (given.prd_approved, &given.edited_document),
            Self::TeamReview(given) => (given.approved, &given.edited_document),
            Self::Clarification(_) | Self::RequirementsReview(_) | Self::GapDecision(_) | Self::Interrupt(_) => {
                return None;
            }
        };
        let edited = edited.clone().filter(|text| !text.trim().is_empty());
        Some(Reviewed { approved, edited })
    }

    /// Returns true if the answer rejects a document or a requirement, or ends the rounds.
    pub fn is_no(&self) -> bool {
        match self {
            Self::Clarification(_) => false,
            Self::RequirementsReview(given) => {
                let is_yes = |kind: &VerdictKind| matches!(kind, VerdictKind::Approve | VerdictKind::Defer);
                given.verdicts.iter().any(|one| !is_yes(&one.kind))
            }
            Self::GapDecision(given) => {
                let is_fix = |choice: &GapChoice| matches!(choice, GapChoice::Fix { .. });
                given.user_iteration_override == Some(true) || given.gaps.values().any(is_fix)
            }
            Self::Interrupt(given) => given.action == InterruptAction::Abort,
            Self::BriefReview(_) | Self::PrdReview(_) | Self::TeamReview(_) => {
                self.reviewed().is_some_and(|given| !given.approved)
            }
        }
    }

    /// The replies to open questions, by the ids of these.
    pub(crate) fn replies(&self) -> Option<&BTreeMap<String, Reply>> {
        match self {
            Self::Clarification(given) => Some(&given.answers),
            Self::BriefReview(given) => Some(&given.answers),
            Self::PrdReview(given) => Some(&given.answers),
            Self::RequirementsReview(_) | Self::GapDecision(_) | Self::TeamReview(_) | Self::Interrupt(_) => None,
        }
    }
}
