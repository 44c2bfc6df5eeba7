//! Checks a log that anyone with the right to push may have written: its answers still exist on GitHub and are about the exact texts of
//! the log, and every step follows from them. Pure, apart from the questions to GitHub.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::super::ActionError;
use super::command::{Mark, Verb, parse};
use super::decision::{Remark, Way, reply};
use super::replay::{Replay, requirements_read};
use reqgate_flow::{Asking, Body, Event, Phase, Position, RunError, ThreadId, decode};
use reqgate_net::github::{AccountKind, GithubError};
use reqgate_prd::ask::shown_document;
use reqgate_prd::workflow::{PrdNode, PrdPatch, PrdWorkflow};

/// The reason why a log is not trusted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Distrust {
    /// An answer is not on GitHub: it was deleted, edited, dismissed, or never given; or its author lost the right to give it.
    #[error("the answer of {} to question {} is not on GitHub any more, does not count any more, or never was there", .0.by, .0.ask)]
    NotSaid(Box<Unsaid>),
    /// The branch has no log, or a link in its place.
    #[error("the log was deleted from the branch")]
    Deleted,
    /// An event does something that a run on GitHub never does, or that it did in another version.
    #[error("event {0} does not follow from those before it by the rules of this version of reqgate")]
    Foreign(u64),
}

/// A recorded answer without a matching comment or review on GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unsaid {
    pub(super) ask: u64,
    /// The login of its author, according to the log.
    pub(super) by: String,
    /// The answer, as JSON.
    pub(super) value: String,
    /// The name of the event, for the person who confirms it.
    pub(super) mark: String,
}

/// An answer that another person has confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Confirmed {
    pub(super) ask: u64,
    /// The login of its author, according to the log.
    pub(super) by: String,
    /// The person who has confirmed it.
    pub(super) confirmer: String,
}

/// The error of a check.
#[derive(Debug, Error)]
pub(super) enum TrustError {
    /// The log is not trusted.
    #[error(transparent)]
    Distrust(#[from] Distrust),
    /// The log cannot be decoded.
    #[error(transparent)]
    Run(#[from] RunError),
    /// GitHub could not be asked.
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// The texts of files at a commit; `None` for missing files, and for all files of a missing commit.
pub(super) type TextsAt<'a> = dyn Fn(&str, &[&str]) -> Result<Vec<Option<String>>, ActionError> + 'a;

/// The input of the check.
pub(super) struct Witness<'a> {
    pub(super) thread: &'a ThreadId,
    /// The file of its log.
    pub(super) log: &'a str,
    /// Everything that was said.
    pub(super) said: &'a [Remark],
    /// The author of the issue.
    pub(super) author: &'a str,
    /// An answer as it is recorded: without personal data.
    pub(super) masked: &'a dyn Fn(Value) -> Value,
    /// Returns true if an account may write.
    pub(super) may_write: &'a dyn Fn(&str) -> Result<bool, GithubError>,
    /// Files as a reviewer saw them.
    pub(super) texts_at: &'a TextsAt<'a>,
}

/// Checks a log whose chain was checked before. Returns the answers that are valid because another person has confirmed them.
///
/// # Errors
/// Returns the event that is not trusted.
pub(super) fn check(events: &[Event], witness: &Witness<'_>) -> Result<Vec<Confirmed>, TrustError> {
    let mut confirmed = Vec::new();
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
                let is_new = used.insert(channel.clone());
                if !is_new || !witness.is_said(asked, &open.question, &given, position)? {
                    let confirmer = witness.confirmer(event)?.ok_or_else(|| witness.unsaid(*ask, &given))?;
                    confirmed.push(Confirmed { ask: *ask, by: event.actor.clone(), confirmer });
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
    Ok(confirmed)
}

/// Returns true if a run on GitHub makes such a change from outside: another author, a commit of a person, or an approved PRD that is
/// reopened. Each leads to a review, and none approves a document.
fn is_amendment(position: &Position<PrdWorkflow>, patches: &[PrdPatch], to: Option<PrdNode>) -> bool {
    let leads_on = to.is_none_or(|to| to == position.node);
    let reopens =
        position.phase == Phase::Completed && matches!(to, Some(PrdNode::BriefReview | PrdNode::RequirementsReview));
    // The review of the text starts again.
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
    /// Returns true if the comment or review that the log names gave the answer.
    fn is_said(
        &self,
        asked: &Event,
        question: &Asking<PrdWorkflow>,
        given: &Recorded<'_>,
        position: &Position<PrdWorkflow>,
    ) -> Result<bool, TrustError> {
        let mark = Mark::of(self.thread, asked);
        for said in self.people() {
            if said.channel() != given.channel || said.by.login != given.event.actor || said.at != given.event.at {
                continue;
            }
            let Some(Ok(reply)) = reply(&mark, question, said) else { continue };
            // Both sides are masked, because the rules for masking may have changed since.
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

    /// The unedited comments and the reviews of people.
    fn people(&self) -> impl Iterator<Item = &Remark> {
        let is_edited = |said: &Remark| said.way == Way::Comment { is_edited: true };
        self.said.iter().filter(move |said| said.by.kind == AccountKind::User && !is_edited(said))
    }

    /// The person who has confirmed an answer since it was given. The confirmation names the answer by its hash.
    fn confirmer(&self, event: &Event) -> Result<Option<String>, TrustError> {
        let mark = Mark::of(self.thread, event);
        for said in self.people().filter(|said| matches!(said.way, Way::Comment { .. }) && said.at >= event.at) {
            let confirms = parse(&said.words).is_some_and(|one| one.verb == Verb::Confirm && one.ask == mark);
            if confirms && (self.may_write)(&said.by.login).map_err(ActionError::from)? {
                return Ok(Some(said.by.login.clone()));
            }
        }
        Ok(None)
    }

    fn unsaid(&self, ask: u64, given: &Recorded<'_>) -> Distrust {
        let value = (self.masked)(given.answer.clone()).to_string();
        let mark = Mark::of(self.thread, given.event).to_string();
        Distrust::NotSaid(Box::new(Unsaid { ask, by: given.event.actor.clone(), value, mark }))
    }

    /// Returns true if the question was open in a commit, with the document that it is about.
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
