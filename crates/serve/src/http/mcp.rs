//! The Model Context Protocol over HTTP: one request of a client, one JSON reply, in both eras and without sessions.
//!
//! The server keeps no state between two requests, so sessions need no limit, cannot be stolen, and survive a restart.
//! In versions before 2026-07-28 sessions are optional for the server; without them it only cannot ask the client
//! questions while the client waits.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::admission::is_loopback;
use super::body::media_type;
use super::error::ProblemDetails;
use super::person::Person;
use super::state::{Service, Shared, blocking, working};
use super::threads::PATIENCE;
use super::tokens::Role;
use crate::mcp::protocol::{
    Era, Fault, HEADER_MISMATCH, INVALID_REQUEST, LEGACY, METHOD_NOT_FOUND, MODERN, Message, PARSE_ERROR, check_modern,
    response, unsupported, version_of,
};
use crate::mcp::{Caller, Peer, Right, Server, may_wait};
use reqgate_base::bounded_json::{JsonError, VALUES_OF_REQUEST, parse};

const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
const SESSION: &str = "mcp-session-id";

/// The peer of a request over HTTP: a client that waits for its one reply cannot be asked.
struct Nobody;

impl Peer for Nobody {
    fn elicit(&mut self, _: &Value, _: &Value) -> Option<Value> {
        None
    }
}

pub(crate) async fn post(
    State(state): State<Shared>,
    person: Person,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ProblemDetails> {
    if media_type(&headers) != "application/json" {
        return Err(ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json"));
    }
    let (id, method, params) = match read(&body?) {
        Ok(Message::Request { id, method, params }) => (id, method, params),
        Ok(Message::Other) => {
            return Ok(match header_of(&headers, VERSION).and_then(era_of) {
                Ok(_) => StatusCode::ACCEPTED.into_response(),
                Err(fault) => refused(StatusCode::BAD_REQUEST, Value::Null, fault),
            });
        }
        Err((id, fault)) => return Ok(refused(StatusCode::BAD_REQUEST, id, fault)),
    };
    let era = match checked(&headers, &method, &params) {
        Ok(era) => era,
        Err((status, fault)) => return Ok(refused(status, id, fault)),
    };
    let caller = caller_of(&state, &person, &headers);
    let waits = params.get("name").and_then(Value::as_str).is_some_and(may_wait);
    let of = id.clone();
    let answer = move |service: &Service| {
        Ok(Server::for_one_request(service.installation(), &caller).answer(&of, &method, params, &mut Nobody))
    };
    let answer = if waits { working(&state, answer).await } else { blocking(&state, answer).await };
    Ok(match answer? {
        Err(fault) if era == Era::Modern && fault.code == METHOD_NOT_FOUND => refused(StatusCode::NOT_FOUND, id, fault),
        answer => Json(response(id, answer)).into_response(),
    })
}

fn refused(status: StatusCode, id: Value, fault: Fault) -> Response {
    (status, Json(response(id, Err(fault)))).into_response()
}

/// Reads the one message in a body.
fn read(body: &[u8]) -> Result<Message, (Value, Fault)> {
    let message = parse(body, VALUES_OF_REQUEST).map_err(|error| {
        let fault = match error {
            JsonError::TooMany(_) => Fault::new(INVALID_REQUEST, format!("the body has {error}")),
            JsonError::Syntax(error) => {
                let place = format!("the body is not JSON: line {}, column {}", error.line(), error.column());
                Fault::new(PARSE_ERROR, place)
            }
        };
        (Value::Null, fault)
    })?;
    match message {
        Value::Array(_) => Err((Value::Null, Fault::new(INVALID_REQUEST, "send one message per request, not a batch"))),
        message => Message::read(message),
    }
}

/// The era of a request whose headers agree with its body.
fn checked(headers: &HeaderMap, method: &str, params: &Map<String, Value>) -> Result<Era, (StatusCode, Fault)> {
    let bad = |fault| (StatusCode::BAD_REQUEST, fault);
    let version = header_of(headers, VERSION).map_err(bad)?;
    match (version_of(params), era_of(version).map_err(bad)) {
        (None, Ok(Era::Legacy)) => {
            if headers.contains_key(SESSION) && method != "initialize" {
                let message = "there is no such session: this server has none, leave Mcp-Session-Id out";
                return Err((StatusCode::NOT_FOUND, Fault::new(INVALID_REQUEST, message)));
            }
            Ok(Era::Legacy)
        }
        (None, Ok(Era::Modern)) => check_modern(params).map(|()| Era::Modern).map_err(bad),
        (None, Err(fault)) => Err(fault),
        (Some(named), _) => {
            same("MCP-Protocol-Version", version, Some(named)).map_err(bad)?;
            check_modern(params).map_err(bad)?;
            same("Mcp-Method", header_of(headers, METHOD).map_err(bad)?, Some(&method.into())).map_err(bad)?;
            let name = match method {
                "tools/call" | "prompts/get" => params.get("name"),
                "resources/read" => params.get("uri"),
                _ => return Ok(Era::Modern),
            };
            let given = header_of(headers, NAME).and_then(|given| given.map(decoded).transpose()).map_err(bad)?;
            same("Mcp-Name", given.as_deref(), name).map_err(bad)?;
            Ok(Era::Modern)
        }
    }
}

/// The era of a version in a header. Without the header it is at most 2025-03-26, which did not have it.
fn era_of(version: Option<&str>) -> Result<Era, Fault> {
    match version {
        Some(MODERN) => Ok(Era::Modern),
        Some(version) if !LEGACY.contains(&version) => Err(unsupported(&version.into())),
        _ => Ok(Era::Legacy),
    }
}

/// The value of a header that may occur once: of two values, a proxy could use one and this server the other.
fn header_of<'h>(headers: &'h HeaderMap, name: &'static str) -> Result<Option<&'h str>, Fault> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        (Some(Err(_)), None) => Err(mismatch(format!("the header {name} has characters that are not ASCII"))),
        (Some(_), Some(_)) => Err(mismatch(format!("duplicate header {name}: send it once"))),
    }
}

/// Refuses a header that differs from the body.
fn same(header: &str, given: Option<&str>, named: Option<&Value>) -> Result<(), Fault> {
    match (given, named) {
        (Some(given), Some(named)) if named == given => Ok(()),
        // If the body has no such field, the method reports it.
        (None, None) => Ok(()),
        (None, Some(_)) => Err(mismatch(format!("the header {header} is missing"))),
        (Some(_), _) => Err(mismatch(format!("the header {header} does not say the same as the body"))),
    }
}

fn mismatch(message: String) -> Fault {
    Fault::new(HEADER_MISMATCH, message)
}

/// The value of a header; it is in Base64 if it contains characters that a header cannot have.
fn decoded(value: &str) -> Result<String, Fault> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(value.to_owned());
    };
    let text = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| mismatch("the header Mcp-Name is not Base64 of UTF-8".to_owned()))
}

/// The caller of a request. A token defines the rights of its bearer, who may be on another machine.
fn caller_of(state: &Shared, person: &Person, headers: &HeaderMap) -> Caller {
    let right = match person.role {
        Role::Read => Right::Read,
        Role::Write => Right::Write,
        Role::Answer | Role::Admin => Right::Answer,
    };
    let caller = match headers.contains_key(header::AUTHORIZATION) {
        true => Caller::with_token(person.name.clone(), right),
        false => Caller::of_machine(person.name.clone()),
    };
    Caller { inbox: Some(inbox(headers)), patience: PATIENCE, log: Some(state.settings.log), ..caller }
}

/// The address of the inbox, under the host name that the client uses.
fn inbox(headers: &HeaderMap) -> String {
    // Admission has checked that it is one of this service's names.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    // Other names are reached through a proxy with TLS.
    let scheme = if is_loopback(host) { "http" } else { "https" };
    format!("{scheme}://{host}/inbox/")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use serde_json::json;

    use super::*;

    fn code(pairs: &[(&'static str, &str)], method: &str, params: Value) -> Result<Era, i64> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).expect("a value"));
        }
        checked(&headers, method, params.as_object().expect("an object")).map_err(|(_, fault)| fault.code)
    }

    fn modern(name: Value) -> Value {
        json!({
            "name": name,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        })
    }

    #[test]
    fn the_headers_of_a_modern_request_say_what_its_body_says() {
        let version = (VERSION, "2026-07-28");
        let call = |headers: &[(&'static str, &str)], name: &str| code(headers, "tools/call", modern(name.into()));
        let method = (METHOD, "tools/call");
        assert_eq!(call(&[version, method, (NAME, "prd_next")], "prd_next"), Ok(Era::Modern));
        assert_eq!(call(&[version, method, (NAME, "=?base64?5a+85Ye6?=")], "导出"), Ok(Era::Modern));
        for headers in [
            &[][..],
            &[version],
            &[version, method],
            &[version, (NAME, "prd_next")],
            &[method, (NAME, "prd_next")],
            &[(VERSION, "2025-11-25"), method, (NAME, "prd_next")],
            &[version, (METHOD, "Tools/Call"), (NAME, "prd_next")],
            &[version, method, (NAME, "prd_submit")],
            &[version, method, (NAME, "=?base64?%%?=")],
            &[version, method, (NAME, "=?base64?/w==?=")],
            &[version, method, (NAME, "prd_next"), (NAME, "prd_next")],
            &[version, version, method, (NAME, "prd_next")],
        ] {
            assert_eq!(call(headers, "prd_next"), Err(HEADER_MISMATCH), "{headers:?}");
        }
        // A name that is not a string does not match.
        assert_eq!(code(&[version, method, (NAME, "7")], "tools/call", modern(json!(7))), Err(HEADER_MISMATCH));
        let list = [version, (METHOD, "tools/list")];
        assert_eq!(code(&list, "tools/list", modern(Value::Null)), Ok(Era::Modern));
        assert_eq!(code(&list, "tools/list", json!({})), Err(-32602), "it must name its version");
        let strange = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2031-01-01" } });
        assert_eq!(code(&[(VERSION, "2031-01-01")], "tools/list", strange), Err(-32022));
    }

    #[test]
    fn a_request_of_the_time_before_needs_no_header_and_no_session() {
        let list = |headers: &[(&'static str, &str)]| code(headers, "tools/list", json!({}));
        assert_eq!(list(&[]), Ok(Era::Legacy));
        for version in LEGACY {
            assert_eq!(list(&[(VERSION, version)]), Ok(Era::Legacy));
        }
        assert_eq!(list(&[(VERSION, "1999-01-01")]), Err(-32022));
        assert_eq!(list(&[(SESSION, "of-another-server")]), Err(INVALID_REQUEST));
        assert_eq!(code(&[(SESSION, "of-another-server")], "initialize", json!({})), Ok(Era::Legacy));
    }
}
