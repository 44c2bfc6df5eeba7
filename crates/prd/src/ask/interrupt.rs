//! A run that has stopped.

use reqgate_base::model::Language;
use reqgate_flow::{Asking, InterruptAction, InterruptAnswer};
use reqgate_messages as messages;

use super::document::decision;
use super::view::{AskView, Note};
use super::{Input, Kind, Unclear};
use crate::workflow::{PrdAnswer, PrdWorkflow};

impl Kind for Asking<PrdWorkflow> {
    fn view(&self, language: Language) -> AskView<'_> {
        let names = [messages::Ask::of(language).try_again, messages::Ask::of(language).end_it];
        let title = messages::Ask::of(language).effect_of_decisions;
        AskView {
            subject: messages::Ask::of(language).subject_interrupt,
            effect: messages::Ask::of(language).effect_interrupt,
            yes_or_no: Some(names),
            context: Note::new(title, self.ways_on(language)),
            fields: vec![decision(&[("continue", names[0]), ("abort", names[1])], language)],
            ..AskView::default()
        }
    }

    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear> {
        let action = match input.words("decision") {
            "continue" | "approve" => InterruptAction::Continue,
            "abort" | "change" => InterruptAction::Abort,
            _ => return Err(Unclear::Undecided),
        };
        Ok(PrdAnswer::Interrupt(InterruptAnswer { action, context: None }))
    }
}
