//! Requests and answers.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Makes something new.
    Post,
    /// Replaces something.
    Put,
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
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The whole address; for GitHub also a path below the address of its API.
    pub address: String,
    /// Headers in addition to those that the client sends with every request; secret ones are marked as sensitive.
    pub headers: HeaderMap,
    /// The JSON to send.
    pub body: Option<Value>,
    /// Longest time for it and its answer, if not that of the client.
    pub timeout: Option<Duration>,
}

impl Request {
    /// A request that reads.
    pub fn get(address: impl Into<String>) -> Self {
        Self::new(Method::Get, address, None)
    }

    /// A request with or without a body.
    pub fn new(method: Method, address: impl Into<String>, body: Option<Value>) -> Self {
        Self { method, address: address.into(), headers: HeaderMap::new(), body, timeout: None }
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// An answer with headers; invalid names and values are left out.
    pub fn new(status: u16, headers: &[(&str, &str)], body: Vec<u8>) -> Self {
        let pairs = headers
            .iter()
            .filter_map(|(name, value)| Some((HeaderName::try_from(*name).ok()?, HeaderValue::from_str(value).ok()?)));
        Self { status, headers: pairs.collect(), body }
    }

    pub(super) fn received(status: u16, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self { status, headers, body }
    }

    /// A header as text, without white space around it.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// True for the statuses that mean yes.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}
