//! The log of a thread: its events in order, chained by hashes. Events are appended and never changed.

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
    /// The position in the log, from 1 without gaps.
    pub seq: u64,
    /// The time of the event, by RFC 3339 in UTC.
    pub at: String,
    /// The person who caused it, or `engine`.
    pub actor: String,
    /// The content: a [`Body`], as JSON.
    pub body: Value,
    /// The hash of the previous event; empty for the first.
    pub previous: String,
    /// The SHA-256 of all other fields.
    pub hash: String,
}

impl Event {
    /// The event that follows the one with the hash `previous`.
    pub fn new(seq: u64, at: String, actor: String, body: Value, previous: String) -> Self {
        let hash = Self::digest(seq, &at, &actor, &body, &previous);
        Self { seq, at, actor, body, previous, hash }
    }

    /// The hash that the event must have.
    fn digest(seq: u64, at: &str, actor: &str, body: &Value, previous: &str) -> String {
        hash(serde_json::json!([seq, at, actor, body, previous]).to_string().as_bytes())
    }

    /// Returns true if the hash is right and the event follows `before`.
    pub fn follows(&self, before: Option<&Self>) -> bool {
        let (seq, previous) = before.map_or((1, ""), |before| (before.seq + 1, before.hash.as_str()));
        self.seq == seq
            && self.previous == previous
            && self.hash == Self::digest(self.seq, &self.at, &self.actor, &self.body, &self.previous)
    }
}

impl Event {
    /// The number of the event whose question this event answers; `None` if it is not an answer.
    pub fn answers(&self) -> Option<u64> {
        self.body.get("ask").filter(|_| self.body["kind"] == "answered")?.as_u64()
    }
}

/// The actor in the engine's own events.
pub const ENGINE: &str = "engine";

/// The content of an event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", bound = "")]
pub enum Body<W: Workflow> {
    /// The run was started.
    Started {
        /// The title of the thread.
        title: String,
        /// The initial changes of the state.
        input: Vec<W::Patch>,
    },
    /// The thread was created as a copy of another one up to an event, with changes. Its effects are not performed.
    Forked {
        /// The id of the original thread.
        from: String,
        /// The last event that was copied.
        at: u64,
        /// The node at that event.
        node: W::Node,
        /// The state at that event, with the requested changes.
        state: W::State,
        /// The original thread came from an archive.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        imported: bool,
    },
    /// A call was handed out, to be performed elsewhere.
    HandedOut {
        /// The index of the call within its node.
        index: u32,
        /// The hash of the call.
        request: String,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// A call was completed.
    CallDone {
        /// The index of the call within its node.
        index: u32,
        /// The hash of the call.
        request: String,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The result, which has passed its check.
        result: Value,
        /// The cost, as reported by its author.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        usage: Value,
    },
    /// An attempt at a call failed.
    CallFailed {
        /// The index of the call within its node.
        index: u32,
        /// The hash of the call.
        request: String,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The problems of the result; they are passed to the next attempt.
        problems: Vec<Problem>,
        /// The attempt gave no result to check, and the problems are the reason.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unanswered: bool,
        /// The hash of the submitted result, to recognise a repeated submission.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        submitted: Option<String>,
    },
    /// A node was completed.
    Stepped {
        /// The node that was completed.
        node: W::Node,
        /// The changes of the state, in order.
        patches: Vec<W::Patch>,
        /// The label of the edge that was taken.
        label: W::Label,
        /// The effects that the step requests.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        effects: Vec<Effect>,
        /// A short note for the timeline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The workflow asked a person.
    Asked {
        /// The question of the workflow.
        ask: W::Ask,
    },
    /// The engine asked a person whether to continue.
    Interrupted {
        /// The reason for the interruption.
        because: Because<W>,
        /// The question of the engine.
        ask: Interrupt,
    },
    /// A person answered a question.
    Answered {
        /// The number of the event that asked.
        ask: u64,
        /// The answer, as JSON.
        answer: Value,
        /// The way the answer came, e.g. `terminal`, `command` or `file`.
        channel: String,
    },
    /// An effect was performed.
    EffectDone {
        /// The number of the event that requested it.
        step: u64,
        /// The index of the effect within its step.
        index: u32,
        /// The result in a word: `written`, `unchanged` or `dry-run`.
        receipt: String,
    },
    /// An effect was refused because another person had changed the file. The step that requested it is undone.
    EffectRefused {
        /// The number of the event that requested it.
        step: u64,
        /// The index of the effect within its step.
        index: u32,
        /// The reason for the refusal.
        reason: String,
    },
    /// A failed run was continued.
    Reopened,
    /// A person changed the thread from outside, e.g. a setting or a further source, or resumed an ended thread.
    Amended {
        /// The changes of the state, in order.
        patches: Vec<W::Patch>,
        /// The reason, or a description of the change.
        reason: String,
        /// The node to continue at, if it is not the current one; an open question or work order is withdrawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<W::Node>,
    },
    /// The state was converted to this version of the workflow.
    Migrated {
        /// The previous version of the state.
        version: u32,
        /// The fingerprint of the new graph.
        fingerprint: String,
        /// The state after the conversion.
        state: W::State,
    },
    /// A person ended the run.
    Cancelled {
        /// The reason that the person gave.
        reason: String,
    },
    /// All events before this one came from an archive, so their actors are not verified.
    Imported,
    /// The run reached its end.
    Ended,
}

/// The reason why the engine asks whether to continue.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "kebab-case", bound = "")]
pub enum Because<W: Workflow> {
    /// A loop has used up its rounds; the step that would start another round waits.
    Budget {
        /// The node that would be left.
        from: W::Node,
        /// The label of the edge of the loop.
        label: W::Label,
    },
    /// A node could not do its work.
    NodeFailed {
        /// The messages of the failure.
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
