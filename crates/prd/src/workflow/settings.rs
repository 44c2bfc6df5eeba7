//! The author of the drafts of a thread.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The author of the drafts of a thread: chosen at the start, and kept until it is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftSettings {
    /// The kind of author.
    pub author: Writer,
    /// The model as `provider/name`, if the author is a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The address of its server, if it is not the provider's; not imported from an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The name for answers and documents that was given at the start; not imported from an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
}

/// The kinds of authors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Writer {
    /// The rules of this program, which collect labelled content of sources.
    #[default]
    Rules,
    /// A chat model of a provider.
    Model,
    /// A coding agent or a person who takes work orders and submits their results.
    Agent,
}

impl Writer {
    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Model => "model",
            Self::Agent => "agent",
        }
    }
}

impl DraftSettings {
    /// A description: `agent`, `model openai/gpt at http://localhost:8000/v1`.
    pub(super) fn words(&self) -> String {
        let server =
            self.server.as_deref().filter(|_| self.author == Writer::Model).map(|server| format!("at {server}"));
        let parts = [Some(self.author.name().to_owned()), self.model.clone(), server];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
