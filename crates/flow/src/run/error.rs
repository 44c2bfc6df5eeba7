//! The errors of a run, and of an answer.

use thiserror::Error;

use super::MOST_STEPS;
use crate::position::Impossible;
use crate::problem::Problem;
use crate::store::StoreError;
use crate::thread::{AskId, ThreadId};

/// The reason why a run could not continue. Recorded steps stay.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log says something impossible.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The thread is of another workflow.
    #[error("thread `{thread}` is a run of the workflow `{found}`, not of `{expected}`")]
    OtherWorkflow {
        /// The thread.
        thread: ThreadId,
        /// Its workflow.
        found: String,
        /// The workflow that tried to continue it.
        expected: &'static str,
    },
    /// The thread was started by another version of the program.
    #[error(
        "thread `{thread}` was started with version {version} of the workflow (graph {fingerprint}), which is not this \
         program's: continue it with the program that started it, migrate it (`reqgate prd resume {thread} --migrate`), \
         or fork it (`reqgate prd fork {thread}`)"
    )]
    OtherGraph {
        /// The thread.
        thread: ThreadId,
        /// The version of its state.
        version: u32,
        /// The start of its fingerprint.
        fingerprint: String,
    },
    /// An effect failed for a reason of the disk.
    #[error("{path}: {error}: fix this, then resume the thread")]
    Effect {
        /// The path.
        path: String,
        /// The error of the system.
        error: String,
    },
    /// A stored value does not have the expected shape.
    #[error("thread `{thread}`, event {seq}: {reason}")]
    Unreadable {
        /// The thread.
        thread: ThreadId,
        /// The event.
        seq: u64,
        /// The reason.
        reason: String,
    },
    /// The workflow never stops.
    #[error("the run took {MOST_STEPS} steps without stopping and was ended")]
    TooLong,
    /// The request does not fit the phase of the thread.
    #[error("{0}")]
    NotNow(String),
}

/// The reason why an answer was not accepted. The thread is unchanged.
#[derive(Debug, Error)]
pub enum AnswerError {
    /// There is no such question (404).
    #[error("there is no question `{0}`: `reqgate inbox` lists the open ones")]
    Unknown(AskId),
    /// The answer has another shape (422).
    #[error("the answer does not fit the question: {}", listed(.0))]
    WrongShape(Vec<Problem>),
    /// The question has another answer already, or is no longer asked (409).
    #[error("question `{0}` is no longer open: it already has another answer, or its step was undone")]
    Conflict(AskId),
    /// The run could not continue.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<StoreError> for AnswerError {
    fn from(error: StoreError) -> Self {
        Self::Run(error.into())
    }
}

/// Problems on one line, each with its place.
fn listed(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
