//! The questions that an answer closes, and the document that a question is about.

use serde_json::Value;

use super::{read, view};
use crate::brief::parse_brief;
use crate::collect::read_reply;
use crate::requirements::{RequirementsDocument, parse_anyway, render};
use crate::workflow::{PrdAsk, PrdState, PrdWorkflow, reply_to};
use reqgate_base::model::Language;
use reqgate_flow::{Asking, Reply};

/// The number of questions that an answer closes, and of those that stay open after it, including partly answered ones; `None` if
/// it does not answer questions.
pub fn answered_and_open(question: &Asking<PrdWorkflow>, answer: &Value) -> Option<(usize, usize)> {
    let asked = view(question, Language::En).questions;
    let given = read(question, answer).ok()?;
    let replies = given.replies().filter(|replies| !replies.is_empty())?;
    let read = asked.iter().map(|one| {
        let words = reply_to(one, replies).and_then(Reply::answer);
        let read = words.map(|words| read_reply(&one.question, words)).unwrap_or_default();
        (read.decided.is_some(), read.open.is_some())
    });
    let count = |(closed, open): (usize, usize), (decides, leaves): (bool, bool)| {
        (closed + usize::from(decides), open + usize::from(leaves || !decides))
    };
    Some(read.fold((0, 0), count))
}

/// A document as a question shows it, before anybody has approved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownDocument {
    /// The file that it will become, relative to the project.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The text is part of the question, so that an edited one is an answer; the requirements are read from their file.
    pub is_whole: bool,
}

/// The document that a question is about; `requirements` is their file as it is now. `None` if it is about no document.
pub fn shown_document(
    question: &Asking<PrdWorkflow>,
    state: &PrdState,
    requirements: Option<&str>,
) -> Option<ShownDocument> {
    let Asking::Workflow(PrdAsk::RequirementsReview(ask)) = question else {
        let document = view(question, Language::En).document?;
        return Some(ShownDocument { path: document.path.to_owned(), text: document.text.to_owned(), is_whole: true });
    };
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

#[cfg(test)]
mod tests {
    use serde_json::json;

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
