//! Errors of requests, with messages that contain neither addresses nor secrets.

use std::error::Error;

/// The kind of failure of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetFault {
    /// The connection could not be prepared: TLS, a header, the runtime.
    Setup,
    /// The request took too long.
    Timeout,
    /// No connection was established, or it broke off.
    Unreachable,
    /// The answer, with this HTTP status, is larger than the limit.
    TooLarge(u16),
}

/// A request that got no whole answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NetError {
    /// The kind of failure.
    pub fault: NetFault,
    /// The reason, without address and header.
    pub message: String,
    /// The request cannot have reached the server.
    pub is_before_sending: bool,
}

impl NetError {
    /// Creates an error for a connection that cannot be prepared.
    pub(crate) fn setup(message: impl Into<String>) -> Self {
        Self { fault: NetFault::Setup, message: message.into(), is_before_sending: true }
    }

    /// Creates an error for a request that may have been carried out although no answer arrived.
    pub(crate) fn lost(message: impl Into<String>) -> Self {
        Self { fault: NetFault::Unreachable, message: message.into(), is_before_sending: false }
    }

    pub(super) fn too_large(status: u16, most: u64) -> Self {
        let message = match most >> 20 {
            0 => format!("the answer is larger than {most} bytes"),
            mebibytes => format!("the answer is larger than {mebibytes} MiB"),
        };
        Self { fault: NetFault::TooLarge(status), message, is_before_sending: false }
    }

    /// Converts an error of the client, or of a library that uses it, through any wrappers.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Self {
        let Some(carried) = chain(error).find_map(|error| error.downcast_ref::<reqwest::Error>()) else {
            return Self::lost(words(error));
        };
        let is_before_sending = carried.is_connect();
        if carried.is_timeout() {
            return Self { fault: NetFault::Timeout, message: "the request timed out".to_owned(), is_before_sending };
        }
        let what = if is_before_sending { "no connection" } else { "the request failed" };
        // The client's errors repeat the address, which the caller already knows; the innermost cause does not contain
        // it.
        let cause = chain(error).last().filter(|error| !error.is::<reqwest::Error>()).map(first_line);
        let message = match cause.filter(|cause| !cause.is_empty()) {
            Some(cause) => format!("{what}: {cause}"),
            None => what.to_owned(),
        };
        Self { fault: NetFault::Unreachable, message, is_before_sending }
    }
}

/// The messages of an error and its causes, without repetitions.
pub(super) fn words(error: &(dyn Error + 'static)) -> String {
    let mut message = String::new();
    for error in chain(error) {
        let words = first_line(error);
        if !words.is_empty() && !message.contains(&words) {
            if !message.is_empty() {
                message.push_str(": ");
            }
            message.push_str(&words);
        }
    }
    message
}

/// An error and its causes, the deepest last.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The first line of the message, without the backtrace that errors of octocrab contain.
fn first_line(error: &(dyn Error + 'static)) -> String {
    error.to_string().lines().next().unwrap_or_default().trim().to_owned()
}
