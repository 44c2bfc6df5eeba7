//! A run of a workflow: takes a thread from where it stands as far as it can go, and records every step before the next.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use super::ask::{Interrupt, InterruptAction, InterruptAnswer};
use super::crash::boundary;
use super::definition::{CallResult, Enter, NodeError, Outcome, Problem, Step, Workflow};
use super::effects::{self, Done};
use super::event::{Because, Body, ENGINE, Event};
use super::graph::{Name, To};
use super::hash;
use super::position::{Asking, Impossible, Position};
use super::store::{Store, StoreError};
use super::thread::{AskId, OrderId, Phase, Snapshot, ThreadId, ThreadRecord};

/// The most steps one call of [`Run::advance`] takes; a workflow whose loops have budgets stays far below it.
const MOST_STEPS: u32 = 10_000;

/// Carries out calls.
pub trait Executor<C> {
    /// Carries out one attempt at a call.
    fn perform(&mut self, call: &C, order: &Order) -> Performed;
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its id.
    pub id: OrderId,
    /// How many attempts there are in all.
    pub attempts: u32,
    /// What was wrong with the attempt before.
    pub problems: Vec<Problem>,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum Performed {
    /// A result, which is still to be checked.
    Done {
        /// The result.
        result: Value,
        /// What it cost; null where that is not known.
        usage: Value,
    },
    /// Nothing, and why.
    Failed(String),
    /// Nothing yet: somebody else does it and submits the result.
    HandedOut,
}

/// When the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// After every step.
    Step,
    /// Before anything is seen outside, and when the run stops.
    Exit,
}

/// Where a run stopped.
#[derive(Debug, Clone)]
pub enum Stop<W: Workflow> {
    /// A person has to answer.
    Asking(AskId, Asking<W>),
    /// Somebody has to carry out a work order.
    Ordering(Order, W::Call),
    /// The thread has ended.
    Ended(Phase),
}

/// Why a run could not go on. What was recorded before stays.
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
        /// The workflow that was to go on with it.
        expected: &'static str,
    },
    /// The thread was begun by another version of the program.
    #[error(
        "thread `{thread}` was begun with version {version} of the workflow (graph {fingerprint}), which is not this \
         program's. Either go on with the program that began it, or migrate it (`reqgate prd resume {thread} --migrate`), \
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
    #[error("{path}: {error}; mend this, then resume the thread")]
    Effect {
        /// The path.
        path: String,
        /// What the system said.
        error: String,
    },
    /// A stored value does not read as what it should be.
    #[error("thread `{thread}`, event {seq}: {reason}")]
    Unreadable {
        /// The thread.
        thread: ThreadId,
        /// The event.
        seq: u64,
        /// Why it does not read.
        reason: String,
    },
    /// The workflow never stops.
    #[error("the run took {MOST_STEPS} steps without stopping")]
    TooLong,
    /// What was asked for does not fit how far the thread is.
    #[error("{0}")]
    NotNow(String),
}

/// Why an answer was not taken. The thread is as it was.
#[derive(Debug, Error)]
pub enum AnswerError {
    /// There is no such question (404).
    #[error("there is no question `{0}`: `reqgate inbox` lists the open ones")]
    Unknown(AskId),
    /// The answer has another shape (422).
    #[error("the answer does not fit the question")]
    WrongShape(Vec<Problem>),
    /// The question has another answer already, or is no longer asked (409).
    #[error("question `{0}` is no longer open: it was answered otherwise, or its step was taken back")]
    Conflict(AskId),
    /// The run could not go on.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<StoreError> for AnswerError {
    fn from(error: StoreError) -> Self {
        Self::Run(error.into())
    }
}

/// What became of an answer or a submitted result that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Receipt {
    /// It was taken.
    Accepted {
        /// The event that records it.
        seq: u64,
    },
    /// It was taken before; nothing was done.
    Duplicate {
        /// The event that records it.
        seq: u64,
    },
    /// The result is none; the problems are for the next attempt.
    Rejected {
        /// The event that records it.
        seq: u64,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
}

/// Who does something, and when it is: what the core must not find out by itself.
pub struct World<'a> {
    /// The time, by RFC 3339 in UTC.
    pub now: &'a dyn Fn() -> String,
}

/// A thread that is worked on. While it is held, no other process can work on it.
pub struct Run<'a, W: Workflow, S: Store> {
    workflow: &'a W,
    store: &'a S,
    world: &'a World<'a>,
    claim: S::Claim,
    durability: Durability,
    record: ThreadRecord,
    position: Position<W>,
    /// The last event that is in the store.
    stored: u64,
    unwritten: Vec<Event>,
    created: bool,
}

/// What a new thread is.
#[derive(Debug, Clone)]
pub struct Begin<W: Workflow> {
    /// Its id.
    pub id: ThreadId,
    /// What it is about.
    pub title: String,
    /// The directory that effects are relative to.
    pub root: PathBuf,
    /// The first changes of the state.
    pub input: Vec<W::Patch>,
    /// Who begins it.
    pub actor: String,
}

impl<'a, W: Workflow, S: Store> Run<'a, W, S> {
    /// Begins a thread.
    ///
    /// # Errors
    ///
    /// If there is such a thread, or the store refuses.
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

    /// Begins a thread with this event.
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

    /// Takes up a thread where it stands.
    ///
    /// # Errors
    ///
    /// If there is no such thread, another process works on it, or it was begun by another version of the workflow.
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

    /// Takes up a thread, also one of another graph, which is told.
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
        // Read under the claim: nobody can change it from here on.
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

    /// Takes up a thread of another version of the workflow by making its state one of this version.
    ///
    /// # Errors
    ///
    /// If there is no way from that version to this one, or as for [`Run::open`].
    pub fn migrate(
        workflow: &'a W,
        store: &'a S,
        world: &'a World<'a>,
        durability: Durability,
        thread: &ThreadId,
        actor: &str,
    ) -> Result<Self, RunError> {
        let (mut run, foreign) = Self::open_any(workflow, store, world, durability, thread)?;
        if foreign.is_none() {
            return Ok(run);
        }
        let no_way = |what: &str| {
            RunError::NotNow(format!(
                "thread `{thread}` cannot be migrated: {what}. Go on with the program that began it, or fork it"
            ))
        };
        let snapshot = store.snapshot(thread)?.ok_or_else(|| no_way("it has no snapshot"))?;
        let mut position = snapshot.position;
        let old = position.get("state").cloned().unwrap_or_default();
        let version = run.record.version;
        let state = if version == W::VERSION { Some(old) } else { W::migrate(version, old) };
        let state =
            state.ok_or_else(|| no_way(&format!("there is no way from version {version} to {}", W::VERSION)))?;
        position["state"] = state;
        run.position = serde_json::from_value(position).map_err(|error| no_way(&error.to_string()))?;
        run.record.version = W::VERSION;
        run.record.fingerprint = W::graph().fingerprint();
        let body =
            Body::Migrated { version, fingerprint: run.record.fingerprint.clone(), state: run.position.state.clone() };
        run.commit(actor, vec![body])?;
        Ok(run)
    }

    /// The record of the thread.
    pub fn record(&self) -> &ThreadRecord {
        &self.record
    }

    /// Where the thread stands.
    pub fn position(&self) -> &Position<W> {
        &self.position
    }

    /// Takes the thread as far as it can go without a person, or without whoever carries out a work order.
    ///
    /// # Errors
    ///
    /// If the store, or the disk under an effect, refuses. What was recorded stays, and the thread can be taken up again.
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

    /// Does the work of the node that the thread stands at.
    fn enter(&mut self, executor: &mut dyn Executor<W::Call>) -> Result<Option<Stop<W>>, RunError> {
        if self.position.refused_too_often() {
            let message = "the files of this step are changed by somebody else again and again".to_owned();
            self.interrupt(NodeError::new(message))?;
            return Ok(None);
        }
        let node = self.position.node;
        match self.workflow.enter(node, &self.position.state) {
            Enter::Done(outcome) => self.step(ENGINE, None, outcome)?,
            Enter::Ask(ask) => self.ask(ask)?,
            Enter::Call(calls) => {
                let mut results = Vec::with_capacity(calls.len());
                for (call, index) in calls.into_iter().zip(0..) {
                    match self.call(executor, call, index)? {
                        Ok(result) => results.push(result),
                        Err(stop) => return Ok(Some(stop)),
                    }
                }
                match self.workflow.fold(node, &self.position.state, &results) {
                    Ok(Step::Done(outcome)) => self.step(ENGINE, None, outcome)?,
                    Ok(Step::Ask(ask)) => self.ask(ask)?,
                    Err(error) => self.interrupt(error)?,
                }
            }
        }
        Ok(None)
    }

    /// The result of a call: what is recorded, or what comes of it now; or the order that was handed out.
    fn call(
        &mut self,
        executor: &mut dyn Executor<W::Call>,
        call: W::Call,
        index: u32,
    ) -> Result<Result<CallResult, Stop<W>>, RunError> {
        let request = hash(&serde_json::to_vec(&call).unwrap_or_default());
        let attempts = self.workflow.attempts(&call).max(1);
        loop {
            let progress = self.position.calls.get(&index).filter(|progress| progress.request == request).cloned();
            let progress = progress.unwrap_or_default();
            if let Some(result) = progress.result {
                return Ok(Ok(CallResult::Done(result)));
            }
            if progress.failed >= attempts {
                return Ok(Ok(CallResult::Failed(progress.problems)));
            }
            let attempt = progress.failed + 1;
            let id = OrderId { thread: self.record.id.clone(), entered: self.position.entered, index, attempt };
            let order = Order { id, attempts, problems: progress.problems };
            if progress.handed_out {
                return Ok(Err(Stop::Ordering(order, call)));
            }
            boundary!("before a call");
            let performed = executor.perform(&call, &order);
            boundary!("after a call");
            let request = request.clone();
            let body = match performed {
                Performed::HandedOut => Body::HandedOut { index, request, attempt },
                Performed::Failed(message) => Body::CallFailed {
                    index,
                    request,
                    attempt,
                    problems: vec![Problem::whole(message)],
                    submitted: None,
                },
                Performed::Done { result, usage } => match self.workflow.check(&call, &result) {
                    Ok(()) => Body::CallDone { index, request, attempt, result, usage },
                    Err(problems) => Body::CallFailed { index, request, attempt, problems, submitted: None },
                },
            };
            self.commit(ENGINE, vec![body])?;
        }
    }

    /// Records a step, after the answer that it follows from.
    fn step(&mut self, actor: &str, answered: Option<Body<W>>, outcome: Outcome<W>) -> Result<(), RunError> {
        let node = self.position.node;
        let label = outcome.label;
        if W::graph().edge(node, label).is_none() {
            // A fault of the workflow: said to a person, like every other thing a node cannot do.
            let message = format!("the node `{}` returned `{}`, for which it has no edge", node.name(), label.name());
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
            let ask = Interrupt {
                reason: format!("{} has gone back by “{}” {budget} times", node.name(), label.name()),
                state: [("node".to_owned(), ahead.node.name().to_owned())].into(),
                resume_instructions: format!("continue: {budget} more rounds; abort: the run ends as failed"),
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
        // The person who was asked before said that there is nothing to add, here and later.
        let answer = serde_json::json!({ "additionalInstructions": "", "skipRemaining": true });
        match self.workflow.answered(self.position.node, &self.position.state, &ask, &answer) {
            Ok(outcome) => self.step(ENGINE, None, outcome),
            Err(error) => self.interrupt(error),
        }
    }

    /// Asks a person whether to go on after a node could not do its work.
    fn interrupt(&mut self, error: NodeError) -> Result<(), RunError> {
        let body = interrupted(self.position.node, error);
        self.commit(ENGINE, vec![body])
    }

    /// Takes the answer to the open question, and the step that follows from it, as one.
    ///
    /// # Errors
    ///
    /// [`AnswerError::Unknown`], [`AnswerError::WrongShape`] or [`AnswerError::Conflict`], and then nothing has changed.
    pub fn answer(&mut self, ask: &AskId, answer: &Value, actor: &str, channel: &str) -> Result<Receipt, AnswerError> {
        let Some(open) = self.position.open.clone().filter(|open| open.seq == ask.seq) else {
            return self.answered_before(ask, answer);
        };
        open.question.check(answer).map_err(AnswerError::WrongShape)?;
        let body = Body::Answered { ask: ask.seq, answer: answer.clone(), channel: channel.to_owned() };
        boundary!("before an answer");
        let seq = self.head() + 1;
        match &open.question {
            Asking::Engine(..) => self.commit(actor, vec![body])?,
            Asking::Workflow(asked) => {
                match self.workflow.answered(self.position.node, &self.position.state, asked, answer) {
                    Ok(outcome) => self.step(actor, Some(body), outcome)?,
                    Err(error) => {
                        let interrupted = interrupted(self.position.node, error);
                        self.commit(actor, vec![body, interrupted])?;
                    }
                }
            }
        }
        self.flush()?;
        boundary!("after an answer");
        Ok(Receipt::Accepted { seq })
    }

    /// What to say to an answer to a question that is not open.
    fn answered_before(&self, ask: &AskId, answer: &Value) -> Result<Receipt, AnswerError> {
        if ask.seq == 0 {
            return Err(AnswerError::Unknown(ask.clone()));
        }
        let events = self.store.events_after(&self.record.id, ask.seq - 1)?;
        let asked = events.first().map(|event| decode::<W>(&self.record.id, event)).transpose()?;
        if !matches!(asked, Some(Body::Asked { .. } | Body::Interrupted { .. })) {
            return Err(AnswerError::Unknown(ask.clone()));
        }
        for event in &events {
            if let Body::Answered { ask: seq, answer: before, .. } = decode::<W>(&self.record.id, event)?
                && seq == ask.seq
                && before == *answer
            {
                return Ok(Receipt::Duplicate { seq: event.seq });
            }
        }
        Err(AnswerError::Conflict(ask.clone()))
    }

    /// Takes the result of a work order that was handed out.
    ///
    /// A result with problems is [`Receipt::Rejected`], and the order is handed out again with them until its attempts are
    /// used up.
    ///
    /// # Errors
    ///
    /// [`RunError::NotNow`] if the order is not the open one and this is not what was submitted for it.
    pub fn submit(&mut self, id: &OrderId, result: &Value, actor: &str) -> Result<Receipt, RunError> {
        let open = self.open_order();
        let digest = hash(result.to_string().as_bytes());
        let Some((order, call, request)) = open.filter(|(order, ..)| order.id == *id) else {
            return self.submitted_before(id, result, &digest);
        };
        let (index, attempt) = (order.id.index, order.id.attempt);
        boundary!("before a submitted result");
        let seq = self.head() + 1;
        let receipt = match self.workflow.check(&call, result) {
            Ok(()) => {
                let body = Body::CallDone { index, request, attempt, result: result.clone(), usage: Value::Null };
                self.commit(actor, vec![body])?;
                Receipt::Accepted { seq }
            }
            Err(problems) => {
                let submitted = Some(digest);
                let body = Body::CallFailed { index, request, attempt, problems: problems.clone(), submitted };
                self.commit(actor, vec![body])?;
                Receipt::Rejected { seq, problems }
            }
        };
        self.flush()?;
        Ok(receipt)
    }

    /// The order that waits to be carried out elsewhere, its call and the hash of it.
    fn open_order(&self) -> Option<(Order, W::Call, String)> {
        if self.position.phase != Phase::WaitingForWork {
            return None;
        }
        let Enter::Call(calls) = self.workflow.enter(self.position.node, &self.position.state) else { return None };
        calls.into_iter().zip(0..).find_map(|(call, index)| {
            let progress = self.position.calls.get(&index).filter(|progress| progress.handed_out)?;
            let id = OrderId {
                thread: self.record.id.clone(),
                entered: self.position.entered,
                index,
                attempt: progress.failed + 1,
            };
            let attempts = self.workflow.attempts(&call).max(1);
            let order = Order { id, attempts, problems: progress.problems.clone() };
            Some((order, call, progress.request.clone()))
        })
    }

    /// What to say to a result for an order that is not the open one.
    fn submitted_before(&self, id: &OrderId, result: &Value, digest: &str) -> Result<Receipt, RunError> {
        for event in self.store.events_after(&self.record.id, id.entered)? {
            match decode::<W>(&self.record.id, &event)? {
                Body::CallDone { index, attempt, result: before, .. }
                    if (index, attempt) == (id.index, id.attempt) && before == *result =>
                {
                    return Ok(Receipt::Duplicate { seq: event.seq });
                }
                Body::CallFailed { index, attempt, problems, submitted, .. }
                    if (index, attempt) == (id.index, id.attempt) && submitted.as_deref() == Some(digest) =>
                {
                    return Ok(Receipt::Rejected { seq: event.seq, problems });
                }
                Body::Stepped { .. } => break,
                _ => {}
            }
        }
        let now = match self.open_order() {
            Some((order, ..)) => format!("the open one is `{}`", order.id),
            None => "none is open".to_owned(),
        };
        Err(RunError::NotNow(format!("work order `{id}` is not open: {now}")))
    }

    /// Ends the thread at a person's wish.
    ///
    /// # Errors
    ///
    /// If it has ended, or the store refuses.
    pub fn cancel(&mut self, reason: &str, actor: &str) -> Result<(), RunError> {
        if self.position.phase.is_terminal() {
            return Err(RunError::NotNow(format!("thread `{}` has ended already", self.record.id)));
        }
        self.commit(actor, vec![Body::Cancelled { reason: reason.to_owned() }])?;
        self.flush()
    }

    /// Takes up a failed thread at the node that failed.
    ///
    /// # Errors
    ///
    /// If it has not failed, or the store refuses.
    pub fn reopen(&mut self, actor: &str) -> Result<(), RunError> {
        if self.position.phase != Phase::Failed {
            return Err(RunError::NotNow(format!("thread `{}` has not failed", self.record.id)));
        }
        self.commit(actor, vec![Body::Reopened])?;
        self.flush()
    }

    /// Brings about every effect that has no receipt.
    fn perform_effects(&mut self) -> Result<(), RunError> {
        if self.position.pending.is_empty() {
            return Ok(());
        }
        // What is wanted is recorded before it is seen.
        self.flush()?;
        while let Some(pending) = self.position.pending.first().cloned() {
            let (step, index) = (pending.step, pending.index);
            let body = if self.position.dry_run {
                Body::EffectDone { step, index, receipt: "dry-run".to_owned() }
            } else {
                let done = effects::perform(Path::new(&self.record.root), &pending.effect).map_err(|error| {
                    let path = match &pending.effect {
                        super::Effect::Directory { path } | super::Effect::File { path, .. } => path,
                    };
                    RunError::Effect { path: path.display().to_string(), error: error.to_string() }
                })?;
                match done {
                    Done::Written => Body::EffectDone { step, index, receipt: "written".to_owned() },
                    Done::Unchanged => Body::EffectDone { step, index, receipt: "unchanged".to_owned() },
                    Done::Refused(reason) => Body::EffectRefused { step, index, reason },
                }
            };
            self.commit(ENGINE, vec![body])?;
        }
        Ok(())
    }

    /// The last event, written or not.
    fn head(&self) -> u64 {
        self.record.head
    }

    /// Records events as one.
    fn commit(&mut self, actor: &str, bodies: Vec<Body<W>>) -> Result<(), RunError> {
        for body in bodies {
            let seq = self.record.head + 1;
            self.position.apply(seq, &body)?;
            self.record.head = seq;
            if S::KEEPS {
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
        }
        if self.durability == Durability::Step { self.flush() } else { Ok(()) }
    }

    /// Writes what is recorded.
    fn flush(&mut self) -> Result<(), RunError> {
        if !S::KEEPS || self.unwritten.is_empty() {
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

/// The record of a thread before its first event.
pub(super) fn record_of<W: Workflow>(id: ThreadId, title: String, root: &Path) -> ThreadRecord {
    ThreadRecord {
        id,
        workflow: W::NAME.to_owned(),
        version: W::VERSION,
        fingerprint: W::graph().fingerprint(),
        title,
        root: root.display().to_string(),
        parent: None,
        created: String::new(),
        updated: String::new(),
        head: 0,
        head_hash: String::new(),
        node: W::START.name().to_owned(),
        phase: Phase::Running,
        ask: None,
    }
}

/// Whether a thread is another program's; an error if it is another workflow's.
fn foreign<W: Workflow>(record: &ThreadRecord) -> Result<Option<RunError>, RunError> {
    if record.workflow != W::NAME {
        return Err(RunError::OtherWorkflow {
            thread: record.id.clone(),
            found: record.workflow.clone(),
            expected: W::NAME,
        });
    }
    let same = record.version == W::VERSION && record.fingerprint == W::graph().fingerprint();
    Ok((!same).then(|| RunError::OtherGraph {
        thread: record.id.clone(),
        version: record.version,
        fingerprint: record.fingerprint.chars().take(12).collect(),
    }))
}

/// The body of an event.
///
/// # Errors
///
/// If it does not read as one of this workflow.
pub fn decode<W: Workflow>(thread: &ThreadId, event: &Event) -> Result<Body<W>, RunError> {
    serde_json::from_value(event.body.clone()).map_err(|error| RunError::Unreadable {
        thread: thread.clone(),
        seq: event.seq,
        reason: error.to_string(),
    })
}

/// Where a thread stands: its snapshot and the events since.
///
/// # Errors
///
/// If the store cannot be read, or what it holds is damaged.
pub fn current<W: Workflow, S: Store>(store: &S, record: &ThreadRecord) -> Result<Position<W>, RunError> {
    let (mut position, from) = match store.snapshot(&record.id)? {
        Some(snapshot) => {
            let position = serde_json::from_value(snapshot.position).map_err(|error| RunError::Unreadable {
                thread: record.id.clone(),
                seq: snapshot.seq,
                reason: error.to_string(),
            })?;
            (position, snapshot.seq)
        }
        None => (Position::default(), 0),
    };
    for event in store.events_after(&record.id, from)? {
        position.apply(event.seq, &decode::<W>(&record.id, &event)?)?;
    }
    Ok(position)
}

fn interrupted<W: Workflow>(node: W::Node, error: NodeError) -> Body<W> {
    let ask = Interrupt {
        reason: format!("{} cannot go on: {}", node.name(), error.messages.join("; ")),
        state: [("node".to_owned(), node.name().to_owned())].into(),
        resume_instructions: "continue: try again; abort: the run ends as failed".to_owned(),
    };
    Body::Interrupted { because: Because::NodeFailed { messages: error.messages }, ask }
}

/// The answer that goes on after an interrupt, or does not.
pub fn interrupt_answer(action: InterruptAction) -> Value {
    serde_json::to_value(InterruptAnswer { action, context: None }).unwrap_or_default()
}
