//! The review of the brief.

use std::collections::BTreeMap;

use reqgate_base::model::Language;

use super::clarification::open_questions;
use super::document::{decided, fields, yes_or_no};
use super::view::{AskView, Entry, Field, FieldKind, ShownText, Subject};
use super::{Choice, Input, Kind, Unclear};
use crate::brief::BriefSection;
use crate::collect::NotUsed;
use crate::workflow::{BriefReview, BriefReviewAnswer, PrdAnswer, filled_brief};
use reqgate_messages as messages;
use reqgate_text::language::language_of;

/// The decision to have the brief written again.
const START_OVER: &str = "start-over";

impl Kind for BriefReview {
    fn view(&self, language: Language) -> AskView<'_> {
        let edited = messages::Ask::of(language).approve_edited;
        let mut all: Vec<Field<'_>> = open_questions(&self.open_questions, language).into_iter().collect();
        if !self.not_used.is_empty() {
            let label = messages::Ask::of(language).not_used_hint;
            let adopted = self.not_used.iter().map(|one| adopted(one, language)).collect();
            all.push(Field::entries("adopt", label, adopted));
        }
        all.extend(fields(&self.document, false, Some(edited), language));
        let choices = all.iter_mut().find(|field| field.id == "decision").map(|field| &mut field.kind);
        if let Some(FieldKind::Choice(choices)) = choices {
            let label = messages::Ask::of(language).start_over.to_owned();
            choices.push(Choice { value: START_OVER, label });
        }
        AskView {
            subject: messages::Ask::of(language).subject_brief,
            effect: messages::Ask::of(language).effect_brief,
            yes_or_no: Some(yes_or_no(language)),
            document: Some(ShownText { text: &self.document, path: &self.path, language: language_of(&self.document) }),
            gate: Some(&self.gate),
            doubts: &self.doubts,
            questions: &self.open_questions,
            lists_questions: true,
            not_used: &self.not_used,
            fields: all,
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        if input.words("decision") == START_OVER {
            let user_feedback = input.said("feedback");
            let start_over = BriefReviewAnswer { start_over: true, user_feedback, ..BriefReviewAnswer::default() };
            return Ok(PrdAnswer::BriefReview(start_over));
        }
        let decided = decided(input, &self.document)?;
        Ok(PrdAnswer::BriefReview(BriefReviewAnswer {
            approved: decided.approved,
            answers: input.replies(),
            adopt: adopted_in(input),
            user_feedback: decided.feedback,
            edited_document: decided.edited,
            ..BriefReviewAnswer::default()
        }))
    }

    fn filled(&self, input: &Input) -> Option<String> {
        let given =
            BriefReviewAnswer { answers: input.replies(), adopt: adopted_in(input), ..BriefReviewAnswer::default() };
        filled_brief(self, &given)
    }
}

/// The sections of sentences that are adopted, by the ids of these.
fn adopted_in(input: &Input) -> BTreeMap<String, String> {
    input.each("adopt.").map(|(id, section)| (id.to_owned(), section.to_owned())).collect()
}

/// A sentence with the choice of its section.
fn adopted(one: &NotUsed, language: Language) -> Entry<'_> {
    let leave = ("", messages::Ask::of(language).leave_out);
    let sections = BriefSection::ALL.map(|section| (section.heading(Language::En), section.heading(language)));
    let options: Vec<(&'static str, &str)> = std::iter::once(leave).chain(sections).collect();
    let choice = Field::choice(format!("adopt.{}", one.id), one.place.quote.clone(), &options);
    Entry { subject: Subject::Sentence(one), fields: vec![choice] }
}
