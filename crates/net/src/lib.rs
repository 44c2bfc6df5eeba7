//! The only access to the network: a client with TLS, proxy, time limits and bounded answers, one way to retry, and
//! error messages. GitHub, Jira and the chat models use it; it does not depend on them.
//!
//! The interface is blocking. The runtime, which all clients share, and TLS are started by the first request.

mod address;
mod client;
mod error;
pub mod github;
pub mod jira;
pub mod llm;
mod message;
mod retry;
mod retry_client;
pub mod search;
pub mod sticky_comment;

pub use address::{is_loopback, is_safe_base, segment};
pub use client::{Client, ClientSettings, Transport, prepare_tls};
pub use error::{NetError, NetFault};
pub use message::{Method, Reply, Request};
pub use retry::{Clock, Repeat, RetryPolicy, SystemClock, retry_after, seconds};
pub use retry_client::{ExchangeError, RequestedWait, RetryClient};

#[cfg(test)]
mod tests;
