//! The questions that wait for a person: those of open threads, and those with which PRDs were approved.

use reqgate::model::Language;
use reqgate::prd::QuestionId;
use reqgate::prd::brief::parse_brief;
use reqgate::prd::prd_document::PrdQuestion;
use reqgate::prd::prd_text::question_shown;
use reqgate::prd::workflow::{AskDocument, PrdWorkflow, asked_at_approval};
use reqgate::text::language;
use reqgate::workflow::{Phase, Position, StateStore, Store, ThreadId, ThreadRecord, Workflow};

use super::super::arguments::prd::{PrdFormat, StateArguments};
use super::super::exit::{self, Failure};
use super::super::terminal::wrapped;
use super::super::{outputs, terminal, workflows};
use super::looking::position;
use super::shown::plain;
use super::words::words;
use super::{existing_store, print_json, run_failure, store_failure};

/// Prints the questions that wait for a person.
pub(super) fn inbox(state: &StateArguments) -> Result<u8, Failure> {
    let (mut asks, mut titles, mut approved) = (Vec::new(), Vec::new(), String::new());
    if let Some(store) = existing_store(state)? {
        for record in store.records().map_err(store_failure)? {
            let Some(workflow) = workflows().of(&record) else { continue };
            approved.push_str(&left_open(&store, &record));
            let Some(ask) = &record.ask else { continue };
            let view = workflow.read(&store, &record).map_err(run_failure)?;
            let Some(open) = view.open else { continue };
            titles.push(open.title_in(view.language));
            asks.push(AskDocument::of_any(ask, open.as_ref(), &record));
        }
    }
    match state.format {
        PrdFormat::Json => print_json(&asks)?,
        PrdFormat::Human if asks.is_empty() => {
            outputs::print(&wrapped(&format!("{}{approved}", words(terminal::language()).no_questions)))?;
        }
        PrdFormat::Human => {
            let lines: String = asks
                .iter()
                .zip(&titles)
                .map(|(ask, question)| format!("{}  {}\n    {}\n", ask.id, plain(question), plain(&ask.title)))
                .collect();
            let way = asks
                .first()
                .map(|ask| words(language::language_of(&ask.title)).how_to_answer(&ask.id, &ask.id.thread.as_str()));
            outputs::print(&wrapped(&format!("{lines}\n{}\n{approved}", way.unwrap_or_default())))?;
        }
    }
    Ok(exit::PASS)
}

/// The only completed thread whose PRD was approved with this question.
///
/// # Errors
/// Fails if there is none or more than one, and names them.
pub(super) fn thread_asking(state: &StateArguments, id: QuestionId) -> Result<ThreadId, Failure> {
    let (mut found, mut reviewed) = (Vec::new(), Vec::new());
    if let Some(store) = existing_store(state)? {
        for record in store.records().map_err(store_failure)? {
            if is_asked_in_review(&store, &record, id) {
                reviewed.push(record.id.to_string());
            }
            if left_open_in(&store, &record).1.iter().any(|question| question.id == Some(id)) {
                found.push(record.id);
            }
        }
    }
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] if !reviewed.is_empty() => Err(Failure::usage(format!(
            "{id} is a question of {}, which is being reviewed: answer it there, with `reqgate prd resume`",
            reviewed.join(", ")
        ))),
        [] => Err(Failure::usage(format!("no approved PRD has the open question {id}: `reqgate inbox` lists them"))),
        several => {
            let ids: Vec<&str> = several.iter().map(ThreadId::as_str).collect();
            Err(Failure::usage(format!(
                "several threads have a question {id}: name one with --thread: {}",
                ids.join(", ")
            )))
        }
    }
}

/// Returns true for a thread under review whose brief has this open question.
fn is_asked_in_review(store: &StateStore, record: &ThreadRecord, id: QuestionId) -> bool {
    if record.workflow != PrdWorkflow::NAME || record.phase.is_terminal() {
        return false;
    }
    let Ok(Position { state, .. }) = position(store, record) else { return false };
    let brief = parse_brief(state.feature_brief_content.as_deref().unwrap_or_default());
    brief.open_questions.iter().any(|question| question.answer.is_none() && question.id == Some(id))
}

/// The questions with which the PRD of a completed thread was approved, and its language.
fn left_open_in(store: &StateStore, record: &ThreadRecord) -> (Language, Vec<PrdQuestion>) {
    let none = (Language::En, Vec::new());
    if record.workflow != PrdWorkflow::NAME || record.phase != Phase::Completed {
        return none;
    }
    // A thread of another version cannot be read, and is over.
    let Ok(Position { state, .. }) = position(store, record) else { return none };
    (state.language(), asked_at_approval(&state))
}

/// These questions, and the way to answer them later; empty without one.
fn left_open(store: &StateStore, record: &ThreadRecord) -> String {
    let (language, questions) = left_open_in(store, record);
    if questions.is_empty() {
        return String::new();
    }
    let said = words(language);
    let head = said.approved_with_questions(&said.count_questions(questions.len()), &record.id);
    let lines: String =
        questions.iter().map(|one| format!("    {}\n", plain(&question_shown(one, language)))).collect();
    format!("\n{head}\n{lines}    {}\n", said.how_to_answer_later(&record.id))
}
