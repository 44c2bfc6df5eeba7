//! Storage of logs: the guarantees of every store, and the stores.

mod checked;
mod memory;
mod none;
#[cfg(feature = "redis")]
mod redis;
mod root;
mod sqlite;
mod state;

use std::time::Duration;

use thiserror::Error;

use super::event::Event;
use super::thread::{Snapshot, ThreadId, ThreadRecord};

pub use memory::MemoryStore;
pub use none::NoStore;
#[cfg(feature = "redis")]
pub use redis::RedisStore;
pub use sqlite::SqliteStore;
pub use state::{StatePlace, StateStore};

/// Keeps the logs of threads.
///
/// - An append is one whole: events, record and snapshot are all there or none of them, also after a crash.
/// - It is refused as [`StoreError::Stale`] if the log has grown since it was read, or the thread was claimed by somebody else.
/// - One process at a time holds the claim to a thread; the claim of a process that died is free, at once or when its lease has run out.
/// - Events are never changed.
pub trait Store {
    /// Whether anything is stored; if not, events are not even created.
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
    /// [`StoreError::Stale`] if the log ends elsewhere or the claim has passed to another process;
    /// [`StoreError::Unknown`] if there is no such thread.
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

    /// Deletes a whole thread.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unknown`] if there is no such thread.
    fn delete(&self, claim: &Self::Claim, thread: &ThreadId) -> Result<(), StoreError>;
}

/// The reason why a store could not do as it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no such thread.
    #[error("there is no thread `{0}`: `reqgate prd list` lists the threads")]
    Unknown(ThreadId),
    /// The thread already exists.
    #[error("thread `{0}` already exists: choose another id, or continue it with `reqgate prd resume {0}`")]
    Exists(ThreadId),
    /// Another process works on the thread.
    #[error("another process is working on thread `{thread}`: wait until it ends, or stop it{}", after_a_crash(*.lease))]
    Busy {
        /// The thread.
        thread: ThreadId,
        /// How long the claim of a process outlives it; `None` if it ends with it.
        lease: Option<Duration>,
    },
    /// The log has grown since it was read, or the claim has passed on; nothing was written.
    #[error("thread `{0}` has changed since it was read, so nothing was written: resume it")]
    Stale(ThreadId),
    /// The state directory is on a file system that cannot keep the guarantees.
    #[error(
        "{path} is on a network file system ({kind}), where SQLite can lose data if two machines write: set REQGATE_STATE to a local directory"
    )]
    NetworkFileSystem {
        /// The directory.
        path: String,
        /// The kind of file system.
        kind: String,
    },
    /// The address of the server is not one. The message never repeats it: it may hold a password.
    #[error("the place of the state (--state or REQGATE_STATE) is not valid: {0}")]
    Address(String),
    /// The server is not set up to keep threads.
    #[error("Redis at {server} cannot keep threads: {reason}")]
    Unfit {
        /// The server.
        server: String,
        /// The setting that is wrong, and the right one.
        reason: String,
    },
    /// The stored data was changed.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The store cannot be reached or written.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
}

fn after_a_crash(lease: Option<Duration>) -> String {
    lease.map(|lease| format!("; if it crashed, its claim ends within {} s", lease.as_secs())).unwrap_or_default()
}
