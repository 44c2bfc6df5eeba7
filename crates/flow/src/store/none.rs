//! A store without storage: for runs that are never resumed, such as the gate in CI.

use super::{Event, Snapshot, Store, StoreError, ThreadId, ThreadRecord};

/// Discards all data. A run on it costs no more than its nodes.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStore;

impl Store for NoStore {
    const KEEPS: bool = false;

    type Claim = ();

    fn claim(&self, _thread: &ThreadId) -> Result<(), StoreError> {
        Ok(())
    }

    fn is_claimed(&self, _thread: &ThreadId) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn create(&self, (): &(), _: &ThreadRecord, _: &[Event], _: &Snapshot) -> Result<(), StoreError> {
        Ok(())
    }

    fn append(&self, (): &(), _: u64, _: &ThreadRecord, _: &[Event], _: &Snapshot) -> Result<(), StoreError> {
        Ok(())
    }

    fn record(&self, _thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError> {
        Ok(None)
    }

    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError> {
        Ok(Vec::new())
    }

    fn events_after(&self, _thread: &ThreadId, _seq: u64) -> Result<Vec<Event>, StoreError> {
        Ok(Vec::new())
    }

    fn snapshot(&self, _thread: &ThreadId) -> Result<Option<Snapshot>, StoreError> {
        Ok(None)
    }

    fn delete(&self, (): &(), thread: &ThreadId) -> Result<(), StoreError> {
        Err(StoreError::Unknown(thread.clone()))
    }
}
