//! A problem in submitted data, and its path.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A problem in a result or an answer, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// The place in the JSON, such as `requirements[2].title`; `.` for the whole.
    pub path: String,
    /// The problem and its correction.
    pub message: String,
}

impl Problem {
    /// A problem that concerns the whole result.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { path: ".".to_owned(), message: message.into() }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}
