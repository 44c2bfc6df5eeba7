//! The versions of a document that people were asked about in its thread.

use crate::prd::workflow::{PrdAsk, PrdWorkflow};
use crate::workflow::{Asking, Body, Event, ThreadId, decode};

/// A version of a document.
#[derive(Debug)]
pub struct Version {
    /// The event that shows it.
    pub seq: u64,
    /// Its text; the edited one, where somebody has approved that.
    pub text: String,
    /// The event that approves it.
    pub approved: Option<u64>,
}

/// The document that a question is about, and the file that it becomes.
pub fn document_of(question: &Asking<PrdWorkflow>) -> Option<(&str, &str)> {
    match question {
        Asking::Workflow(PrdAsk::BriefReview(ask)) => Some((&ask.document, &ask.path)),
        Asking::Workflow(PrdAsk::PrdReview(ask)) => Some((&ask.document, &ask.path)),
        Asking::Workflow(PrdAsk::Team(ask)) => Some((&ask.document, &ask.path)),
        _ => None,
    }
}

/// The versions of the document at a path that were shown before an event, in order. What this program cannot read is left out.
pub fn versions(thread: &ThreadId, events: &[Event], before: u64, path: &str) -> Vec<Version> {
    let mut versions: Vec<Version> = Vec::new();
    for event in events.iter().take_while(|event| event.seq < before) {
        match decode::<PrdWorkflow>(thread, event) {
            Ok(Body::Asked { ask }) => {
                if let Some((text, _)) = document_of(&Asking::Workflow(ask)).filter(|(_, other)| *other == path) {
                    versions.push(Version { seq: event.seq, text: text.to_owned(), approved: None });
                }
            }
            Ok(Body::Answered { ask, answer, .. }) => {
                let Some(version) = versions.iter_mut().find(|version| version.seq == ask) else { continue };
                let is_approved = ["approved", "prdApproved"].iter().any(|name| answer[*name] == true);
                version.approved = is_approved.then_some(event.seq);
                if let Some(edited) = answer["editedDocument"].as_str().filter(|text| !text.trim().is_empty()) {
                    edited.clone_into(&mut version.text);
                }
            }
            _ => {}
        }
    }
    versions
}
