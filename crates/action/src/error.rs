//! The errors of a run on GitHub.

use std::io;

use super::{BadOption, ChangesError, EventError, GitError};
use reqgate_audit::WalkError;
use reqgate_flow::RunError;
use reqgate_gate::pipeline::PipelineError;
use reqgate_net::github::{BadRepository, GithubError};
use reqgate_rules::config::ConfigError;

/// An error that stops a run on GitHub.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// A call to GitHub failed.
    #[error(transparent)]
    Github(#[from] GithubError),
    /// The audit of the backlog failed.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The pipeline could not judge the text.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// A git command failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The changes of a pull request cannot be read.
    #[error(transparent)]
    Changes(#[from] ChangesError),
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An input of the Action is not valid.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// The event cannot be read.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The name of the repository is not valid.
    #[error(transparent)]
    Repository(#[from] BadRepository),
    /// The environment is not that of a workflow.
    #[error("{0}")]
    Environment(&'static str),
    /// The file of the event cannot be read.
    #[error("reading the event at GITHUB_EVENT_PATH: {0}")]
    Payload(io::Error),
    /// A thread of the PRD workflow failed.
    #[error(transparent)]
    Thread(#[from] RunError),
    /// The copy of a thread cannot be written.
    #[error("working on the copy of the thread: {0}")]
    Copy(io::Error),
    /// The outputs or the summary cannot be written.
    #[error("writing `{path}`: {error}")]
    Write {
        /// The path of the file.
        path: String,
        /// The cause of the failure.
        error: io::Error,
    },
}

impl ActionError {
    /// Returns true if the user must change something: an input, a file, a setting of the workflow. Other errors have
    /// causes outside the repository.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Write { .. } | Self::Walk(_) | Self::Thread(_) | Self::Copy(_))
            && !matches!(self, Self::Github(error) if !matches!(error, GithubError::BadAddress(_)))
    }
}
