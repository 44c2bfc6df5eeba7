//! A value that is in force, with where it comes from.

use super::tree::Place;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Shipped with reqgate.
    Default,
    /// A line of the configuration file.
    File(Place),
    /// An environment variable.
    Environment(&'static str),
    /// A flag of the command line.
    Flag(&'static str),
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Setting<T> {
    /// A value from somewhere.
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}
