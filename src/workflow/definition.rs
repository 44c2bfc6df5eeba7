//! What an author writes: the nodes of a workflow as pure functions, the patches that change its state, the calls it
//! wants made, the questions it puts to people and the effects it wants to see.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ask::AskModel;
use super::graph::{Edge, Graph, Name};
use super::problem::Problem;

/// A workflow: a table of edges, and for every node what it does.
///
/// Every function is pure: the same state and the same results give the same outcome. Clock, chance, files and network lie
/// outside; what is wanted from there is a [`Call`](Enter::Call), and what is to be seen there an [`Effect`].
pub trait Workflow: Sized + Clone + std::fmt::Debug + 'static {
    /// The name in stores and commands.
    const NAME: &'static str;
    /// The version of [`State`](Workflow::State) and [`Patch`](Workflow::Patch); raised when a stored one reads differently.
    const VERSION: u32;
    /// The first node.
    const START: Self::Node;
    /// The node where a run ends that cannot go on.
    const FAILURE: Self::Node;
    /// The control flow. No other code, no model and no file of a user picks an edge.
    const EDGES: &'static [Edge<Self::Node, Self::Label>];

    /// The steps: an enum made by [`crate::names`].
    type Node: Name + Serialize + DeserializeOwned;
    /// What steps may return: an enum made by [`crate::names`].
    type Label: Name + Serialize + DeserializeOwned;
    /// What the nodes know.
    type State: Serialize + DeserializeOwned + Clone + Default + PartialEq + std::fmt::Debug;
    /// The typed changes: the only way to change the state.
    type Patch: Serialize + DeserializeOwned + Clone + std::fmt::Debug;
    /// Work for the world outside: a model, an agent, a search, a file to be read.
    type Call: Serialize + DeserializeOwned + Clone + std::fmt::Debug;
    /// What people are asked.
    type Ask: AskModel;

    /// Changes the state. Total: every patch applies to every state.
    fn apply(state: &mut Self::State, patch: &Self::Patch);

    /// What a node does when it is entered.
    fn enter(&self, node: Self::Node, state: &Self::State) -> Enter<Self>;

    /// What a node makes of the results of its calls, in the order of the calls.
    ///
    /// # Errors
    ///
    /// If the node cannot do its work: a person is asked whether to try again.
    fn fold(&self, node: Self::Node, state: &Self::State, results: &[CallResult]) -> Result<Step<Self>, NodeError>;

    /// What a node makes of an answer, which has passed [`AskModel::check`]. The node is not entered again.
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

    /// Whether the result of a call is one; the problems go back to whoever made it, who has [`attempts`](Workflow::attempts) in all.
    ///
    /// # Errors
    ///
    /// Every problem, with its place in the result.
    fn check(&self, call: &Self::Call, result: &Value) -> Result<(), Vec<Problem>>;

    /// How often a call is tried before the node is told that it failed.
    fn attempts(&self, _call: &Self::Call) -> u32 {
        3
    }

    /// Whether a run that knows this may bring this effect about. Asked of every effect, whether its step was taken here or
    /// came with an archive; that no path leads out of the root is seen to before.
    ///
    /// # Errors
    ///
    /// Why not, beginning with the path.
    fn permits(_state: &Self::State, _effect: &Effect) -> Result<(), String> {
        Ok(())
    }

    /// Marks what people are said to have decided as brought by an archive, where the state names them.
    fn imported(_state: &mut Self::State) {}

    /// The change that lets the failure node know what went wrong.
    fn failed(messages: &[String]) -> Option<Self::Patch>;

    /// The state of an older version as one of this version; `None` if there is no way.
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

/// What a node wants when it is entered.
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
    /// Who answered.
    pub actor: &'a str,
    /// When, by RFC 3339 in UTC.
    pub at: &'a str,
}

/// What a node makes of the results of its calls.
#[derive(Debug, Clone)]
pub enum Step<W: Workflow> {
    /// It is done.
    Done(Outcome<W>),
    /// A person is to look at them; then [`Workflow::answered`].
    Ask(W::Ask),
    /// More calls, which follow from these results; then [`Workflow::fold`] again, with the results of all.
    Call(Vec<W::Call>),
}

/// How a node ends: what changes, which way it goes, what the world is to see.
#[derive(Debug, Clone)]
pub struct Outcome<W: Workflow> {
    /// The changes of the state, in order.
    pub patches: Vec<W::Patch>,
    /// The label of the edge.
    pub label: W::Label,
    /// What is to be seen outside, done after the step is recorded.
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

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub enum CallResult {
    /// Its result, which has passed [`Workflow::check`].
    Done(Value),
    /// The problems of the last attempt.
    Failed(Vec<Problem>),
}

/// Why a node could not do its work.
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

/// Something to be seen outside, told as the wanted state, so that doing it twice is doing it once.
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
        /// What it holds.
        content: String,
        /// What it must hold before.
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

/// What a file must be before it is written, so that nobody's change is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// There must be none.
    Absent,
    /// Its content has this SHA-256.
    Hash(String),
}
