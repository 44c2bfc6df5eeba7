//! The reasons why a thread cannot be worked on.

use super::super::ActionError;
use super::trust::{Distrust, TrustError};
use reqgate_flow::{ArchiveError, RunError, StoreError};
use reqgate_net::github::GithubError;

/// The reason why a thread cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub(super) enum CopyError {
    /// The text of the issue is not taken.
    #[error("{0}")]
    Refused(String),
    /// The log is not trusted.
    #[error(transparent)]
    Distrust(#[from] Distrust),
    /// The log is damaged.
    #[error("the log or a document cannot be read: {0}")]
    Log(ArchiveError),
    #[error(transparent)]
    Action(#[from] ActionError),
}

impl CopyError {
    /// Converts the error of reading a file. Only a person can correct a malformed one.
    pub(super) fn of_file(error: ActionError) -> Self {
        match error {
            ActionError::Github(GithubError::Malformed { .. }) => {
                Self::Log(std::io::Error::new(std::io::ErrorKind::InvalidData, error.to_string()).into())
            }
            error => Self::Action(error),
        }
    }
}

impl From<RunError> for CopyError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(_) | RunError::Effect { .. } | RunError::TooLong | RunError::NotNow(_) => {
                Self::Action(error.into())
            }
            // Other causes are in the log.
            error => Self::Log(error.into()),
        }
    }
}

impl From<StoreError> for CopyError {
    fn from(error: StoreError) -> Self {
        RunError::from(error).into()
    }
}

impl From<std::io::Error> for CopyError {
    fn from(error: std::io::Error) -> Self {
        Self::Action(ActionError::Copy(error))
    }
}

impl From<TrustError> for CopyError {
    fn from(error: TrustError) -> Self {
        match error {
            TrustError::Distrust(distrust) => Self::Distrust(distrust),
            TrustError::Run(error) => error.into(),
            TrustError::Action(error) => Self::Action(error),
        }
    }
}
