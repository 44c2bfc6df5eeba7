//! A run that has stopped.

use reqgate_base::model::Language;
use reqgate_flow::{Asking, InterruptAction, InterruptAnswer, Problem, read_answer};
use serde_json::Value;

use super::document::decision;
use super::view::{AskView, Note};
use super::{Input, Kind, Unclear};
use crate::workflow::{PrdAnswer, PrdWorkflow};

impl Kind for Asking<PrdWorkflow> {
    fn view(&self, language: Language) -> AskView<'_> {
        let names = [language.of("Try again", "重试"), language.of("End the run as failed", "终止，记为失败")];
        let title = language.of("Effect of the decisions", "各决定的结果");
        AskView {
            subject: language.of("a decision whether to go on", "是否继续"),
            effect: language.of("The run has stopped and needs a decision.", "运行已停止，需要决定。"),
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

    fn read(&self, answer: &Value) -> Result<PrdAnswer, Vec<Problem>> {
        read_answer(answer).map(PrdAnswer::Interrupt)
    }
}
