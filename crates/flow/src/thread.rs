//! The identifiers, record and status of a run of a workflow, as a store lists it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Names a thread: lower-case letters, digits and hyphens, at most 80. It also names the file of its lock.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", extend("pattern" = "^[a-z0-9][a-z0-9-]{0,79}$"))]
pub struct ThreadId(String);

/// The error for a text that is not a thread id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a thread id: use lower-case letters, digits and hyphens, at most 80")]
pub struct ThreadIdError(String);

impl ThreadId {
    /// The id as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

reqgate_base::as_text!(ThreadId);

impl FromStr for ThreadId {
    type Err = ThreadIdError;

    fn from_str(text: &str) -> Result<Self, ThreadIdError> {
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let well_formed = (1..=80).contains(&text.len())
            && text.bytes().next().is_some_and(letter)
            && text.bytes().all(|byte| letter(byte) || byte == b'-');
        if well_formed { Ok(Self(text.to_owned())) } else { Err(ThreadIdError(text.chars().take(100).collect())) }
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names something that happened in a thread, such as a question: `THREAD.SEQ`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String")]
pub struct AskId {
    /// The thread in which it happened.
    pub thread: ThreadId,
    /// The number of the event, e.g. of the one that asked.
    pub seq: u64,
}

/// The error for a text that is not a question id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a question id: `reqgate inbox` lists the open ones")]
pub struct AskIdError(String);

reqgate_base::as_text!(AskId);

impl FromStr for AskId {
    type Err = AskIdError;

    fn from_str(text: &str) -> Result<Self, AskIdError> {
        let fault = || AskIdError(text.chars().take(100).collect());
        let (thread, seq) = text.rsplit_once('.').ok_or_else(fault)?;
        Ok(Self { thread: thread.parse().map_err(|_| fault())?, seq: seq.parse().map_err(|_| fault())? })
    }
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.thread, self.seq)
    }
}

/// Names one attempt at one call of a thread: `THREAD.SEQ.CALL.ATTEMPT`. A result that is submitted twice counts once
/// because of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String")]
pub struct OrderId {
    /// The thread of the order.
    pub thread: ThreadId,
    /// The event after which the node was entered.
    pub entered: u64,
    /// The number of the call within the node, from 0.
    pub index: u32,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

/// The error for a text that is not the id of a work order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a work order: `reqgate prd next THREAD` shows the open one")]
pub struct OrderIdError(String);

reqgate_base::as_text!(OrderId);

impl FromStr for OrderId {
    type Err = OrderIdError;

    fn from_str(text: &str) -> Result<Self, OrderIdError> {
        let parts: Vec<&str> = text.rsplitn(4, '.').collect();
        let parsed = match parts.as_slice() {
            [attempt, index, entered, thread] => {
                match (attempt.parse(), index.parse(), entered.parse(), thread.parse()) {
                    (Ok(attempt), Ok(index), Ok(entered), Ok(thread)) => Some(Self { thread, entered, index, attempt }),
                    _ => None,
                }
            }
            _ => None,
        };
        parsed.ok_or_else(|| OrderIdError(text.chars().take(100).collect()))
    }
}

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}.{}", self.thread, self.entered, self.index, self.attempt)
    }
}

/// The phase of a thread, according to its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The thread has work to do.
    Running,
    /// A person has to answer.
    WaitingForPerson,
    /// A program or a person has to carry out a work order.
    WaitingForWork,
    /// The thread reached its end.
    Completed,
    /// It ended in its failure node; an operator can continue it.
    Failed,
    /// A person ended it.
    Cancelled,
}

impl Phase {
    /// Returns true if the thread has ended.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// The status shown to people: the phase of the thread, and whether a process works on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A process works on it now.
    Running,
    /// It was interrupted by a crash or a stopped process; `resume` continues it.
    Interrupted,
    /// A person has to answer.
    WaitingForPerson,
    /// A program or a person has to carry out a work order.
    WaitingForWork,
    /// The thread reached its end.
    Completed,
    /// It ended in its failure node; `resume --retry` continues it.
    Failed,
    /// A person ended it.
    Cancelled,
}

impl Status {
    /// The status of a thread in this phase; `worked_on` is true if a process works on it. It is never inferred from
    /// missing data.
    pub fn of(phase: Phase, worked_on: bool) -> Self {
        match phase {
            Phase::Running if worked_on => Self::Running,
            Phase::Running => Self::Interrupted,
            Phase::WaitingForPerson => Self::WaitingForPerson,
            Phase::WaitingForWork => Self::WaitingForWork,
            Phase::Completed => Self::Completed,
            Phase::Failed => Self::Failed,
            Phase::Cancelled => Self::Cancelled,
        }
    }
}

/// A store's record of a thread, next to its log; all of it can be recomputed from the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadRecord {
    /// The id of the thread.
    pub id: ThreadId,
    /// The name of the workflow.
    pub workflow: String,
    /// The version of its state.
    pub version: u32,
    /// The fingerprint of its graph.
    pub fingerprint: String,
    /// The title of the thread.
    pub title: String,
    /// The directory that its effects are relative to.
    pub root: String,
    /// The thread it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ThreadId>,
    /// The time of its start, RFC 3339 in UTC.
    pub created: String,
    /// The time of its last event, RFC 3339 in UTC.
    pub updated: String,
    /// The number of its last event.
    pub head: u64,
    /// The hash of its last event.
    pub head_hash: String,
    /// The name of the current node.
    pub node: String,
    /// The phase of the thread.
    pub phase: Phase,
    /// The question that is open, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<AskId>,
}

/// The position of a thread at an event, so that its log need not be read from the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The number of the last event that is included.
    pub seq: u64,
    /// The position after that event, as JSON.
    pub position: serde_json::Value,
}
