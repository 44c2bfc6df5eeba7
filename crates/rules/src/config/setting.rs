//! A value in force, with its origin.

use std::fmt;

use reqgate_base::yaml::Place;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// The default that ships with reqgate.
    #[default]
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
#[derive(Debug, Clone, PartialEq, Default)]
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

    /// Takes over a stated value with its origin.
    pub(super) fn take(&mut self, stated: Option<T>, origin: Origin) {
        if let Some(value) = stated {
            *self = Self { value, origin };
        }
    }
}

impl<T> Setting<Option<T>> {
    /// Takes over a stated value of a setting that may also be unset.
    pub(super) fn take_stated(&mut self, stated: Option<T>, origin: Origin) {
        self.take(stated.map(Some), origin);
    }

    /// The first stated value, or unset by default.
    pub(super) fn first(candidates: impl IntoIterator<Item = (Option<T>, Origin)>) -> Self {
        let found = candidates.into_iter().find(|(value, _)| value.is_some());
        found.map_or_else(Self::default, |(value, origin)| Self { value, origin })
    }
}

/// The variant that has this name in a configuration file.
pub(super) fn named<T: DeserializeOwned>(name: &str) -> Option<T> {
    let name: StrDeserializer<'_, Error> = name.into_deserializer();
    T::deserialize(name).ok()
}
