//! The events of a thread as server-sent events, which resume where a client left off.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::mpsc;

use super::authentication::bearer;
use super::error::ProblemDetails;
use super::state::{Shared, blocking};
use super::threads::history_after;
use reqgate_flow::ThreadId;

/// The interval at which the log is read, because another process may write it.
const INTERVAL: Duration = Duration::from_millis(500);

/// The received events, in the type that axum sends.
struct Received(mpsc::Receiver<Event>);

impl Stream for Received {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// Sends the events after the one in `Last-Event-ID`, then new ones, until the thread or the service ends. A client
/// that has seen all events of a finished thread gets 204, so that it does not reconnect.
pub(crate) async fn events(
    State(state): State<Shared>,
    thread: Result<Path<ThreadId>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, ProblemDetails> {
    let Path(thread) = thread?;
    let last = match headers.get("last-event-id") {
        None => 0,
        Some(id) => id
            .to_str()
            .ok()
            .and_then(|id| id.parse().ok())
            .ok_or_else(|| ProblemDetails::bad("Last-Event-ID is not the number of an event"))?,
    };
    let full =
        |_| ProblemDetails::new(StatusCode::SERVICE_UNAVAILABLE, "too many clients watch threads: try again later");
    let place = Arc::clone(&state.watchers).try_acquire_owned().map_err(full)?;
    let (send, receive) = mpsc::channel(64);
    let first = after(&state, &thread, last).await?;
    if first.0.is_empty() && first.1 {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let mut ending = state.ending.clone();
    // A token can be removed later, so the right to read is checked again.
    let may_look = move |state: &Shared| bearer(state, &headers).is_some() || state.of_machine("rest").is_some();
    tokio::spawn(async move {
        let _place = place;
        let (mut last, mut next) = (last, Ok(first));
        while let Ok((entries, has_ended)) = next {
            for (seq, event) in entries {
                last = seq;
                if send.send(event).await.is_err() {
                    return;
                }
            }
            if has_ended {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(INTERVAL) => {}
                () = send.closed() => return,
                _ = ending.wait_for(|ending| *ending) => return,
            }
            if !may_look(&state) {
                return;
            }
            next = after(&state, &thread, last).await;
        }
    });
    Ok(Sse::new(Received(receive)).keep_alive(KeepAlive::default()).into_response())
}

/// The events after a given one, each with its number, and whether the thread has ended.
async fn after(state: &Shared, thread: &ThreadId, last: u64) -> Result<(Vec<(u64, Event)>, bool), ProblemDetails> {
    let thread = thread.clone();
    let (entries, has_ended) = blocking(state, move |service| history_after(service, &thread, last)).await?;
    let event = |entry: super::threads::HistoryEntry| {
        let data = serde_json::to_string(&entry).map_err(ProblemDetails::internal)?;
        Ok((entry.seq, Event::default().id(entry.seq.to_string()).data(data)))
    };
    let entries: Result<Vec<_>, ProblemDetails> = entries.into_iter().map(event).collect();
    Ok((entries?, has_ended))
}
