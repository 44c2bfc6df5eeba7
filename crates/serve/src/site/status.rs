//! Facts about threads that several pages show.

use crate::http::Service;
use crate::work::threads_of;
use reqgate_flow::{Event, Phase, StateStore, Status, Store, StoreError, ThreadRecord};
use reqgate_gate::pipeline::Pipeline;
use reqgate_prd::workflow::masked;

/// The number of open questions; `None` if the store cannot say.
pub fn count(service: &Service) -> Option<usize> {
    let (_, records) = threads_of(service.installation()).ok()??;
    Some(records.iter().filter(|record| record.ask.is_some()).count())
}

/// A thread and its events without personal data and secrets: what people have written into files by hand comes in with them. Names,
/// hashes and numbers stay what they are.
pub fn masked_thread(mut record: ThreadRecord, events: &[Event], gate: &Pipeline) -> (ThreadRecord, Vec<Event>) {
    record.title = gate.masked(&record.title);
    let event = |event: &Event| Event {
        actor: gate.masked(&event.actor),
        body: masked(event.body.clone(), gate),
        ..event.clone()
    };
    (record, events.iter().map(event).collect())
}

/// The status of a thread: what its log says, and whether somebody is at it.
pub fn status_of(store: &StateStore, record: &ThreadRecord) -> Result<Status, StoreError> {
    let is_claimed = record.phase == Phase::Running && store.is_claimed(&record.id)?;
    Ok(Status::of(record.phase, is_claimed))
}
