//! The client for GitHub: reads issues, keeps one comment and a few labels, and waits as GitHub asks.
//!
//! Knows nothing of requirements or verdicts. The surface is blocking; below it octocrab sends the requests. Only its raw
//! methods are used: its typed call to update a comment sends POST where GitHub documents PATCH.

mod client;
mod error;
mod issues;
mod pages;
mod repository;
mod retry;
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
pub use retry::{RetryClock, SystemClock};
pub use token::Token;
pub use transport::{Method, Octocrab, Reply, Request, Transport, TransportError};
