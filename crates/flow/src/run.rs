//! A run of a workflow: it advances a thread as far as possible and records every step before the next.

mod answers;
mod calls;
mod changes;
mod error;
mod outbox;
mod stored;

pub use answers::Receipt;
pub use error::{AnswerError, RunError};
use stored::foreign;
pub(super) use stored::record_of;
pub use stored::{current, decode, look};

use std::path::PathBuf;

use serde_json::Value;

use super::ask::{Interrupt, InterruptAction, InterruptAnswer};
use super::definition::{Answer, Enter, NodeError, Outcome, Step, Workflow};
use super::event::{Because, Body, ENGINE, Event};
use super::graph::{Name, To};
use super::position::{Asking, Position};
use super::problem::Problem;
use super::store::{Store, StoreError};
use super::thread::{AskId, OrderId, Phase, Snapshot, ThreadId, ThreadRecord};
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The maximum number of steps of one call of [`Run::advance`]. A workflow whose loops have budgets stays far below it.
const MOST_STEPS: u32 = 10_000;

/// The maximum number of calls in one visit to a node.
const MOST_CALLS: usize = 1_000;

/// Performs the calls of a workflow.
pub trait Executor<C> {
    /// Performs one attempt at a call.
    fn perform(&mut self, call: &C, order: &Order) -> Performed;

    /// Returns true for a call that can be performed at the same time as others.
    fn is_concurrent(&self, _call: &C) -> bool {
        false
    }

    /// Performs one attempt at each of several concurrent calls, and returns their results in the order of the calls.
    fn perform_together(&mut self, calls: &[(&C, Order)]) -> Vec<Performed> {
        calls.iter().map(|(call, order)| self.perform(call, order)).collect()
    }
}

/// Hands out every call: its result is submitted later, or a waiting thread is only looked at.
#[derive(Debug, Clone, Copy)]
pub struct HandsOut;

impl<C> Executor<C> for HandsOut {
    fn perform(&mut self, _: &C, _: &Order) -> Performed {
        Performed::HandedOut
    }
}

/// One attempt at a call, as it is given to an executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The id of the attempt.
    pub id: OrderId,
    /// The number of attempts allowed in total.
    pub attempts: u32,
    /// The problems of the last result. A failure to get one is not among them.
    pub problems: Vec<Problem>,
}

/// The result of an attempt at a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Performed {
    /// A result that has not been checked yet.
    Done {
        /// The result, as JSON.
        result: Value,
        /// The cost; null if it is unknown.
        usage: Value,
    },
    /// The attempt gave no result; the reason. It is not passed to the next attempt, because its author cannot mend it.
    Failed(String),
    /// The result has problems that its author can mend; they are passed to the next attempt.
    Faulty(Vec<Problem>),
    /// The work is done elsewhere, and its result will be submitted.
    HandedOut,
}

/// The time at which the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// The log is written after every step.
    Step,
    /// The log is written before effects are performed, and when the run stops.
    Exit,
}

/// The reason why a run stopped.
#[derive(Debug, Clone)]
pub enum Stop<W: Workflow> {
    /// A person has to answer.
    Asking(AskId, Asking<W>),
    /// Work orders have to be carried out elsewhere. This is the first one; [`Run::open_orders`] returns all.
    Ordering(Order, W::Call),
    /// The thread has ended in this phase.
    Ended(Phase),
}

/// Facts from outside, such as the time, that make runs repeatable in tests.
pub struct World<'a> {
    /// Returns the time, by RFC 3339 in UTC.
    pub now: &'a dyn Fn() -> String,
}

/// A thread that is being worked on. While the run exists, no other process can work on the thread.
pub struct Run<'a, W: Workflow, S: Store> {
    workflow: &'a W,
    store: &'a S,
    world: &'a World<'a>,
    claim: S::Claim,
    durability: Durability,
    record: ThreadRecord,
    position: Position<W>,
    /// The number of the last event in the store.
    stored: u64,
    unwritten: Vec<Event>,
    created: bool,
}

/// The properties of a new thread.
#[derive(Debug, Clone)]
pub struct Begin<W: Workflow> {
    /// The id of the new thread.
    pub id: ThreadId,
    /// The title of the new thread.
    pub title: String,
    /// The directory that effects are relative to.
    pub root: PathBuf,
    /// The initial changes of the state.
    pub input: Vec<W::Patch>,
    /// The person who starts it.
    pub actor: String,
}

impl<'a, W: Workflow, S: Store> Run<'a, W, S> {
    /// Begins a new thread.
    ///
    /// # Errors
    ///
    /// Fails if the thread already exists, or the store refuses.
    pub fn begin(
        workflow: &'a W,
        store: &'a S,
        world: &'a World<'a>,
        durability: Durability,
        begin: Begin<W>,
    ) -> Result<Self, RunError> {
        let body = Body::Started { title: begin.title.clone(), input: begin.input };
        Self::first(
            workflow,
            store,
            world,
            durability,
            record_of::<W>(begin.id, begin.title, &begin.root),
            begin.actor,
            body,
        )
    }

    /// Begins a thread with the given event.
    pub(super) fn first(
        workflow: &'a W,
        store: &'a S,
        world: &'a World<'a>,
        durability: Durability,
        record: ThreadRecord,
        actor: String,
        body: Body<W>,
    ) -> Result<Self, RunError> {
        let claim = store.claim(&record.id)?;
        if store.record(&record.id)?.is_some() {
            return Err(StoreError::Exists(record.id).into());
        }
        let mut run = Self {
            workflow,
            store,
            world,
            claim,
            durability,
            record,
            position: Position::default(),
            stored: 0,
            unwritten: Vec::new(),
            created: false,
        };
        run.record.created = (world.now)();
        run.commit(&actor, vec![body])?;
        Ok(run)
    }

    /// Loads a thread at its current position.
    ///
    /// # Errors
    ///
    /// Fails if the thread does not exist, another process works on it, or it was started by another version of the
    /// workflow.
    pub fn open(
        workflow: &'a W,
        store: &'a S,
        world: &'a World<'a>,
        durability: Durability,
        thread: &ThreadId,
    ) -> Result<Self, RunError> {
        let (run, foreign) = Self::open_any(workflow, store, world, durability, thread)?;
        match foreign {
            Some(error) => Err(error),
            None => Ok(run),
        }
    }

    /// Loads a thread, even if it belongs to another graph; the error for that is the second value.
    fn open_any(
        workflow: &'a W,
        store: &'a S,
        world: &'a World<'a>,
        durability: Durability,
        thread: &ThreadId,
    ) -> Result<(Self, Option<RunError>), RunError> {
        if store.record(thread)?.is_none() {
            return Err(StoreError::Unknown(thread.clone()).into());
        }
        let claim = store.claim(thread)?;
        // The record is read under the claim, so no other process can change it from here on.
        let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
        let foreign = foreign::<W>(&record)?;
        let position = match &foreign {
            None => current(store, &record)?,
            Some(_) => Position::default(),
        };
        let stored = record.head;
        let run = Self {
            workflow,
            store,
            world,
            claim,
            durability,
            record,
            position,
            stored,
            unwritten: Vec::new(),
            created: true,
        };
        Ok((run, foreign))
    }

    /// The record of the thread, as it will be stored.
    pub fn record(&self) -> &ThreadRecord {
        &self.record
    }

    /// The current position of the thread.
    pub fn position(&self) -> &Position<W> {
        &self.position
    }

    /// Advances the thread as far as possible without a person or the result of a work order.
    ///
    /// # Errors
    ///
    /// Fails if the store, or the disk during an effect, refuses. Recorded steps stay, and the thread can be loaded
    /// again.
    pub fn advance(&mut self, executor: &mut dyn Executor<W::Call>) -> Result<Stop<W>, RunError> {
        for _ in 0..MOST_STEPS {
            self.perform_effects()?;
            if self.position.phase.is_terminal() {
                self.flush()?;
                return Ok(Stop::Ended(self.position.phase));
            }
            if self.position.ending {
                self.commit(ENGINE, vec![Body::Ended])?;
                continue;
            }
            if let Some(open) = &self.position.open {
                let stop = Stop::Asking(AskId { thread: self.record.id.clone(), seq: open.seq }, open.question.clone());
                self.flush()?;
                return Ok(stop);
            }
            if let Some(stop) = self.enter(executor)? {
                self.flush()?;
                return Ok(stop);
            }
        }
        self.flush()?;
        Err(RunError::TooLong)
    }

    /// Runs the current node.
    fn enter(&mut self, executor: &mut dyn Executor<W::Call>) -> Result<Option<Stop<W>>, RunError> {
        if self.position.refused_too_often() {
            let message = messages::Flow::of(Language::En).files_keep_changing.to_owned();
            self.interrupt(NodeError::new(message))?;
            return Ok(None);
        }
        let node = self.position.node;
        match self.workflow.enter(node, &self.position.state) {
            Enter::Done(outcome) => self.step(ENGINE, None, outcome)?,
            Enter::Ask(ask) => self.ask(ask)?,
            Enter::Call(mut calls) => {
                let mut results = Vec::with_capacity(calls.len());
                loop {
                    // Calls of one step do not see each other's results, so all are handed out before any result is
                    // awaited.
                    let mut waits = None;
                    self.perform_ahead(executor, &calls, results.len())?;
                    for (call, index) in calls.iter().zip(0..).skip(results.len()) {
                        match self.call(executor, call, index)? {
                            Ok(result) => results.push(result),
                            Err(stop) => waits = waits.or(Some(stop)),
                        }
                    }
                    if waits.is_some() {
                        return Ok(waits);
                    }
                    match self.workflow.fold(node, &self.position.state, &results) {
                        Ok(Step::Done(outcome)) => self.step(ENGINE, None, outcome)?,
                        Ok(Step::Ask(ask)) => self.ask(ask)?,
                        Ok(Step::Call(more)) if !more.is_empty() && calls.len() < MOST_CALLS => {
                            calls.extend(more);
                            continue;
                        }
                        Ok(Step::Call(_)) => self.interrupt(NodeError::new("the node keeps asking for more calls"))?,
                        Err(error) => self.interrupt(error)?,
                    }
                    break;
                }
            }
        }
        Ok(None)
    }

    /// Records a step, together with the answer that it follows from.
    fn step(&mut self, actor: &str, answered: Option<Body<W>>, outcome: Outcome<W>) -> Result<(), RunError> {
        let node = self.position.node;
        let label = outcome.label;
        if W::graph().edge(node, label).is_none() {
            // A fault of the workflow is reported to a person, like any other failure of a node.
            let message = format!("the node `{}` has no edge with the label `{}`", node.name(), label.name());
            return self.interrupt(NodeError::new(message));
        }
        let mut bodies: Vec<Body<W>> = answered.into_iter().collect();
        bodies.push(Body::stepped(node, outcome));
        let leads_on = matches!(W::graph().edge(node, label).map(|edge| edge.to), Some(To::Node(_)));
        let mut ahead = self.position.clone();
        let mut seq = self.head();
        for body in &bodies {
            seq += 1;
            ahead.apply(seq, body)?;
        }
        if let Some(budget) = ahead.over_budget(node, label).filter(|_| leads_on) {
            let words = messages::Flow::of(Language::En);
            let ask = Interrupt {
                reason: words.budget_used(&budget, &label.name(), &node.name()),
                state: [("node".to_owned(), ahead.node.name().to_owned())].into(),
                resume_instructions: words.budget_ways(&budget),
            };
            bodies.push(Body::Interrupted { because: Because::Budget { from: node, label }, ask });
        }
        self.commit(actor, bodies)
    }

    fn ask(&mut self, ask: W::Ask) -> Result<(), RunError> {
        let spared = self.position.skip_instructions && super::ask::AskModel::is_add_instructions(&ask);
        if !spared {
            return self.commit(ENGINE, vec![Body::Asked { ask }]);
        }
        // The person has declined further instructions before, here and at later nodes.
        let answer = serde_json::json!({ "additionalInstructions": "", "skipRemaining": true });
        let at = (self.world.now)();
        let answer = Answer { value: &answer, actor: ENGINE, at: &at };
        match self.workflow.answered(self.position.node, &self.position.state, &ask, &answer) {
            Ok(outcome) => self.step(ENGINE, None, outcome),
            Err(error) => self.interrupt(error),
        }
    }

    /// Asks a person whether to continue after a node could not do its work.
    fn interrupt(&mut self, error: NodeError) -> Result<(), RunError> {
        let body = interrupted(self.position.node, error);
        self.commit(ENGINE, vec![body])
    }

    /// The number of the last event, stored or not.
    fn head(&self) -> u64 {
        self.record.head
    }

    /// Records events as one unit.
    fn commit(&mut self, actor: &str, bodies: Vec<Body<W>>) -> Result<(), RunError> {
        for body in bodies {
            let seq = self.record.head + 1;
            self.position.apply(seq, &body)?;
            self.record.head = seq;
            let at = (self.world.now)();
            let json = serde_json::to_value(&body).map_err(|error| RunError::Unreadable {
                thread: self.record.id.clone(),
                seq,
                reason: error.to_string(),
            })?;
            let previous = std::mem::take(&mut self.record.head_hash);
            let event = Event::new(seq, at, actor.to_owned(), json, previous);
            self.record.head_hash.clone_from(&event.hash);
            self.record.updated.clone_from(&event.at);
            self.unwritten.push(event);
        }
        if self.durability == Durability::Step { self.flush() } else { Ok(()) }
    }

    /// Writes the pending events to the store.
    fn flush(&mut self) -> Result<(), RunError> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        self.record.node = self.position.node.name().to_owned();
        self.record.phase = self.position.phase;
        self.record.ask =
            self.position.open.as_ref().map(|open| AskId { thread: self.record.id.clone(), seq: open.seq });
        let position = serde_json::to_value(&self.position).map_err(|error| RunError::Unreadable {
            thread: self.record.id.clone(),
            seq: self.record.head,
            reason: error.to_string(),
        })?;
        let snapshot = Snapshot { seq: self.record.head, position };
        if self.created {
            self.store.append(&self.claim, self.stored, &self.record, &self.unwritten, &snapshot)?;
        } else {
            self.store.create(&self.claim, &self.record, &self.unwritten, &snapshot)?;
            self.created = true;
        }
        self.stored = self.record.head;
        self.unwritten.clear();
        Ok(())
    }
}

fn interrupted<W: Workflow>(node: W::Node, error: NodeError) -> Body<W> {
    let words = messages::Flow::of(Language::En);
    let ask = Interrupt {
        reason: words.cannot_go_on(&error.messages.join(words.message_separator), &node.name()),
        state: [("node".to_owned(), node.name().to_owned())].into(),
        resume_instructions: words.retry_ways.to_owned(),
    };
    Body::Interrupted { because: Because::NodeFailed { messages: error.messages }, ask }
}

/// The answer to an interrupt, in its JSON form.
pub fn interrupt_answer(action: InterruptAction) -> Value {
    serde_json::to_value(InterruptAnswer { action, context: None }).unwrap_or_default()
}
