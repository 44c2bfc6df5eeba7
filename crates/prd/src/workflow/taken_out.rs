//! Open questions that an edit of the PRD removed: reported before an approval, and set aside by it.

use super::asks::PrdReview;
use super::state::PrdState;
use crate::OpenQuestion;
use crate::brief::{edited_brief, parse_brief, render_brief};
use crate::prd_text::questions_in_line;
use reqgate_base::model::Language;
use reqgate_messages as messages;

impl PrdReview {
    /// Describes the removed questions and the consequence of an approval; `None` if there are none.
    pub(crate) fn taken_out_in_words(&self, language: Language) -> Option<String> {
        let told = told(&self.taken_out, language)?;
        let then = messages::Prd::of(language).set_aside_by_approval;
        Some(format!("{told}{then}"))
    }
}

/// The removed questions in a sentence; `None` if there are none.
pub(super) fn told(questions: &[String], language: Language) -> Option<String> {
    let quoted: Vec<String> = questions.iter().map(|words| format!("“{words}”")).collect();
    match (language, questions.len()) {
        (_, 0) => None,
        (Language::En, 1) => Some(format!("One question was taken out by an edit: {}.", quoted[0])),
        (Language::En, count) => Some(format!("{count} questions were taken out by an edit: {}.", quoted.join(", "))),
        (Language::Zh, count) => Some(format!("编辑时删去了 {count} 个待解问题：{}。", quoted.join("、"))),
    }
}

/// The brief with the questions of the PRD, and the open questions that the PRD no longer contains.
pub(super) fn in_line(brief: &str, prd: &str) -> (String, Vec<String>) {
    let mut read = parse_brief(brief);
    let found = questions_in_line(&read, prd);
    if found.questions == read.open_questions {
        return (brief.to_owned(), found.taken_out);
    }
    read.open_questions = found.questions;
    (render_brief(&read), found.taken_out)
}

/// Applies the changes of the questions in the state to the file of the brief, including its front matter. An answer
/// that was written into the file in the meantime is kept.
pub(super) fn carried_over(file: &str, before: &str, now: &str) -> String {
    let (before, now) = (parse_brief(before), parse_brief(now));
    if before.open_questions == now.open_questions {
        return file.to_owned();
    }
    edited_brief(file, |brief| {
        let own = &mut brief.open_questions;
        for (was, is) in before.open_questions.iter().zip(&now.open_questions).filter(|(was, is)| was != is) {
            if let Some(one) = own.iter_mut().find(|one| one.question == was.question) {
                let answer = if one.answer == was.answer { is.answer.clone() } else { one.answer.take() };
                *one = OpenQuestion { answer, ..is.clone() };
            }
        }
        for new in now.open_questions.iter().skip(before.open_questions.len()) {
            if !own.iter().any(|one| one.question == new.question) {
                own.push(new.clone());
            }
        }
    })
}

/// The brief, with its front matter, without these open questions.
pub(super) fn without(brief: &str, questions: &[String]) -> String {
    if questions.is_empty() {
        return brief.to_owned();
    }
    edited_brief(brief, |brief| {
        brief.open_questions.retain(|one| one.answer.is_some() || !questions.contains(&one.question));
    })
}

/// The brief, with its front matter, in which the questions that an approval set aside are answered accordingly.
pub(super) fn with_set_aside(brief: &str, state: &PrdState) -> String {
    if state.set_aside.is_empty() {
        return brief.to_owned();
    }
    let by = state.set_aside_by.as_deref().unwrap_or_default();
    edited_brief(brief, |brief| {
        for one in brief.open_questions.iter_mut().filter(|one| state.set_aside.contains(&one.question)) {
            one.answer = Some(messages::Prd::of(brief.language).set_aside_by(&by));
        }
    })
}

/// The entry of the change log about questions that were set aside; `None` if there are none.
pub(super) fn entry(version: u32, state: &PrdState) -> Option<String> {
    let quoted: Vec<String> = state.set_aside.iter().map(|words| format!("“{words}”")).collect();
    let by = state.set_aside_by.as_deref().unwrap_or_default();
    let said = messages::Prd::of(state.language());
    (!quoted.is_empty()).then(|| said.set_aside_in_version(&by, &quoted.join(said.list_comma), &version))
}
