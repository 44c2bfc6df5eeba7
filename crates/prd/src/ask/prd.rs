//! The review of the PRD.

use reqgate_base::model::Language;

use super::clarification::open_questions;
use super::document::{decided, fields, next_text, yes_or_no};
use super::view::{AskView, Field, ShownText};
use super::{Input, Kind, Unclear};
use crate::workflow::{PrdAnswer, PrdReview, PrdReviewAnswer};
use reqgate_messages as messages;
use reqgate_text::language::language_of;

impl Kind for PrdReview {
    fn view(&self, language: Language) -> AskView<'_> {
        let needs_reason = !self.gate.verdict.is_pass();
        let mut all: Vec<Field<'_>> = open_questions(&self.open_questions, language).into_iter().collect();
        all.extend(fields(&self.document, needs_reason, Some(next_text(language)), language));
        AskView {
            subject: messages::Ask::of(language).subject_prd,
            effect: messages::Ask::of(language).effect_prd,
            yes_or_no: Some(yes_or_no(language)),
            document: Some(ShownText { text: &self.document, path: &self.path, language: language_of(&self.document) }),
            gate: Some(&self.gate),
            by_hand: &self.changed_by_hand,
            questions: &self.open_questions,
            decided: &self.decided,
            taken_out: self.taken_out_in_words(language),
            takes_reason: true,
            needs_reason,
            needs_reader: true,
            fields: all,
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        let decided = decided(input, &self.document)?;
        Ok(PrdAnswer::PrdReview(PrdReviewAnswer {
            prd_approved: decided.approved,
            answers: input.replies(),
            user_feedback: decided.feedback,
            gate_override: decided.because,
            edited_document: decided.edited,
            ..PrdReviewAnswer::default()
        }))
    }
}
