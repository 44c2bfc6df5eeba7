//! Who writes the drafts of a thread.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who writes the drafts of a thread: chosen when it starts, kept until somebody chooses otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftSettings {
    /// The author.
    pub author: Writer,
    /// The model, where it is one, as `provider/name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The address of its server, where it is not the provider's own; an archive does not bring one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The name for answers and documents that was given at the start; an archive does not bring one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
}

/// The kinds of authors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Writer {
    /// The rules of this program, which collect what sources label.
    #[default]
    Rules,
    /// A chat model.
    Model,
    /// Somebody who takes work orders and submits their results.
    Agent,
}

impl Writer {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Model => "model",
            Self::Agent => "agent",
        }
    }
}

impl DraftSettings {
    /// In words: `agent`, `model openai/gpt at http://localhost:8000/v1`.
    pub(super) fn words(&self) -> String {
        let server =
            self.server.as_deref().filter(|_| self.author == Writer::Model).map(|server| format!("at {server}"));
        let parts = [Some(self.author.name().to_owned()), self.model.clone(), server];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
