//! Sends one request and brings back one answer of bounded size; the trait lets tests record what was sent.

use std::cell::OnceCell;
use std::time::Duration;

use reqwest::header;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Credentials;
use crate::tls;

/// The largest answer that is read, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Time to connect.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);
/// Time for one request and its answer.
const TIME_FOR_ALL: Duration = Duration::from_secs(30);

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Makes something new.
    Post,
    /// Replaces something.
    Put,
    /// Takes something away.
    Delete,
}

impl Method {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What it does.
    pub method: Method,
    /// The whole address.
    pub address: String,
    /// The JSON to send.
    pub body: Option<Value>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Seconds that `Retry-After` asks for.
    pub retry_after: Option<u64>,
    /// What was sent back.
    pub body: Vec<u8>,
}

/// A request that got no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TransportError(pub String);

/// What carries requests to Jira.
pub trait Transport {
    /// Sends one request once.
    ///
    /// # Errors
    /// Fails if no whole answer came back.
    fn send(&self, request: &Request) -> Result<Reply, TransportError>;

    /// Waits before a request is sent again.
    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// The real transport: reqwest with rustls, which also honours the proxy variables of the environment.
///
/// Nothing is started before the first request, and no redirect is followed: it would carry the secret along.
pub struct Network {
    credentials: Option<Credentials>,
    started: OnceCell<(Runtime, reqwest::Client)>,
}

impl Network {
    /// A transport that authenticates so.
    pub fn new(credentials: Option<Credentials>) -> Self {
        Self { credentials, started: OnceCell::new() }
    }

    fn started(&self) -> Result<&(Runtime, reqwest::Client), TransportError> {
        if let Some(started) = self.started.get() {
            return Ok(started);
        }
        let failed = |error: &dyn std::fmt::Display| TransportError(format!("starting the network: {error}"));
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        tls::ready();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(TIME_TO_CONNECT)
            .timeout(TIME_FOR_ALL)
            .user_agent(concat!("reqgate/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| failed(&error.without_url()))?;
        Ok(self.started.get_or_init(|| (runtime, client)))
    }
}

impl Transport for Network {
    fn send(&self, request: &Request) -> Result<Reply, TransportError> {
        let (runtime, client) = self.started()?;
        let address = request.address.as_str();
        let mut built = match request.method {
            Method::Get => client.get(address),
            Method::Post => client.post(address),
            Method::Put => client.put(address),
            Method::Delete => client.delete(address),
        };
        built = built.header(header::ACCEPT, "application/json");
        if let Some(credentials) = &self.credentials {
            let mut value = header::HeaderValue::from_str(credentials.expose())
                .map_err(|_| TransportError("the token contains invalid characters".to_owned()))?;
            value.set_sensitive(true);
            built = built.header(header::AUTHORIZATION, value);
        }
        if let Some(body) = &request.body {
            built = built.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        runtime.block_on(async {
            let mut reply = built.send().await.map_err(|error| TransportError(words(&error).to_owned()))?;
            let retry_after = reply.headers().get(header::RETRY_AFTER);
            let retry_after = retry_after.and_then(|value| value.to_str().ok()?.trim().parse().ok());
            let status = reply.status().as_u16();
            let mut body = Vec::new();
            while let Some(piece) = reply.chunk().await.map_err(|error| TransportError(words(&error).to_owned()))? {
                if body.len() + piece.len() > MOST_BYTES {
                    return Err(TransportError(format!("the answer is larger than {} MiB", MOST_BYTES >> 20)));
                }
                body.extend_from_slice(&piece);
            }
            Ok(Reply { status, retry_after, body })
        })
    }
}

/// Why there was no answer; the address is known to whoever asked.
fn words(error: &reqwest::Error) -> &'static str {
    match error {
        error if error.is_timeout() => "no answer in time",
        error if error.is_connect() => "no connection",
        _ => "the request failed",
    }
}
