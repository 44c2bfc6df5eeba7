//! Facts about threads that several pages show.

use crate::http::Service;
use crate::work::threads_of;
use reqgate_flow::{Event, Phase, StateStore, Status, Store, StoreError, ThreadRecord};
use reqgate_gate::pipeline::Pipeline;
use reqgate_prd::workflow::masked;

/// The number of open questions; `None` if the store cannot be read.
pub(super) fn count(service: &Service) -> Option<usize> {
    let (_, records) = threads_of(service.installation()).ok()??;
    Some(records.iter().filter(|record| record.ask.is_some()).count())
}

/// A thread and its events with personal data and secrets masked: people may have written them into files by hand.
/// Names, hashes and numbers are unchanged.
pub(super) fn masked_thread(mut record: ThreadRecord, events: &[Event], gate: &Pipeline) -> (ThreadRecord, Vec<Event>) {
    record.title = gate.masked(&record.title);
    let event = |event: &Event| Event {
        actor: gate.masked(&event.actor),
        body: masked(event.body.clone(), gate),
        ..event.clone()
    };
    (record, events.iter().map(event).collect())
}

/// The status of a thread, according to its log and to whether a process works on it.
pub(super) fn status_of(store: &StateStore, record: &ThreadRecord) -> Result<Status, StoreError> {
    let is_claimed = record.phase == Phase::Running && store.is_claimed(&record.id)?;
    Ok(Status::of(record.phase, is_claimed))
}
