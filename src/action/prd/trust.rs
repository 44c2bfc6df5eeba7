//! Checks a log that anybody with the right to push may have written: its answers are still said on GitHub, and its
//! approvals follow from its answers. Pure, apart from the question who may write.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::decision::{Said, Way, reply};
use crate::github::{AccountKind, GithubError};
use crate::prd::workflow::{PrdAsk, PrdNode, PrdPatch, PrdWorkflow};
use crate::workflow::{Answer, AskId, Asking, Body, Event, Phase, Position, RunError, ThreadId, Workflow, decode};

/// The reason why a log is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Distrust {
    /// An answer is not on GitHub: it was deleted, edited, dismissed, or never given.
    #[error("the answer to question {0} is not on GitHub any more, or never was")]
    NotSaid(u64),
    /// An event does something that a run on GitHub never does.
    #[error("event {0} was not written by reqgate")]
    Foreign(u64),
}

/// The error of a check.
#[derive(Debug, Error)]
pub(super) enum TrustError {
    /// The log is not trusted.
    #[error(transparent)]
    Distrust(#[from] Distrust),
    /// It does not read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// GitHub could not be asked.
    #[error(transparent)]
    Github(#[from] GithubError),
}

/// What the check reads.
pub(super) struct Witness<'a> {
    /// The thread.
    pub(super) thread: &'a ThreadId,
    /// Everything that was said.
    pub(super) said: &'a [Said],
    /// The author of the issue.
    pub(super) author: &'a str,
    /// An answer as it is recorded: without personal data.
    pub(super) masked: &'a dyn Fn(Value) -> Value,
    /// Whether an account may write.
    pub(super) may_write: &'a dyn Fn(&str) -> Result<bool, GithubError>,
}

/// Checks a log, whose chain was checked before.
///
/// # Errors
/// Says which event is not trusted.
pub(super) fn check(events: &[Event], witness: &Witness<'_>) -> Result<(), TrustError> {
    let mut position = Position::<PrdWorkflow>::default();
    let mut used = BTreeSet::new();
    let mut bodies = Vec::with_capacity(events.len());
    for event in events {
        bodies.push(decode::<PrdWorkflow>(witness.thread, event)?);
    }
    for (at, (event, body)) in events.iter().zip(&bodies).enumerate() {
        let foreign = || TrustError::from(Distrust::Foreign(event.seq));
        let answered = at.checked_sub(1).and_then(|before| bodies.get(before));
        match body {
            Body::Answered { ask, answer, channel } => {
                let open = position.open.as_ref().filter(|open| open.seq == *ask).ok_or_else(foreign)?;
                let id = AskId { thread: witness.thread.clone(), seq: *ask };
                let is_new = used.insert(channel.clone());
                if !is_new || !witness.is_said(&id, &open.question, event, channel, answer)? {
                    return Err(Distrust::NotSaid(*ask).into());
                }
                // The step that follows is the one that the workflow takes.
                if let (Asking::Workflow(asked), Some(Body::Stepped { .. })) = (&open.question, bodies.get(at + 1))
                    && !follows(&position, asked, event, answer, &events[at + 1])
                {
                    return Err(Distrust::Foreign(event.seq + 1).into());
                }
            }
            Body::Stepped { node, .. } if is_review(*node) && !matches!(answered, Some(Body::Answered { .. })) => {
                return Err(foreign());
            }
            Body::Amended { patches, to, .. } if !is_amendment(&position, patches, *to) => return Err(foreign()),
            Body::Forked { .. } | Body::Migrated { .. } | Body::Imported => return Err(foreign()),
            _ => {}
        }
        position.apply(event.seq, body).map_err(RunError::from)?;
    }
    Ok(())
}

/// Whether a step is the one that the workflow takes after an answer.
fn follows(position: &Position<PrdWorkflow>, asked: &PrdAsk, event: &Event, answer: &Value, next: &Event) -> bool {
    let given = Answer { value: answer, actor: &event.actor, at: &event.at };
    let Ok(outcome) = PrdWorkflow.answered(position.node, &position.state, asked, &given) else { return false };
    let body = Body::<PrdWorkflow>::Stepped {
        node: position.node,
        patches: outcome.patches,
        label: outcome.label,
        effects: outcome.effects,
        note: outcome.note,
    };
    serde_json::to_value(&body).is_ok_and(|expected| expected == next.body)
}

/// The nodes that are left only by an answer.
fn is_review(node: PrdNode) -> bool {
    matches!(
        node,
        PrdNode::BriefReview
            | PrdNode::RequirementsReview
            | PrdNode::PrdReview
            | PrdNode::OutlineReview
            | PrdNode::TeamDraftReview
            | PrdNode::RevisionReview
            | PrdNode::FinalReview
    )
}

/// Whether a change from outside is one that a run on GitHub makes: another author, what a person has committed, and an
/// approved PRD that is taken up again. Each leads to a review, and none approves anything.
fn is_amendment(position: &Position<PrdWorkflow>, patches: &[PrdPatch], to: Option<PrdNode>) -> bool {
    let leads_on = to.is_none_or(|to| to == position.node);
    let reopens =
        position.phase == Phase::Completed && matches!(to, Some(PrdNode::BriefReview | PrdNode::RequirementsReview));
    let is_fine = |patch: &PrdPatch| match patch {
        PrdPatch::Drafts(_) | PrdPatch::BriefContent(_) => true,
        PrdPatch::PrdContent(_) => position.node == PrdNode::PrdReview,
        PrdPatch::Proposed(proposals) => proposals.is_empty(),
        PrdPatch::Revised(_) => reopens,
        _ => false,
    };
    (leads_on || reopens) && patches.iter().all(is_fine)
}

impl Witness<'_> {
    /// Whether an answer was given: by what the log names, or by anybody who has confirmed it since.
    fn is_said(
        &self,
        id: &AskId,
        question: &Asking<PrdWorkflow>,
        event: &Event,
        channel: &str,
        answer: &Value,
    ) -> Result<bool, TrustError> {
        for said in self.said.iter().filter(|said| said.by.kind == AccountKind::User) {
            let is_named = said.channel() == channel && said.by.login == event.actor && said.at == event.at;
            let confirms = matches!(said.way, Way::Comment { .. });
            if !(is_named || confirms) || said.way == (Way::Comment { is_edited: true }) {
                continue;
            }
            let Some(Ok(reply)) = reply(id, question, said) else { continue };
            if (self.masked)(reply.value.clone()) != *answer {
                continue;
            }
            let is_author = reply.informs && said.by.login.eq_ignore_ascii_case(self.author);
            if is_author || (self.may_write)(&said.by.login)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
