//! Questions that wait for a person, with all that a person needs to answer them.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::body::JsonBody;
use super::error::ProblemDetails;
use super::person::Person;
use super::state::{Service, Shared, blocking, working};
use super::threads::{DocumentEntry, documents_of, standing, stored};
use super::tokens::Role;
use super::workflows::{AskField, fields};
use crate::installation::{other, workflow_of};
use crate::versions::versions;
use crate::work::{store_with, threads_of};
use reqgate_base::model::Language;
use reqgate_flow::{AskId, Store, ThreadView};
use reqgate_prd::team::versions::diff;
use reqgate_prd::workflow::{AskDocument, ThreadDocument};
use reqgate_text::language::language_of;

/// A question in the inbox.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AskEntry {
    /// Names the question.
    pub id: AskId,
    /// The title of its thread.
    pub title: String,
    /// Its kind, as in the question itself; `unreadable` if another version of the program asked it.
    pub kind: String,
    /// The question in one line, or why it cannot be read.
    pub question: String,
    /// Since when it waits, by RFC 3339 in UTC.
    pub since: String,
}

/// A question and all that is needed to answer it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AskView")]
pub(super) struct OpenAsk {
    /// The question: the document with its quotes, the verdict and findings of the gate, the schema of the answer.
    pub ask: AskDocument,
    /// The documents of the thread.
    pub documents: Vec<DocumentEntry>,
    /// The last approval of such a document in this thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_approval: Option<Approval>,
    /// The fields of the answer, as a page shows them; absent for a question about a PRD.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<AskField>,
}

/// An approval of an earlier version.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Approval {
    /// The event.
    pub seq: u64,
    /// Who approved.
    pub actor: String,
    /// When, by RFC 3339 in UTC.
    pub at: String,
    /// How the document in question differs from the approved version, section by section.
    pub changes: String,
}

/// What became of an answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AnswerAnswer {
    /// What became of it.
    pub status: AnswerStatus,
    /// How the thread stands.
    pub thread: ThreadDocument,
}

/// What becomes of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnswerStatus {
    /// Taken.
    Accepted,
    /// The same answer was taken before.
    Duplicate,
}

/// Lists the open questions of all threads.
pub(super) async fn list(State(state): State<Shared>) -> Result<Json<Vec<AskEntry>>, ProblemDetails> {
    Ok(Json(blocking(&state, |service| open_asks(service, None)).await?))
}

/// The kind of a question that this program cannot read.
pub const UNREADABLE: &str = "unreadable";

/// The open questions of all threads, in one language or each in that of its thread. A thread of another version is listed without the
/// parts that only that version can read. Blocks.
///
/// # Errors
/// Fails if the store cannot be read.
pub fn open_asks(service: &Service, language: Option<Language>) -> Result<Vec<AskEntry>, ProblemDetails> {
    let Some((store, records)) = threads_of(service.installation())? else { return Ok(Vec::new()) };
    let pipeline = service.gate(None, None)?;
    let mut entries = Vec::new();
    for record in &records {
        let Some(id) = &record.ask else { continue };
        let (kind, question) = match workflow_of(service.installation(), record)?.read(&store, record) {
            Ok(ThreadView { open: Some(open), language: own, .. }) => {
                (open.kind().to_owned(), open.title_in(language.unwrap_or(own)))
            }
            Ok(_) => continue,
            Err(error) => (UNREADABLE.to_owned(), error.to_string()),
        };
        entries.push(AskEntry {
            id: id.clone(),
            title: pipeline.masked(&record.title),
            kind,
            question: pipeline.masked(&question),
            since: record.updated.clone(),
        });
    }
    Ok(entries)
}

/// Shows a question.
pub(super) async fn show(
    State(state): State<Shared>,
    ask: Result<Path<AskId>, PathRejection>,
) -> Result<Json<OpenAsk>, ProblemDetails> {
    let Path(ask) = ask?;
    Ok(Json(blocking(&state, move |service| view(service, &ask)).await?))
}

/// An open question and all that is needed to answer it. Blocks.
///
/// # Errors
/// 404 if there is no such question, 409 if it is not open.
pub(super) fn view(service: &Service, ask: &AskId) -> Result<OpenAsk, ProblemDetails> {
    let pipeline = service.gate(None, None)?;
    let (store, record) = store_with(service.installation(), &ask.thread)?;
    let open = stored(service.installation(), (&store, &record), &pipeline)?.ask.filter(|open| open.id == *ask);
    let document = open.ok_or_else(|| {
        let was_asked = ask.seq > 0
            && store.events_after(&ask.thread, ask.seq - 1).is_ok_and(|events| {
                events.first().is_some_and(|event| {
                    let workflow = workflow_of(service.installation(), &record);
                    workflow.is_ok_and(|workflow| matches!(workflow.asked(&ask.thread, event), Ok(Some(_))))
                })
            });
        match was_asked {
            true => ProblemDetails::conflict(format!(
                "question `{ask}` is not open: it was answered, or its thread has moved on"
            )),
            false => ProblemDetails::missing(format!("there is no question `{ask}`")),
        }
    })?;
    let documents = documents_of(service, &ask.thread)?.into_iter().map(|(entry, _)| entry).collect();
    let last_approval = last_approval(&store, &document, &|text| pipeline.masked(text))?;
    let mask = |text: &str| pipeline.masked(text);
    let fields = match other(service.installation(), &record).map(|workflow| workflow.read(&store, &record)) {
        Some(Ok(ThreadView { open: Some(open), language, .. })) => fields(&open.view(language), &mask),
        _ => Vec::new(),
    };
    Ok(OpenAsk { ask: document, documents, last_approval, fields })
}

/// The last approval of such a document in the thread of a question.
fn last_approval(
    store: &impl Store,
    ask: &AskDocument,
    mask: &dyn Fn(&str) -> String,
) -> Result<Option<Approval>, ProblemDetails> {
    let of_request = |name: &str| ask.request.get(name).and_then(Value::as_str);
    let (Some(now), Some(path)) = (of_request("document"), of_request("path")) else { return Ok(None) };
    let events = store.events_after(&ask.thread, 0)?;
    let shown = versions(&ask.thread, &events, ask.id.seq, path);
    let approved = shown.iter().rev().find_map(|version| Some((version.approved?, &version.text)));
    let Some((seq, text)) = approved else { return Ok(None) };
    let Some(event) = events.iter().find(|event| event.seq == seq) else { return Ok(None) };
    let changes = diff(&mask(text), now, language_of(&ask.question));
    Ok(Some(Approval { seq, actor: mask(&event.actor), at: event.at.clone(), changes }))
}

/// Takes an answer.
pub(super) async fn answer(
    State(state): State<Shared>,
    person: Person,
    ask: Result<Path<AskId>, PathRejection>,
    JsonBody(answer): JsonBody<Map<String, Value>>,
) -> Result<Json<AnswerAnswer>, ProblemDetails> {
    person.must_be(Role::Answer)?;
    let Path(ask) = ask?;
    Ok(Json(working(&state, move |service| answered(service, &person, &ask, answer)).await?))
}

/// Takes the answer of a person, recorded under their name and channel, and takes the thread further. Blocks.
///
/// # Errors
/// 404 if there is no such question, 409 if it is not open, 422 with every fault if the answer has another shape.
pub(super) fn answered(
    service: &Service,
    person: &Person,
    ask: &AskId,
    answer: Map<String, Value>,
) -> Result<AnswerAnswer, ProblemDetails> {
    let pipeline = service.gate(None, None)?;
    let by = (person.name.as_str(), person.channel);
    let desk = service.desk_of(&pipeline, person);
    let (_, record) = store_with(service.installation(), &ask.thread)?;
    let (is_new, thread) = match other(service.installation(), &record) {
        None => desk.answer(ask, answer, by, |run, _| standing(run, &pipeline))?,
        Some(workflow) => {
            let is_new = desk.answer_other(workflow, ask, answer, by)?;
            let (store, record) = store_with(service.installation(), &ask.thread)?;
            (is_new, stored(service.installation(), (&store, &record), &pipeline)?)
        }
    };
    Ok(AnswerAnswer { status: if is_new { AnswerStatus::Accepted } else { AnswerStatus::Duplicate }, thread })
}
