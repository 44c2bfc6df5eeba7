//! The answers of somebody who says yes or no in a word, and the document that a question is about.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use thiserror::Error;

use super::PrdWorkflow;
use super::asks::{PrdAsk, has_blanks};
use super::state::PrdState;
use crate::brief::parse_brief;
use crate::collect::read_reply;
use crate::requirements::{RequirementsDocument, parse_anyway, render};
use reqgate_flow::{Asking, InterruptAction, Reply, interrupt_answer};

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

/// The number of questions that an answer closes, and of those that stay open after it, halves of questions included; `None` if it
/// is no answer to questions.
pub fn answered_and_open(question: &Asking<PrdWorkflow>, answer: &Value) -> Option<(usize, usize)> {
    let asked = match question {
        Asking::Workflow(PrdAsk::Clarification(ask)) => &ask.questions,
        Asking::Workflow(PrdAsk::BriefReview(ask)) => &ask.open_questions,
        Asking::Workflow(PrdAsk::PrdReview(ask)) => &ask.open_questions,
        _ => return None,
    };
    let replies: BTreeMap<String, Reply> = serde_json::from_value(answer.get("answers")?.clone()).ok()?;
    if replies.is_empty() {
        return None;
    }
    let read = asked.iter().map(|one| {
        let words = replies.get(&one.id).and_then(Reply::answer);
        let read = words.map(|words| read_reply(&one.question, words)).unwrap_or_default();
        (read.decided.is_some(), read.open.is_some())
    });
    let count = |(closed, open): (usize, usize), (decides, leaves): (bool, bool)| {
        (closed + usize::from(decides), open + usize::from(leaves || !decides))
    };
    Some(read.fold((0, 0), count))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_counts_what_is_answered_and_what_stays_open() {
        let question = |id: &str, question: &str| json!({ "id": id, "question": question });
        let asked = json!({
            "kind": "clarification", "context": "", "instructions": "",
            "questions": [
                question("q1", "How many days?"),
                question("q2", "Which format?"),
                question("q3", "May a guest print?"),
                question("q4", "Who pays?"),
            ],
        });
        let asked: PrdAsk = serde_json::from_value(asked).expect("a question");
        let asked = Asking::Workflow(asked);
        let of = |answers: Value| answered_and_open(&asked, &json!({ "answers": answers }));
        let all = json!({
            "q1": "14 days", "q2": "maybe", "q3": "PDF; the format of large files is not decided", "q4": { "owner": "Mei" },
        });
        assert_eq!(of(all), Some((2, 3)));
        assert_eq!(of(json!({ "q1": "14 days" })), Some((1, 3)));
        assert_eq!(of(json!({})), None);
        assert_eq!(answered_and_open(&asked, &json!({ "approved": true })), None);
    }
}
