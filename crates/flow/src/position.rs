//! The position of a thread: the fold of its log. The same events give the same position in a live run and in a resumed
//! one.

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

/// The number of times that a step may be undone because its files changed, before a person is asked.
const MOST_REFUSALS: u32 = 5;

/// The position of a thread after an event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Position<W: Workflow> {
    /// The node that runs or waits.
    pub node: W::Node,
    /// The data that nodes read and change.
    pub state: W::State,
    /// The phase of the thread.
    pub phase: Phase,
    /// The number of the event after which the node was entered.
    pub entered: u64,
    /// The number of times that each edge with a budget was taken, by `node label`.
    pub rounds: BTreeMap<String, u32>,
    /// The progress of the node's calls, by their index.
    pub calls: BTreeMap<u32, Progress>,
    /// The open question, if a person has to answer.
    pub open: Option<Open<W>>,
    /// Effects that have no receipt yet.
    pub pending: Vec<Pending>,
    /// The position to return to if a pending effect is refused.
    before: Option<Box<Restore<W>>>,
    /// The number of refusals at this node.
    refusals: u32,
    /// The node whose failure led to the failure node.
    failed_at: Option<W::Node>,
    /// A person asked to skip further questions for instructions.
    pub skip_instructions: bool,
    /// Effects are only recorded, as in a fork.
    pub dry_run: bool,
    /// The last step led to the end, and only its effects are pending.
    pub ending: bool,
    /// The number of the last event that came from an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<u64>,
}

/// The progress of a call of the current node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The hash of the call.
    pub request: String,
    /// The number of failed attempts.
    pub failed: u32,
    /// The problems of the last result, for the next attempt.
    pub problems: Vec<Problem>,
    /// The reason why the last attempt gave no result; empty if it gave one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<Problem>,
    /// The result, once the call is completed.
    pub result: Option<Value>,
    /// The call was handed out and its result has not been submitted yet.
    pub handed_out: bool,
}

impl Progress {
    /// The reasons of the last failure.
    pub fn failure(&self) -> &[Problem] {
        if self.unanswered.is_empty() { &self.problems } else { &self.unanswered }
    }
}

/// A question without an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Open<W: Workflow> {
    /// The number of the event that asked.
    pub seq: u64,
    /// The question and its author.
    pub question: Asking<W>,
}

/// A question to a person, from the workflow or from the engine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "by", content = "ask", rename_all = "kebab-case", bound = "")]
pub enum Asking<W: Workflow> {
    /// A question of a node.
    Workflow(W::Ask),
    /// A question of the engine: whether to continue.
    Engine(Because<W>, Interrupt),
}

impl<W: Workflow> Asking<W> {
    /// The kind of the question, e.g. `approval`.
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

    /// The JSON Schema of a valid answer.
    pub fn answer_schema(&self) -> Value {
        match self {
            Self::Workflow(ask) => ask.answer_schema(),
            Self::Engine(..) => super::ask::schema_of::<InterruptAnswer>(),
        }
    }

    /// The question as JSON, for channels.
    pub fn json(&self) -> Value {
        let value = match self {
            Self::Workflow(ask) => serde_json::to_value(ask),
            Self::Engine(_, ask) => serde_json::to_value(super::ask::Ask::Interrupt(ask.clone())),
        };
        value.unwrap_or_default()
    }

    /// Checks an answer before it is recorded.
    ///
    /// # Errors
    ///
    /// Returns every problem, with its path in the answer.
    pub fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        match self {
            Self::Workflow(ask) => ask.check(answer),
            Self::Engine(..) => read_answer::<InterruptAnswer>(answer).map(drop),
        }
    }
}

/// An effect without a receipt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The number of the event that requested it.
    pub step: u64,
    /// The index of the effect within its step.
    pub index: u32,
    /// The effect to perform.
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

/// The error for an event that cannot follow the events before it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("event {seq} cannot follow: {reason}")]
pub struct Impossible {
    /// The number of the event.
    pub seq: u64,
    /// The reason, as part of a sentence.
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
    /// Applies one event. It is the only way to change a position.
    ///
    /// # Errors
    ///
    /// Fails if the event cannot happen at this position, because the log is damaged or belongs to another workflow.
    pub fn apply(&mut self, seq: u64, body: &Body<W>) -> Result<(), Impossible> {
        self.follow(seq, body).map_err(|reason| Impossible { seq, reason })
    }

    /// Applies an event, or gives the reason why it cannot happen.
    fn follow(&mut self, seq: u64, body: &Body<W>) -> Result<(), &'static str> {
        let is_late =
            matches!(body, Body::Reopened | Body::Amended { to: Some(_), .. } | Body::Migrated { .. } | Body::Imported);
        if self.phase.is_terminal() && !is_late {
            return Err("the thread has ended");
        }
        match body {
            Body::Started { input, .. } => {
                self.change(input);
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
            Body::CallFailed { index, request, problems, unanswered, .. } => {
                let progress = self.progress(*index, request);
                progress.failed += 1;
                progress.unanswered.clear();
                let reasons = if *unanswered { &mut progress.unanswered } else { &mut progress.problems };
                reasons.clone_from(problems);
                progress.handed_out = false;
                self.phase = self.phase_of_calls();
            }
            Body::Stepped { node, patches, label, effects, .. } => {
                self.step(seq, (*node, *label), patches, effects)?;
            }
            Body::Asked { ask } => self.wait(seq, Asking::Workflow(ask.clone())),
            Body::Interrupted { because, ask } => self.wait(seq, Asking::Engine(because.clone(), ask.clone())),
            Body::Answered { ask, answer, .. } => {
                let open = self.open.take().filter(|open| open.seq == *ask).ok_or("no such question was open")?;
                self.phase = Phase::Running;
                self.heed(seq, &open.question, answer);
            }
            Body::EffectDone { step, index, .. } => self.receive(*step, *index)?,
            Body::EffectRefused { .. } => self.undo_step(seq)?,
            Body::Reopened => self.reopen(seq)?,
            Body::Amended { patches, to, .. } => self.amend(seq, patches, *to)?,
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
                    return Err("the step was not finished");
                }
                self.phase = if self.node == W::FAILURE { Phase::Failed } else { Phase::Completed };
            }
        }
        Ok(())
    }

    fn change(&mut self, patches: &[W::Patch]) {
        for patch in patches {
            W::apply(&mut self.state, patch);
        }
    }

    /// Completes the node and follows its edge; the effects of the step are pending from now on.
    fn step(
        &mut self,
        seq: u64,
        (node, label): (W::Node, W::Label),
        patches: &[W::Patch],
        effects: &[Effect],
    ) -> Result<(), &'static str> {
        if node != self.node {
            return Err("the event is about another node than the current one");
        }
        let edge = W::graph().edge(node, label).ok_or("the node has no edge of that label")?;
        let restore = Restore { node, state: self.state.clone(), rounds: self.rounds.clone() };
        self.before = (!effects.is_empty()).then(|| Box::new(restore));
        self.change(patches);
        if edge.budget.is_some() {
            *self.rounds.entry(edge_key::<W>(node, label)).or_default() += 1;
        }
        let pending = |(effect, index): (&Effect, u32)| Pending { step: seq, index, effect: effect.clone() };
        self.pending = effects.iter().zip(0..).map(pending).collect();
        match edge.to {
            To::Node(to) => {
                if to == W::FAILURE {
                    self.failed_at = Some(node);
                }
                self.move_to(seq, to);
            }
            To::End => self.ending = true,
        }
        Ok(())
    }

    /// Records the receipt of an effect.
    fn receive(&mut self, step: u64, index: u32) -> Result<(), &'static str> {
        let before = self.pending.len();
        self.pending.retain(|pending| (pending.step, pending.index) != (step, index));
        if self.pending.len() == before {
            return Err("no such effect was requested");
        }
        if self.pending.is_empty() {
            self.before = None;
            self.refusals = 0;
        }
        Ok(())
    }

    /// Returns to the node whose step requested an effect that was refused.
    fn undo_step(&mut self, seq: u64) -> Result<(), &'static str> {
        let restore = self.before.take().ok_or("no effect was requested")?;
        self.state = restore.state;
        self.rounds = restore.rounds;
        self.pending.clear();
        self.ending = false;
        self.open = None;
        self.phase = Phase::Running;
        self.refusals += 1;
        self.move_to(seq, restore.node);
        Ok(())
    }

    /// Continues a failed thread at the node that failed.
    fn reopen(&mut self, seq: u64) -> Result<(), &'static str> {
        if self.phase != Phase::Failed {
            return Err("only a failed thread can be continued this way");
        }
        let node = self.failed_at.take().unwrap_or(W::START);
        self.ending = false;
        self.phase = Phase::Running;
        self.move_to(seq, node);
        Ok(())
    }

    /// Applies a change from outside; with a node `to`, the thread continues there.
    fn amend(&mut self, seq: u64, patches: &[W::Patch], to: Option<W::Node>) -> Result<(), &'static str> {
        if !self.pending.is_empty() {
            return Err("the effects of the last step are missing");
        }
        self.change(patches);
        if let Some(to) = to {
            self.open = None;
            self.before = None;
            self.ending = false;
            self.failed_at = None;
            self.rounds.clear();
            self.refusals = 0;
            self.phase = Phase::Running;
            self.move_to(seq, to);
        }
        Ok(())
    }

    /// The budget of the edge that was just taken, if it is used up.
    pub(super) fn over_budget(&self, from: W::Node, label: W::Label) -> Option<u32> {
        let budget = W::graph().edge(from, label)?.budget?;
        (self.rounds.get(&edge_key::<W>(from, label)).copied().unwrap_or_default() > budget).then_some(budget)
    }

    /// Returns true if steps of this node were undone too often.
    pub fn refused_too_often(&self) -> bool {
        self.refusals > MOST_REFUSALS
    }

    /// The phase while the node has calls: waiting as long as one of them is handed out.
    fn phase_of_calls(&self) -> Phase {
        match self.calls.values().any(|progress| progress.handed_out) {
            true => Phase::WaitingForWork,
            false => Phase::Running,
        }
    }

    fn progress(&mut self, index: u32, request: &str) -> &mut Progress {
        let progress = self.calls.entry(index).or_default();
        if progress.request != request {
            // The node makes another call than before, so the progress of the old one is dropped.
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

    /// Applies the part of an answer that the engine itself handles.
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
                        self.refusals = 0;
                        self.move_to(seq, W::FAILURE);
                    }
                }
            }
        }
    }
}
