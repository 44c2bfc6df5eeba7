//! Names of models: `provider/name`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::provider::{PROVIDERS, Profile};
use crate::clean::short_line;

/// Whose wire format a model speaks: one of the profiles of `provider/`.
#[derive(Clone, Copy)]
pub struct Provider(&'static Profile);

impl Provider {
    /// Every provider.
    pub fn all() -> impl Iterator<Item = Self> {
        PROVIDERS.iter().copied().map(Self)
    }

    /// The provider of this name, e.g. `ollama`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|provider| provider.word() == name)
    }

    /// The word before the slash.
    pub fn word(self) -> &'static str {
        self.0.name
    }

    /// Everything that is known of it.
    pub(super) fn profile(self) -> &'static Profile {
        self.0
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        self.word() == other.word()
    }
}

impl Eq for Provider {}

impl Hash for Provider {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word().hash(state);
    }
}

impl PartialOrd for Provider {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Provider {
    fn cmp(&self, other: &Self) -> Ordering {
        self.word().cmp(other.word())
    }
}

/// A provider and the name of one of its models, e.g. `ollama/qwen2.5:7b`. There is no default: models come and go.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelName {
    provider: Provider,
    name: String,
}

/// Why a text is no name of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a model: write {forms}", forms = forms())]
pub struct InvalidModelName(String);

impl ModelName {
    /// The name of a model of `provider`: 1 to 200 characters, no white space, no control characters.
    ///
    /// # Errors
    /// Fails if the name cannot be one.
    pub fn new(provider: Provider, name: &str) -> Result<Self, InvalidModelName> {
        let fits = !name.is_empty()
            && name.len() <= 200
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c))
            && !name.split('/').any(|part| part.is_empty() || part == "." || part == "..");
        match fits {
            true => Ok(Self { provider, name: name.to_string() }),
            false => Err(InvalidModelName(format!("{}/{}", provider.word(), shown(name)))),
        }
    }

    /// Whose wire format it speaks.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// The name without the provider, as it is sent.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// How the name of a model is written, for each provider.
fn forms() -> String {
    let forms: Vec<String> = Provider::all().map(|provider| format!("{}/NAME", provider.word())).collect();
    match forms.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => forms.concat(),
    }
}

/// What an error repeats of a wrong name.
fn shown(name: &str) -> String {
    short_line(name, 80)
}

impl FromStr for ModelName {
    type Err = InvalidModelName;

    fn from_str(text: &str) -> Result<Self, InvalidModelName> {
        let invalid = || InvalidModelName(shown(text));
        let (word, name) = text.trim().split_once('/').ok_or_else(invalid)?;
        let provider = Provider::named(word).ok_or_else(invalid)?;
        Self::new(provider, name)
    }
}

impl TryFrom<String> for ModelName {
    type Error = InvalidModelName;

    fn try_from(text: String) -> Result<Self, InvalidModelName> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider.word(), self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_every_slash_after_the_first() {
        let name: ModelName = "openai/org/model-7b:free".parse().unwrap();
        assert_eq!((name.provider().word(), name.name()), ("openai", "org/model-7b:free"));
        assert_eq!(name.to_string(), "openai/org/model-7b:free");
    }

    #[test]
    fn what_could_leave_the_path_of_the_url_is_no_name() {
        for text in
            ["", "openai", "openai/", "llama/x", "gemini/../v1", "gemini/a b", "openai/a?b", "openai/a#b", "openai/ä"]
        {
            assert!(text.parse::<ModelName>().is_err(), "{text}");
        }
    }
}
