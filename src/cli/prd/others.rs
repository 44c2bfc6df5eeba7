//! Answers on the terminal to questions of workflows other than the PRD, which the program of their author has registered.

use reqgate::prd::workflow::{PrdWorkflow, masked};
use reqgate::workflow::{
    AnyQuestion, Input, Phase, Receipt, Resumption, Served, StateStore, Status, Store, ThreadRecord, Workflow,
};
use serde_json::Value;

use super::super::arguments::prd::{AnswerArguments, ResumeArguments};
use super::super::exit::{self, Failure};
use super::super::terminal::wrapped;
use super::super::{outputs, session, workflows};
use super::driving::{answer_failure, answer_in_file};
use super::shown::plain;
use super::words::words;
use super::{WORLD, actor, run_failure, store_failure};
use reqgate::model::Language;
use reqgate::orders::shape_of;
use reqgate::workflow::AnswerError;

/// The workflow of a thread that is not a PRD; `None` for a PRD, and for a workflow that this program does not have.
pub(super) fn workflow_of(record: &ThreadRecord) -> Option<&'static dyn Served> {
    workflows().of(record).filter(|workflow| workflow.name() != PrdWorkflow::NAME)
}

/// Answers a question, advances the thread, and prints the question or the status that follows.
pub(super) fn answer(
    workflow: &dyn Served,
    (store, record): (&StateStore, &ThreadRecord),
    arguments: &AnswerArguments,
) -> Result<u8, Failure> {
    let view = workflow.read(store, record).map_err(run_failure)?;
    let said = words(view.language);
    let open = view.open.filter(|_| record.ask.as_ref() == Some(&arguments.ask));
    let value = match (&arguments.json, &open) {
        (Some(path), _) => answer_in_file(path)?,
        (None, None) => return Err(answer_failure(AnswerError::Conflict(arguments.ask.clone()), said)),
        (None, Some(open)) => match in_words(open.as_ref(), arguments, view.language)? {
            Some(value) => value,
            None => {
                exit::error("no answer given: use --approve, --reject WHY, or --json FILE with this shape:");
                exit::below(&shape_of(&open.answer_schema()));
                return Ok(exit::USAGE);
            }
        },
    };
    let driving = &arguments.driving;
    let value = masked(value, &session::judging(&driving.configuration)?);
    let who = actor(driving.actor.as_deref());
    let (receipt, advanced) = workflow
        .answer((store, &WORLD), &arguments.ask, &value, (&who, "command"))
        .map_err(|error| answer_failure(error, said))?;
    if let Receipt::Duplicate { seq } = receipt {
        exit::note(&said.given_before(&seq));
    }
    advanced.map_err(run_failure)?;
    print_next(workflow, store, record)
}

/// Continues a thread, and prints its question or its status.
pub(super) fn resume(
    workflow: &dyn Served,
    (store, record): (&StateStore, &ThreadRecord),
    arguments: &ResumeArguments,
) -> Result<u8, Failure> {
    let who = actor(arguments.driving.actor.as_deref());
    let asked = [(arguments.migrate, Resumption::Migrate(&who)), (arguments.retry, Resumption::Retry(&who))];
    let mut ways: Vec<Resumption<'_>> =
        asked.into_iter().filter_map(|(is_asked, way)| is_asked.then_some(way)).collect();
    if ways.is_empty() {
        ways.push(Resumption::Continue);
    }
    for way in ways {
        workflow.resume((store, &WORLD), &record.id, way).map_err(run_failure)?;
    }
    print_next(workflow, store, record)
}

/// The answer of an approval or a rejection; `None` if neither is given, or if the question has no field for it.
///
/// # Errors
/// Fails for an answer that the question refuses, and for a reason, which only a PRD records.
fn in_words(open: &dyn AnyQuestion, arguments: &AnswerArguments, language: Language) -> Result<Option<Value>, Failure> {
    if arguments.because.is_some() {
        return Err(Failure::usage("--because is for an approval against the gate: this question does not record it"));
    }
    let view = open.view(language);
    let has = |id: &str| view.fields.iter().any(|field| field.id == id);
    let input = match (arguments.approve, &arguments.reject) {
        (true, _) if has("decision") => Input::of(&[("decision", "approve")]),
        (_, Some(why)) if has("decision") && has("feedback") => Input::of(&[("decision", "change"), ("feedback", why)]),
        _ => return Ok(None),
    };
    match open.answer_in(&input, language) {
        Ok(value) => Ok(Some(value)),
        Err(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Err(Failure::usage(problems.join("\n")))
        }
    }
}

/// Prints the open question of a thread, or its status.
fn print_next(workflow: &dyn Served, store: &StateStore, record: &ThreadRecord) -> Result<u8, Failure> {
    let record = store.record(&record.id).map_err(store_failure)?.unwrap_or_else(|| record.clone());
    let view = workflow.read(store, &record).map_err(run_failure)?;
    if let (Some(id), Some(open)) = (&record.ask, &view.open) {
        let question = open.title_in(view.language);
        let way = words(view.language).how_to_answer_only(id);
        outputs::print(&wrapped(&format!("{id}  {}\n    {}\n\n{way}\n", plain(&question), plain(&record.title))))?;
        return Ok(exit::WAITING);
    }
    let status = Status::of(record.phase, false).in_words(view.language);
    outputs::print(&wrapped(&format!("{}  {status}  {}\n", record.id, plain(&record.title))))?;
    Ok(if record.phase == Phase::Failed { exit::WORLD } else { exit::PASS })
}
