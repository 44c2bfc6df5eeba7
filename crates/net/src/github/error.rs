//! Errors of requests to GitHub, with messages that say what to do.

/// The reason for a request without a usable answer. The messages contain neither tokens nor texts of issues.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GithubError {
    /// The address of the API is not valid or not safe.
    #[error(
        "the address of GitHub's API, `{0}`, cannot be used: write an https address, e.g. https://ghe.example/api/v3"
    )]
    BadAddress(String),
    /// GitHub refused the request.
    #[error("{doing}: GitHub answered {status}{}{}", worded(.message), .permissions.as_deref().map(needed).unwrap_or_default())]
    Refused {
        /// The operation that failed.
        doing: String,
        /// The HTTP status of the answer.
        status: u16,
        /// GitHub's own message, shortened; may be empty.
        message: String,
        /// The permissions that GitHub says the request needs, e.g. `issues=write`.
        permissions: Option<String>,
    },
    /// GitHub asks for a longer wait than the time that is left.
    #[error("{doing}: GitHub asks to wait {seconds} s, which is too long for this run: run it again later")]
    RateLimited {
        /// The operation that failed.
        doing: String,
        /// The number of seconds to wait.
        seconds: u64,
    },
    /// GitHub did not answer.
    #[error("{doing}: {message}")]
    Unreachable {
        /// The operation that failed.
        doing: String,
        /// The reason, as the network reports it.
        message: String,
    },
    /// The answer differs from GitHub's documentation.
    #[error("{doing}: the answer cannot be read: {message}")]
    Malformed {
        /// The operation that failed.
        doing: String,
        /// The fault of the answer.
        message: String,
    },
    /// The next page is on another server, which must not receive the token.
    #[error("{doing}: the next page is on another server and was not read")]
    ForeignPage {
        /// The operation that failed.
        doing: String,
    },
}

impl GithubError {
    /// The HTTP status, if GitHub answered.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::RateLimited { .. } => Some(429),
            _ => None,
        }
    }

    /// Returns true if a request that changes something may have been carried out although no good answer arrived.
    pub fn may_have_landed(&self) -> bool {
        match self {
            Self::Refused { status, .. } => *status >= 500,
            Self::Unreachable { .. } | Self::Malformed { .. } => true,
            Self::BadAddress(_) | Self::RateLimited { .. } | Self::ForeignPage { .. } => false,
        }
    }
}

fn worded(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(" ({message})") }
}

fn needed(permissions: &str) -> String {
    format!("; the token needs {permissions}: set it under `permissions:` in the workflow")
}
