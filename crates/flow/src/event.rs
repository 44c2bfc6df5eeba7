//! The log of a thread: what happened, one event after the other, chained by hashes. Never changed, only appended to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ask::Interrupt;
use super::definition::{Effect, Outcome, Workflow};
use super::hash;
use super::problem::Problem;

/// One entry of a log, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its place in the log, from 1 without a hole.
    pub seq: u64,
    /// When it happened, by RFC 3339 in UTC.
    pub at: String,
    /// The person who caused it, or `engine`.
    pub actor: String,
    /// The event itself: a [`Body`], as JSON.
    pub body: Value,
    /// The hash of the event before; empty for the first.
    pub previous: String,
    /// SHA-256 over all of the above.
    pub hash: String,
}

impl Event {
    /// The event that follows one of this hash.
    pub fn new(seq: u64, at: String, actor: String, body: Value, previous: String) -> Self {
        let hash = Self::digest(seq, &at, &actor, &body, &previous);
        Self { seq, at, actor, body, previous, hash }
    }

    /// The hash that the event must have.
    fn digest(seq: u64, at: &str, actor: &str, body: &Value, previous: &str) -> String {
        hash(serde_json::json!([seq, at, actor, body, previous]).to_string().as_bytes())
    }

    /// Whether its hash is right and it follows `before`.
    pub fn follows(&self, before: Option<&Self>) -> bool {
        let (seq, previous) = before.map_or((1, ""), |before| (before.seq + 1, before.hash.as_str()));
        self.seq == seq
            && self.previous == previous
            && self.hash == Self::digest(self.seq, &self.at, &self.actor, &self.body, &self.previous)
    }
}

/// The message of the engine if every attempt of a step finds its files changed.

/// The actor of the engine's own events.
pub const ENGINE: &str = "engine";

/// The kinds of events.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", bound = "")]
pub enum Body<W: Workflow> {
    /// The run began.
    Started {
        /// The title.
        title: String,
        /// The first changes of the state.
        input: Vec<W::Patch>,
    },
    /// The thread is a copy of another one up to a place, with changes; nothing it does is seen outside.
    Forked {
        /// The other thread.
        from: String,
        /// The last event of it that counts.
        at: u64,
        /// The node where it was.
        node: W::Node,
        /// Its state there, changed as was asked for.
        state: W::State,
        /// Whether the other thread came from an archive.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        imported: bool,
    },
    /// A call was handed out to be performed elsewhere.
    HandedOut {
        /// Which call of the node.
        index: u32,
        /// The hash of the call.
        request: String,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// A call has its result.
    CallDone {
        /// Which call of the node.
        index: u32,
        /// The hash of the call.
        request: String,
        /// Which attempt, from 1.
        attempt: u32,
        /// The result.
        result: Value,
        /// The cost, as reported by its author.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        usage: Value,
    },
    /// An attempt at a call came to nothing.
    CallFailed {
        /// Which call of the node.
        index: u32,
        /// The hash of the call.
        request: String,
        /// Which attempt, from 1.
        attempt: u32,
        /// The problems, for the next attempt.
        problems: Vec<Problem>,
        /// The hash of the submission, to recognise a repetition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        submitted: Option<String>,
    },
    /// A node is done.
    Stepped {
        /// The node.
        node: W::Node,
        /// The changes.
        patches: Vec<W::Patch>,
        /// The label of the edge.
        label: W::Label,
        /// The effects.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        effects: Vec<Effect>,
        /// A word for the timeline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person is asked by the workflow.
    Asked {
        /// The question.
        ask: W::Ask,
    },
    /// The engine asks a person whether to continue.
    Interrupted {
        /// Why.
        because: Because<W>,
        /// The question.
        ask: Interrupt,
    },
    /// A person answered.
    Answered {
        /// The event that asked.
        ask: u64,
        /// The answer.
        answer: Value,
        /// The way it came: `terminal`, `command`, `file` …
        channel: String,
    },
    /// An effect is there.
    EffectDone {
        /// The event that requested it.
        step: u64,
        /// Which of its effects.
        index: u32,
        /// The result, in a word: `written`, `unchanged`, `dry-run`.
        receipt: String,
    },
    /// An effect is refused because somebody else changed the file. The step that requested it is undone.
    EffectRefused {
        /// The event that requested it.
        step: u64,
        /// Which of its effects.
        index: u32,
        /// The obstacle.
        reason: String,
    },
    /// A failed run was continued.
    Reopened,
    /// A person changed the thread from outside: a setting, a further source, an ended one taken up again.
    Amended {
        /// The changes.
        patches: Vec<W::Patch>,
        /// Why, or what was changed.
        reason: String,
        /// The node to go on at, where that is not the current one; an open question or work order is withdrawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<W::Node>,
    },
    /// The stored state was made one of this version.
    Migrated {
        /// The version it had.
        version: u32,
        /// The fingerprint of the graph from now on.
        fingerprint: String,
        /// The state from now on.
        state: W::State,
    },
    /// A person ended the run.
    Cancelled {
        /// Why.
        reason: String,
    },
    /// Everything before this came from an archive: who is named there is not known to have done it.
    Imported,
    /// The run reached its end.
    Ended,
}

/// The reason why the engine asks whether to continue.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "kebab-case", bound = "")]
pub enum Because<W: Workflow> {
    /// A loop has used up its rounds; the step that would go round once more waits.
    Budget {
        /// The node that is left.
        from: W::Node,
        /// The label of the edge.
        label: W::Label,
    },
    /// A node could not do its work.
    NodeFailed {
        /// Every message.
        messages: Vec<String>,
    },
}

impl<W: Workflow> Body<W> {
    /// The event of a step.
    pub(super) fn stepped(node: W::Node, outcome: Outcome<W>) -> Self {
        Self::Stepped {
            node,
            patches: outcome.patches,
            label: outcome.label,
            effects: outcome.effects,
            note: outcome.note,
        }
    }
}
