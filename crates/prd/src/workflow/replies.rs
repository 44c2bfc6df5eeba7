//! The answers of somebody who says yes or no in a word, and the document that a question is about.

use serde_json::{Value, json};
use thiserror::Error;

use super::PrdWorkflow;
use super::asks::{PrdAsk, has_blanks};
use super::state::PrdState;
use crate::brief::parse_brief;
use crate::requirements::{RequirementsDocument, parse_anyway, render};
use reqgate_flow::{Asking, InterruptAction, interrupt_answer};

/// The reason why a yes or no is not an answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoReply {
    /// Questions cannot be turned down.
    #[error("these questions need answers, or an approval that leaves them open")]
    NeedsAnswers,
    /// There is nothing to override.
    #[error("a reason is only for a PRD that the gate stops: approve without one")]
    NothingToOverride,
}

/// The answer of somebody who agrees.
pub fn approving(question: &Asking<PrdWorkflow>) -> Value {
    match question {
        Asking::Engine(..) => interrupt_answer(InterruptAction::Continue),
        Asking::Workflow(PrdAsk::Clarification(_)) => json!({ "answers": {} }),
        Asking::Workflow(PrdAsk::BriefReview(_)) => json!({ "approved": true }),
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
            // Requirements that still have blanks stay undecided.
            let word = |one| if has_blanks(one) { "defer" } else { "approve" };
            let verdicts: Vec<Value> =
                ask.requirements.iter().map(|one| json!({ "id": one.id, "verdict": word(one) })).collect();
            json!({ "verdicts": verdicts })
        }
        Asking::Workflow(PrdAsk::GapDecision(_)) => json!({ "userIterationOverride": false }),
        Asking::Workflow(PrdAsk::PrdReview(_)) => json!({ "prdApproved": true }),
        Asking::Workflow(PrdAsk::Team(_)) => json!({ "approved": true }),
    }
}

/// Whether the gate stops the document to approve.
pub fn is_stopped(question: &Asking<PrdWorkflow>) -> bool {
    match question {
        Asking::Workflow(PrdAsk::PrdReview(ask)) => !ask.gate.verdict.is_pass(),
        Asking::Workflow(PrdAsk::Team(ask)) => ask.needs_reason(),
        _ => false,
    }
}

/// The approval of a PRD that the gate stops, with the reason for it.
///
/// # Errors
/// Fails where nothing is overridden.
pub fn overriding(question: &Asking<PrdWorkflow>, why: &str) -> Result<Value, NoReply> {
    match question {
        Asking::Workflow(PrdAsk::PrdReview(_)) => Ok(json!({ "prdApproved": true, "gateOverride": why })),
        Asking::Workflow(PrdAsk::Team(_)) => Ok(json!({ "approved": true, "because": why })),
        _ => Err(NoReply::NothingToOverride),
    }
}

/// The answer of somebody who does not agree.
///
/// # Errors
/// Fails for a question that cannot be turned down.
pub fn rejecting(question: &Asking<PrdWorkflow>, why: &str) -> Result<Value, NoReply> {
    Ok(match question {
        Asking::Engine(..) => interrupt_answer(InterruptAction::Abort),
        Asking::Workflow(PrdAsk::Clarification(_)) => return Err(NoReply::NeedsAnswers),
        Asking::Workflow(PrdAsk::BriefReview(_)) => json!({ "approved": false, "userFeedback": why }),
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
            let verdicts: Vec<Value> = ask
                .requirements
                .iter()
                .map(|one| json!({ "id": one.id, "verdict": "reject", "reason": why }))
                .collect();
            json!({ "verdicts": verdicts, "userFeedback": why })
        }
        Asking::Workflow(PrdAsk::GapDecision(_)) => json!({ "userIterationOverride": true, "userFeedback": why }),
        Asking::Workflow(PrdAsk::PrdReview(_)) => json!({ "prdApproved": false, "userFeedback": why }),
        Asking::Workflow(PrdAsk::Team(_)) => json!({ "approved": false, "userFeedback": why }),
    })
}

/// A document as a question shows it, before anybody has approved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownDocument {
    /// The file that it will become, relative to the project.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Whether its text is part of the question, so that an edited one is an answer; the requirements are read from their file.
    pub is_whole: bool,
}

/// The document that a question is about; `requirements` is their file as it is now. `None` if it is about no document.
pub fn shown_document(
    question: &Asking<PrdWorkflow>,
    state: &PrdState,
    requirements: Option<&str>,
) -> Option<ShownDocument> {
    let whole = |path: &str, text: &str| ShownDocument { path: path.to_owned(), text: text.to_owned(), is_whole: true };
    match question {
        Asking::Workflow(PrdAsk::BriefReview(ask)) => Some(whole(&ask.path, &ask.document)),
        Asking::Workflow(PrdAsk::PrdReview(ask)) => Some(whole(&ask.path, &ask.document)),
        Asking::Workflow(PrdAsk::Team(ask)) => Some(whole(&ask.path, &ask.document)),
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
            let document = match requirements {
                Some(text) => parse_anyway(text).0,
                None => {
                    let brief = parse_brief(state.feature_brief_content.as_deref().unwrap_or_default());
                    RequirementsDocument::new(state.feature_id.as_ref()?, &brief.title, brief.language)
                }
            };
            let text = render(&document.with_proposals(&state.functional_requirements).0);
            Some(ShownDocument { path: ask.path.clone(), text, is_whole: false })
        }
        Asking::Workflow(PrdAsk::Clarification(_) | PrdAsk::GapDecision(_)) | Asking::Engine(..) => None,
    }
}
