//! Handlers for threads of the PRD workflow: start, list, status, order, result, cancel, documents, history.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::body::{JsonBody, within};
use super::error::ProblemDetails;
use super::person::Person;
use super::state::{Service, Shared, blocking, working};
use super::tokens::Role;
use crate::Installation;
use crate::installation::{other, workflow_of};
use crate::other;
use crate::work::{
    Desk, MOST_SOURCES, Opening, Submitted, Thread, WorkError, documents_on_disk, store_with, team_of, threads_of,
};
use reqgate_base::clean;
use reqgate_base::files;
use reqgate_flow::{
    AnswerError, Event, OrderId, Position, Problem, StateStore, Status, Stop, Store, ThreadId, ThreadRecord, current,
};
use reqgate_gate::pipeline::Pipeline;
use reqgate_prd::workflow::{
    AskDocument, Author, OrderDocument, PrdState, PrdWorkflow, TeamOptions, ThreadDocument, Writer, masked,
};
use reqgate_text::language::language_of;

/// The time that a request waits for another one that works on the same thread.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum size of a document that is shown, in bytes.
const LONGEST_DOCUMENT: u64 = 4 * 1024 * 1024;

/// The maximum length of an utterance, in characters.
const LONGEST_UTTERANCE: usize = 100_000;
/// The maximum length of a source's name and of a key, in characters.
const LONGEST_NAME: usize = 200;
/// The maximum length of a reason, in characters.
const LONGEST_REASON: usize = 1_000;

/// A request to start a thread.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartRequest {
    /// The wish, in the words of a person.
    #[serde(default)]
    #[schemars(length(max = LONGEST_UTTERANCE))]
    pub utterance: String,
    /// The sources: tickets, minutes, notes.
    #[serde(default)]
    #[schemars(length(max = MOST_SOURCES))]
    pub sources: Vec<Source>,
    /// A key of the caller. A second request with the same key and the same words returns the same thread.
    #[schemars(length(min = 1, max = LONGEST_NAME))]
    pub idempotency_key: Option<String>,
    /// Key of the project in capital letters, with or without a number: `SHOP`, `MSM-008`.
    #[schemars(regex(pattern = r"^[A-Z][A-Z0-9]{1,9}(-[0-9]{3})?$"))]
    pub project: Option<String>,
    /// The flow of the thread.
    #[serde(default)]
    pub flow: Flow,
    /// The settings of the team; only for the flow `team`.
    pub team: Option<TeamOptions>,
    /// The author of the drafts.
    #[serde(default)]
    pub author: StartAuthor,
}

/// A source of the feature.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    /// The name of the source, e.g. minutes.md; quotes use it.
    #[schemars(length(min = 1, max = LONGEST_NAME))]
    pub name: String,
    /// The text of the source.
    pub text: String,
}

/// The flow of a thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Flow {
    /// Brief, requirements, gaps, PRD.
    #[default]
    Documents,
    /// Outline, research, draft, three critics.
    Team,
}

/// The author of the drafts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum StartAuthor {
    /// The rules of this program, which collect labelled statements from the sources.
    #[default]
    Rules,
    /// An agent or a person who takes work orders and submits their results.
    Agent,
}

/// The result of a work order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultRequest {
    /// The id of the order.
    pub order_id: OrderId,
    /// The result, in the shape that the order defines.
    pub result: Map<String, Value>,
}

/// The response to a result.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ResultAnswer {
    /// The status of the result.
    pub status: ResultStatus,
    /// The problems of a rejected result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// The thread after the result.
    pub thread: ThreadDocument,
}

/// The status of a result.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ResultStatus {
    /// The result was accepted.
    Accepted,
    /// The result was rejected: correct the problems, and submit to the next order.
    Rejected,
    /// The result was accepted before.
    Duplicate,
    /// The order is not open.
    Stale,
}

/// A request to cancel a thread.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CancelRequest {
    /// The reason for the cancellation.
    #[schemars(length(min = 1, max = LONGEST_REASON))]
    pub reason: String,
}

/// A document of a thread.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DocumentEntry {
    /// The name below `documents/`.
    pub name: String,
    /// The path, relative to the project.
    pub path: String,
}

/// An event of a thread.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HistoryEntry {
    /// The number of the event, from 1 without gaps.
    pub seq: u64,
    /// The time of the event, RFC 3339 in UTC.
    pub at: String,
    /// The person or program that caused the event.
    pub actor: String,
    /// The event, in one line.
    pub what: String,
    /// The event comes from an archive, and its actor was not verified.
    pub imported: bool,
}

impl Service {
    /// The desk for work on threads.
    pub(crate) fn desk<'s>(&'s self, pipeline: &'s Pipeline) -> Desk<'s> {
        Desk { installation: self.installation(), pipeline, owner: None, author, patience: PATIENCE }
    }

    /// The desk for the decision of a person.
    pub(crate) fn desk_of<'s>(&'s self, pipeline: &'s Pipeline, person: &Person) -> Desk<'s> {
        Desk { owner: Some(person.name.clone()), ..self.desk(pipeline) }
    }
}

/// The author of a thread's drafts. The service sends no requests to models: a thread with a model as its author waits
/// with an order, which `reqgate prd resume` sends to the model.
fn author(state: &PrdState) -> Author<'static> {
    match state.drafts.as_ref().map(|drafts| drafts.author) {
        None | Some(Writer::Rules) => Author::Rules,
        Some(Writer::Model | Writer::Agent) => Author::Agent,
    }
}

/// The document of a thread after work on it.
pub(super) fn standing(thread: Thread<'_>, pipeline: &Pipeline) -> ThreadDocument {
    let status = Status::of(thread.position.phase, false);
    document(thread.record, status, thread.position, pipeline)
}

/// The document of a thread, with its open question, masked.
fn document(
    record: &ThreadRecord,
    status: Status,
    position: &Position<PrdWorkflow>,
    pipeline: &Pipeline,
) -> ThreadDocument {
    let mut document = ThreadDocument::new(record, status, position);
    document.title = pipeline.masked(&document.title);
    document.messages = document.messages.iter().map(|message| pipeline.masked(message)).collect();
    if let (Some(id), Some(open)) = (&record.ask, &position.open) {
        let mut ask = AskDocument::new(id, &open.question, record);
        ask.title = document.title.clone();
        ask.question = pipeline.masked(&open.question.title_in(position.state.language()));
        ask.request = masked(ask.request, pipeline);
        document.ask = Some(ask);
    }
    document
}

/// The document of a stored thread, without a claim on it.
pub(super) fn stored(
    installation: &dyn Installation,
    (store, record): (&StateStore, &ThreadRecord),
    pipeline: &Pipeline,
) -> Result<ThreadDocument, ProblemDetails> {
    let claimed = !record.phase.is_terminal() && store.is_claimed(&record.id)?;
    let status = Status::of(record.phase, claimed);
    if let Some(workflow) = other(installation, record) {
        return Ok(other::document(workflow, (store, record), status, pipeline));
    }
    // A thread of another version is shown without the parts that only that version can read.
    let position = current::<PrdWorkflow, _>(store, record).unwrap_or_default();
    Ok(document(record, status, &position, pipeline))
}

pub(crate) async fn start(
    State(state): State<Shared>,
    person: Person,
    JsonBody(request): JsonBody<StartRequest>,
) -> Result<Response, ProblemDetails> {
    person.must_be(Role::Write)?;
    within("utterance", &request.utterance, 0, LONGEST_UTTERANCE)?;
    for source in &request.sources {
        within("sources.name", &source.name, 1, LONGEST_NAME)?;
    }
    if let Some(key) = &request.idempotency_key {
        within("idempotency_key", key, 1, LONGEST_NAME)?;
    }
    let opening = Opening {
        utterance: request.utterance,
        sources: request
            .sources
            .into_iter()
            .map(|source| (clean::short_line(&source.name, LONGEST_NAME), source.text.into_bytes()))
            .collect(),
        key: request.idempotency_key,
        project: request.project,
        name: None,
        language: None,
        team: team_of(request.flow == Flow::Team, request.team.as_ref()).map_err(|problems| {
            ProblemDetails::refused("the settings of the team do not fit: see problems").with(problems)
        })?,
        writer: match request.author {
            StartAuthor::Rules => Writer::Rules,
            StartAuthor::Agent => Writer::Agent,
        },
        actor: person.name,
    };
    let begun = working(&state, move |service| {
        let pipeline = service.gate(None, None)?;
        Ok(service.desk(&pipeline).begin(opening, |run, _| standing(run, &pipeline))?)
    });
    let (is_new, thread) = begun.await?;
    let location =
        HeaderValue::from_str(&format!("/v1/threads/{}", thread.thread)).map_err(ProblemDetails::internal)?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, [(header::LOCATION, location)], Json(thread)).into_response())
}

pub(crate) async fn list(State(state): State<Shared>) -> Result<Json<Vec<ThreadDocument>>, ProblemDetails> {
    let listed = blocking(&state, |service| {
        let pipeline = service.gate(None, None)?;
        let Some((store, records)) = threads_of(service.installation())? else { return Ok(Vec::new()) };
        records
            .iter()
            .map(|record| {
                let mut document = stored(service.installation(), (&store, record), &pipeline)?;
                // The inbox shows the questions.
                document.ask = None;
                Ok(document)
            })
            .collect()
    });
    Ok(Json(listed.await?))
}

/// Shows the state of a thread.
pub(super) async fn status(
    State(state): State<Shared>,
    thread: Result<Path<ThreadId>, PathRejection>,
) -> Result<Json<ThreadDocument>, ProblemDetails> {
    let Path(thread) = thread?;
    let found = blocking(&state, move |service| {
        let (store, record) = store_with(service.installation(), &thread)?;
        stored(service.installation(), (&store, &record), &*service.gate(None, None)?)
    });
    Ok(Json(found.await?))
}

/// Shows the open work order of a thread.
pub(super) async fn order(
    State(state): State<Shared>,
    thread: Result<Path<ThreadId>, PathRejection>,
) -> Result<Json<OrderDocument>, ProblemDetails> {
    let Path(thread) = thread?;
    let order = working(&state, move |service| {
        let pipeline = service.gate(None, None)?;
        let open = service.desk(&pipeline).look(&thread, |_, stop| {
            Ok(match stop {
                Some(Stop::Ordering(order, call)) => OrderDocument::new(order, call, &pipeline),
                _ => None,
            })
        })?;
        let mut open = open.ok_or_else(|| {
            ProblemDetails::conflict(format!(
                "thread `{thread}` has no open order: /v1/threads/{thread} says how it stands"
            ))
        })?;
        open.submit_with = format!("POST /v1/threads/{thread}/results");
        Ok(open)
    });
    Ok(Json(order.await?))
}

/// Accepts the result of a work order.
pub(super) async fn submit(
    State(state): State<Shared>,
    person: Person,
    thread: Result<Path<ThreadId>, PathRejection>,
    JsonBody(request): JsonBody<ResultRequest>,
) -> Result<Json<ResultAnswer>, ProblemDetails> {
    person.must_be(Role::Write)?;
    let Path(thread) = thread?;
    let ResultRequest { order_id, result } = request;
    if order_id.thread != thread {
        return Err(ProblemDetails::refused("the order is of another thread"));
    }
    let answer = working(&state, move |service| {
        let pipeline = service.gate(None, None)?;
        let tell = |run: Thread<'_>, _: Option<&Stop<PrdWorkflow>>| Ok(standing(run, &pipeline));
        let (submitted, thread) = service.desk(&pipeline).submit(&order_id, result, &person.name, tell)?;
        let (status, problems) = match submitted {
            Submitted::Accepted => (ResultStatus::Accepted, Vec::new()),
            Submitted::Rejected(problems) => (ResultStatus::Rejected, problems),
            Submitted::Duplicate => (ResultStatus::Duplicate, Vec::new()),
            Submitted::Stale => (ResultStatus::Stale, Vec::new()),
        };
        Ok(ResultAnswer { status, problems, thread })
    });
    Ok(Json(answer.await?))
}

pub(crate) async fn cancel(
    State(state): State<Shared>,
    person: Person,
    thread: Result<Path<ThreadId>, PathRejection>,
    JsonBody(CancelRequest { reason }): JsonBody<CancelRequest>,
) -> Result<Json<ThreadDocument>, ProblemDetails> {
    person.must_be(Role::Admin)?;
    let Path(thread) = thread?;
    within("reason", &reason, 1, LONGEST_REASON)?;
    let cancelled = working(&state, move |service| {
        let pipeline = service.gate(None, None)?;
        let (_, record) = store_with(service.installation(), &thread)?;
        let desk = service.desk(&pipeline);
        match other(service.installation(), &record) {
            Some(workflow) => desk.cancel_other(workflow, &thread, &reason, &person.name)?,
            None => desk.cancel(&thread, &reason, &person.name)?,
        }
        let (store, record) = store_with(service.installation(), &thread)?;
        stored(service.installation(), (&store, &record), &pipeline)
    });
    Ok(Json(cancelled.await?))
}

/// Lists the documents of a thread.
pub(super) async fn documents(
    State(state): State<Shared>,
    thread: Result<Path<ThreadId>, PathRejection>,
) -> Result<Json<Vec<DocumentEntry>>, ProblemDetails> {
    let Path(thread) = thread?;
    let listed = blocking(&state, move |service| documents_of(service, &thread));
    Ok(Json(listed.await?.into_iter().map(|(entry, _)| entry).collect()))
}

/// The text of a document, with personal data and secrets masked.
pub(super) async fn document_text(
    State(state): State<Shared>,
    path: Result<Path<(ThreadId, String)>, PathRejection>,
) -> Result<Response, ProblemDetails> {
    let Path((thread, name)) = path?;
    let is_json = name.ends_with(".json");
    let text = blocking(&state, move |service| document_of(service, &thread, &name));
    let kind = if is_json { "application/json" } else { "text/markdown; charset=utf-8" };
    Ok(([(header::CONTENT_TYPE, kind)], text.await?).into_response())
}

/// The text of a document of a thread, with personal data and secrets masked. Blocks.
///
/// # Errors
/// 404 if there is no such thread or document.
pub fn document_of(service: &Service, thread: &ThreadId, name: &str) -> Result<String, ProblemDetails> {
    let found = documents_of(service, thread)?.into_iter().find(|(entry, _)| entry.name == name);
    let unknown = || ProblemDetails::missing(format!("thread `{thread}` has no such document"));
    let (_, whole) = found.ok_or_else(unknown)?;
    let text = files::text(&whole, LONGEST_DOCUMENT).map_err(ProblemDetails::internal)?;
    service.masked(&text)
}

/// The documents of a thread, with their paths on disk.
///
/// # Errors
/// 404 if there is no such thread.
pub fn documents_of(
    service: &Service,
    thread: &ThreadId,
) -> Result<Vec<(DocumentEntry, std::path::PathBuf)>, ProblemDetails> {
    let (store, record) = store_with(service.installation(), thread)?;
    let root = service.installation().root().map_err(ProblemDetails::internal)?;
    let entry = |(path, whole): (std::path::PathBuf, _)| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((DocumentEntry { name, path: path.to_string_lossy().into_owned() }, whole))
    };
    Ok(documents_on_disk(service.installation(), (&store, &record), &root)?.into_iter().filter_map(entry).collect())
}

/// Shows the events of a thread.
pub(super) async fn history(
    State(state): State<Shared>,
    thread: Result<Path<ThreadId>, PathRejection>,
) -> Result<Json<Vec<HistoryEntry>>, ProblemDetails> {
    let Path(thread) = thread?;
    let entries = blocking(&state, move |service| Ok(history_after(service, &thread, 0)?.0));
    Ok(Json(entries.await?))
}

/// The events of a thread after a given one, and whether the thread has ended.
pub(super) fn history_after(
    service: &Service,
    thread: &ThreadId,
    seq: u64,
) -> Result<(Vec<HistoryEntry>, bool), ProblemDetails> {
    let (store, record) = store_with(service.installation(), thread)?;
    if record.head <= seq {
        return Ok((Vec::new(), record.phase.is_terminal()));
    }
    let pipeline = service.gate(None, None)?;
    let events = store.events_after(thread, 0)?;
    let workflow = workflow_of(service.installation(), &record)?;
    let imported = workflow.imported_until(thread, &events)?;
    let language = language_of(&record.title);
    let entry = |event: &Event| {
        let what = workflow.headline(thread, event, language)?;
        Ok(HistoryEntry {
            seq: event.seq,
            at: event.at.clone(),
            actor: pipeline.masked(&clean::one_line(&event.actor)),
            what: pipeline.masked(&clean::one_line(&what)),
            imported: event.seq <= imported,
        })
    };
    let entries: Result<Vec<HistoryEntry>, ProblemDetails> =
        events.iter().filter(|event| event.seq > seq).map(entry).collect();
    Ok((entries?, record.phase.is_terminal()))
}

impl From<WorkError> for ProblemDetails {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Wrong(what) | WorkError::Refused(what) => Self::refused(what),
            WorkError::KeyUsed(_) => Self::conflict(error.to_string()),
            WorkError::Installation(what) => Self::internal(what),
            WorkError::Stuck(what) => Self::internal(what)
                .saying("the answer was taken, but the thread could not go on: see the log of the service"),
            WorkError::Store(error) => error.into(),
            WorkError::Run(error) => error.into(),
            WorkError::Answer { error, .. } => AnswerError::into(*error),
        }
    }
}
