//! The calls of a node: recorded results, new attempts, and attempts that are performed at the same time.

use super::{Executor, Order, Performed, Run, RunError, Stop};
use crate::crash::boundary;
use crate::definition::{CallResult, Workflow};
use crate::event::{Body, ENGINE};
use crate::hash;
use crate::position::Progress;
use crate::problem::Problem;
use crate::store::Store;
use crate::thread::OrderId;

/// The next attempt at a call, with the record of the earlier ones.
struct Attempt {
    index: u32,
    request: String,
    progress: Progress,
    order: Order,
}

impl Attempt {
    /// Returns true if the call has neither a result nor an open order, and attempts are left.
    fn is_due(&self) -> bool {
        self.progress.result.is_none() && !self.progress.handed_out && self.progress.failed < self.order.attempts
    }
}

impl<W: Workflow, S: Store> Run<'_, W, S> {
    /// The next attempt at a call.
    fn attempt(&self, call: &W::Call, index: u32) -> Attempt {
        let request = hash(&serde_json::to_vec(call).unwrap_or_default());
        let known = self.position.calls.get(&index).filter(|progress| progress.request == request);
        let progress = known.cloned().unwrap_or_default();
        let attempt = progress.failed + 1;
        let id = OrderId { thread: self.record.id.clone(), entered: self.position.entered, index, attempt };
        let attempts = self.workflow.attempts(call).max(1);
        let order = Order { id, attempts, problems: progress.problems.clone() };
        Attempt { index, request, progress, order }
    }

    /// Performs the concurrent calls that are due, from the call with the number `from` on, and records their results in
    /// the order of the calls.
    pub(super) fn perform_ahead(
        &mut self,
        executor: &mut dyn Executor<W::Call>,
        calls: &[W::Call],
        from: usize,
    ) -> Result<(), RunError> {
        let all = calls.iter().zip(0..).skip(from);
        let due: Vec<(&W::Call, Attempt)> = all
            .filter(|(call, _)| executor.is_concurrent(call))
            .map(|(call, index)| (call, self.attempt(call, index)))
            .filter(|(_, attempt)| attempt.is_due())
            .collect();
        if due.len() < 2 {
            return Ok(());
        }
        let orders: Vec<(&W::Call, Order)> = due.iter().map(|(call, attempt)| (*call, attempt.order.clone())).collect();
        boundary!("before concurrent calls");
        let performed = executor.perform_together(&orders);
        boundary!("after concurrent calls");
        for ((call, attempt), performed) in due.into_iter().zip(performed) {
            self.record_attempt(call, attempt, performed)?;
        }
        Ok(())
    }

    /// The recorded or a new result of a call, or the order that was handed out.
    pub(super) fn call(
        &mut self,
        executor: &mut dyn Executor<W::Call>,
        call: &W::Call,
        index: u32,
    ) -> Result<Result<CallResult, Stop<W>>, RunError> {
        loop {
            let attempt = self.attempt(call, index);
            if let Some(result) = attempt.progress.result {
                return Ok(Ok(CallResult::Done(result)));
            }
            if attempt.progress.failed >= attempt.order.attempts {
                return Ok(Ok(CallResult::Failed(attempt.progress.failure().to_vec())));
            }
            if attempt.progress.handed_out {
                return Ok(Err(Stop::Ordering(attempt.order, call.clone())));
            }
            boundary!("before a call");
            let performed = executor.perform(call, &attempt.order);
            boundary!("after a call");
            self.record_attempt(call, attempt, performed)?;
        }
    }

    /// Records the result of an attempt.
    fn record_attempt(&mut self, call: &W::Call, attempt: Attempt, performed: Performed) -> Result<(), RunError> {
        let Attempt { index, request, order, .. } = attempt;
        let attempt = order.id.attempt;
        let failed = |problems, unanswered| Body::CallFailed {
            index,
            request: request.clone(),
            attempt,
            problems,
            unanswered,
            submitted: None,
        };
        let body = match performed {
            Performed::HandedOut => Body::HandedOut { index, request, attempt },
            Performed::Failed(message) => failed(vec![Problem::whole(message)], true),
            Performed::Faulty(problems) => failed(problems, false),
            Performed::Done { result, usage } => match self.workflow.check(call, &result) {
                Ok(()) => Body::CallDone { index, request, attempt, result, usage },
                Err(problems) => failed(problems, false),
            },
        };
        self.commit(ENGINE, vec![body])
    }
}
