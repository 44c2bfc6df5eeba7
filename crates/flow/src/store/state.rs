//! The store of an installation, chosen when the program runs: SQLite in a folder, or Redis for several machines.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "redis")]
use super::redis::{RedisClaim, RedisStore};
use super::sqlite::{SqliteClaim, SqliteStore};
use super::{Event, Snapshot, Store, StoreError, ThreadId, ThreadRecord};

/// The folder of the state when nothing else is named.
const FOLDER: &str = ".reqgate";

/// The place where an installation keeps its threads.
#[derive(Clone, PartialEq, Eq)]
pub enum StatePlace {
    /// `state.db` in this folder.
    Folder(PathBuf),
    /// The server of this address, `redis://…` or `rediss://…`, which may hold a password.
    Redis(String),
}

impl Default for StatePlace {
    fn default() -> Self {
        Self::Folder(PathBuf::from(FOLDER))
    }
}

impl TryFrom<OsString> for StatePlace {
    type Error = StoreError;

    /// A text that begins like an address is a server, any other a folder; one with a slip in its address is neither, and is not
    /// repeated.
    fn try_from(text: OsString) -> Result<Self, StoreError> {
        match text.to_string_lossy().split_once("://") {
            Some(("redis" | "rediss", _)) => Ok(Self::Redis(text.to_string_lossy().into_owned())),
            Some(_) => {
                let reason = "it is neither a folder nor begins with redis:// or rediss://";
                Err(StoreError::Address(reason.to_owned()))
            }
            None => Ok(Self::Folder(text.into())),
        }
    }
}

impl fmt::Display for StatePlace {
    /// The file or the server, without user, password and settings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.join("state.db").display().fmt(f),
            Self::Redis(address) => {
                let (scheme, rest) = address.split_once("://").unwrap_or_default();
                let server = rest.rsplit('@').next().unwrap_or_default();
                write!(f, "{scheme}://{}", server.split(['?', '#']).next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for StatePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StatePlace({self})")
    }
}

impl StatePlace {
    /// The folder for what stays on this machine, such as tokens, and notes on an answer that could not be sent.
    pub fn local(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::Redis(_) => Path::new(FOLDER),
        }
    }
}

/// The store of an installation. One type for both, so that the workflows are compiled once.
#[derive(Debug)]
pub enum StateStore {
    /// A file on this machine.
    Sqlite(SqliteStore),
    /// A server.
    #[cfg(feature = "redis")]
    Redis(RedisStore),
}

/// The claim to a thread in it.
#[derive(Debug)]
pub enum StateClaim {
    /// A lock of the system.
    Sqlite(SqliteClaim),
    /// A lease.
    #[cfg(feature = "redis")]
    Redis(RedisClaim),
}

impl StateStore {
    /// Opens the store of this place, and creates it if necessary; `variable` reads the environment, for the user and password of a server.
    ///
    /// # Errors
    ///
    /// If the folder or the server cannot be used, or could lose threads.
    pub fn open(place: &StatePlace, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, StoreError> {
        match place {
            StatePlace::Folder(folder) if *place == StatePlace::default() && folder.is_symlink() => {
                let path = folder.display();
                Err(StoreError::Unusable(format!("{path} is a link: name the directory it leads to with --state")))
            }
            StatePlace::Folder(folder) => SqliteStore::open(folder).map(Self::Sqlite),
            #[cfg(feature = "redis")]
            StatePlace::Redis(address) => RedisStore::open(address, variable).map(Self::Redis),
            #[cfg(not(feature = "redis"))]
            StatePlace::Redis(_) => {
                let _ = variable;
                Err(StoreError::Address("this program was built without the feature `redis`".to_owned()))
            }
        }
    }

    /// Opens the store of this place if there is one: looking at nothing makes nothing.
    ///
    /// # Errors
    ///
    /// As for [`StateStore::open`].
    pub fn existing(place: &StatePlace, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, StoreError> {
        match place {
            StatePlace::Folder(folder) if !folder.join("state.db").exists() => Ok(None),
            place => Self::open(place, variable).map(Some),
        }
    }
}

/// Hands a call to the store that it is.
macro_rules! either {
    ($self:expr, $store:ident => $call:expr) => {
        match $self {
            Self::Sqlite($store) => $call,
            #[cfg(feature = "redis")]
            Self::Redis($store) => $call,
        }
    };
}

/// Hands a call with a claim to the store that it is.
macro_rules! claimed {
    ($self:expr, $claim:expr, ($store:ident, $held:ident) => $call:expr) => {
        match ($self, $claim) {
            (Self::Sqlite($store), StateClaim::Sqlite($held)) => $call,
            #[cfg(feature = "redis")]
            (Self::Redis($store), StateClaim::Redis($held)) => $call,
            #[cfg(feature = "redis")]
            _ => Err(StoreError::Unusable("the claim is to a thread in another store".to_owned())),
        }
    };
}

impl Store for StateStore {
    const KEEPS: bool = true;

    type Claim = StateClaim;

    fn claim(&self, thread: &ThreadId) -> Result<StateClaim, StoreError> {
        match self {
            Self::Sqlite(store) => store.claim(thread).map(StateClaim::Sqlite),
            #[cfg(feature = "redis")]
            Self::Redis(store) => store.claim(thread).map(StateClaim::Redis),
        }
    }

    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        either!(self, store => store.is_claimed(thread))
    }

    fn create(
        &self,
        claim: &StateClaim,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        claimed!(self, claim, (store, held) => store.create(held, record, events, snapshot))
    }

    fn append(
        &self,
        claim: &StateClaim,
        head: u64,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        claimed!(self, claim, (store, held) => store.append(held, head, record, events, snapshot))
    }

    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError> {
        either!(self, store => store.record(thread))
    }

    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError> {
        either!(self, store => store.records())
    }

    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError> {
        either!(self, store => store.events_after(thread, seq))
    }

    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError> {
        either!(self, store => store.snapshot(thread))
    }

    fn delete(&self, claim: &StateClaim, thread: &ThreadId) -> Result<(), StoreError> {
        claimed!(self, claim, (store, held) => store.delete(held, thread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> StatePlace {
        StatePlace::try_from(OsString::from(text)).expect("a place")
    }

    #[test]
    fn a_place_is_a_folder_or_a_server_and_never_shows_a_password() {
        assert_eq!(place("state"), StatePlace::Folder("state".into()));
        assert_eq!(place("redis"), StatePlace::Folder("redis".into()));
        let server = place("rediss://ann:s3?c@ret@box:7000/2?prefix=a");
        assert_eq!(server.to_string(), "rediss://box:7000/2");
        assert!(!format!("{server:?}").contains("ret@"), "{server:?}");
        assert_eq!(server.local(), Path::new(".reqgate"));
    }

    #[test]
    fn a_slip_in_an_address_is_no_folder_and_is_not_repeated() {
        for text in
            ["http://:s3cret@localhost", "redis ://:s3cret@localhost", "Rediss://:s3cret@localhost", "valkey://s3cret"]
        {
            let error = StatePlace::try_from(OsString::from(text)).expect_err(text).to_string();
            assert!(error.contains("begins with redis://") && !error.contains("s3cret"), "{error}");
        }
    }
}
