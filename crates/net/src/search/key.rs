//! The key of a search service, in a form that cannot be printed by accident.

use std::fmt;

use super::SearchError;

/// The longest key, in bytes.
const LONGEST: usize = 1_024;

/// A key. Its `Debug` is `[key]`; it has no `Display` and is not serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct SearchKey(String);

impl SearchKey {
    /// Reads the key from an environment variable; `None` if it is not set.
    ///
    /// # Errors
    /// Returns [`SearchError::BadKey`], which does not repeat the key, if it is not one line of visible ASCII
    /// characters.
    pub(crate) fn from_environment(
        name: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, SearchError> {
        let Some(text) = variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        match text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Some(Self(text))),
            false => Err(SearchError::BadKey(name.to_owned())),
        }
    }

    /// The key itself, for the header of a request.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SearchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_one_visible_line_and_is_never_shown() {
        let read = |value: &'static str| SearchKey::from_environment("K", |_| Some(value.to_owned()));
        let key = read(" tvly-1 \n").unwrap().unwrap();
        assert_eq!((format!("{key:?}").as_str(), key.reveal()), ("[key]", "tvly-1"));
        assert_eq!((read(" "), SearchKey::from_environment("K", |_| None)), (Ok(None), Ok(None)));
        for bad in ["a\nb", "schlüssel", "a b"] {
            let error = read(bad).unwrap_err();
            assert!(!error.to_string().contains(bad) && error.to_string().contains("in K"), "{error}");
        }
    }
}
