//! The ids of features and of requirements.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The id of a feature and the name of its directory: three digits, a hyphen and a slug, such as `004-export-orders`. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^[0-9]{3,}-[a-z0-9]+(-[a-z0-9]+)*$"))]
pub struct FeatureId(String);

/// The error for a text that is not a feature id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a feature id: write three digits and a slug, such as 004-export-orders")]
pub struct FeatureIdError(String);

impl FeatureId {
    /// The longest feature id, in characters, because it is the name of a directory.
    pub(crate) const LONGEST: usize = 60;

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FeatureId {
    type Err = FeatureIdError;

    fn from_str(text: &str) -> Result<Self, FeatureIdError> {
        let well_formed = text.len() <= Self::LONGEST
            && text.split_once('-').is_some_and(|(number, slug)| {
                number.len() >= 3
                    && number.bytes().all(|byte| byte.is_ascii_digit())
                    && slug.split('-').all(|part| {
                        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                    })
            });
        if well_formed { Ok(Self(text.to_owned())) } else { Err(FeatureIdError(text.to_owned())) }
    }
}

impl TryFrom<String> for FeatureId {
    type Error = FeatureIdError;

    fn try_from(text: String) -> Result<Self, FeatureIdError> {
        text.parse()
    }
}

impl From<FeatureId> for String {
    fn from(id: FeatureId) -> Self {
        id.0
    }
}

impl fmt::Display for FeatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of a requirement: `FR-` for what the product does, `NFR-` for how well, and a number. Never reused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^(FR|NFR)-[0-9]{3,}$"))]
pub struct RequirementId {
    quality: bool,
    number: u32,
}

/// The error for a text that is not a requirement id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a requirement id: write FR-001 or NFR-001")]
pub struct RequirementIdError(String);

impl RequirementId {
    /// Creates the id of a functional requirement.
    pub fn functional(number: u32) -> Self {
        Self { quality: false, number }
    }

    /// Creates the id of a quality requirement (ISO 25010).
    pub fn quality(number: u32) -> Self {
        Self { quality: true, number }
    }

    /// Returns true for a quality requirement.
    pub fn is_quality(&self) -> bool {
        self.quality
    }

    /// Returns the number, without the prefix.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }
}

impl FromStr for RequirementId {
    type Err = RequirementIdError;

    fn from_str(text: &str) -> Result<Self, RequirementIdError> {
        let fault = || RequirementIdError(text.to_owned());
        let (prefix, digits) = text.split_once('-').ok_or_else(fault)?;
        let quality = match prefix {
            "FR" => false,
            "NFR" => true,
            _ => return Err(fault()),
        };
        if digits.len() < 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault());
        }
        Ok(Self { quality, number: digits.parse().map_err(|_| fault())? })
    }
}

impl TryFrom<String> for RequirementId {
    type Error = RequirementIdError;

    fn try_from(text: String) -> Result<Self, RequirementIdError> {
        text.parse()
    }
}

impl From<RequirementId> for String {
    fn from(id: RequirementId) -> Self {
        id.to_string()
    }
}

impl fmt::Display for RequirementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", if self.quality { "NFR" } else { "FR" }, self.number)
    }
}
