//! The client for GitHub: reads issues, maintains one comment and a few labels, and waits as GitHub asks.
//!
//! This module is independent of requirements and verdicts. Its interface is blocking; octocrab sends the requests over
//! the client of this crate. It uses only octocrab's raw methods and separate models of issues, because octocrab's
//! typed ones differ from GitHub's documentation: updating a comment sends POST where PATCH is documented, and an issue
//! or comment whose author was deleted (`"user": null`) or a label given as a bare name cannot be read.

mod branch;
mod client;
mod error;
mod issues;
mod pages;
mod past;
mod pull;
mod rate_limit;
mod repository;
mod token;
mod transport;

#[cfg(any(test, feature = "stand-in"))]
#[allow(missing_docs, clippy::unwrap_used)]
pub mod stand_in;
#[cfg(test)]
mod tests;

pub use branch::{Change, Commit, Entry, EntryKind, Moved};
pub use client::Client;
pub use error::GithubError;
pub use issues::{Account, AccountKind, Comment, Issue, IssueState, IssuesWanted, Permission};
pub use pages::{Fetched, Page, PageAddress};
pub use past::PastPage;
pub use pull::{CheckConclusion, CheckRun, PullHead, PullRepository, PullRequest, Review, ReviewState};
pub use repository::{BadRepository, Repository};
pub use token::Token;
pub use transport::Octocrab;
