//! The requests and answers of HTTP.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The method that reads a resource.
    Get,
    /// The method that creates a resource.
    Post,
    /// The method that replaces a resource.
    Put,
    /// The method that changes a resource.
    Patch,
    /// The method that deletes a resource.
    Delete,
}

impl Method {
    /// The name in the HTTP request, for the stand-ins.
    #[cfg(any(test, feature = "stand-in"))]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// An HTTP request with an optional JSON body.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The method of the request.
    pub method: Method,
    /// The complete address; for GitHub also a path below the address of its API.
    pub address: String,
    /// Headers in addition to those that the client sends with every request; secret ones are marked as sensitive.
    pub headers: HeaderMap,
    /// The JSON to send.
    pub body: Option<Value>,
    /// The longest time for the request and its answer, instead of the client's.
    pub timeout: Option<Duration>,
}

impl Request {
    /// Creates a request that reads.
    pub(crate) fn get(address: impl Into<String>) -> Self {
        Self::new(Method::Get, address, None)
    }

    /// Creates a request with or without a body.
    pub(crate) fn new(method: Method, address: impl Into<String>, body: Option<Value>) -> Self {
        Self { method, address: address.into(), headers: HeaderMap::new(), body, timeout: None }
    }
}

/// An HTTP answer with its complete body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status code.
    pub status: u16,
    headers: HeaderMap,
    /// The bytes of the body.
    pub body: Vec<u8>,
}

impl Reply {
    /// Creates an answer with headers; invalid names and values are left out.
    pub fn new(status: u16, headers: &[(&str, &str)], body: Vec<u8>) -> Self {
        let pairs = headers
            .iter()
            .filter_map(|(name, value)| Some((HeaderName::try_from(*name).ok()?, HeaderValue::from_str(value).ok()?)));
        Self { status, headers: pairs.collect(), body }
    }

    pub(super) fn received(status: u16, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self { status, headers, body }
    }

    /// The value of a header as text, without surrounding white space.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// Returns true for a status of success (2xx).
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}
