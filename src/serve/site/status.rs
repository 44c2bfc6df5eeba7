//! Facts about threads that several pages show.

use crate::serve::http::Service;
use crate::serve::work::threads_of;
use crate::workflow::{Phase, StateStore, Status, Store, StoreError, ThreadRecord};

/// The number of open questions; `None` if the store cannot say.
pub fn count(service: &Service) -> Option<usize> {
    let (_, records) = threads_of(service.installation()).ok()??;
    Some(records.iter().filter(|record| record.ask.is_some()).count())
}

/// The status of a thread: what its log says, and whether somebody is at it.
pub fn status_of(store: &StateStore, record: &ThreadRecord) -> Result<Status, StoreError> {
    let is_claimed = record.phase == Phase::Running && store.is_claimed(&record.id)?;
    Ok(Status::of(record.phase, is_claimed))
}
