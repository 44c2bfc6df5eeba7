//! The credentials for Jira, in a form that cannot be printed by accident.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A secret that authenticates to Jira. It has no `Display`, and its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials(String);

impl Credentials {
    /// Creates credentials from the API token of an account on Cloud; `None` if either is blank.
    pub(crate) fn basic(email: &str, token: &str) -> Option<Self> {
        let (email, token) = (email.trim(), token.trim());
        let is_there = !email.is_empty() && !token.is_empty();
        is_there.then(|| Self(format!("Basic {}", STANDARD.encode(format!("{email}:{token}")))))
    }

    /// Creates credentials from a personal access token of Server or Data Center, or an OAuth token; `None` if it is
    /// blank.
    pub(crate) fn bearer(token: &str) -> Option<Self> {
        let token = token.trim();
        (!token.is_empty()).then(|| Self(format!("Bearer {token}")))
    }

    /// The value of the header, used only to send it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_cannot_be_printed() {
        let basic = Credentials::basic("a@nordwind.example", " secret ").unwrap();
        assert_eq!(format!("{basic:?}"), "Credentials(…)");
        assert_eq!(basic.expose(), "Basic YUBub3Jkd2luZC5leGFtcGxlOnNlY3JldA==");
        assert_eq!(Credentials::bearer("t").unwrap().expose(), "Bearer t");
        assert_eq!((Credentials::bearer(" "), Credentials::basic("a", "")), (None, None));
    }
}
