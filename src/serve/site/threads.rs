//! The threads of this project.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::reply::{Page, page, rendered};
use super::status::{count, status_of};
use super::visitor::Visitor;
use crate::prd::workflow::{PrdWorkflow, drafts_of};
use crate::serve::http::{ProblemDetails, Service, Shared, blocking, events};
use crate::serve::page::{Tab, ThreadRow, thread_page, threads_page};
use crate::serve::work::{store_with, threads_of};
use crate::workflow::{Store, ThreadId, current};

/// The list.
pub async fn list(State(state): State<Shared>, visitor: Visitor) -> Response {
    let asking = visitor.clone();
    let shown = blocking(&state, move |service| {
        let mut rows = Vec::new();
        if let Some((store, records)) = threads_of(service.installation())? {
            for record in records {
                rows.push(ThreadRow { status: status_of(&store, &record)?, record });
            }
        }
        rendered(threads_page(&asking.frame(Tab::Threads, count(service)), &rows))
    });
    page(&visitor, shown.await)
}

/// One of them.
pub async fn show(State(state): State<Shared>, visitor: Visitor, Path(thread): Path<String>) -> Response {
    let asking = visitor.clone();
    page(&visitor, blocking(&state, move |service| thread_of(service, &asking, &thread)).await)
}

fn thread_of(service: &Service, visitor: &Visitor, thread: &str) -> Page {
    let missing = |_| ProblemDetails::missing(visitor.language.of("There is no such thread.", "没有这个线程。"));
    let thread: ThreadId = thread.parse().map_err(missing)?;
    let (store, record) = store_with(service.installation(), &thread)?;
    let events = store.events_after(&thread, 0)?;
    // What this program cannot read is shown as far as possible.
    let open = current::<PrdWorkflow, _>(&store, &record).ok().and_then(|position| position.open);
    let title = open.map(|open| open.question.title_in(visitor.language));
    let question = record.ask.as_ref().zip(title.as_deref());
    let frame = visitor.frame(Tab::Threads, count(service));
    rendered(thread_page(&frame, &record, status_of(&store, &record)?, &events, question, &drafts_of))
}

/// The last event that a page shows.
#[derive(Debug, Deserialize)]
pub struct After {
    #[serde(default)]
    after: u64,
}

/// The events after the last one that a page shows, for somebody with a cookie; otherwise as under `/v1`.
pub async fn changes(
    State(state): State<Shared>,
    _visitor: Visitor,
    thread: Result<Path<ThreadId>, PathRejection>,
    Query(After { after }): Query<After>,
    mut headers: HeaderMap,
) -> Response {
    // A browser that connects again knows better.
    headers.entry("last-event-id").or_insert(after.into());
    events(State(state), thread, headers).await.into_response()
}
