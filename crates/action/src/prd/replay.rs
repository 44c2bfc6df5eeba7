//! Repeats the steps of a log from the recorded results of its calls: a step, a question or a failure that the workflow would not have
//! written there was written by another program or person. Pure.

use std::collections::BTreeMap;

use serde_json::Value;

use reqgate_flow::{
    Answer, Asking, Because, Body, CallResult, Effect, Enter, Event, Impossible, NodeError, Outcome, Phase, Position,
    Step, Workflow, hash,
};
use reqgate_prd::workflow::{PrdCall, PrdPatch, PrdWorkflow};

/// A replay of a log, event by event.
#[derive(Default)]
pub(super) struct Replay {
    /// The position before the next event.
    pub(super) position: Position<PrdWorkflow>,
    /// The files as the log has written them since a person last committed something.
    files: BTreeMap<String, String>,
    /// The outcome of the answer just given.
    answered: Option<Result<Outcome<PrdWorkflow>, NodeError>>,
    /// The step that was just taken, if its edge has a budget.
    budgeted: Option<Body<PrdWorkflow>>,
}

impl Replay {
    /// Returns true if the workflow could have written an event here; `body` is the one in it.
    pub(super) fn allows(&self, event: &Event, body: &Body<PrdWorkflow>) -> bool {
        match body {
            Body::Started { input, .. } => event.seq == 1 && input.iter().all(begins),
            Body::Stepped { .. } => {
                let outcome = match &self.answered {
                    Some(answered) => answered.as_ref().ok().cloned(),
                    None => match self.next() {
                        Some(Ok(Step::Done(outcome))) => Some(outcome),
                        _ => None,
                    },
                };
                outcome.is_some_and(|outcome| is_same(&stepped(&self.position, outcome), event))
            }
            Body::Asked { .. } => match self.next() {
                Some(Ok(Step::Ask(ask))) if self.answered.is_none() => is_same(&Body::Asked { ask }, event),
                _ => false,
            },
            Body::Interrupted { because: Because::NodeFailed { messages }, .. } => {
                let failed = match &self.answered {
                    Some(answered) => answered.as_ref().err().cloned(),
                    None => self.next().and_then(Result::err),
                };
                failed.is_some_and(|failed| failed.messages == *messages) || self.position.refused_too_often()
            }
            Body::Interrupted { because: Because::Budget { from, label }, .. } => {
                matches!(&self.budgeted, Some(Body::Stepped { node, label: taken, .. }) if (node, taken) == (from, label))
            }
            // The consequence of an answer is written together with it.
            Body::CallDone { .. } | Body::CallFailed { .. } | Body::HandedOut { .. } => self.answered.is_none(),
            Body::Amended { patches, .. } if self.answered.is_some() || !self.is_between(patches) => false,
            Body::Reopened | Body::Cancelled { .. } | Body::Forked { .. } | Body::Migrated { .. } | Body::Imported => {
                false
            }
            _ => true,
        }
    }

    /// Moves to the position after an event that was allowed.
    ///
    /// # Errors
    /// Fails if the event cannot follow.
    pub(super) fn apply(&mut self, event: &Event, body: &Body<PrdWorkflow>) -> Result<(), Impossible> {
        let open = self.position.open.clone();
        let before = self.position.node;
        self.budgeted = None;
        match body {
            Body::Answered { answer, .. } => {
                self.answered = open.and_then(|open| match open.question {
                    Asking::Workflow(asked) => {
                        let given = Answer { value: answer, actor: &event.actor, at: &event.at };
                        Some(PrdWorkflow.answered(before, &self.position.state, &asked, &given))
                    }
                    Asking::Engine(..) => None,
                });
            }
            Body::Amended { patches, .. } if patches.is_empty() || !patches.iter().all(is_author) => self.files.clear(),
            Body::EffectDone { step, index, .. } => {
                let done = self.position.pending.iter().find(|one| (one.step, one.index) == (*step, *index));
                if let Some(Effect::File { path, content, .. }) = done.map(|done| &done.effect) {
                    self.files.insert(path.display().to_string(), content.clone());
                }
            }
            Body::Stepped { node, label, .. } => {
                self.answered = None;
                let has_budget = PrdWorkflow::graph().edge(*node, *label).is_some_and(|edge| edge.budget.is_some());
                self.budgeted = has_budget.then(|| body.clone());
            }
            Body::Interrupted { .. } => self.answered = None,
            _ => {}
        }
        self.position.apply(event.seq, body)
    }

    /// A run looks at commits only where it begins: at a question, an order, or the end.
    fn is_between(&self, patches: &[PrdPatch]) -> bool {
        let waits =
            self.position.open.is_some() || matches!(self.position.phase, Phase::WaitingForWork | Phase::Completed);
        waits || !patches.is_empty() && patches.iter().all(is_author)
    }

    /// The next step of the node without an answer; `None` if results are missing, or if a file differs from the log when it is read.
    fn next(&self) -> Option<Result<Step<PrdWorkflow>, NodeError>> {
        let (node, state) = (self.position.node, &self.position.state);
        let mut calls = match PrdWorkflow.enter(node, state) {
            Enter::Done(outcome) => return Some(Ok(Step::Done(outcome))),
            Enter::Ask(ask) => return Some(Ok(Step::Ask(ask))),
            Enter::Call(calls) => calls,
        };
        loop {
            let results: Option<Vec<CallResult>> =
                calls.iter().zip(0..).map(|(call, index)| self.result(call, index)).collect();
            match PrdWorkflow.fold(node, state, &results?) {
                Ok(Step::Call(more)) if more.is_empty() => return None,
                Ok(Step::Call(more)) => calls.extend(more),
                step => return Some(step),
            }
        }
    }

    fn result(&self, call: &PrdCall, index: u32) -> Option<CallResult> {
        let request = hash(&serde_json::to_vec(call).unwrap_or_default());
        let progress = self.position.calls.get(&index).filter(|progress| progress.request == request)?;
        match &progress.result {
            Some(result) if self.is_as_written(call, result) => Some(CallResult::Done(result.clone())),
            Some(_) => None,
            None if progress.failed >= PrdWorkflow.attempts(call).max(1) => {
                Some(CallResult::Failed(progress.failure().to_vec()))
            }
            None => None,
        }
    }

    fn is_as_written(&self, call: &PrdCall, result: &Value) -> bool {
        match call {
            PrdCall::ReadFile { path } => {
                self.files.get(path).is_none_or(|written| result["content"] == written.as_str())
            }
            _ => true,
        }
    }
}

fn stepped(position: &Position<PrdWorkflow>, outcome: Outcome<PrdWorkflow>) -> Body<PrdWorkflow> {
    Body::Stepped {
        node: position.node,
        patches: outcome.patches,
        label: outcome.label,
        effects: outcome.effects,
        note: outcome.note,
    }
}

/// Returns true for two equal events, apart from explanations, which may differ between versions of reqgate.
fn is_same(expected: &Body<PrdWorkflow>, found: &Event) -> bool {
    let bare = |mut body: Value| {
        if let Some(body) = body.as_object_mut() {
            body.remove("note");
            if let Some(ask) = body.get_mut("ask").and_then(Value::as_object_mut) {
                ask.remove("instructions");
            }
        }
        body
    };
    serde_json::to_value(expected).is_ok_and(|expected| bare(expected) == bare(found.body.clone()))
}

/// Returns true for a patch that a thread on GitHub may begin with.
fn begins(patch: &PrdPatch) -> bool {
    matches!(patch, PrdPatch::Given { slug: None, project: None, title: None, language: None, .. }) || is_author(patch)
}

fn is_author(patch: &PrdPatch) -> bool {
    matches!(patch, PrdPatch::Drafts(_))
}

/// The requirements as the node of the open question has read them; `None` if there was no file, or another node asks.
pub(super) fn requirements_read(position: &Position<PrdWorkflow>) -> Option<String> {
    position.calls.get(&1)?.result.as_ref()?["content"].as_str().map(str::to_owned)
}
