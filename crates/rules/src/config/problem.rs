//! The problems of a configuration, with their places and remedies.

use std::fmt;

use reqgate_base::yaml::Place;

/// One problem of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, the environment variable or the flag.
    pub source: String,
    /// The place in the file.
    pub place: Option<Place>,
    /// The problem, and the text to write instead.
    pub message: String,
}

impl Problem {
    /// Makes a problem without a place.
    pub fn new(source: impl Into<String>, message: impl Into<String>) -> Self {
        Self { source: source.into(), place: None, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "{}:{place}: {}", self.source, self.message),
            None => write!(f, "{}: {}", self.source, self.message),
        }
    }
}

/// All problems of a configuration; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError(pub Vec<Problem>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}
