//! The versions of a document that people reviewed in its thread.

use reqgate_flow::{Asking, Body, Event, ThreadId, decode};
use reqgate_prd::workflow::{PrdAsk, PrdWorkflow};

/// A version of a document.
#[derive(Debug)]
pub struct Version {
    /// The event that shows it.
    pub seq: u64,
    /// Its text; the edited text if a person approved that.
    pub text: String,
    /// The event that approves it.
    pub approved: Option<u64>,
}

/// The document that a question is about, and the path of its file.
pub fn document_of(question: &Asking<PrdWorkflow>) -> Option<(&str, &str)> {
    match question {
        Asking::Workflow(PrdAsk::BriefReview(ask)) => Some((&ask.document, &ask.path)),
        Asking::Workflow(PrdAsk::PrdReview(ask)) => Some((&ask.document, &ask.path)),
        Asking::Workflow(PrdAsk::Team(ask)) => Some((&ask.document, &ask.path)),
        _ => None,
    }
}

/// The versions of the document at a path that were shown before an event, in order. Events that this program cannot
/// read are left out.
pub fn versions(thread: &ThreadId, events: &[Event], before: u64, path: &str) -> Vec<Version> {
    let mut versions: Vec<Version> = Vec::new();
    let mut asked = None;
    for event in events.iter().take_while(|event| event.seq < before) {
        match decode::<PrdWorkflow>(thread, event) {
            Ok(Body::Asked { ask }) => {
                let question = Asking::Workflow(ask);
                if let Some((text, _)) = document_of(&question).filter(|(_, other)| *other == path) {
                    versions.push(Version { seq: event.seq, text: text.to_owned(), approved: None });
                    asked = Some(question);
                }
            }
            Ok(Body::Answered { ask, answer, .. }) => {
                // The answer belongs to the newest question, because a question is open until it is answered.
                let Some(version) = versions.last_mut().filter(|version| version.seq == ask) else { continue };
                let Some(Asking::Workflow(question)) = &asked else { continue };
                let Some(given) = question.reviewed(&answer) else { continue };
                version.approved = given.approved.then_some(event.seq);
                if let Some(edited) = given.edited {
                    version.text = edited;
                }
            }
            _ => {}
        }
    }
    versions
}
