//! The client for Jira: reads issues, maintains one comment, and finds and writes the issues of a plan; on Cloud (API
//! 3, Atlassian Document Format) and on Server and Data Center (API 2, wiki markup).
//!
//! This module is independent of requirements, verdicts and reports: it receives texts as JSON in the site's format.
//! The id of reqgate's comment is stored in an entity property of the issue, because a comment cannot contain an
//! invisible marker. A property that points at another person's comment is ignored.

mod client;
mod credentials;
mod error;
mod issues;
mod site;
#[cfg(any(test, feature = "stand-in"))]
#[allow(missing_docs, clippy::unwrap_used)]
pub mod stand_in;

#[cfg(test)]
mod tests;

pub use client::{Client, Memory, PROPERTY, words_of};
pub use credentials::Credentials;
pub use error::JiraError;
pub use issues::{LinkEnd, LinkType, NewIssue, ProjectIssue};
pub use site::{Api, IssueKey, ProjectKey, Site};
