//! Identifiers that people type and machines compare: rule ids and finding fingerprints.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;

/// The kebab-case name of a rule, which names the fault, e.g. `missing-acceptance-criteria`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RuleId(String);

/// A text that is not a rule id.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a rule id: use lower-case words joined by hyphens, e.g. `vague-term`")]
pub struct InvalidRuleId(String);

impl RuleId {
    /// Checks a kebab-case name.
    ///
    /// # Errors
    /// Fails unless the name is words of `a-z0-9` joined by single hyphens, starting with a letter, at most 64 characters.
    pub fn new(name: impl Into<String>) -> Result<Self, InvalidRuleId> {
        let name = name.into();
        let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let starts_well = name.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        if starts_well && name.len() <= 64 && name.split('-').all(word) {
            Ok(Self(name))
        } else {
            Err(InvalidRuleId(name))
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RuleId {
    type Error = InvalidRuleId;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl From<RuleId> for String {
    fn from(id: RuleId) -> Self {
        id.0
    }
}

impl JsonSchema for RuleId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RuleId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$", "maxLength": 64 })
    }
}

impl std::borrow::Borrow<str> for RuleId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Sixteen hexadecimal digits that name a finding by its rule and its words, so that it survives moving the line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Fingerprint(pub String);

impl Fingerprint {
    /// Hashes these parts to a fingerprint.
    pub fn of(parts: &[&str]) -> Self {
        Self(parts.iter().fold(Hash::default(), |hash, part| hash.and(part).and([0])).short())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
