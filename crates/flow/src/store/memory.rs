//! A store that lives as long as the process: for tests, and for runs that are inspected but not resumed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Event, Snapshot, Store, StoreError, ThreadId, ThreadRecord};

#[derive(Debug, Clone)]
struct Kept {
    record: ThreadRecord,
    events: Vec<Event>,
    snapshot: Snapshot,
    epoch: u64,
}

/// A store in memory. Clones share their contents.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    threads: Rc<RefCell<BTreeMap<ThreadId, Kept>>>,
    held: Rc<RefCell<BTreeMap<ThreadId, u64>>>,
}

/// The claim to a thread in memory.
#[derive(Debug)]
pub struct MemoryClaim {
    thread: ThreadId,
    epoch: u64,
    held: Rc<RefCell<BTreeMap<ThreadId, u64>>>,
}

impl Drop for MemoryClaim {
    fn drop(&mut self) {
        let mut held = self.held.borrow_mut();
        if held.get(&self.thread) == Some(&self.epoch) {
            held.remove(&self.thread);
        }
    }
}

impl MemoryStore {
    /// Releases every claim, as if the process that held it had died; later writes of that process are refused.
    pub fn forget_claims(&self) {
        self.held.borrow_mut().clear();
        for kept in self.threads.borrow_mut().values_mut() {
            kept.epoch += 1;
        }
    }
}

impl Store for MemoryStore {
    type Claim = MemoryClaim;

    fn claim(&self, thread: &ThreadId) -> Result<MemoryClaim, StoreError> {
        let mut held = self.held.borrow_mut();
        if held.contains_key(thread) {
            return Err(StoreError::Busy { thread: thread.clone(), lease: None });
        }
        let epoch = self.threads.borrow_mut().get_mut(thread).map_or(0, |kept| {
            kept.epoch += 1;
            kept.epoch
        });
        held.insert(thread.clone(), epoch);
        Ok(MemoryClaim { thread: thread.clone(), epoch, held: Rc::clone(&self.held) })
    }

    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        Ok(self.held.borrow().contains_key(thread))
    }

    fn create(
        &self,
        claim: &MemoryClaim,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        let mut threads = self.threads.borrow_mut();
        if threads.contains_key(&record.id) {
            return Err(StoreError::Exists(record.id.clone()));
        }
        let kept =
            Kept { record: record.clone(), events: events.to_vec(), snapshot: snapshot.clone(), epoch: claim.epoch };
        threads.insert(record.id.clone(), kept);
        Ok(())
    }

    fn append(
        &self,
        claim: &MemoryClaim,
        head: u64,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        let mut threads = self.threads.borrow_mut();
        let kept = threads.get_mut(&record.id).ok_or_else(|| StoreError::Unknown(record.id.clone()))?;
        if kept.record.head != head || kept.epoch != claim.epoch {
            return Err(StoreError::Stale(record.id.clone()));
        }
        kept.record = record.clone();
        kept.events.extend_from_slice(events);
        kept.snapshot = snapshot.clone();
        Ok(())
    }

    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError> {
        Ok(self.threads.borrow().get(thread).map(|kept| kept.record.clone()))
    }

    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError> {
        let mut records: Vec<ThreadRecord> = self.threads.borrow().values().map(|kept| kept.record.clone()).collect();
        records.sort_by(|one, other| other.updated.cmp(&one.updated).then_with(|| one.id.cmp(&other.id)));
        Ok(records)
    }

    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError> {
        let threads = self.threads.borrow();
        let events = threads.get(thread).map(|kept| kept.events.as_slice()).unwrap_or_default();
        Ok(events.iter().filter(|event| event.seq > seq).cloned().collect())
    }

    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError> {
        Ok(self.threads.borrow().get(thread).map(|kept| kept.snapshot.clone()))
    }

    fn delete(&self, _claim: &MemoryClaim, thread: &ThreadId) -> Result<(), StoreError> {
        match self.threads.borrow_mut().remove(thread) {
            Some(_) => Ok(()),
            None => Err(StoreError::Unknown(thread.clone())),
        }
    }
}
