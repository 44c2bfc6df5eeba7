//! Checks a log that anybody with the right to push may have written: its answers are still said on GitHub, about the very
//! texts that it has, and every step follows from them. Pure, apart from what is asked of GitHub.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::super::ActionError;
use super::command::Mark;
use super::decision::{Said, Way, reply};
use super::replay::{Replay, requirements_read};
use crate::github::{AccountKind, GithubError};
use crate::prd::workflow::{PrdNode, PrdPatch, PrdWorkflow, shown_document};
use crate::workflow::{Asking, Body, Event, Phase, Position, RunError, ThreadId, decode};

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
    Action(#[from] ActionError),
}

/// The texts of files at a commit, as far as it and they exist.
pub(super) type TextsAt<'a> = dyn Fn(&str, &[&str]) -> Result<Vec<Option<String>>, ActionError> + 'a;

/// What the check reads.
pub(super) struct Witness<'a> {
    /// The thread.
    pub(super) thread: &'a ThreadId,
    /// The file of its log.
    pub(super) log: &'a str,
    /// Everything that was said.
    pub(super) said: &'a [Said],
    /// The author of the issue.
    pub(super) author: &'a str,
    /// An answer as it is recorded: without personal data.
    pub(super) masked: &'a dyn Fn(Value) -> Value,
    /// Whether an account may write.
    pub(super) may_write: &'a dyn Fn(&str) -> Result<bool, GithubError>,
    /// Files as a reviewer saw them.
    pub(super) texts_at: &'a TextsAt<'a>,
}

/// Checks a log, whose chain was checked before.
///
/// # Errors
/// Says which event is not trusted.
pub(super) fn check(events: &[Event], witness: &Witness<'_>) -> Result<(), TrustError> {
    let mut replay = Replay::default();
    let mut used = BTreeSet::new();
    for event in events {
        let body = decode::<PrdWorkflow>(witness.thread, event)?;
        let foreign = || TrustError::from(Distrust::Foreign(event.seq));
        let is_allowed = match &body {
            Body::Answered { ask, answer, channel } => {
                let position = &replay.position;
                let open = position.open.as_ref().filter(|open| open.seq == *ask).ok_or_else(foreign)?;
                let index = usize::try_from(*ask).ok().and_then(|seq| seq.checked_sub(1));
                let asked = index.and_then(|index| events.get(index)).ok_or_else(foreign)?;
                let given = Recorded { event, answer, channel };
                if !used.insert(channel.clone()) || !witness.is_said(asked, &open.question, &given, position)? {
                    return Err(Distrust::NotSaid(*ask).into());
                }
                true
            }
            Body::Amended { patches, to, .. } => {
                is_amendment(&replay.position, patches, *to) && replay.allows(event, &body)
            }
            _ => replay.allows(event, &body),
        };
        if !is_allowed {
            return Err(foreign());
        }
        replay.apply(event, &body).map_err(RunError::from)?;
    }
    Ok(())
}

/// Whether a change from outside is one that a run on GitHub makes: another author, what a person has committed, and an
/// approved PRD that is taken up again. Each leads to a review, and none approves anything.
fn is_amendment(position: &Position<PrdWorkflow>, patches: &[PrdPatch], to: Option<PrdNode>) -> bool {
    let leads_on = to.is_none_or(|to| to == position.node);
    let reopens =
        position.phase == Phase::Completed && matches!(to, Some(PrdNode::BriefReview | PrdNode::RequirementsReview));
    // The review of the text begins anew.
    let asks_again = |node| to == Some(node) && (position.node == node || reopens);
    let is_fine = |patch: &PrdPatch| match patch {
        PrdPatch::Drafts(_) => true,
        PrdPatch::BriefContent(_) => asks_again(PrdNode::BriefReview),
        PrdPatch::PrdContent(_) => asks_again(PrdNode::PrdReview),
        PrdPatch::Proposed(proposals) => proposals.is_empty(),
        PrdPatch::Revised(_) => reopens,
        _ => false,
    };
    (leads_on || reopens) && patches.iter().all(is_fine)
}

/// An answer in the log.
struct Recorded<'a> {
    event: &'a Event,
    answer: &'a Value,
    channel: &'a str,
}

impl Witness<'_> {
    /// Whether an answer was given: by what the log names, or by anybody who has said the same since.
    fn is_said(
        &self,
        asked: &Event,
        question: &Asking<PrdWorkflow>,
        given: &Recorded<'_>,
        position: &Position<PrdWorkflow>,
    ) -> Result<bool, TrustError> {
        let mark = Mark::of(self.thread, asked);
        for said in self.said.iter().filter(|said| said.by.kind == AccountKind::User) {
            let is_named =
                said.channel() == given.channel && said.by.login == given.event.actor && said.at == given.event.at;
            let confirms = matches!(said.way, Way::Comment { .. }) && said.at >= given.event.at;
            if !(is_named || confirms) || said.way == (Way::Comment { is_edited: true }) {
                continue;
            }
            let Some(Ok(reply)) = reply(&mark, question, said) else { continue };
            // Both sides, because what is masked may have changed since.
            if (self.masked)(reply.value.clone()) != (self.masked)(given.answer.clone()) {
                continue;
            }
            if let Way::Review { commit, .. } = &said.way
                && !self.was_shown(commit, asked, question, position)?
            {
                continue;
            }
            let is_author = reply.informs && said.by.login.eq_ignore_ascii_case(self.author);
            if is_author || (self.may_write)(&said.by.login).map_err(ActionError::from)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a commit showed the question, as the open one, with the document that it is about.
    fn was_shown(
        &self,
        commit: &str,
        asked: &Event,
        question: &Asking<PrdWorkflow>,
        position: &Position<PrdWorkflow>,
    ) -> Result<bool, TrustError> {
        let read = requirements_read(position);
        let shown = shown_document(question, &position.state, read.as_deref());
        let paths: Vec<&str> = std::iter::once(self.log).chain(shown.iter().map(|shown| shown.path.as_str())).collect();
        let mut texts = (self.texts_at)(commit, &paths)?.into_iter();
        let log = texts.next().flatten().unwrap_or_default();
        // The first line describes the archive.
        let mut events = log.lines().skip(1).map(serde_json::from_str::<Event>);
        let mut events = events.by_ref().skip_while(|event| !matches!(event, Ok(event) if event.seq == asked.seq));
        let is_asked = matches!(events.next(), Some(Ok(event)) if event == *asked);
        // A commit that changed no document leaves the question open.
        let is_open = events.all(|event| {
            event.is_ok_and(|event| event.body["kind"] == "amended" && event.body.get("to").is_none_or(Value::is_null))
        });
        Ok(is_asked
            && is_open
            && shown.is_none_or(|shown| texts.next().flatten().as_deref() == Some(shown.text.as_str())))
    }
}
