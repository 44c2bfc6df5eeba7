//! The client for Jira: reads issues and keeps one comment, on Cloud (API 3, Atlassian Document Format) and on Server and
//! Data Center (API 2, wiki markup).
//!
//! Knows nothing of requirements or verdicts. Which comment is ours stands in an entity property of the issue, because a
//! comment has no room for a marker that people do not see; a property that points at somebody else's comment is not obeyed.

mod client;
mod credentials;
mod document;
mod error;
mod site;
mod transport;

#[cfg(test)]
mod tests;

pub use client::{Client, Kept, Memory, PROPERTY};
pub use credentials::Credentials;
pub use document::{Block, Document, Inline};
pub use error::JiraError;
pub use site::{Api, IssueKey, Site};
pub use transport::{Method, Network, Reply, Request, Transport, TransportError};
