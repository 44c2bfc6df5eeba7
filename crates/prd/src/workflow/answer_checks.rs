//! Checks that the answers to different questions share.

use std::collections::BTreeMap;

use crate::QuestionId;
use reqgate_base::model::Language;
use reqgate_flow::{Problem, Question, Reply};
use reqgate_messages as messages;
use serde_json::Value;

/// Returns true for a text with words.
pub(super) fn says(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| !text.trim().is_empty())
}

pub(super) fn problem(path: &str, message: &str) -> Problem {
    Problem { path: path.to_owned(), message: message.to_owned() }
}

/// The reply to a question: under its id in the review, or under the id that it has in the documents.
pub(crate) fn reply_to<'a>(question: &Question, answers: &'a BTreeMap<String, Reply>) -> Option<&'a Reply> {
    answers
        .get(&question.id)
        .or_else(|| answers.iter().find(|(key, _)| is_asked_as(question, key)).map(|(_, reply)| reply))
}

/// Returns true for the id of a question in the review, or the one that it has in the documents.
fn is_asked_as(question: &Question, key: &str) -> bool {
    question.id == key || document_id(question).is_some_and(|id| id.to_string() == key)
}

/// The id that a question has in the documents, with which its place begins: `Q-004, ticket.md:12`.
pub(super) fn document_id(question: &Question) -> Option<QuestionId> {
    question.about.as_deref()?.split(", ").next()?.parse().ok()
}

/// The answers to questions that were not asked, and those without words.
pub(super) fn unfit_answers(language: Language, asked: &[Question], answers: &BTreeMap<String, Reply>) -> Vec<Problem> {
    let unknown = messages::Prd::of(language).question_unknown;
    let empty = messages::Prd::of(language).answer_empty;
    let unfit = |(id, reply): (&String, &Reply)| {
        let is_known = asked.iter().any(|question| is_asked_as(question, id));
        let message = if is_known { empty } else { unknown };
        (!is_known || reply.is_empty()).then(|| problem(&format!("answers.{id}"), message))
    };
    answers.iter().filter_map(unfit).collect()
}

/// Returns true for an answer without any value.
pub(super) fn is_empty(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}
