//! Options of commands for which a model writes or reads documents.

use std::path::PathBuf;

use clap::Args;

use super::ModelArguments;

/// The model that writes drafts with `--author model`.
#[derive(Debug, Default, Args)]
pub struct DraftingModelArguments {
    /// Write with this model: openai/NAME, anthropic/NAME, gemini/NAME, ollama/NAME; or with a coding agent: agent/claude,
    /// agent/codex, agent/gemini [env: REQGATE_MODEL]
    #[arg(long, value_name = "PROVIDER/NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// Address of the model server, e.g. http://localhost:8000/v1 [env: REQGATE_BASE_URL]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// Read the API key from this file (readable only by its owner), not from the environment [env: REQGATE_KEY_FILE]
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub key_file: Option<PathBuf>,
    /// Stop asking the model after this many tokens, input plus output
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Model")]
    pub max_tokens: Option<u64>,
    /// Time limit for one request to the model, in seconds [default: 30; an agent: 300] [env: OPENAI_TIMEOUT]
    #[arg(long, value_name = "SECONDS", value_parser = super::seconds, help_heading = "Model")]
    pub timeout: Option<f64>,
    /// Record every exchange with the model in this folder
    #[arg(long, value_name = "DIR", help_heading = "Model", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    /// Replay the exchanges recorded in this folder instead of sending requests
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub replay: Option<PathBuf>,
}

impl DraftingModelArguments {
    /// Converts them into the options of a review.
    pub fn as_review(&self) -> ModelArguments {
        ModelArguments {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            key_file: self.key_file.clone(),
            max_tokens: self.max_tokens,
            timeout: self.timeout,
            deadline: None,
            record: self.record.clone(),
            replay: self.replay.clone(),
            ..ModelArguments::default()
        }
    }
}
