//! Errors of requests to Jira, with messages that say what to do.

/// The reason for a request without a usable answer. The messages contain no secrets, and of the texts of issues only
/// the title of an issue that is being created; for an invalid request they contain Jira's own messages about its
/// fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JiraError {
    /// The environment names no site.
    #[error("no Jira address found: set JIRA_BASE_URL, e.g. https://nordwind.atlassian.net")]
    NoSite,
    /// The address is not valid or not safe.
    #[error("the address of Jira, `{0}`, cannot be used: write an https address, e.g. https://nordwind.atlassian.net")]
    BadAddress(String),
    /// A variable has an invalid value.
    #[error("`{value}` is not valid for {name}: {remedy}")]
    BadVariable {
        /// The name of the variable.
        name: &'static str,
        /// The value of the variable.
        value: String,
        /// The value to write instead.
        remedy: &'static str,
    },
    /// A text is not an issue key.
    #[error("`{0}` is not an issue key: write e.g. PAY-123")]
    BadKey(String),
    /// A text is not a project key.
    #[error("`{0}` is not the key of a project: write e.g. PAY")]
    BadProject(String),
    /// No credentials are set, but writing needs them.
    #[error("no Jira credentials found: set JIRA_EMAIL and JIRA_API_TOKEN (Cloud), or JIRA_TOKEN (Server)")]
    NoCredentials,
    /// Jira refused the request.
    #[error("{doing}: Jira answered {status}{}", hint(*.status))]
    Refused {
        /// The operation that failed.
        doing: String,
        /// The HTTP status of the answer.
        status: u16,
    },
    /// Jira rejected the content of the request.
    #[error("{doing}: Jira refused {}", refused(.fields, .messages))]
    Invalid {
        /// The operation that failed.
        doing: String,
        /// The fields of the issue that Jira refused or that are missing, each with the reason.
        fields: Vec<(String, String)>,
        /// The reasons that are not about a field.
        messages: Vec<String>,
    },
    /// Jira did not answer the request.
    #[error("{doing}: {message}")]
    Unreachable {
        /// The operation that failed.
        doing: String,
        /// The reason, as the network reports it.
        message: String,
    },
    /// The answer differs from Atlassian's documentation.
    #[error("{doing}: the answer cannot be read ({message})")]
    Malformed {
        /// The operation that failed.
        doing: String,
        /// The position of the fault in the answer.
        message: String,
    },
}

impl JiraError {
    /// The HTTP status of a refusal.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::Invalid { .. } => Some(400),
            _ => None,
        }
    }
}

/// The reasons of an invalid request, with advice.
fn refused(fields: &[(String, String)], messages: &[String]) -> String {
    let mut out = fields.iter().map(|(field, reason)| format!("the field `{field}` ({reason})")).collect::<Vec<_>>();
    out.extend(messages.iter().map(|message| format!("the request ({message})")));
    let advice = match fields {
        [] => "",
        [(field, _)] if field == "issuetype" => ": name a type of issue that the project has, e.g. jira=PAY:Task",
        _ => {
            ": fields that it requires must be optional or have a default for this type of issue, and summary, description and \
             labels must be on its screens; jira=PAY:Task names another type"
        }
    };
    format!("{}{advice}", out.join(", "))
}

fn hint(status: u16) -> &'static str {
    match status {
        401 => ": check JIRA_EMAIL and JIRA_API_TOKEN (Cloud) or JIRA_TOKEN (Server)",
        403 => {
            ": the account lacks a permission; it needs Browse projects and Edit issues, for comments Add comments and Edit own \
             comments, for a plan Create issues and Link issues"
        }
        404 => ": it does not exist, or the account cannot see it",
        429 => ": too many requests, run it again later",
        301 | 302 | 307 | 308 => ": it has moved, check JIRA_BASE_URL",
        _ => "",
    }
}
