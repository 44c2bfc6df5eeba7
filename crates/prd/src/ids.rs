//! The ids of features, requirements and questions.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Serialises an id as its text.
macro_rules! as_text {
    ($id:ty, $error:ty) => {
        impl TryFrom<String> for $id {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, $error> {
                text.parse()
            }
        }

        impl From<$id> for String {
            fn from(id: $id) -> Self {
                id.to_string()
            }
        }
    };
}

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

as_text!(FeatureId, FeatureIdError);

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

as_text!(RequirementId, RequirementIdError);

impl fmt::Display for RequirementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", if self.quality { "NFR" } else { "FR" }, self.number)
    }
}

/// The id of a question of a feature: `Q-` and a number. It stays the same when the question is reworded or answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^Q-[0-9]{3,}$"))]
pub struct QuestionId(u32);

/// The error for a text that is not a question id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the id of a question: write Q-001")]
pub struct QuestionIdError(String);

impl QuestionId {
    /// The highest number, with nine digits.
    pub(crate) const HIGHEST: u32 = 999_999_999;

    /// Creates the id with a number.
    pub(crate) fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number, without the prefix.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// Splits `Q-001: Who pays?` into the id and the question; text without an id is returned as it is.
    pub(crate) fn split(words: &str) -> (Option<Self>, &str) {
        let of = |words: &str| {
            let (id, rest) = words.split_once([':', '：'])?;
            Some((id.parse().ok()?, rest.trim_start().len()))
        };
        match of(words) {
            Some((id, length)) => (Some(id), &words[words.len() - length..]),
            None => (None, words),
        }
    }

    /// Returns the ids that occur in a text as whole words, in the order of the text.
    pub(crate) fn all_in(text: &str) -> Vec<Self> {
        let mut found = Vec::new();
        for (at, _) in text.match_indices("Q-") {
            let digits = text[at + 2..].bytes().take_while(u8::is_ascii_digit).count();
            let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
            let (before, after) = (text[..at].chars().next_back(), text[at + 2 + digits..].chars().next());
            if let Ok(id) = text[at..at + 2 + digits].parse::<Self>()
                && !is_joined(before)
                && !is_joined(after)
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
        found
    }
}

impl FromStr for QuestionId {
    type Err = QuestionIdError;

    fn from_str(text: &str) -> Result<Self, QuestionIdError> {
        let digits = text
            .strip_prefix("Q-")
            .filter(|digits| (3..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or_else(|| QuestionIdError(text.to_owned()))
    }
}

as_text!(QuestionId, QuestionIdError);

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Q-{:03}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_question_is_split_off_and_found_as_a_whole_word() {
        let id = |number| QuestionId::new(number);
        assert_eq!(QuestionId::split("Q-001: Who pays?"), (Some(id(1)), "Who pays?"));
        assert_eq!(QuestionId::split("Q-012：谁来付？"), (Some(id(12)), "谁来付？"));
        for words in ["Who pays: A or B?", "Q-1: Who?", "Q-001 Who?", "FAQ-001: Who?", "", ":", "Q-99999999999: x"] {
            assert_eq!(QuestionId::split(words), (None, words));
        }
        assert_eq!(QuestionId::all_in("Q-002, (Q-001) and Q-002; 见Q-003。"), [id(2), id(1), id(3)]);
        assert_eq!(QuestionId::all_in("FAQ-001, Q-01, Q-001a, Q-001-2"), []);
    }
}
