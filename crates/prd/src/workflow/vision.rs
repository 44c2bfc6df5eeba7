//! The vision of a feature: where a source states it, and the question for it before a team plans.

use std::collections::BTreeMap;

use super::facts::SourceText;
use super::revision::left_open;
use super::state::PrdState;
use crate::OpenQuestion;
use crate::brief::BriefSection;
use reqgate_docs::Outline;
use reqgate_flow::{Clarification, Question, Reply};
use reqgate_messages as messages;

/// The id of the question.
const VISION: &str = "vision";

/// Returns the first paragraph below a heading that names a vision or goals and has a text.
pub(super) fn vision_in(text: &str) -> Option<String> {
    const VISIONS: [&str; 4] = ["vision", "product vision", "愿景", "产品愿景"];
    let names = |heading: &str| {
        VISIONS.contains(&heading.to_lowercase().as_str()) || BriefSection::named(heading) == Some(BriefSection::Goals)
    };
    let outline = Outline::of(text);
    let named = outline.headings().iter().enumerate().filter(|(_, heading)| names(heading.words));
    named.map(|(at, _)| outline.own_text(at).slice(text).trim()).find_map(|below| {
        let paragraph: Vec<&str> = below.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let says = paragraph.iter().any(|line| line.contains(char::is_alphanumeric));
        says.then(|| paragraph.join("\n"))
    })
}

/// Returns the vision that a person gave as the answer to [`question`], or that a source states.
pub(super) fn vision_of(sources: &[SourceText]) -> Option<String> {
    let answer = sources.iter().find(|source| source.name == format!("ask:{VISION}"));
    let answer = answer.and_then(|source| source.text.split_once("\n\n")).map(|(_, answer)| answer.to_owned());
    answer.or_else(|| sources.iter().find_map(|source| vision_in(&source.text)))
}

/// Returns true if neither the request nor a source has a vision.
pub(super) fn is_missing(state: &PrdState) -> bool {
    state.user_utterance.trim().is_empty() && vision_of(&state.user_input).is_none()
}

/// The question for the vision.
pub(super) fn question(state: &PrdState) -> Clarification {
    let said = messages::Prd::of(state.language());
    let question = said.vision_question.to_owned();
    Clarification {
        questions: vec![Question { id: VISION.to_owned(), question, about: None }],
        context: None,
        instructions: said.vision_instructions.to_owned(),
    }
}

/// The open question for the draft, if the vision was not given.
pub(super) fn left_without(asked: &[Question], answers: &BTreeMap<String, Reply>) -> Vec<OpenQuestion> {
    let is_skipped = |one: &&Question| answers.get(&one.id).is_none_or(Reply::is_empty);
    let skipped = asked.iter().filter(is_skipped).map(|one| OpenQuestion::new(one.question.clone(), None));
    skipped.chain(left_open(asked, answers)).collect()
}
