//! A connection to Redis with deadlines: a request whose answer does not come is sent again, on a new connection.

use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::{Client, Connection, ConnectionLike, ErrorKind, RedisError, RedisResult, ServerErrorKind, Value};

use super::address::RedisAddress;
use crate::store::StoreError;

/// How long one attempt waits for a connection, and for the answer to a command.
const DEADLINE: Duration = Duration::from_secs(5);

/// How long a request is repeated, as long as a write to SQLite waits for another one.
const PATIENCE: Duration = Duration::from_secs(10);

/// The pauses between attempts begin with this and double up to a second.
const PAUSE: Duration = Duration::from_millis(50);

/// A server, and the connection to it if there is one. Every request may be sent twice, so it must be one that does no harm twice.
pub(super) struct Link {
    client: Client,
    shown: String,
    connection: Mutex<Option<Connection>>,
}

impl Link {
    /// A link that connects with its first request.
    pub fn new(address: &RedisAddress) -> Result<Self, StoreError> {
        let shown = address.shown.clone();
        let client = Client::open(address.info.clone()).map_err(|error| failure(&shown, &error))?;
        reqgate_net::prepare_tls();
        Ok(Self { client, shown, connection: Mutex::new(None) })
    }

    /// The server, as messages name it.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The answer to a request, which is repeated for some seconds when the server cannot be reached.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`] if there is none, or it is an error.
    pub fn ask(&self, request: &dyn Fn(&mut Connection) -> RedisResult<Value>) -> Result<Value, StoreError> {
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
    /// As for [`Link::ask`].
    pub fn ask_once(&self, request: &dyn Fn(&mut Connection) -> RedisResult<Value>) -> Result<Value, StoreError> {
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
        // An answer that comes too late must not be taken for that to the next request.
        if connection.is_open() && !answer.as_ref().is_err_and(|error| error.is_io_error()) {
            *slot = Some(connection);
        }
        answer
    }
}

/// True for what may be over in a moment: a broken or refused connection, a server that starts or runs a script.
fn passes(error: &RedisError) -> bool {
    let kind = error.kind();
    error.is_io_error()
        || matches!(kind, ErrorKind::Server(ServerErrorKind::BusyLoading | ServerErrorKind::TryAgain))
        || error.code() == Some("BUSY")
}

/// The error in words. It names the server, never the password.
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
