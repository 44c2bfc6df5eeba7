//! The store of an installation, chosen at run time: SQLite in a folder, or Redis for several machines.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "redis")]
use super::redis::{RedisClaim, RedisStore};
use super::sqlite::{SqliteClaim, SqliteStore};
use super::{Event, Snapshot, Store, StoreError, ThreadId, ThreadRecord};

/// The variable with the address of a Redis server, as other programs of a container read it.
const REDIS_URL: &str = "REDIS_URL";

/// The default folder of the state.
const FOLDER: &str = ".reqgate";

/// The location of an installation's threads.
#[derive(Clone, PartialEq, Eq)]
pub enum StatePlace {
    /// The file `state.db` in this folder.
    Folder(PathBuf),
    /// The server at this address, `redis://…` or `rediss://…`, which may contain a password.
    Redis(String),
}

impl Default for StatePlace {
    fn default() -> Self {
        Self::Folder(PathBuf::from(FOLDER))
    }
}

impl TryFrom<OsString> for StatePlace {
    type Error = StoreError;

    /// Parses a text: one that begins with a Redis scheme is a server, one without a scheme a folder. Any other scheme
    /// is an error, whose message does not repeat the text.
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
    /// Writes the file or the server, without user, password and settings.
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
    /// The place of an installation that names none: the default folder if it has threads, so that the `REDIS_URL` of
    /// another program does not hide them; otherwise the server in `REDIS_URL`, or else the default folder.
    ///
    /// # Errors
    ///
    /// Fails if `REDIS_URL` is not the address of a Redis server; the message does not repeat it.
    pub fn unnamed(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, StoreError> {
        let address = variable(REDIS_URL).filter(|address| !address.trim().is_empty());
        let Some(address) = address.filter(|_| !has_threads(Path::new(FOLDER))) else {
            return Ok(Self::default());
        };
        match Self::try_from(OsString::from(address)) {
            Ok(place @ Self::Redis(_)) => Ok(place),
            _ => Err(StoreError::RedisUrl),
        }
    }

    /// The folder for data of this machine only, such as tokens, and notes on an answer that could not be sent.
    pub fn local(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::Redis(_) => Path::new(FOLDER),
        }
    }
}

/// Returns true for a folder with the file of a store.
fn has_threads(folder: &Path) -> bool {
    folder.join("state.db").exists()
}

/// The store of an installation. It is one type for both stores, so that the workflows are compiled once.
#[derive(Debug)]
pub enum StateStore {
    /// SQLite in a folder on this machine.
    Sqlite(SqliteStore),
    /// Redis on a server.
    #[cfg(feature = "redis")]
    Redis(RedisStore),
}

/// The claim to a thread in a [`StateStore`].
#[derive(Debug)]
pub enum StateClaim {
    /// A lock of the operating system.
    Sqlite(SqliteClaim),
    /// A lease on the server.
    #[cfg(feature = "redis")]
    Redis(RedisClaim),
}

impl StateStore {
    /// Opens the store at this location, and creates it if necessary; `variable` reads the environment, for the user
    /// and password of a server.
    ///
    /// # Errors
    ///
    /// Fails if the folder or the server cannot be used, or could lose threads.
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

    /// Opens the store at this location only if it exists, so that read-only commands do not create one.
    ///
    /// # Errors
    ///
    /// Fails in the cases of [`StateStore::open`].
    pub fn existing(place: &StatePlace, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, StoreError> {
        match place {
            StatePlace::Folder(folder) if !has_threads(folder) => Ok(None),
            place => Self::open(place, variable).map(Some),
        }
    }
}

/// Delegates a call to the current store.
macro_rules! either {
    ($self:expr, $store:ident => $call:expr) => {
        match $self {
            Self::Sqlite($store) => $call,
            #[cfg(feature = "redis")]
            Self::Redis($store) => $call,
        }
    };
}

/// Delegates a call with a claim to the current store.
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
    fn without_a_place_the_server_of_the_environment_is_used_and_a_slip_in_it_is_not_repeated() {
        let unnamed =
            |value: Option<&str>| StatePlace::unnamed(&|name| value.filter(|_| name == "REDIS_URL").map(str::to_owned));
        for unset in [None, Some(""), Some(" ")] {
            assert_eq!(unnamed(unset).expect("a place"), StatePlace::default());
        }
        let server = StatePlace::Redis("redis://:s3cret@box:7000".to_owned());
        assert_eq!(unnamed(Some("redis://:s3cret@box:7000")).expect("a place"), server);
        for slip in ["s3cret@box:6379", "http://s3cret@box", "redis+sentinel://s3cret@box"] {
            let error = unnamed(Some(slip)).expect_err(slip).to_string();
            assert!(error.contains("REDIS_URL") && !error.contains("s3cret"), "{error}");
        }
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
