//! Questions about the sources.

use reqgate_base::model::Language;
use reqgate_flow::{Clarification, ClarificationAnswer, Question};
use reqgate_messages as messages;

use super::view::{AskView, Entry, Field, Note, Subject};
use super::{Input, Kind, Unclear};
use crate::workflow::PrdAnswer;

impl Kind for Clarification {
    fn view(&self, language: Language) -> AskView<'_> {
        AskView {
            subject: messages::Ask::of(language).subject_questions,
            effect: messages::Ask::of(language).effect_questions,
            context: Note::new("", self.context.clone()),
            questions: &self.questions,
            fields: vec![Field::entries("answers", "", questions(&self.questions))],
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        Ok(PrdAnswer::Clarification(ClarificationAnswer { answers: input.replies() }))
    }

    fn approval(&self) -> Input {
        Input::default()
    }

    fn rejection(&self, _: &str) -> Option<Input> {
        None
    }
}

/// Open questions, each with a field for its answer.
pub(super) fn questions(questions: &[Question]) -> Vec<Entry<'_>> {
    let one = |question| Entry { subject: Subject::Question(question), fields: vec![words(question)] };
    questions.iter().map(one).collect()
}

fn words(question: &Question) -> Field<'_> {
    let about = question.about.as_deref().map(|about| format!(" ({about})")).unwrap_or_default();
    Field::words(format!("answer.{}", question.id), format!("{}{about}", question.question), 2)
}

/// Open questions under a heading, for a review.
pub(super) fn open_questions(asked: &[Question], language: Language) -> Option<Field<'_>> {
    let label = messages::Ask::of(language).open_questions;
    (!asked.is_empty()).then(|| Field::entries("answers", label, questions(asked)))
}
