//! The client for GitHub: reads issues, keeps one comment and a few labels, and waits as GitHub asks.
//!
//! Knows nothing of requirements or verdicts. The surface is blocking; below it octocrab sends the requests over `net`. Only
//! its raw methods are used, and issues are read with models of our own, because its typed ones disagree with GitHub's
//! description: updating a comment sends POST where PATCH is documented, and an issue or comment whose author was deleted
//! (`"user": null`) or a label given as a bare name cannot be read.

mod client;
mod error;
mod issues;
mod pages;
mod rate_limit;
mod repository;
mod token;
mod transport;

#[cfg(test)]
pub(crate) mod stand_in;
#[cfg(test)]
mod tests;

pub use client::Client;
pub use error::GithubError;
pub use issues::{Account, AccountKind, Comment, Issue, IssueState, IssuesWanted, Permission};
pub use pages::{Fetched, Page, PageAddress};
pub use repository::{BadRepository, Repository};
pub use token::Token;
pub use transport::Octocrab;
