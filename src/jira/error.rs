//! Errors of requests to Jira, with messages that say what to do.

/// A request without a usable answer. The messages contain neither secrets nor texts of issues.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JiraError {
    /// The environment names no site.
    #[error("no Jira address found: set JIRA_BASE_URL, e.g. https://nordwind.atlassian.net")]
    NoSite,
    /// The address is not valid or not safe.
    #[error("the address of Jira, `{0}`, cannot be used: write an https address, e.g. https://nordwind.atlassian.net")]
    BadAddress(String),
    /// A variable has a value that cannot be.
    #[error("`{value}` is not valid for {name}: {remedy}")]
    BadVariable {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What to write instead.
        remedy: &'static str,
    },
    /// A text is not an issue key.
    #[error("`{0}` is not an issue key: write e.g. PAY-123")]
    BadKey(String),
    /// Nothing that authenticates is set, and it is needed to write.
    #[error("no Jira credentials found: set JIRA_EMAIL and JIRA_API_TOKEN (Cloud), or JIRA_TOKEN (Server)")]
    NoCredentials,
    /// Jira said no.
    #[error("{doing}: Jira answered {status}{}", hint(*.status))]
    Refused {
        /// The operation that failed.
        doing: String,
        /// The HTTP status.
        status: u16,
    },
    /// No answer came.
    #[error("{doing}: {message}")]
    Unreachable {
        /// The operation that failed.
        doing: String,
        /// Why.
        message: String,
    },
    /// The answer is not what Atlassian documents.
    #[error("{doing}: the answer cannot be read ({message})")]
    Malformed {
        /// The operation that failed.
        doing: String,
        /// Where.
        message: String,
    },
}

impl JiraError {
    /// The HTTP status of a refusal.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }
}

fn hint(status: u16) -> &'static str {
    match status {
        401 => ": check JIRA_EMAIL and JIRA_API_TOKEN (Cloud) or JIRA_TOKEN (Server)",
        403 => {
            ": the account lacks a permission; it needs Browse projects, Add comments, Edit own comments and Edit issues"
        }
        404 => ": it does not exist, or the account cannot see it",
        429 => ": too many requests, run it again later",
        301 | 302 | 307 | 308 => ": it has moved, check JIRA_BASE_URL",
        _ => "",
    }
}
