//! Accepts answers of people and submitted results: each is checked, and recorded once together with its consequences.

use serde::Serialize;
use serde_json::Value;

use super::{AnswerError, Run, RunError, decode, interrupted};
use crate::crash::boundary;
use crate::definition::{Answer, CallResult, Enter, Step, Workflow};
use crate::event::{Body, ENGINE};
use crate::hash;
use crate::position::{Asking, Position};
use crate::problem::Problem;
use crate::run::{MOST_CALLS, Order};
use crate::store::Store;
use crate::thread::{AskId, OrderId, Phase, ThreadId};

/// The receipt for an accepted answer or a submitted result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Receipt {
    /// The answer or result was accepted.
    Accepted {
        /// The number of the event that records it.
        seq: u64,
    },
    /// It was accepted before; this submission had no effect.
    Duplicate {
        /// The number of the event that records it.
        seq: u64,
    },
    /// The result is not valid; the problems are for the next attempt.
    Rejected {
        /// The number of the event that records the rejection.
        seq: u64,
        /// The problems of the result, with their paths.
        problems: Vec<Problem>,
    },
}

impl<W: Workflow, S: Store> Run<'_, W, S> {
    /// Accepts the answer to the open question and records it together with the step that follows from it.
    ///
    /// # Errors
    ///
    /// Fails with [`AnswerError::Unknown`], [`AnswerError::WrongShape`] or [`AnswerError::Conflict`]; then the thread
    /// is unchanged.
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
                let at = (self.world.now)();
                let answer = Answer { value: answer, actor, at: &at };
                match self.workflow.answered(self.position.node, &self.position.state, asked, &answer) {
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

    /// The response to an answer to a question that is not open.
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

    /// Accepts the result of a work order that was handed out.
    ///
    /// A result with problems is [`Receipt::Rejected`], and the order is handed out again with the problems until its
    /// attempts are used up.
    ///
    /// # Errors
    ///
    /// Fails with [`RunError::NotNow`] if the order is not open, unless this result was submitted for it before.
    pub fn submit(&mut self, id: &OrderId, result: &Value, actor: &str) -> Result<Receipt, RunError> {
        let open = self.open_orders().into_iter().find(|(order, _)| order.id == *id);
        let digest = hash(result.to_string().as_bytes());
        let Some((order, call)) = open else {
            return self.submitted_before(id, result, &digest);
        };
        let (index, attempt) = (order.id.index, order.id.attempt);
        let request = self.position.calls.get(&index).map(|progress| progress.request.clone()).unwrap_or_default();
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
                let body = Body::CallFailed {
                    index,
                    request,
                    attempt,
                    problems: problems.clone(),
                    unanswered: false,
                    submitted,
                };
                self.commit(actor, vec![body])?;
                Receipt::Rejected { seq, problems }
            }
        };
        self.flush()?;
        Ok(receipt)
    }

    /// Records that an attempt at an order that was handed out gave no result.
    ///
    /// # Errors
    ///
    /// Fails with [`RunError::NotNow`] if the order is not open.
    pub fn fail(&mut self, id: &OrderId, reason: &str) -> Result<(), RunError> {
        self.failed(id, vec![Problem::whole(reason)], true)
    }

    /// Records that an attempt at an order that was handed out gave a result with problems that its author can mend.
    ///
    /// # Errors
    ///
    /// Fails with [`RunError::NotNow`] if the order is not open.
    pub fn refuse(&mut self, id: &OrderId, problems: Vec<Problem>) -> Result<(), RunError> {
        self.failed(id, problems, false)
    }

    fn failed(&mut self, id: &OrderId, problems: Vec<Problem>, unanswered: bool) -> Result<(), RunError> {
        let (index, attempt) = (id.index, id.attempt);
        let is_open = self.open_orders().into_iter().any(|(order, _)| order.id == *id);
        let request = self.position.calls.get(&index).map(|progress| progress.request.clone());
        let Some(request) = request.filter(|_| is_open) else {
            return Err(RunError::NotNow(format!("work order `{id}` is not open")));
        };
        let body = Body::CallFailed { index, request, attempt, problems, unanswered, submitted: None };
        self.commit(ENGINE, vec![body])?;
        self.flush()
    }

    /// The orders to be carried out elsewhere, in any sequence or in parallel, each with its call.
    pub fn open_orders(&self) -> Vec<(Order, W::Call)> {
        open_orders(self.workflow, &self.record.id, &self.position)
    }

    /// The response to a result for an order that is not open.
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
        let open: Vec<String> = self.open_orders().iter().map(|(order, _)| format!("`{}`", order.id)).collect();
        let now = match open.as_slice() {
            [] => "no work order is open".to_owned(),
            [one] => format!("the open one is {one}"),
            all => format!("the open ones are {}", all.join(", ")),
        };
        Err(RunError::NotNow(format!("work order `{id}` is not open: {now}")))
    }
}

/// The orders of a thread to be carried out elsewhere, each with its call.
pub(super) fn open_orders<W: Workflow>(
    workflow: &W,
    thread: &ThreadId,
    position: &Position<W>,
) -> Vec<(Order, W::Call)> {
    if position.phase != Phase::WaitingForWork {
        return Vec::new();
    }
    let open = |(call, index): (W::Call, u32)| {
        let progress = position.calls.get(&index).filter(|progress| progress.handed_out)?;
        let id = OrderId { thread: thread.clone(), entered: position.entered, index, attempt: progress.failed + 1 };
        let attempts = workflow.attempts(&call).max(1);
        Some((Order { id, attempts, problems: progress.problems.clone() }, call))
    };
    calls_so_far(workflow, position).into_iter().zip(0..).filter_map(open).collect()
}

/// The calls of the current node that follow from the recorded results.
fn calls_so_far<W: Workflow>(workflow: &W, position: &Position<W>) -> Vec<W::Call> {
    let (node, state) = (position.node, &position.state);
    let Enter::Call(mut calls) = workflow.enter(node, state) else { return Vec::new() };
    loop {
        let results: Vec<CallResult> = calls
            .iter()
            .zip(0..)
            .map_while(|(call, index)| {
                let progress = position.calls.get(&index)?;
                match &progress.result {
                    Some(result) => Some(CallResult::Done(result.clone())),
                    None if progress.failed >= workflow.attempts(call).max(1) => {
                        Some(CallResult::Failed(progress.failure().to_vec()))
                    }
                    None => None,
                }
            })
            .collect();
        if results.len() < calls.len() {
            return calls;
        }
        match workflow.fold(node, state, &results) {
            Ok(Step::Call(more)) if !more.is_empty() && calls.len() < MOST_CALLS => calls.extend(more),
            _ => return calls,
        }
    }
}
