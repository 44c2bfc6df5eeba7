//! A value in force, with its origin.

use std::fmt;

use reqgate_base::yaml::Place;

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The default that ships with reqgate.
    Default,
    /// A line of the configuration file.
    File(Place),
    /// The user's own configuration.
    Own,
    /// An environment variable, with its name.
    Environment(&'static str),
    /// A flag of the command line.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(place) => write!(f, "file, line {}", place.line),
            Self::Own => f.write_str("your own configuration"),
            Self::Environment(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting<T> {
    /// The value in force.
    pub value: T,
    /// The place that set the value.
    pub origin: Origin,
}

impl<T> Setting<T> {
    /// Makes a setting from a value and its origin.
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}
