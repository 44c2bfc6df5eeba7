//! Checks every request (Host, Origin, rate), and completes every response (problem details, headers).

use std::net::IpAddr;
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::authentication::bearer;
use super::door::Peer;
use super::error::{Cause, PROBLEM_JSON, ProblemDetails};
use super::person::Person;
use super::state::{HttpSettings, Shared};

/// The names of the loopback interface, under which a service on this machine is always reached.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Admits requests that name this service, come from its own pages or from no page, and stay within the rate limit.
pub(super) async fn admit(
    State(state): State<Shared>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let checked = checked_target(request.uri()).and_then(|()| checked_names(&state.settings, request.headers()));
    if let Err(problem) = checked {
        return problem.into_response();
    }
    // Deliveries count only after their signature was checked.
    if !request.uri().path().starts_with("/webhooks/") {
        // A request with a token counts for its bearer, from any address; all others count for their address.
        let client = match bearer(&state, request.headers()) {
            Some(person) => format!("token {}", person.name),
            None => address(peer.ip()),
        };
        if let Some(response) = charged(&state, &client) {
            return response;
        }
    }
    next.run(request).await
}

/// Takes a request from the rate of a client; returns the response for a client that has sent too many.
pub(super) fn charged(state: &Shared, client: &str) -> Option<Response> {
    state.buckets.take(client, Instant::now()).err().map(|seconds| {
        let detail = format!("too many requests: wait {seconds} s");
        let mut response = ProblemDetails::new(StatusCode::TOO_MANY_REQUESTS, detail).into_response();
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        response
    })
}

/// Reads the bodies of authenticated people within the budget of all bodies. Other bodies are refused unread, except a
/// login, which is small.
pub(super) async fn hold(State(state): State<Shared>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let sender = match request.extensions().get::<Person>() {
        Some(person) => Some(person.clone()),
        None => bearer(&state, request.headers()).or_else(|| state.of_machine("page")),
    };
    let Some(sender) = sender.filter(|_| request.uri().path() != "/login") else { return next.run(request).await };
    let (parts, body) = request.into_parts();
    match state.bodies.read(&format!("token {}", sender.name), body).await {
        Ok((bytes, held)) => {
            let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
            drop(held);
            response
        }
        Err(problem) => problem.into_response(),
    }
}

/// An address as the key of a client. Of an IPv6 address only the network counts, because a client has a whole one.
pub(super) fn address(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => ip.segments().iter().take(4).map(|part| format!("{part:x}:")).collect(),
    }
}

/// Refuses a target with a host: a proxy could use that host and this service the header.
fn checked_target(target: &Uri) -> Result<(), ProblemDetails> {
    match target.authority() {
        None => Ok(()),
        Some(_) => {
            let detail = "send the path alone as the target of the request, and the host as a header";
            Err(ProblemDetails::new(StatusCode::FORBIDDEN, detail))
        }
    }
}

/// Checks Host and Origin. A foreign page in a browser on this machine must not reach the service, regardless of how
/// its name resolves. Two values are refused, because a proxy could use one and this service the other.
fn checked_names(settings: &HttpSettings, headers: &HeaderMap) -> Result<(), ProblemDetails> {
    let forbidden = |detail: &str| Err(ProblemDetails::new(StatusCode::FORBIDDEN, detail));
    for name in [header::HOST, header::ORIGIN] {
        if headers.get_all(&name).iter().nth(1).is_some() {
            return forbidden(&format!("duplicate header {name}: send it once"));
        }
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(host) = host.filter(|host| is_ours(settings, host)) else {
        return forbidden("the Host is not a name of this service: start it with --host NAME");
    };
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    match origin {
        Some(("http" | "https", name)) if name.eq_ignore_ascii_case(host) => Ok(()),
        _ => forbidden("the Origin is not this service"),
    }
}

/// Returns true for a name of the service, with or without a port.
fn is_ours(settings: &HttpSettings, host: &str) -> bool {
    settings.hosts.iter().any(|known| is(host, known)) || is_loopback(host)
}

/// Returns true for a name of the loopback interface, with or without a port.
pub(super) fn is_loopback(host: &str) -> bool {
    LOOPBACK.iter().any(|known| is(host, known))
}

/// Returns true if a host is this one, with or without a port.
fn is(host: &str, known: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host)
}

/// Turns every error into problem details, logs the causes of faults, and closes connections when the service ends.
pub(super) async fn finish(State(state): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    // Errors of the Model Context Protocol are JSON, pages are HTML.
    let is_told = [PROBLEM_JSON, "application/json", "text/html"].iter().any(|known| kind.starts_with(known));
    if (status.is_client_error() || status.is_server_error()) && !is_told {
        let allow = response.headers().get(header::ALLOW).cloned();
        response = ProblemDetails::new(status, detail_of(status)).into_response();
        if let Some(allow) = allow {
            response.headers_mut().insert(header::ALLOW, allow);
        }
    }
    if let Some(Cause(cause)) = response.extensions_mut().remove() {
        (state.settings.log)(&cause);
    }
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if *state.ending.borrow() {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn detail_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "there is nothing at this path: /openapi.json describes what there is",
        StatusCode::METHOD_NOT_ALLOWED => "this path has other methods: see the header Allow",
        StatusCode::PAYLOAD_TOO_LARGE => "the body is too large: at most 4 MiB are read, and of a login 8 KiB",
        StatusCode::SERVICE_UNAVAILABLE => "this took too long and was given up: try again later",
        StatusCode::INTERNAL_SERVER_ERROR => "the service could not do it: see its log",
        _ => "the request cannot be answered",
    }
}

/// The response to a panic. It is a fault of the program, and its message is only logged.
pub(super) fn panicked(_: Box<dyn std::any::Any + Send + 'static>) -> axum::http::Response<Body> {
    ProblemDetails::internal("a handler panicked").into_response()
}
