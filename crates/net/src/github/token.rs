//! A token that cannot be printed by accident.

use std::fmt;

/// A secret that authenticates to GitHub. It has no `Display`, and its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Wraps a token; `None` if it is blank.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The secret itself, used only to write the header.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_cannot_be_printed() {
        let token = Token::new(" ghs_abcdef\n").expect("it is not blank");
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(token.expose(), "ghs_abcdef");
        assert_eq!(Token::new(" \n"), None);
    }
}
