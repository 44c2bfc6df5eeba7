//! Why a run on GitHub cannot do its job.

use std::io;

use super::{BadOption, ChangesError, EventError, GitError};
use crate::audit::WalkError;
use crate::config::ConfigError;
use crate::github::{BadRepository, GithubError};
use crate::pipeline::PipelineError;

/// Why a run cannot do its job.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// GitHub.
    #[error(transparent)]
    Github(#[from] GithubError),
    /// The backlog.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The text.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// Git.
    #[error(transparent)]
    Git(#[from] GitError),
    /// What a pull request changes.
    #[error(transparent)]
    Changes(#[from] ChangesError),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An input.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// The event.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The name of the repository.
    #[error(transparent)]
    Repository(#[from] BadRepository),
    /// The environment is not that of a workflow.
    #[error("{0}")]
    Environment(&'static str),
    /// The event cannot be read.
    #[error("reading the event at GITHUB_EVENT_PATH: {0}")]
    Payload(io::Error),
    /// Outputs or summary cannot be written.
    #[error("writing `{path}`: {error}")]
    Write {
        /// Where.
        path: String,
        /// Why not.
        error: io::Error,
    },
}

impl ActionError {
    /// True if somebody must write something else: an input, a file, a setting of the workflow. The rest is the world's.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Write { .. } | Self::Walk(_))
            && !matches!(self, Self::Github(error) if !matches!(error, GithubError::BadAddress(_)))
    }
}
