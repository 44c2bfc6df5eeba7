//! A connection to Redis with deadlines: a request without an answer is sent again on a new connection.

use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::{Client, Connection, ConnectionLike, ErrorKind, RedisError, RedisResult, ServerErrorKind, Value};

use super::address::RedisAddress;
use crate::store::StoreError;

/// The maximum wait for a connection, and for the answer to a command, in one attempt.
const DEADLINE: Duration = Duration::from_secs(5);

/// The time during which a request is repeated; the same as the maximum wait of a write to SQLite.
const PATIENCE: Duration = Duration::from_secs(10);

/// The first pause between attempts; it doubles up to a second.
const PAUSE: Duration = Duration::from_millis(50);

/// A server, and the connection to it if one is open. Every request may be sent twice, so it must be harmless when
/// repeated.
pub(super) struct Link {
    client: Client,
    shown: String,
    connection: Mutex<Option<Connection>>,
}

impl Link {
    /// A link that connects at its first request.
    pub(super) fn new(address: &RedisAddress) -> Result<Self, StoreError> {
        let shown = address.shown.clone();
        let client = Client::open(address.info.clone()).map_err(|error| failure(&shown, &error))?;
        reqgate_net::prepare_tls();
        Ok(Self { client, shown, connection: Mutex::new(None) })
    }

    /// The server without user and password, for messages.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// The answer to a request, which is repeated for some seconds if the server cannot be reached.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Unusable`] if no answer arrives, or it is an error.
    pub(super) fn ask(&self, request: &dyn Fn(&mut Connection) -> RedisResult<Value>) -> Result<Value, StoreError> {
        let until = Instant::now() + PATIENCE;
        let mut pause = PAUSE;
        loop {
            match self.attempt(request) {
                Ok(answer) => return Ok(answer),
                Err(error) if passes(&error) && Instant::now() + pause < until => sleep(pause),
                Err(error) => return Err(failure(&self.shown, &error)),
            }
            pause = (2 * pause).min(Duration::from_secs(1));
        }
    }

    /// The answer to a request that is sent once.
    ///
    /// # Errors
    ///
    /// Fails in the cases of [`Link::ask`].
    pub(super) fn ask_once(
        &self,
        request: &dyn Fn(&mut Connection) -> RedisResult<Value>,
    ) -> Result<Value, StoreError> {
        self.attempt(request).map_err(|error| failure(&self.shown, &error))
    }

    fn attempt(&self, request: &dyn Fn(&mut Connection) -> RedisResult<Value>) -> RedisResult<Value> {
        let mut slot = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut connection = match slot.take() {
            Some(connection) => connection,
            None => {
                let connection = self.client.get_connection_with_timeout(DEADLINE)?;
                connection.set_read_timeout(Some(DEADLINE))?;
                connection.set_write_timeout(Some(DEADLINE))?;
                connection
            }
        };
        let answer = request(&mut connection);
        // A late answer must not be taken for the answer to the next request.
        if connection.is_open() && !answer.as_ref().is_err_and(|error| error.is_io_error()) {
            *slot = Some(connection);
        }
        answer
    }
}

/// Returns true for an error that may soon pass: a broken or refused connection, a server that is starting or busy with
/// a script.
fn passes(error: &RedisError) -> bool {
    let kind = error.kind();
    error.is_io_error()
        || matches!(kind, ErrorKind::Server(ServerErrorKind::BusyLoading | ServerErrorKind::TryAgain))
        || error.code() == Some("BUSY")
}

/// The error with the name of the server, without its password.
fn failure(shown: &str, error: &RedisError) -> StoreError {
    if error.is_timeout() {
        return StoreError::Unusable(format!("Redis at {shown} does not answer within {} s", DEADLINE.as_secs()));
    }
    StoreError::Unusable(match (error.kind(), error.code()) {
        (ErrorKind::AuthenticationFailed, _) => {
            format!("Redis at {shown} refuses the user or the password: check the address, or REQGATE_REDIS_PASSWORD")
        }
        (_, Some("NOAUTH")) => format!("Redis at {shown} wants a password: set REQGATE_REDIS_PASSWORD"),
        (_, Some("OOM")) => format!("the memory of Redis at {shown} is full, so nothing was written: raise maxmemory"),
        (ErrorKind::Io, _) => format!("Redis at {shown} cannot be reached: {error}"),
        _ => format!("Redis at {shown}: {error}"),
    })
}
