//! Names of models: `provider/name`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whose wire format a model speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provider {
    /// OpenAI chat completions, and every server that speaks the same (vLLM, llama-server, LM Studio, OpenRouter, gateways).
    OpenAi,
    /// Anthropic messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
    /// Ollama chat.
    Ollama,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama];

    /// The word before the slash.
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
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
#[error("`{0}` is not a model: write openai/NAME, anthropic/NAME, gemini/NAME or ollama/NAME")]
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

/// What an error repeats of a wrong name.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}

impl FromStr for ModelName {
    type Err = InvalidModelName;

    fn from_str(text: &str) -> Result<Self, InvalidModelName> {
        let invalid = || InvalidModelName(shown(text));
        let (word, name) = text.trim().split_once('/').ok_or_else(invalid)?;
        let provider = Provider::ALL.into_iter().find(|provider| provider.word() == word).ok_or_else(invalid)?;
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
        assert_eq!((name.provider(), name.name()), (Provider::OpenAi, "org/model-7b:free"));
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
