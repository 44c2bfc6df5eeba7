//! Messages of the protocol: requests, results and errors in both eras, by JSON-RPC 2.0.

use serde_json::{Map, Value, json};

use reqgate_guardrail::without_secrets;

/// The version in which every request names its version (no handshake).
pub const MODERN: &str = "2026-07-28";
/// The versions that begin with `initialize`, the newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Where a modern request names its version.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// Where a modern request says what its client can do.
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// Where a modern result names the server.
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// The message is not JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The message is not a request.
pub const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters do not fit.
pub const INVALID_PARAMS: i64 = -32602;
/// The request could not be answered although it is right.
pub const INTERNAL_ERROR: i64 = -32603;
/// A header says something else than the request, or is missing (2026-07-28, over HTTP).
pub const HEADER_MISMATCH: i64 = -32020;
/// The version is not one of the server's (2026-07-28).
const UNSUPPORTED_VERSION: i64 = -32022;

/// The era in which a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Versions with a handshake.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// An error of the protocol: the request itself is wrong. What a tool cannot do is a result instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The code.
    pub code: i64,
    /// What is wrong and what to do.
    pub message: String,
    /// More of it, for programs.
    pub data: Option<Box<Value>>,
}

impl Fault {
    /// A fault without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: without_secrets(&message.into()).into_owned(), data: None }
    }
}

/// What a message is.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// A request, to be answered under its id.
    Request {
        /// A string or an integer.
        id: Value,
        /// The method.
        method: String,
        /// The parameters; empty if there are none.
        params: Map<String, Value>,
    },
    /// Something that is not answered.
    Other,
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// Fails with the id, if there is one, and what is wrong.
    pub fn read(value: Value) -> Result<Self, (Value, Fault)> {
        let Value::Object(mut fields) = value else {
            return Err((Value::Null, Fault::new(INVALID_REQUEST, "a message is a JSON object")));
        };
        let id = fields.remove("id");
        let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
        let known = id.clone().filter(is_id).unwrap_or(Value::Null);
        // A notification is never answered, whatever is wrong with it.
        if id.is_none() && fields.contains_key("method") {
            return Ok(Self::Other);
        }
        let wrong = |message: &str| Err((known.clone(), Fault::new(INVALID_REQUEST, message)));
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return wrong("write \"jsonrpc\": \"2.0\"");
        }
        let Some(method) = fields.remove("method") else {
            // A response that nobody waits for.
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
pub fn version_of(params: &Map<String, Value>) -> Option<&Value> {
    params.get("_meta")?.get(VERSION_KEY)
}

/// What the client of a modern request can do.
pub fn capabilities_of(params: &Map<String, Value>) -> Option<&Value> {
    params.get("_meta")?.get(CAPABILITIES_KEY)
}

/// Checks that a request names the version 2026-07-28, and says what its client can do.
///
/// # Errors
/// Fails if it does not.
pub fn check_modern(params: &Map<String, Value>) -> Result<(), Fault> {
    match (version_of(params), capabilities_of(params)) {
        (Some(version), _) if version != MODERN => Err(unsupported(version)),
        (Some(_), Some(Value::Object(_))) => Ok(()),
        _ => Err(Fault::new(INVALID_PARAMS, format!("name {VERSION_KEY} and the object {CAPABILITIES_KEY} in _meta"))),
    }
}

/// The fault of a version that this server does not have in the modern form of requests.
pub fn unsupported(requested: &Value) -> Fault {
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

/// The version that an `initialize` is answered with: the wanted one, or else the newest.
pub fn negotiated(wanted: Option<&str>) -> &'static str {
    LEGACY.into_iter().find(|version| wanted == Some(version)).unwrap_or(LEGACY[0])
}

/// The name of the server.
pub fn server_info() -> Value {
    json!({ "name": "reqgate", "title": "reqgate, the quality gate for requirements", "version": env!("CARGO_PKG_VERSION") })
}

/// A result as the era has it.
pub fn result(era: Era, mut result: Map<String, Value>, is_cacheable: bool) -> Value {
    if era == Era::Modern {
        result.insert("resultType".to_owned(), "complete".into());
        if is_cacheable {
            // Documents and threads change at any time.
            result.insert("ttlMs".to_owned(), 0.into());
            result.insert("cacheScope".to_owned(), "private".into());
        }
        result.insert("_meta".to_owned(), json!({ SERVER_KEY: server_info() }));
    }
    Value::Object(result)
}

/// The response to a request. Without an id, because none could be read, it has none: the protocol knows no `null`.
pub fn response(id: Value, answer: Result<Value, Fault>) -> Value {
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
