//! The parts that an author of a workflow writes: the nodes as pure functions, the patches that change the state, the
//! calls, the questions to people, and the effects.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ask::AskModel;
use super::graph::{Edge, Graph, Name};
use super::problem::Problem;

/// A workflow: a table of edges, and a function for every node.
///
/// Every function is pure: the same state and the same results give the same outcome. Functions do not use a clock,
/// randomness, files or the network; a node requests such things with a [`Call`](Enter::Call) and changes the world
/// with an [`Effect`].
pub trait Workflow: Sized + Clone + std::fmt::Debug + 'static {
    /// The name of the workflow in stores and commands.
    const NAME: &'static str;
    /// The version of [`State`](Workflow::State) and [`Patch`](Workflow::Patch). It must be raised when stored values
    /// would be read differently.
    const VERSION: u32;
    /// The fingerprints of earlier tables of this version, all of whose edges and budgets are still part of this table.
    /// Threads that were started with them continue unchanged.
    const EXTENDS: &'static [&'static str] = &[];
    /// The node at which every run starts.
    const START: Self::Node;
    /// The node that a run goes to if it cannot continue.
    const FAILURE: Self::Node;
    /// The control flow. Only this table decides which edge is taken.
    const EDGES: &'static [Edge<Self::Node, Self::Label>];

    /// The nodes: an enum made by [`crate::names`].
    type Node: Name + Serialize + DeserializeOwned;
    /// The labels that nodes may return: an enum made by [`crate::names`].
    type Label: Name + Serialize + DeserializeOwned;
    /// The data that nodes read and change.
    type State: Serialize + DeserializeOwned + Clone + Default + PartialEq + std::fmt::Debug;
    /// The typed changes, the only way to change the state.
    type Patch: Serialize + DeserializeOwned + Clone + std::fmt::Debug;
    /// Work outside the workflow: a model, an agent, a search, or reading a file.
    type Call: Serialize + DeserializeOwned + Clone + std::fmt::Debug;
    /// The questions that nodes ask people.
    type Ask: AskModel;

    /// Applies a change to the state. It cannot fail: every patch fits every state.
    fn apply(state: &mut Self::State, patch: &Self::Patch);

    /// Runs a node when it is entered.
    fn enter(&self, node: Self::Node, state: &Self::State) -> Enter<Self>;

    /// Continues a node with the results of its calls, in the order of the calls.
    ///
    /// # Errors
    ///
    /// Fails if the node cannot do its work; then a person is asked whether to try again.
    fn fold(&self, node: Self::Node, state: &Self::State, results: &[CallResult]) -> Result<Step<Self>, NodeError>;

    /// Continues a node with an answer, which has passed [`AskModel::check`]. The node is not entered again.
    ///
    /// # Errors
    ///
    /// Fails if the node cannot do its work; then a person is asked whether to try again.
    fn answered(
        &self,
        node: Self::Node,
        state: &Self::State,
        ask: &Self::Ask,
        answer: &Answer<'_>,
    ) -> Result<Outcome<Self>, NodeError>;

    /// Checks the result of a call. The problems are returned to the author of the result, who has
    /// [`attempts`](Workflow::attempts) in total.
    ///
    /// # Errors
    ///
    /// Returns every problem, with its path in the result.
    fn check(&self, call: &Self::Call, result: &Value) -> Result<(), Vec<Problem>>;

    /// The number of attempts at a call before its node gets the failure.
    fn attempts(&self, _call: &Self::Call) -> u32 {
        3
    }

    /// Checks that a run with this state may perform this effect. It is called for every effect, also for those of an
    /// archive. Paths outside the root have been rejected before.
    ///
    /// # Errors
    ///
    /// Returns the reason, which begins with the path.
    fn permits(_state: &Self::State, _effect: &Effect) -> Result<(), String> {
        Ok(())
    }

    /// Marks the decisions of people in the state as imported from an archive.
    fn imported(_state: &mut Self::State) {}

    /// The patch that gives the errors to the failure node.
    fn failed(messages: &[String]) -> Option<Self::Patch>;

    /// Converts the state of an older version to this version; `None` if it cannot be converted.
    fn migrate(_version: u32, _state: Value) -> Option<Value> {
        None
    }

    /// The table of edges with its name, version, start and failure node.
    fn graph() -> Graph<Self::Node, Self::Label> {
        Graph {
            workflow: Self::NAME,
            version: Self::VERSION,
            start: Self::START,
            failure: Self::FAILURE,
            edges: Self::EDGES,
        }
    }
}

/// The result of entering a node.
#[derive(Debug, Clone)]
pub enum Enter<W: Workflow> {
    /// The node is done without further input.
    Done(Outcome<W>),
    /// Work outside the workflow, recorded call by call; then [`Workflow::fold`] continues.
    Call(Vec<W::Call>),
    /// A question to a person; then [`Workflow::answered`] continues.
    Ask(W::Ask),
}

/// An answer with its author and its time.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The answer, which has passed the check of its question.
    pub value: &'a Value,
    /// The person who answered.
    pub actor: &'a str,
    /// The time of the answer, by RFC 3339 in UTC.
    pub at: &'a str,
}

/// The result of continuing a node with the results of its calls.
#[derive(Debug, Clone)]
pub enum Step<W: Workflow> {
    /// The node is done.
    Done(Outcome<W>),
    /// A question to a person about the results; then [`Workflow::answered`] continues.
    Ask(W::Ask),
    /// Further calls that follow from these results; then [`Workflow::fold`] runs again, with all results.
    Call(Vec<W::Call>),
}

/// The end of a node: the changes, the label of the next edge, the effects.
#[derive(Debug, Clone)]
pub struct Outcome<W: Workflow> {
    /// The changes of the state, in the order of their application.
    pub patches: Vec<W::Patch>,
    /// The label of the edge to take.
    pub label: W::Label,
    /// The effects, performed after the step is recorded.
    pub effects: Vec<Effect>,
    /// A short note for the timeline.
    pub note: Option<String>,
}

impl<W: Workflow> Outcome<W> {
    /// An outcome without changes and effects.
    pub fn go(label: W::Label) -> Self {
        Self { patches: Vec::new(), label, effects: Vec::new(), note: None }
    }

    /// Adds a change of the state.
    #[must_use]
    pub fn patch(mut self, patch: W::Patch) -> Self {
        self.patches.push(patch);
        self
    }

    /// Adds an effect to the outcome.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effects.push(effect);
        self
    }

    /// Sets the note for the timeline.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

/// The final result of a call, after all its attempts.
#[derive(Debug, Clone, PartialEq)]
pub enum CallResult {
    /// The result, which has passed [`Workflow::check`].
    Done(Value),
    /// The problems of the last attempt.
    Failed(Vec<Problem>),
}

/// The reason why a node could not do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeError {
    /// The messages for the person who is asked and for the failure node.
    pub messages: Vec<String>,
}

impl NodeError {
    /// An error with one message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { messages: vec![message.into()] }
    }
}

/// A change outside the state, described as the wanted state, so that it can be performed twice without harm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "kebab-case")]
pub enum Effect {
    /// A directory that must exist.
    Directory {
        /// Its path, relative to the root of the run.
        path: PathBuf,
    },
    /// A file that must have this content.
    File {
        /// Its path, relative to the root of the run.
        path: PathBuf,
        /// The whole content of the file.
        content: String,
        /// The state that the file must have before it is written.
        before: Before,
    },
}

impl Effect {
    /// The path of the directory or file, relative to the root of the run.
    pub fn path(&self) -> &Path {
        match self {
            Self::Directory { path } | Self::File { path, .. } => path,
        }
    }
}

/// The required state of a file before it is written, so that no change by another person is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// The file must not exist.
    Absent,
    /// Its content has this SHA-256.
    Hash(String),
}
