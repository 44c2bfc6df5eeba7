//! Where logs are kept: what every store promises, and the stores there are.
//!
//! The promises are tried by one suite for all stores, [`conformance`]. A store on another machine would be a third file here.

pub mod conformance;
mod memory;
mod none;
mod sqlite;

use thiserror::Error;

use super::event::Event;
use super::thread::{Snapshot, ThreadId, ThreadRecord};

pub use memory::MemoryStore;
pub use none::NoStore;
pub use sqlite::SqliteStore;

/// Keeps the logs of threads.
///
/// - An append is one whole: events, record and snapshot are all there or none of them, also after a crash.
/// - It is refused as [`StoreError::Stale`] if the log has grown since it was read, or the thread was claimed by somebody else.
/// - One process at a time holds the claim to a thread; the claim of a process that died is free.
/// - Events are never changed.
pub trait Store {
    /// Whether anything is kept at all; where nothing is, events are not even made.
    const KEEPS: bool;

    /// The claim to a thread, given up when it is dropped.
    type Claim;

    /// Claims a thread.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] if another process holds the claim.
    fn claim(&self, thread: &ThreadId) -> Result<Self::Claim, StoreError>;

    /// Whether a process holds the claim to a thread.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError>;

    /// Begins a log.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`] if there is such a thread.
    fn create(
        &self,
        claim: &Self::Claim,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError>;

    /// Appends events to a log that ends with the event `head`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] if it ends elsewhere or the claim has passed on; [`StoreError::Unknown`] if there is no such thread.
    fn append(
        &self,
        claim: &Self::Claim,
        head: u64,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError>;

    /// The record of a thread.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError>;

    /// The records of all threads, the one that changed last first; by id where that is equal.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError>;

    /// The events of a thread after this one, in order; 0 for all.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError>;

    /// The last snapshot of a thread.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError>;

    /// Forgets a thread whole.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unknown`] if there is no such thread.
    fn delete(&self, claim: &Self::Claim, thread: &ThreadId) -> Result<(), StoreError>;
}

/// Why a store did not do as it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no such thread.
    #[error("there is no thread `{0}`: `reqgate prd list` shows them")]
    Unknown(ThreadId),
    /// There is such a thread already.
    #[error("there is a thread `{0}` already: choose another id, or `reqgate prd resume {0}`")]
    Exists(ThreadId),
    /// Another process works on the thread.
    #[error("another process works on thread `{0}`: wait until it is done, or stop it")]
    Busy(ThreadId),
    /// The log has grown since it was read, or the claim has passed on; nothing was written.
    #[error("thread `{0}` has moved on since it was read; nothing was written: resume it")]
    Stale(ThreadId),
    /// The state directory lies on a file system that cannot keep the promises.
    #[error(
        "{path} lies on a network file system ({kind}), where SQLite loses data when two machines write: set REQGATE_STATE to a local directory"
    )]
    NetworkFileSystem {
        /// The directory.
        path: String,
        /// The kind of file system.
        kind: String,
    },
    /// What is stored is not what was written.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The store cannot be reached or written.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
}
