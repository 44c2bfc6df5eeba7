//! Checks that the answers to different questions share.

use std::collections::BTreeMap;

use reqgate_base::model::Language;
use reqgate_flow::{Problem, Question, Reply};
use serde_json::Value;

/// The message about words to replace that are not there, in English and in Chinese.
pub(super) const NOT_IN_SECTION: [&str; 2] = [
    "these words do not stand in the section: copy them, or leave the field out to replace the whole section",
    "该节没有这段文字：请照抄原文，或去掉此字段以替换整节",
];

/// Whether a text is not empty.
pub(super) fn says(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| !text.trim().is_empty())
}

pub(super) fn problem(path: &str, message: &str) -> Problem {
    Problem { path: path.to_owned(), message: message.to_owned() }
}

/// The answers to questions that were not asked, and those without words.
pub(super) fn unfit_answers(language: Language, asked: &[Question], answers: &BTreeMap<String, Reply>) -> Vec<Problem> {
    let unknown = language.of("there is no such question", "没有这个问题");
    let empty =
        language.of("the answer is empty: leave it out to leave the question open", "答复为空：暂不回答的问题请不要写");
    let unfit = |(id, reply): (&String, &Reply)| {
        let is_known = asked.iter().any(|question| question.id == *id);
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
