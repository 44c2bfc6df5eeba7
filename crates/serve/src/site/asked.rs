//! A question of the PRD or of any other workflow, as its page shows it and takes its answer.

use serde_json::Value;

use crate::Installation;
use crate::installation::{other, workflow_of};
use crate::page::with_markdown;
use reqgate_base::model::Language;
use reqgate_flow::{AnyQuestion, Asking, Body, Event, Problem, RunError, ThreadRecord, decode};
use reqgate_prd::ask::{self, AskView, FieldProblem, Input, in_words};
use reqgate_prd::workflow::{PrdAnswer, PrdWorkflow};

/// A question, open or not.
pub(super) enum Asked {
    /// A question about a PRD, with documents, findings and decisions.
    Prd(Box<Asking<PrdWorkflow>>),
    /// A question of another workflow.
    Other(Box<dyn AnyQuestion>),
}

/// An answer that was typed into the fields of a question.
pub(super) enum Given {
    /// An answer about a PRD.
    Prd(Box<PrdAnswer>),
    /// An answer to a question of another workflow.
    Other(Value),
}

impl Asked {
    /// The question of an event; `None` if the event asks none.
    pub(super) fn read(
        installation: &dyn Installation,
        record: &ThreadRecord,
        event: &Event,
    ) -> Result<Option<Self>, RunError> {
        if other(installation, record).is_some() {
            let asked = workflow_of(installation, record)?.asked(&record.id, event)?;
            return Ok(asked.map(Self::Other));
        }
        Ok(match decode::<PrdWorkflow>(&record.id, event)? {
            Body::Asked { ask } => Some(Self::Prd(Box::new(Asking::Workflow(ask)))),
            Body::Interrupted { because, ask } => Some(Self::Prd(Box::new(Asking::Engine(because, ask)))),
            _ => None,
        })
    }

    /// The parts of the question.
    pub(super) fn view(&self, language: Language) -> AskView<'_> {
        match self {
            Self::Prd(question) => ask::view(question, language),
            Self::Other(question) => question.view(language).into(),
        }
    }

    /// The parts of an answer in words.
    pub(super) fn in_words(&self, answer: &Value, language: Language) -> Vec<(String, String)> {
        match self {
            Self::Prd(question) => in_words(question, answer, language),
            Self::Other(question) => question.in_words(answer, language),
        }
    }

    /// The answer in the typed fields, or the problems at them.
    pub(super) fn answer(&self, typed: &Input, language: Language) -> Result<Given, Vec<FieldProblem>> {
        match self {
            Self::Prd(question) => {
                let given = ask::answer(question, &with_markdown(typed, &ask::view(question, language)));
                let unclear = |unclear| vec![FieldProblem::unclear(question, &unclear, language)];
                given.map(|given| Given::Prd(Box::new(given))).map_err(unclear)
            }
            Self::Other(question) => {
                let problem = |one: Problem| FieldProblem::at(one.path, one.message);
                let given = question.answer_in(typed, language).map(Given::Other);
                given.map_err(|problems| problems.into_iter().map(problem).collect())
            }
        }
    }
}

impl Given {
    /// The answer as JSON.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Prd(given) => given.json(),
            Self::Other(given) => given.clone(),
        }
    }

    /// A problem that the check of the answer has found, at its field.
    pub(super) fn problem(&self, problem: &Problem, language: Language) -> FieldProblem {
        match self {
            Self::Prd(given) => FieldProblem::checked(problem, given, language),
            Self::Other(_) => FieldProblem::whole(problem.to_string()),
        }
    }
}
