//! What the checks of answers to different questions share.

use std::collections::BTreeMap;

use crate::model::Language;
use crate::workflow::{Problem, Question, Reply};

/// The message about words to replace that are not there, in English and in Chinese.
pub(super) const NOT_IN_SECTION: [&str; 2] = [
    "these words do not stand in the section: copy them, or leave the field out to replace the whole section",
    "该节没有这段文字：请照抄原文，或去掉此字段以替换整节",
];

/// Whether a text is not empty.
pub(super) fn says(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| !text.trim().is_empty())
}

/// A fault of an answer.
pub(super) fn problem(path: &str, message: &str) -> Problem {
    Problem { path: path.to_owned(), message: message.to_owned() }
}

/// The answers to questions that were not asked.
pub(super) fn unknown_questions(
    language: Language,
    asked: &[Question],
    answers: &BTreeMap<String, Reply>,
) -> Vec<Problem> {
    let message = language.of("there is no such question", "没有这个问题");
    let unknown = answers.keys().filter(|id| !asked.iter().any(|question| question.id == **id));
    unknown.map(|id| problem(&format!("answers.{id}"), message)).collect()
}
