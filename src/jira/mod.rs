//! The client for Jira: reads issues and keeps one comment, on Cloud (API 3, Atlassian Document Format) and on Server and
//! Data Center (API 2, wiki markup).
//!
//! Knows nothing of requirements, verdicts or reports: the comment comes as the JSON that the site takes. Which comment is ours stands in an entity property of the issue, because a
//! comment has no room for a marker that people do not see; a property that points at somebody else's comment is not obeyed.

mod client;
mod credentials;
mod error;
mod site;

#[cfg(test)]
mod tests;

pub use client::{Client, Memory, PROPERTY};
pub use credentials::Credentials;
pub use error::JiraError;
pub use site::{Api, IssueKey, Site};
