//! The position of a thread: the fold of its log. The same events give the same position, in a live run and when it is
//! resumed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::ask::{AddInstructionsAnswer, AskModel, Interrupt, InterruptAction, InterruptAnswer, read_answer};
use super::definition::{Effect, Workflow};
use super::event::{Because, Body};
use super::graph::{Name, To};
use super::problem::Problem;
use super::thread::Phase;

/// How often a step may be undone because somebody else changed its files before a person is asked.
const MOST_REFUSALS: u32 = 5;

/// The position of a thread after an event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Position<W: Workflow> {
    /// The node.
    pub node: W::Node,
    /// The state of the nodes.
    pub state: W::State,
    /// The phase of the thread.
    pub phase: Phase,
    /// The event after which the node was entered.
    pub entered: u64,
    /// How often each edge with a budget was taken, by `node label`.
    pub rounds: BTreeMap<String, u32>,
    /// The progress of the calls of the node.
    pub calls: BTreeMap<u32, Progress>,
    /// The open question.
    pub open: Option<Open<W>>,
    /// Effects that have no receipt yet.
    pub pending: Vec<Pending>,
    /// The position to return to if one of them is refused.
    before: Option<Box<Restore<W>>>,
    /// How often that happened at this node.
    refusals: u32,
    /// The node whose failure led to the failure node.
    failed_at: Option<W::Node>,
    /// Whether a person asked to skip further opportunities to add instructions.
    pub skip_instructions: bool,
    /// Whether effects are only recorded, as in a fork.
    pub dry_run: bool,
    /// Whether the last step led to the end, and only its effects are missing.
    pub ending: bool,
    /// The event up to which the log came from an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<u64>,
}

/// The progress of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The hash of the call.
    pub request: String,
    /// Attempts that came to nothing.
    pub failed: u32,
    /// The problems of the last attempt.
    pub problems: Vec<Problem>,
    /// The result.
    pub result: Option<Value>,
    /// Whether it was handed out and its result is to be submitted.
    pub handed_out: bool,
}

/// A question that nobody has answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Open<W: Workflow> {
    /// The event that asked.
    pub seq: u64,
    /// The question.
    pub question: Asking<W>,
}

/// An open question and who asks it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "by", content = "ask", rename_all = "kebab-case", bound = "")]
pub enum Asking<W: Workflow> {
    /// A node of the workflow.
    Workflow(W::Ask),
    /// The engine asks whether to continue.
    Engine(Because<W>, Interrupt),
}

impl<W: Workflow> Asking<W> {
    /// The kind of the question.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Workflow(ask) => ask.kind(),
            Self::Engine(..) => "interrupt",
        }
    }

    /// The question in one line.
    pub fn title(&self) -> String {
        match self {
            Self::Workflow(ask) => ask.title(),
            Self::Engine(_, ask) => ask.reason.clone(),
        }
    }

    /// The JSON Schema of its answer.
    pub fn answer_schema(&self) -> Value {
        match self {
            Self::Workflow(ask) => ask.answer_schema(),
            Self::Engine(..) => super::ask::schema_of::<InterruptAnswer>(),
        }
    }

    /// The question as JSON.
    pub fn json(&self) -> Value {
        let value = match self {
            Self::Workflow(ask) => serde_json::to_value(ask),
            Self::Engine(_, ask) => serde_json::to_value(super::ask::Ask::Interrupt(ask.clone())),
        };
        value.unwrap_or_default()
    }

    /// Checks an answer.
    ///
    /// # Errors
    ///
    /// Every problem, with its path in the answer.
    pub fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        match self {
            Self::Workflow(ask) => ask.check(answer),
            Self::Engine(..) => read_answer::<InterruptAnswer>(answer).map(drop),
        }
    }
}

/// An effect that has no receipt yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The event that requested it.
    pub step: u64,
    /// Which of its effects.
    pub index: u32,
    /// The effect.
    pub effect: Effect,
}

/// The position to return to when a step is undone.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
struct Restore<W: Workflow> {
    node: W::Node,
    state: W::State,
    rounds: BTreeMap<String, u32>,
}

/// A log that says something impossible.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("event {seq} cannot follow: {reason}")]
pub struct Impossible {
    /// The event.
    pub seq: u64,
    /// The reason.
    pub reason: &'static str,
}

impl<W: Workflow> Default for Position<W> {
    fn default() -> Self {
        Self {
            node: W::START,
            state: W::State::default(),
            phase: Phase::Running,
            entered: 0,
            rounds: BTreeMap::new(),
            calls: BTreeMap::new(),
            open: None,
            pending: Vec::new(),
            before: None,
            refusals: 0,
            failed_at: None,
            skip_instructions: false,
            dry_run: false,
            ending: false,
            imported: None,
        }
    }
}

/// The key of an edge in [`Position::rounds`].
fn edge_key<W: Workflow>(from: W::Node, label: W::Label) -> String {
    format!("{} {}", from.name(), label.name())
}

impl<W: Workflow> Position<W> {
    /// Takes one event into account. Every change of a position is one of these.
    ///
    /// # Errors
    ///
    /// If the event cannot happen here: the log is damaged, or another workflow's.
    pub fn apply(&mut self, seq: u64, body: &Body<W>) -> Result<(), Impossible> {
        let impossible = |reason| Err(Impossible { seq, reason });
        let is_late =
            matches!(body, Body::Reopened | Body::Amended { to: Some(_), .. } | Body::Migrated { .. } | Body::Imported);
        if self.phase.is_terminal() && !is_late {
            return impossible("the thread has ended");
        }
        match body {
            Body::Started { input, .. } => {
                for patch in input {
                    W::apply(&mut self.state, patch);
                }
                self.move_to(seq, W::START);
            }
            Body::Forked { node, state, imported, .. } => {
                self.state = state.clone();
                self.imported = imported.then_some(seq);
                self.dry_run = true;
                self.move_to(seq, *node);
            }
            Body::HandedOut { index, request, .. } => {
                self.progress(*index, request).handed_out = true;
                self.phase = Phase::WaitingForWork;
            }
            Body::CallDone { index, request, result, .. } => {
                let progress = self.progress(*index, request);
                progress.result = Some(result.clone());
                progress.handed_out = false;
                self.phase = self.phase_of_calls();
            }
            Body::CallFailed { index, request, problems, .. } => {
                let progress = self.progress(*index, request);
                progress.failed += 1;
                progress.problems.clone_from(problems);
                progress.handed_out = false;
                self.phase = self.phase_of_calls();
            }
            Body::Stepped { node, patches, label, effects, .. } => {
                if *node != self.node {
                    return impossible("the event is about another node than the current one");
                }
                let Some(edge) = W::graph().edge(*node, *label) else {
                    return impossible("the node has no edge of that label");
                };
                let restore = Restore { node: *node, state: self.state.clone(), rounds: self.rounds.clone() };
                self.before = (!effects.is_empty()).then(|| Box::new(restore));
                for patch in patches {
                    W::apply(&mut self.state, patch);
                }
                if edge.budget.is_some() {
                    *self.rounds.entry(edge_key::<W>(*node, *label)).or_default() += 1;
                }
                self.pending = effects
                    .iter()
                    .zip(0..)
                    .map(|(effect, index)| Pending { step: seq, index, effect: effect.clone() })
                    .collect();
                match edge.to {
                    To::Node(to) => {
                        if to == W::FAILURE {
                            self.failed_at = Some(*node);
                        }
                        self.move_to(seq, to);
                    }
                    To::End => self.ending = true,
                }
            }
            Body::Asked { ask } => self.wait(seq, Asking::Workflow(ask.clone())),
            Body::Interrupted { because, ask } => self.wait(seq, Asking::Engine(because.clone(), ask.clone())),
            Body::Answered { ask, answer, .. } => {
                let Some(open) = self.open.take().filter(|open| open.seq == *ask) else {
                    return impossible("no such question was open");
                };
                self.phase = Phase::Running;
                self.heed(seq, &open.question, answer);
            }
            Body::EffectDone { step, index, .. } => {
                let before = self.pending.len();
                self.pending.retain(|pending| (pending.step, pending.index) != (*step, *index));
                if self.pending.len() == before {
                    return impossible("no such effect was requested");
                }
                if self.pending.is_empty() {
                    self.before = None;
                    self.refusals = 0;
                }
            }
            Body::EffectRefused { .. } => {
                let Some(restore) = self.before.take() else {
                    return impossible("no effect was requested");
                };
                self.state = restore.state;
                self.rounds = restore.rounds;
                self.pending.clear();
                self.ending = false;
                self.open = None;
                self.phase = Phase::Running;
                let refusals = self.refusals + 1;
                self.move_to(seq, restore.node);
                self.refusals = refusals;
            }
            Body::Reopened => {
                if self.phase != Phase::Failed {
                    return impossible("only a failed thread can be continued this way");
                }
                let node = self.failed_at.take().unwrap_or(W::START);
                self.ending = false;
                self.phase = Phase::Running;
                self.move_to(seq, node);
            }
            Body::Amended { patches, to, .. } => {
                if !self.pending.is_empty() {
                    return impossible("the effects of the last step are missing");
                }
                for patch in patches {
                    W::apply(&mut self.state, patch);
                }
                if let Some(to) = to {
                    self.open = None;
                    self.before = None;
                    self.ending = false;
                    self.failed_at = None;
                    self.rounds.clear();
                    self.refusals = 0;
                    self.phase = Phase::Running;
                    self.move_to(seq, *to);
                }
            }
            Body::Migrated { state, .. } => self.state = state.clone(),
            Body::Imported => {
                W::imported(&mut self.state);
                self.imported = Some(seq);
            }
            Body::Cancelled { .. } => {
                self.open = None;
                self.phase = Phase::Cancelled;
            }
            Body::Ended => {
                if !self.ending || !self.pending.is_empty() {
                    return impossible("the step was not finished");
                }
                self.phase = if self.node == W::FAILURE { Phase::Failed } else { Phase::Completed };
            }
        }
        Ok(())
    }

    /// The budget of the edge that was just taken, if it is used up.
    pub(super) fn over_budget(&self, from: W::Node, label: W::Label) -> Option<u32> {
        let budget = W::graph().edge(from, label)?.budget?;
        (self.rounds.get(&edge_key::<W>(from, label)).copied().unwrap_or_default() > budget).then_some(budget)
    }

    /// Whether steps of this node were undone too often.
    pub fn refused_too_often(&self) -> bool {
        self.refusals > MOST_REFUSALS
    }

    /// Waiting as long as another call of the node is handed out.
    fn phase_of_calls(&self) -> Phase {
        match self.calls.values().any(|progress| progress.handed_out) {
            true => Phase::WaitingForWork,
            false => Phase::Running,
        }
    }

    fn progress(&mut self, index: u32, request: &str) -> &mut Progress {
        let progress = self.calls.entry(index).or_default();
        if progress.request != request {
            // Another call than before: what came of that one does not count.
            *progress = Progress { request: request.to_owned(), ..Progress::default() };
        }
        progress
    }

    fn move_to(&mut self, seq: u64, node: W::Node) {
        self.node = node;
        self.entered = seq;
        self.calls.clear();
    }

    fn wait(&mut self, seq: u64, question: Asking<W>) {
        self.open = Some(Open { seq, question });
        self.phase = Phase::WaitingForPerson;
    }

    /// Applies the effect of an answer on the engine itself, in addition to the node's own.
    fn heed(&mut self, seq: u64, question: &Asking<W>, answer: &Value) {
        match question {
            Asking::Workflow(ask) => {
                let skips = ask.is_add_instructions()
                    && read_answer::<AddInstructionsAnswer>(answer).is_ok_and(|answer| answer.skip_remaining);
                self.skip_instructions |= skips;
            }
            Asking::Engine(because, _) => {
                let goes_on = read_answer::<InterruptAnswer>(answer)
                    .is_ok_and(|answer| answer.action == InterruptAction::Continue);
                match (goes_on, because) {
                    (true, Because::Budget { from, label }) => {
                        self.rounds.remove(&edge_key::<W>(*from, *label));
                    }
                    (true, Because::NodeFailed { .. }) => {
                        self.refusals = 0;
                        self.move_to(seq, self.node);
                    }
                    (false, because) => {
                        let messages = match because {
                            Because::Budget { from, label } => {
                                vec![format!(
                                    "stopped by a person: too many rounds of {} ({})",
                                    from.name(),
                                    label.name()
                                )]
                            }
                            Because::NodeFailed { messages } => messages.clone(),
                        };
                        if let Some(patch) = W::failed(&messages) {
                            W::apply(&mut self.state, &patch);
                        }
                        self.failed_at = Some(self.node);
                        self.move_to(seq, W::FAILURE);
                    }
                }
            }
        }
    }
}
