//! The versions of a document that people reviewed in its thread.

use reqgate_base::model::Language;
use reqgate_flow::{Asking, Body, Event, ThreadId, decode};
use reqgate_prd::ask::{read, view};
use reqgate_prd::workflow::PrdWorkflow;

/// A version of a document.
#[derive(Debug)]
pub(crate) struct Version {
    /// The event that shows it.
    pub seq: u64,
    /// Its text; the edited text if a person approved that.
    pub text: String,
    /// The event that approves it.
    pub approved: Option<u64>,
}

/// The versions of the document at a path that were shown before an event, in order. Unreadable versions are left out.
pub(crate) fn versions(thread: &ThreadId, events: &[Event], before: u64, path: &str) -> Vec<Version> {
    let mut versions: Vec<Version> = Vec::new();
    let mut asked = None;
    for event in events.iter().take_while(|event| event.seq < before) {
        match decode::<PrdWorkflow>(thread, event) {
            Ok(Body::Asked { ask }) => {
                let question = Asking::Workflow(ask);
                let document = view(&question, Language::En).document.filter(|document| document.path == path);
                if let Some(text) = document.map(|document| document.text.to_owned()) {
                    versions.push(Version { seq: event.seq, text, approved: None });
                    asked = Some(question);
                }
            }
            Ok(Body::Answered { ask, answer, .. }) => {
                // The answer belongs to the newest question, because a question is open until it is answered.
                let Some(version) = versions.last_mut().filter(|version| version.seq == ask) else { continue };
                let given = asked.as_ref().and_then(|question| read(question, &answer).ok()?.reviewed());
                let Some(given) = given else { continue };
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
