//! The errors of runs and of answers.

use thiserror::Error;

use super::MOST_STEPS;
use crate::position::Impossible;
use crate::problem::Problem;
use crate::store::StoreError;
use crate::thread::{AskId, ThreadId};

/// The reason why a run could not continue. Recorded steps are kept.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store refused an operation.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An event contradicts the events before it.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The thread belongs to another workflow.
    #[error("thread `{thread}` is a run of the workflow `{found}`, not of `{expected}`")]
    OtherWorkflow {
        /// The id of the thread.
        thread: ThreadId,
        /// The workflow of the thread.
        found: String,
        /// The workflow that was to continue it.
        expected: &'static str,
    },
    /// The thread was started by another version of the program.
    #[error(
        "thread `{thread}` was started with version {version} of the workflow (graph {fingerprint}), which is not this \
         program's: continue it with the program that started it, migrate it (`reqgate prd resume {thread} --migrate`), \
         or fork it (`reqgate prd fork {thread}`)"
    )]
    OtherGraph {
        /// The id of the thread.
        thread: ThreadId,
        /// The version of its state.
        version: u32,
        /// The start of the fingerprint of its graph.
        fingerprint: String,
    },
    /// The file system refused an effect.
    #[error("{path}: {error}: fix this, then resume the thread")]
    Effect {
        /// The path that was to be written.
        path: String,
        /// The error of the system.
        error: String,
    },
    /// A stored value has an unexpected shape.
    #[error("thread `{thread}`, event {seq}: {reason}")]
    Unreadable {
        /// The id of the thread.
        thread: ThreadId,
        /// The number of the event.
        seq: u64,
        /// The reason, with the path in the event.
        reason: String,
    },
    /// The workflow did not stop within the maximum number of steps.
    #[error("the run took {MOST_STEPS} steps without stopping and was ended")]
    TooLong,
    /// The request does not fit the phase of the thread.
    #[error("{0}")]
    NotNow(String),
}

/// The reason why an answer was not accepted. The thread is unchanged.
#[derive(Debug, Error)]
pub enum AnswerError {
    /// The question does not exist (404).
    #[error("there is no question `{0}`: `reqgate inbox` lists the open ones")]
    Unknown(AskId),
    /// The answer has the wrong shape (422).
    #[error("the answer does not fit the question: {}", listed(.0))]
    WrongShape(Vec<Problem>),
    /// The question has another answer already, or was withdrawn (409).
    #[error("question `{0}` is no longer open: it already has another answer, or its step was undone")]
    Conflict(AskId),
    /// The answer was accepted, but the run could not continue.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<StoreError> for AnswerError {
    fn from(error: StoreError) -> Self {
        Self::Run(error.into())
    }
}

/// Problems on one line, each with its path.
fn listed(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
