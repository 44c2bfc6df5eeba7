//! Sends one request and brings back one answer of bounded size; the trait lets tests record what was sent.

use std::cell::OnceCell;
use std::error::Error;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use http_body_util::BodyExt;
use octocrab::ReqwestClientConfig;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Token;
use crate::clean::short_line;
use crate::tls;

/// The largest answer that is read, in bytes: a hundred issues of the largest size fit.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Time to connect.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);
/// Time for one request and its answer.
const TIME_FOR_ALL: Duration = Duration::from_secs(30);

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Makes something new, or adds a label.
    Post,
    /// Changes something.
    Patch,
    /// Takes something away.
    Delete,
}

impl Method {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// A request to the API.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What it does.
    pub method: Method,
    /// A path below the API's address, e.g. `/repos/octo/shop/issues/7`, or a whole address on the same server.
    pub address: String,
    /// The JSON to send.
    pub body: Option<Value>,
    /// Ask only for what differs from the answer that carried this tag.
    pub etag: Option<String>,
}

impl Request {
    /// A request that reads.
    pub fn get(address: impl Into<String>) -> Self {
        Self { method: Method::Get, address: address.into(), body: None, etag: None }
    }

    /// A request that changes something.
    pub fn change(method: Method, address: impl Into<String>, body: Option<Value>) -> Self {
        Self { method, address: address.into(), body, etag: None }
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    headers: HeaderMap,
    /// What was sent back.
    pub body: Vec<u8>,
}

impl Reply {
    /// An answer with headers; names and values that are none are left out.
    pub fn new(status: u16, headers: &[(&str, &str)], body: Vec<u8>) -> Self {
        let pairs = headers
            .iter()
            .filter_map(|(name, value)| Some((HeaderName::try_from(*name).ok()?, HeaderValue::from_str(value).ok()?)));
        Self { status, headers: pairs.collect(), body }
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// GitHub's own words about a refusal, at most 200 characters on one line; empty if there are none.
    pub fn message(&self) -> String {
        let body: Option<Value> = serde_json::from_slice(&self.body).ok();
        let message = body.as_ref().and_then(|body| body.get("message")).and_then(Value::as_str).unwrap_or("");
        short_line(message.trim(), 200)
    }
}

/// A request that got no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TransportError {
    /// Why, without the address's query and without any header.
    pub message: String,
    /// True if the request cannot have reached the server.
    pub is_before_sending: bool,
}

/// What carries requests to GitHub.
pub trait Transport {
    /// Sends one request once.
    ///
    /// # Errors
    /// Fails if no whole answer came back.
    fn send(&self, request: &Request) -> Result<Reply, TransportError>;
}

/// The real transport: octocrab over reqwest with rustls, which also honours the proxy variables of the environment.
///
/// Nothing is started before the first request.
pub struct Octocrab {
    api: String,
    token: Option<Token>,
    started: OnceCell<(Runtime, octocrab::Octocrab)>,
}

impl Octocrab {
    /// A transport to the API at `api`; nothing is connected yet.
    pub fn new(api: &str, token: Option<Token>) -> Self {
        Self { api: api.to_owned(), token, started: OnceCell::new() }
    }

    fn started(&self) -> Result<&(Runtime, octocrab::Octocrab), TransportError> {
        if let Some(started) = self.started.get() {
            return Ok(started);
        }
        let started = self.start().map_err(|message| TransportError { message, is_before_sending: true })?;
        Ok(self.started.get_or_init(|| started))
    }

    fn start(&self) -> Result<(Runtime, octocrab::Octocrab), String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("starting the network: {error}"))?;
        let octocrab = {
            // octocrab starts a task of its own while it is built.
            let _context = runtime.enter();
            tls::ready();
            let client = reqwest::Client::builder()
                // A redirect would carry the token along; the client decides about each one.
                .redirect(reqwest::redirect::Policy::none())
                .connect_timeout(TIME_TO_CONNECT)
                .timeout(TIME_FOR_ALL)
                .build()
                .map_err(|error| format!("starting the network: {}", causes(&error)))?;
            let mut builder = octocrab::Octocrab::builder()
                .base_uri(self.api.as_str())
                .map_err(|error| causes(&error))?
                .add_header(header::USER_AGENT, concat!("reqgate/", env!("CARGO_PKG_VERSION")).to_owned())
                .add_header(header::ACCEPT, "application/vnd.github+json".to_owned());
            if let Some(token) = &self.token {
                builder = builder.personal_token(token.expose().to_owned());
            }
            builder.build_with_reqwest(ReqwestClientConfig::Custom(client)).map_err(|error| causes(&error))?
        };
        Ok((runtime, octocrab))
    }
}

impl Transport for Octocrab {
    fn send(&self, request: &Request) -> Result<Reply, TransportError> {
        let (runtime, octocrab) = self.started()?;
        runtime.block_on(async {
            let address = request.address.as_str();
            let body = request.body.as_ref();
            let reply = match request.method {
                Method::Get => {
                    let etag = request.etag.as_deref().and_then(|etag| HeaderValue::from_str(etag).ok());
                    let headers = etag.map(|etag| HeaderMap::from_iter([(header::IF_NONE_MATCH, etag)]));
                    octocrab._get_with_headers(address, headers).await
                }
                Method::Post => octocrab._post(address, body).await,
                Method::Patch => octocrab._patch(address, body).await,
                Method::Delete => octocrab._delete(address, body).await,
            };
            let reply = reply.map_err(|error| TransportError {
                message: causes(&error),
                is_before_sending: is_before_sending(&error),
            })?;
            let (head, mut rest) = reply.into_parts();
            let mut body = Vec::new();
            let failed = |message: String| TransportError { message, is_before_sending: false };
            while let Some(frame) = rest.frame().await {
                let frame = frame.map_err(|error| failed(causes(&error)))?;
                let Ok(data) = frame.into_data() else { continue };
                if body.len() + data.len() > MOST_BYTES {
                    return Err(failed(format!("the answer is larger than {} MiB", MOST_BYTES >> 20)));
                }
                body.extend_from_slice(&data);
            }
            Ok(Reply { status: head.status.as_u16(), headers: head.headers, body })
        })
    }
}

/// An error and what caused it, each said once.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut message = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        // The address is known to whoever asked, and its query is nobody else's business.
        let words = match error.downcast_ref::<reqwest::Error>() {
            Some(error) if error.is_timeout() => "no answer in time".to_owned(),
            Some(error) if error.is_connect() => "no connection".to_owned(),
            Some(_) => "the request failed".to_owned(),
            // The first line: octocrab's errors carry a backtrace.
            None => error.to_string().lines().next().unwrap_or_default().trim().to_owned(),
        };
        if !words.is_empty() && !message.contains(&words) {
            if !message.is_empty() {
                message.push_str(": ");
            }
            message.push_str(&words);
        }
        next = error.source();
    }
    message
}

fn is_before_sending(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_connect) {
            return true;
        }
        next = error.source();
    }
    false
}
