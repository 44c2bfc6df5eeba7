//! The parts that an author of a workflow writes: the nodes as pure functions, the patches that change the state, the
//! calls, the questions to people and the effects.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ask::AskModel;
use super::graph::{Edge, Graph, Name};
use super::problem::Problem;

/// A workflow: a table of edges, and a function for every node.
///
/// Every function is pure: the same state and the same results give the same outcome. Clock, randomness, files and
/// network are outside; a node requests something from there with a [`Call`](Enter::Call), and changes something there
/// with an [`Effect`].
pub trait Workflow: Sized + Clone + std::fmt::Debug + 'static {
    /// The name in stores and commands.
    const NAME: &'static str;
    /// The version of [`State`](Workflow::State) and [`Patch`](Workflow::Patch); raised when a stored one reads differently.
    const VERSION: u32;
    /// The fingerprints of earlier tables of this version whose every edge this one has, with its budget. Threads begun with
    /// them go on unchanged.
    const EXTENDS: &'static [&'static str] = &[];
    /// The first node.
    const START: Self::Node;
    /// The node where a run ends if it cannot continue.
    const FAILURE: Self::Node;
    /// The control flow. No other code, no model and no file of a user picks an edge.
    const EDGES: &'static [Edge<Self::Node, Self::Label>];

    /// The steps: an enum made by [`crate::names`].
    type Node: Name + Serialize + DeserializeOwned;
    /// The labels that steps may return: an enum made by [`crate::names`].
    type Label: Name + Serialize + DeserializeOwned;
    /// The state of the nodes.
    type State: Serialize + DeserializeOwned + Clone + Default + PartialEq + std::fmt::Debug;
    /// The typed changes: the only way to change the state.
    type Patch: Serialize + DeserializeOwned + Clone + std::fmt::Debug;
    /// Work for the world outside: a model, an agent, a search, a file to be read.
    type Call: Serialize + DeserializeOwned + Clone + std::fmt::Debug;
    /// The questions to people.
    type Ask: AskModel;

    /// Changes the state. Total: every patch applies to every state.
    fn apply(state: &mut Self::State, patch: &Self::Patch);

    /// Runs a node when it is entered.
    fn enter(&self, node: Self::Node, state: &Self::State) -> Enter<Self>;

    /// Continues a node with the results of its calls, in the order of the calls.
    ///
    /// # Errors
    ///
    /// If the node cannot do its work: a person is asked whether to try again.
    fn fold(&self, node: Self::Node, state: &Self::State, results: &[CallResult]) -> Result<Step<Self>, NodeError>;

    /// Continues a node with an answer, which has passed [`AskModel::check`]. The node is not entered again.
    ///
    /// # Errors
    ///
    /// If the node cannot do its work: a person is asked whether to try again.
    fn answered(
        &self,
        node: Self::Node,
        state: &Self::State,
        ask: &Self::Ask,
        answer: &Answer<'_>,
    ) -> Result<Outcome<Self>, NodeError>;

    /// Checks the result of a call; the problems are returned to its author, who has [`attempts`](Workflow::attempts)
    /// in total.
    ///
    /// # Errors
    ///
    /// Every problem, with its place in the result.
    fn check(&self, call: &Self::Call, result: &Value) -> Result<(), Vec<Problem>>;

    /// How often a call is tried before the node gets its failure.
    fn attempts(&self, _call: &Self::Call) -> u32 {
        3
    }

    /// Whether a run with this state may perform this effect. Called for every effect, whether its step was taken here
    /// or came from an archive; that no path leads out of the root has been checked before.
    ///
    /// # Errors
    ///
    /// The reason, beginning with the path.
    fn permits(_state: &Self::State, _effect: &Effect) -> Result<(), String> {
        Ok(())
    }

    /// Marks what people are said to have decided as brought by an archive, where the state names them.
    fn imported(_state: &mut Self::State) {}

    /// The patch that tells the failure node about the errors.
    fn failed(messages: &[String]) -> Option<Self::Patch>;

    /// Converts the state of an older version to this version; `None` if that is not possible.
    fn migrate(_version: u32, _state: Value) -> Option<Value> {
        None
    }

    /// The table with its name.
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
    /// Nothing: it is done.
    Done(Outcome<W>),
    /// Work from outside, each recorded by itself; then [`Workflow::fold`].
    Call(Vec<W::Call>),
    /// A person; then [`Workflow::answered`].
    Ask(W::Ask),
}

/// An answer, and who gave it when.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The answer, which fits its question.
    pub value: &'a Value,
    /// The person who answered.
    pub actor: &'a str,
    /// When, by RFC 3339 in UTC.
    pub at: &'a str,
}

/// The result of continuing a node with the results of its calls.
#[derive(Debug, Clone)]
pub enum Step<W: Workflow> {
    /// It is done.
    Done(Outcome<W>),
    /// A person is to look at them; then [`Workflow::answered`].
    Ask(W::Ask),
    /// More calls, which follow from these results; then [`Workflow::fold`] again, with the results of all.
    Call(Vec<W::Call>),
}

/// The end of a node: the changes, the label of the next edge, the effects.
#[derive(Debug, Clone)]
pub struct Outcome<W: Workflow> {
    /// The changes of the state, in order.
    pub patches: Vec<W::Patch>,
    /// The label of the edge.
    pub label: W::Label,
    /// The effects, performed after the step is recorded.
    pub effects: Vec<Effect>,
    /// A word for the timeline.
    pub note: Option<String>,
}

impl<W: Workflow> Outcome<W> {
    /// An outcome that changes nothing.
    pub fn go(label: W::Label) -> Self {
        Self { patches: Vec::new(), label, effects: Vec::new(), note: None }
    }

    /// With one more change of the state.
    #[must_use]
    pub fn patch(mut self, patch: W::Patch) -> Self {
        self.patches.push(patch);
        self
    }

    /// With one more effect.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effects.push(effect);
        self
    }

    /// With a word for the timeline.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum CallResult {
    /// Its result, which has passed [`Workflow::check`].
    Done(Value),
    /// The problems of the last attempt.
    Failed(Vec<Problem>),
}

/// The reason why a node could not do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeError {
    /// Every message, for the person who is asked and for the failure node.
    pub messages: Vec<String>,
}

impl NodeError {
    /// An error of one message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { messages: vec![message.into()] }
    }
}

/// A change outside the state, described as the wanted state, so that performing it twice is the same as once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "kebab-case")]
pub enum Effect {
    /// A directory is there.
    Directory {
        /// Its path, relative to the root of the run.
        path: PathBuf,
    },
    /// A file has this content.
    File {
        /// Its path, relative to the root of the run.
        path: PathBuf,
        /// The content.
        content: String,
        /// The required previous content.
        before: Before,
    },
}

impl Effect {
    /// The path that it is about, relative to the root of the run.
    pub fn path(&self) -> &Path {
        match self {
            Self::Directory { path } | Self::File { path, .. } => path,
        }
    }
}

/// The required state of a file before it is written, so that nobody's change is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// The file must not exist.
    Absent,
    /// Its content has this SHA-256.
    Hash(String),
}
