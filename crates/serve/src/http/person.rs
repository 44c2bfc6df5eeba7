//! The sender of a request: the bearer of a token, or the person of this machine.

use axum::http::StatusCode;

use super::error::ProblemDetails;
use super::tokens::Role;

/// The authenticated sender of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name under which answers and approvals are recorded.
    pub name: String,
    /// The rights of the person.
    pub role: Role,
    /// The channel that is recorded with answers: `rest` or `page`.
    pub channel: &'static str,
}

impl Person {
    /// Returns an error if the person's role does not include this one.
    ///
    /// # Errors
    /// A problem with the status 403.
    pub(crate) fn must_be(&self, role: Role) -> Result<(), ProblemDetails> {
        if self.role >= role {
            return Ok(());
        }
        let detail =
            format!("this needs the role `{}`; the token of `{}` has `{}`", role.name(), self.name, self.role.name());
        Err(ProblemDetails::new(StatusCode::FORBIDDEN, detail))
    }
}
