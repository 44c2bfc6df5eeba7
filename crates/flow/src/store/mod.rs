//! Storage of logs: the guarantees that every store gives, and the stores.

mod checked;
mod memory;
#[cfg(feature = "redis")]
mod redis;
mod root;
mod sqlite;
mod state;

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::event::Event;
use super::thread::{Snapshot, ThreadId, ThreadRecord};

pub use memory::MemoryStore;
#[cfg(feature = "redis")]
pub use redis::RedisStore;
pub use sqlite::SqliteStore;
pub use state::{StatePlace, StateStore};

/// Stores the logs of threads.
///
/// - An append is atomic: events, record and snapshot are all stored or none of them, also after a crash.
/// - It is refused as [`StoreError::Stale`] if the log has grown since it was read, or another process has claimed the
///   thread.
/// - One process at a time holds the claim to a thread. The claim of a process that died is released, at once or when
///   its lease has expired.
/// - Events are never changed.
pub trait Store {
    /// The claim to a thread, which is released when it is dropped.
    type Claim;

    /// Claims a thread for this process.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Busy`] if another process holds the claim.
    fn claim(&self, thread: &ThreadId) -> Result<Self::Claim, StoreError>;

    /// Returns true if a process holds the claim to a thread.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError>;

    /// Begins the log of a new thread.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Exists`] if the thread already exists.
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
    /// Fails with [`StoreError::Stale`] if the log does not end there or the claim has passed to another process, and
    /// with [`StoreError::Unknown`] if the thread does not exist.
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
    /// Fails if the store cannot be read.
    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError>;

    /// The records of all threads, the latest change first, then by id.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError>;

    /// The events of a thread after the event `seq`, in order; 0 returns all.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError>;

    /// The last snapshot of a thread.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError>;

    /// Deletes a whole thread.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Unknown`] if the thread does not exist.
    fn delete(&self, claim: &Self::Claim, thread: &ThreadId) -> Result<(), StoreError>;
}

/// The reason why an operation of a store failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The thread does not exist.
    #[error("there is no thread `{0}`: `reqgate prd list` lists the threads")]
    Unknown(ThreadId),
    /// The thread already exists.
    #[error("thread `{0}` already exists: choose another id, or continue it with `reqgate prd resume {0}`")]
    Exists(ThreadId),
    /// Another process works on the thread.
    #[error("another process is working on thread `{thread}`: wait until it ends, or stop it{}", after_a_crash(*.lease))]
    Busy {
        /// The id of the thread.
        thread: ThreadId,
        /// The time that a claim outlives its process; `None` if it ends with the process.
        lease: Option<Duration>,
    },
    /// The log has grown since it was read, or the claim has passed to another process. No event was written.
    #[error("thread `{0}` has changed since it was read, so nothing was written: resume it")]
    Stale(ThreadId),
    /// The state directory is on a file system that cannot keep the guarantees.
    #[error(
        "{path} is on a network file system ({kind}), where SQLite can lose data if two machines write: set REQGATE_STATE to a local directory"
    )]
    NetworkFileSystem {
        /// The path of the state directory.
        path: String,
        /// The kind of file system.
        kind: String,
    },
    /// The variable `REDIS_URL` is not an address. The message does not repeat it, because it may contain a password.
    #[error(
        "REDIS_URL is not the address of a Redis server: write redis://HOST:PORT, or set REQGATE_STATE to another place"
    )]
    RedisUrl,
    /// The address of the server is malformed. The message does not repeat it, because it may contain a password.
    #[error("the place of the state (--state or REQGATE_STATE) is not valid: {0}")]
    Address(String),
    /// The settings of the server could lose threads.
    #[error("Redis at {server} cannot keep threads: {reason}")]
    Unfit {
        /// The server, without user and password.
        server: String,
        /// The wrong setting, and the right one.
        reason: String,
    },
    /// The stored data is damaged or was changed.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The store cannot be reached or written.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
}

fn after_a_crash(lease: Option<Duration>) -> String {
    lease.map(|lease| format!("; if it crashed, its claim ends within {} s", lease.as_secs())).unwrap_or_default()
}

/// Writes a part of a thread as JSON.
fn json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Unusable(error.to_string()))
}

/// Reads a part of a thread from JSON.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}
