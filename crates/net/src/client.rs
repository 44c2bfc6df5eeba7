//! The client: opens connections, sends a request once, and returns one answer of bounded size.

use std::error::Error;
use std::future::Future;
use std::sync::OnceLock;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Response, header};
use http_body_util::BodyExt;
use tokio::runtime::Runtime;

use super::error::words;
use super::{Method, NetError, Reply, Request, is_loopback};

const USER_AGENT: &str = concat!("reqgate/", env!("CARGO_PKG_VERSION"));

/// Sends requests. Tests replace it with their own answers.
pub trait Transport {
    /// Sends one request once.
    ///
    /// # Errors
    /// Returns an error if no complete answer arrived.
    fn send(&self, request: &Request) -> Result<Reply, NetError>;
}

/// The settings for reaching a server.
#[derive(Clone)]
pub struct ClientSettings {
    /// The address of the server. A server on this machine is reached without a proxy; one without TLS needs no
    /// certificates.
    pub base: String,
    /// The value of the header `authorization`, if every request has one.
    pub authorization: Option<String>,
    /// The longest wait for a connection.
    pub connect_timeout: Duration,
    /// The longest time for one request and its answer.
    pub timeout: Duration,
    /// The largest answer that is read, in bytes.
    pub most_bytes: u64,
}

impl ClientSettings {
    /// Creates settings with ten seconds to connect, 30 s for an exchange and 32 MiB, enough for a hundred issues of
    /// the largest size.
    pub(crate) fn new(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            authorization: None,
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(30),
            most_bytes: 32 << 20,
        }
    }
}

/// A client of one server: reqwest with rustls, which honours the proxy variables of the environment.
///
/// It does not follow redirects, which would carry a secret along, and does not retry, which would hide requests from
/// budgets, limits and traces. It can be shared between threads.
pub struct Client {
    settings: ClientSettings,
    started: OnceLock<Result<reqwest::Client, NetError>>,
}

impl Client {
    /// Creates a client without opening a connection.
    pub(crate) fn new(settings: ClientSettings) -> Self {
        Self { settings, started: OnceLock::new() }
    }

    /// The underlying HTTP client, for a library that sends through it.
    ///
    /// # Errors
    /// Returns an error if the connection cannot be prepared.
    pub(crate) fn http(&self) -> Result<&reqwest::Client, NetError> {
        self.started.get_or_init(|| started(&self.settings)).as_ref().map_err(Clone::clone)
    }

    /// Waits for an exchange and reads its answer, within the limits of this client.
    ///
    /// # Errors
    /// Returns an error if no complete answer arrived, or one that is too large.
    pub(crate) fn carry<B, E>(&self, exchange: impl Future<Output = Result<Response<B>, E>>) -> Result<Reply, NetError>
    where
        B: BodyExt + Unpin,
        B::Data: AsRef<[u8]>,
        B::Error: Error + 'static,
        E: Error + 'static,
    {
        runtime()?.block_on(async {
            let response = exchange.await.map_err(|error| NetError::of(&error))?;
            let (head, mut rest) = response.into_parts();
            let status = head.status.as_u16();
            let most = self.settings.most_bytes;
            let too_large = || NetError::too_large(status, most);
            let announced = head.headers.get(header::CONTENT_LENGTH);
            let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
            if announced.is_some_and(|length| length > most) {
                return Err(too_large());
            }
            let mut body = Vec::new();
            while let Some(frame) = rest.frame().await {
                let Ok(data) = frame.map_err(|error| NetError::of(&error))?.into_data() else { continue };
                if (body.len() + data.as_ref().len()) as u64 > most {
                    return Err(too_large());
                }
                body.extend_from_slice(data.as_ref());
            }
            Ok(Reply::received(status, head.headers, body))
        })
    }

    /// Calls `make` within the runtime, for values that need it while they are built.
    ///
    /// # Errors
    /// Returns an error if the runtime cannot be started.
    pub(crate) fn within<T>(&self, make: impl FnOnce() -> T) -> Result<T, NetError> {
        let _context = runtime()?.enter();
        Ok(make())
    }
}

impl Transport for Client {
    fn send(&self, request: &Request) -> Result<Reply, NetError> {
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut built = self.http()?.request(method, &request.address).headers(request.headers.clone());
        if let Some(timeout) = request.timeout {
            built = built.timeout(timeout);
        }
        if let Some(body) = &request.body {
            built = built.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        self.carry(async { built.send().await.map(Response::from) })
    }
}

/// Sets up TLS with ring as its cryptography provider; only the first call has an effect.
pub fn prepare_tls() {
    // An error means that a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn started(settings: &ClientSettings) -> Result<reqwest::Client, NetError> {
    let broken = |error: reqwest::Error| NetError::setup(words(&error.without_url()));
    prepare_tls();
    let mut headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static("application/json"))]);
    if let Some(secret) = &settings.authorization {
        let value = HeaderValue::from_str(secret);
        let mut value = value.map_err(|_| NetError::setup("the token contains invalid characters"))?;
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(settings.connect_timeout)
        .timeout(settings.timeout)
        .user_agent(USER_AGENT)
        .default_headers(headers);
    let base = settings.base.parse::<http::Uri>().ok();
    if base.as_ref().and_then(http::Uri::host).is_some_and(is_loopback) {
        builder = builder.no_proxy();
    }
    if base.as_ref().and_then(http::Uri::scheme_str) == Some("http") {
        // Reading the root certificates of this machine takes milliseconds, and they may be missing in a container.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(broken)
}

/// The runtime that all clients of the process share, started by the first request.
fn runtime() -> Result<&'static Runtime, NetError> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let start =
        || tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string());
    RUNTIME.get_or_init(start).as_ref().map_err(|error| NetError::setup(format!("starting the network: {error}")))
}
