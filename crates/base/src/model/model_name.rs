//! The name of a chat model, with the provider whose wire format it speaks.

use std::fmt;
use std::str::FromStr;

use crate::clean::short_line;

/// A provider, whose wire format a model speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provider {
    /// A coding agent on this machine, called instead of a server.
    Agent,
    /// The messages format of Anthropic.
    Anthropic,
    /// The format of Google's Gemini.
    Gemini,
    /// The format of Ollama.
    Ollama,
    /// OpenAI's chat completions, which many servers speak.
    OpenAi,
}

impl Provider {
    /// Every provider, the coding agents last. A new one also needs a profile in the client of chat models.
    pub const ALL: [Self; 5] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama, Self::Agent];

    /// The provider of this name, e.g. `ollama`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.word() == name)
    }

    /// The word in front of the slash.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::OpenAi => "openai",
        }
    }

    /// Returns true for programs on this machine that are called instead of a server.
    pub fn is_program(self) -> bool {
        self == Self::Agent
    }
}

/// A provider and the name of one of its models, e.g. `ollama/qwen2.5:7b`. Models come and go, so none is the default.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelName {
    provider: Provider,
    name: String,
}

/// A text that is not the name of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a model: write {forms}", forms = forms())]
pub struct InvalidModelName(String);

impl ModelName {
    /// The name of a model of `provider`: 1 to 200 characters, no white space, no control characters.
    ///
    /// # Errors
    /// Fails if the name cannot be one.
    pub(crate) fn new(provider: Provider, name: &str) -> Result<Self, InvalidModelName> {
        let fits = !name.is_empty()
            && name.len() <= 200
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c))
            && !name.split('/').any(|part| part.is_empty() || part == "." || part == "..");
        match fits {
            true => Ok(Self { provider, name: name.to_string() }),
            false => Err(InvalidModelName(format!("{}/{}", provider.word(), shown(name)))),
        }
    }

    /// The provider, whose wire format the model speaks.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// The name without the provider, as it is sent.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The forms of a model's name, one for each provider.
fn forms() -> String {
    let forms: Vec<String> = Provider::ALL.iter().map(|provider| format!("{}/NAME", provider.word())).collect();
    match forms.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => forms.concat(),
    }
}

/// The part of a wrong name that an error repeats.
fn shown(name: &str) -> String {
    short_line(name, 80)
}

crate::as_text!(ModelName);

impl FromStr for ModelName {
    type Err = InvalidModelName;

    fn from_str(text: &str) -> Result<Self, InvalidModelName> {
        let invalid = || InvalidModelName(shown(text));
        let (word, name) = text.trim().split_once('/').ok_or_else(invalid)?;
        let provider = Provider::named(word).ok_or_else(invalid)?;
        Self::new(provider, name)
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider.word(), self.name)
    }
}
