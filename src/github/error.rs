//! What can go wrong on the way to GitHub, in words that say what to do.

/// A request that did not lead to an answer one can use. Tokens and the texts of issues are in none of the messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GithubError {
    /// The address of the API is none, or not a safe one.
    #[error(
        "the address of GitHub's API, `{0}`, cannot be used: write an https address, e.g. https://ghe.example/api/v3"
    )]
    BadAddress(String),
    /// GitHub said no.
    #[error("{doing}: GitHub answered {status}{}{}", worded(.message), .permissions.as_deref().map(needed).unwrap_or_default())]
    Refused {
        /// What was being done.
        doing: String,
        /// The HTTP status.
        status: u16,
        /// GitHub's own words, shortened; may be empty.
        message: String,
        /// The permissions that GitHub says the request needs, e.g. `issues=write`.
        permissions: Option<String>,
    },
    /// GitHub asks to wait longer than there is time.
    #[error("{doing}: GitHub asks to wait {seconds} s, longer than the time left for waiting: run it again later")]
    RateLimited {
        /// What was being done.
        doing: String,
        /// Seconds that GitHub asks for.
        seconds: u64,
    },
    /// No answer came.
    #[error("{doing}: {message}")]
    Unreachable {
        /// What was being done.
        doing: String,
        /// Why.
        message: String,
    },
    /// The answer is not what GitHub documents.
    #[error("{doing}: the answer cannot be read: {message}")]
    Malformed {
        /// What was being done.
        doing: String,
        /// What is wrong with it.
        message: String,
    },
    /// The next page lies on another server; the token would go there too.
    #[error("{doing}: the next page is on another server and was not read")]
    ForeignPage {
        /// What was being done.
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

    /// True if a request that changes something may have been carried out although no good answer came.
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
