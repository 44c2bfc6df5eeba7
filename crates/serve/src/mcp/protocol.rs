//! Messages of the protocol by JSON-RPC 2.0: requests, results and errors in both eras.

use serde_json::{Map, Value, json};

use reqgate_guardrail::without_secrets;

/// The version in which every request names its version, without a handshake.
pub(crate) const MODERN: &str = "2026-07-28";
/// The versions that begin with `initialize`, the newest first.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The field in which a modern request names its version.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The field in which a modern request names the capabilities of its client.
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// The field in which a modern result names the server.
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// The code for a message that is not JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The code for a message that is not a request.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// The code for an unknown method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The code for invalid parameters.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// The code for a valid request that could not be answered.
pub(crate) const INTERNAL_ERROR: i64 = -32603;
/// The code for a header that is missing or differs from the request (2026-07-28, over HTTP).
#[cfg(feature = "service")]
pub(crate) const HEADER_MISMATCH: i64 = -32020;
/// The code for a version that the server does not support (2026-07-28).
const UNSUPPORTED_VERSION: i64 = -32022;

/// The era in which a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// The versions with a handshake.
    Legacy,
    /// The version 2026-07-28, without a handshake.
    Modern,
}

/// An error of the protocol: the request itself is wrong. A failure of a tool is a result instead.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    /// The error code by JSON-RPC.
    pub code: i64,
    /// The problem and its solution.
    pub message: String,
    /// Further data for programs.
    pub data: Option<Box<Value>>,
}

impl Fault {
    /// Creates a fault without data.
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: without_secrets(&message.into()).into_owned(), data: None }
    }
}

/// A message of the client.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// A request, to be answered under its id.
    Request {
        /// The id: a string or an integer.
        id: Value,
        /// The name of the method.
        method: String,
        /// The parameters; empty if there are none.
        params: Map<String, Value>,
    },
    /// A message without an answer.
    Other,
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// Fails with the id, if there is one, and the problem.
    pub(crate) fn read(value: Value) -> Result<Self, (Value, Fault)> {
        let Value::Object(mut fields) = value else {
            return Err((Value::Null, Fault::new(INVALID_REQUEST, "a message is a JSON object")));
        };
        let id = fields.remove("id");
        let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
        let known = id.clone().filter(is_id).unwrap_or(Value::Null);
        // A notification is never answered, even if it is not valid.
        if id.is_none() && fields.contains_key("method") {
            return Ok(Self::Other);
        }
        let wrong = |message: &str| Err((known.clone(), Fault::new(INVALID_REQUEST, message)));
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return wrong("write \"jsonrpc\": \"2.0\"");
        }
        let Some(method) = fields.remove("method") else {
            // A response to no open request.
            let is_response = fields.contains_key("result") || fields.contains_key("error");
            return if is_response { Ok(Self::Other) } else { wrong("a request has a method") };
        };
        let Value::String(method) = method else { return wrong("a method is a string") };
        let params = match fields.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return wrong("params is an object"),
        };
        match id {
            None => Ok(Self::Other),
            Some(id) if is_id(&id) => Ok(Self::Request { id, method, params }),
            Some(_) => wrong("an id is a string or an integer"),
        }
    }
}

/// The version that a modern request names.
pub(crate) fn version_of(params: &Map<String, Value>) -> Option<&Value> {
    params.get("_meta")?.get(VERSION_KEY)
}

/// The capabilities of a modern request's client.
pub(crate) fn capabilities_of(params: &Map<String, Value>) -> Option<&Value> {
    params.get("_meta")?.get(CAPABILITIES_KEY)
}

/// Checks that a request names the version 2026-07-28 and the capabilities of its client.
///
/// # Errors
/// Fails if one of them is missing or wrong.
pub(crate) fn check_modern(params: &Map<String, Value>) -> Result<(), Fault> {
    match (version_of(params), capabilities_of(params)) {
        (Some(version), _) if version != MODERN => Err(unsupported(version)),
        (Some(_), Some(Value::Object(_))) => Ok(()),
        _ => Err(Fault::new(INVALID_PARAMS, format!("name {VERSION_KEY} and the object {CAPABILITIES_KEY} in _meta"))),
    }
}

/// The fault for a version that this server does not support in the modern form of requests.
pub(crate) fn unsupported(requested: &Value) -> Fault {
    let requested = match requested {
        Value::String(words) => without_secrets(words).into(),
        other => other.clone(),
    };
    Fault {
        code: UNSUPPORTED_VERSION,
        message: format!("unsupported protocol version: use {MODERN}, or begin with initialize"),
        data: Some(Box::new(json!({ "supported": [MODERN], "requested": requested }))),
    }
}

/// The version in the answer to `initialize`: the requested one, or else the newest.
pub(crate) fn negotiated(wanted: Option<&str>) -> &'static str {
    LEGACY.into_iter().find(|version| wanted == Some(version)).unwrap_or(LEGACY[0])
}

/// The name and version of the server.
pub(crate) fn server_info() -> Value {
    json!({ "name": "reqgate", "title": "reqgate, the quality gate for requirements", "version": env!("CARGO_PKG_VERSION") })
}

/// A result in the form of the era.
pub(crate) fn result(era: Era, mut result: Map<String, Value>, is_cacheable: bool) -> Value {
    if era == Era::Modern {
        result.insert("resultType".to_owned(), "complete".into());
        if is_cacheable {
            // Documents and threads change at any time, so results are not cached.
            result.insert("ttlMs".to_owned(), 0.into());
            result.insert("cacheScope".to_owned(), "private".into());
        }
        result.insert("_meta".to_owned(), json!({ SERVER_KEY: server_info() }));
    }
    Value::Object(result)
}

/// The response to a request. If the id could not be read, the response has none, because the protocol does not allow
/// `null`.
pub(crate) fn response(id: Value, answer: Result<Value, Fault>) -> Value {
    let mut response = json!({ "jsonrpc": "2.0" });
    if !id.is_null() {
        response["id"] = id;
    }
    match answer {
        Ok(result) => response["result"] = result,
        Err(Fault { code, message, data }) => {
            response["error"] = json!({ "code": code, "message": message });
            if let Some(data) = data {
                response["error"]["data"] = *data;
            }
        }
    }
    response
}
