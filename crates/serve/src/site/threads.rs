//! Shows the threads of this project.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::reply::{Page, page, rendered};
use super::status::{count, masked_thread, status_of};
use super::visitor::Visitor;
use crate::http::{ProblemDetails, Role, Service, Shared, blocking, documents_of, events};
use crate::installation::workflow_of;
use crate::page::{Tab, ThreadPage, ThreadRow, thread_page, threads_page};
use crate::work::{store_with, threads_of};
use reqgate_flow::{Store, ThreadId, current};
use reqgate_messages as messages;
use reqgate_prd::workflow::PrdWorkflow;

/// Shows the list of threads.
pub(super) async fn list(State(state): State<Shared>, visitor: Visitor) -> Response {
    let asking = visitor.clone();
    let shown = blocking(&state, move |service| {
        let mut rows = Vec::new();
        let gate = service.gate(None, None)?;
        if let Some((store, records)) = threads_of(service.installation())? {
            for record in records {
                let status = status_of(&store, &record)?;
                rows.push(ThreadRow { status, record: masked_thread(record, &[], &gate).0 });
            }
        }
        rendered(threads_page(&asking.frame(Tab::Threads, count(service)), &rows, asking.may(Role::Write)))
    });
    page(&visitor, shown.await)
}

pub(crate) async fn show(State(state): State<Shared>, visitor: Visitor, Path(thread): Path<String>) -> Response {
    let asking = visitor.clone();
    page(&visitor, blocking(&state, move |service| thread_of(service, &asking, &thread)).await)
}

fn thread_of(service: &Service, visitor: &Visitor, thread: &str) -> Page {
    let missing = || ProblemDetails::missing(messages::Pages::of(visitor.language).no_prd);
    let thread: ThreadId = thread.parse().map_err(|_| missing())?;
    let found = store_with(service.installation(), &thread).map_err(ProblemDetails::from);
    let (store, record) = found.map_err(|problem| if problem.status == 404 { missing() } else { problem })?;
    let gate = service.gate(None, None)?;
    let status = status_of(&store, &record)?;
    let events = store.events_after(&thread, 0)?;
    // A thread that this program cannot read completely is shown as far as possible.
    let workflow = workflow_of(service.installation(), &record)?;
    let view = workflow.read(&store, &record).ok();
    let is_team = current::<PrdWorkflow, _>(&store, &record).is_ok_and(|position| position.state.team.is_some());
    let documents = match view {
        Some(_) => documents_of(service, &thread)?.into_iter().map(|(entry, _)| entry.name).collect(),
        None => Vec::new(),
    };
    let open = view.and_then(|view| view.open);
    let title = open.map(|open| gate.masked(&open.title_in(visitor.language)));
    let (record, events) = masked_thread(record, &events, &gate);
    let question = record.ask.as_ref().zip(title.as_deref());
    let frame = visitor.frame(Tab::Threads, count(service));
    let page =
        ThreadPage { record: &record, status, workflow, is_team, events: &events, question, documents: &documents };
    rendered(thread_page(&frame, &page))
}

/// The last event that a page shows.
#[derive(Debug, Deserialize)]
pub(super) struct After {
    #[serde(default)]
    after: u64,
}

/// The events after the last one that a page shows, for a person with a cookie; otherwise as under `/v1`.
pub(super) async fn changes(
    State(state): State<Shared>,
    _visitor: Visitor,
    thread: Result<Path<ThreadId>, PathRejection>,
    Query(After { after }): Query<After>,
    mut headers: HeaderMap,
) -> Response {
    // A browser that reconnects sends the last event itself.
    headers.entry("last-event-id").or_insert(after.into());
    events(State(state), thread, headers).await.into_response()
}
