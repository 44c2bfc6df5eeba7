//! The key of a provider: can be sent, and cannot be printed.

use std::fmt;
use std::path::Path;

use super::{AskError, Provider};

/// A key. Its `Debug` is `[key]`; it has no `Display` and is not serialised. The text is overwritten by nothing: a process that
/// can read our memory can read the environment too.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A shorter key is a word such as `none` that may stand in any text.
const SHORTEST_SECRET: usize = 8;

/// A file with a key is longer than this only by mistake, in bytes.
const LONGEST: u64 = 4096;

impl ApiKey {
    /// A key of at least 1 and at most 4,096 visible ASCII characters; white space around it is dropped.
    ///
    /// # Errors
    /// [`AskError::Configuration`], which does not repeat the key.
    pub fn new(text: &str) -> Result<Self, AskError> {
        let text = text.trim();
        if text.is_empty() || text.len() as u64 > LONGEST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AskError::configuration(
                "the API key is not valid: it must be one line of visible ASCII characters",
            ));
        }
        Ok(Self(text.to_string()))
    }

    /// Names of the environment variables that may hold the key of `provider`; the first that is set wins.
    pub fn variables(provider: Provider) -> &'static [&'static str] {
        provider.profile().key_variables
    }

    /// Reads the key of `provider` through `variable`; `None` if no variable of its names is set.
    ///
    /// # Errors
    /// [`AskError::Configuration`] if the variable holds no key.
    pub fn from_environment(
        provider: Provider,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, AskError> {
        let value =
            Self::variables(provider).iter().find_map(|name| variable(name).filter(|value| !value.trim().is_empty()));
        value.map(|value| Self::new(&value)).transpose()
    }

    /// Reads the key from a file that nobody but its owner can read.
    ///
    /// # Errors
    /// [`AskError::Configuration`] if it cannot be read, is readable by others, or holds no key.
    pub fn from_file(path: &Path) -> Result<Self, AskError> {
        let refuse =
            |what: &str| AskError::configuration(format!("reading the API key from {}: {what}", path.display()));
        let about = std::fs::metadata(path).map_err(|error| refuse(&error.to_string()))?;
        if !about.is_file() || about.len() > LONGEST {
            return Err(refuse("it is not a file with exactly one key"));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            if about.permissions().mode() & 0o077 != 0 {
                return Err(refuse("other users can read it; run chmod 600 on it"));
            }
        }
        let text = crate::files::text(path, LONGEST).map_err(|error| refuse(&error.to_string()))?;
        Self::new(&text)
    }

    /// A text without the key. A word of a few letters, as servers of one's own take for a key, is no secret and stays.
    pub(super) fn out_of(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SECRET { text.to_string() } else { text.replace(&self.0, "[key]") }
    }

    /// The key itself, for the header of a request and for taking it out of what a server says.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}
