//! Decides which comment or review answers the open question. Pure: GitHub's facts come in, the answer goes out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::command::{Mark, PrdCommand, Verb, parse};
use reqgate_base::model::Language;
use reqgate_flow::Asking;
use reqgate_net::github::{Account, AccountKind, Comment, GithubError, Review, ReviewState};
use reqgate_prd::ask::{self, Input, NoReply, approving, rejecting};
use reqgate_prd::workflow::PrdWorkflow;

/// A comment or a review on GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    /// Its id among those of its kind.
    pub(super) id: u64,
    /// The account, as the API names it.
    pub(super) by: Account,
    /// The time, e.g. `2026-11-21T08:00:00Z`.
    pub(super) at: String,
    pub(super) words: String,
    /// The way it was said.
    pub(super) way: Way,
}

/// The way something was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// A comment on the issue or the pull request.
    Comment {
        /// The comment was edited after it was made: others may edit it, and it keeps its author's name.
        is_edited: bool,
    },
    /// A review of the pull request.
    Review {
        /// The commit that the reviewer saw.
        commit: String,
        state: ReviewState,
    },
}

impl Remark {
    pub(super) fn comment(comment: Comment) -> Self {
        let is_edited = !comment.updated_at.is_empty() && comment.updated_at != comment.created_at;
        let way = Way::Comment { is_edited };
        Self { id: comment.id, by: comment.user, at: comment.created_at, words: comment.body, way }
    }

    pub(super) fn review(review: Review) -> Self {
        let way = Way::Review { commit: review.commit_id, state: review.state };
        Self { id: review.id, by: review.user, at: review.submitted_at, words: review.body, way }
    }

    /// The way as the log names it: `github:review:12`.
    pub(super) fn channel(&self) -> String {
        match self.way {
            Way::Comment { .. } => format!("github:comment:{}", self.id),
            Way::Review { .. } => format!("github:review:{}", self.id),
        }
    }
}

/// The open question and when it became visible.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenQuestion<'a> {
    pub(super) mark: &'a Mark,
    pub(super) question: &'a Asking<PrdWorkflow>,
    /// The commit that shows it: the head of the branch.
    pub(super) commit: &'a str,
    /// When that commit was pushed.
    pub(super) since: &'a str,
    /// The author of the issue, who may answer questions about it.
    pub(super) author: &'a str,
}

/// The answer to the open question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Given {
    pub(super) value: Value,
    /// The login of the person who gave it.
    pub(super) by: String,
    /// The time at which it was given.
    pub(super) at: String,
    /// The way it came, with the id by which it can be looked up again.
    pub(super) channel: String,
}

/// The reason why something that was meant as an answer does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotCounted {
    /// The account is a program.
    Bot,
    /// The account may not write to the repository.
    NoPermission,
    /// The comment was edited.
    Edited,
    /// The review is about another commit.
    OtherCommit,
    /// The words are older than the question.
    Early,
    /// The reply names another text under the same number, or none.
    OtherText,
    /// The gate stops the document, and no reason was given.
    NeedsReason,
    /// The gate does not stop the document, so the words of an approval would be lost.
    ReasonWithoutEffect,
    /// The reply does not name the wanted changes.
    NeedsWords,
    NeedsAnswers,
    /// Requirements are decided one by one.
    NeedsVerdicts,
    /// The answer does not fit the question.
    Unfit,
}

/// A decision, and the words that did not count.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Decision {
    pub(super) given: Option<Given>,
    /// The login and the reason for each comment and review that did not count, oldest first.
    pub(super) not_counted: Vec<(String, NotCounted)>,
}

/// Looks for the answer to a question among everything that was said. If one reviewer rejects, the document is rejected; otherwise the first answer counts.
///
/// # Errors
/// Fails if `may_write` does.
pub(super) fn decide(
    asked: OpenQuestion<'_>,
    said: &[Remark],
    may_write: &mut dyn FnMut(&str) -> Result<bool, GithubError>,
) -> Result<Decision, GithubError> {
    let mut decision = Decision::default();
    let mut answers: Vec<(bool, Given)> = Vec::new();
    let mut in_order: Vec<&Remark> = said.iter().collect();
    in_order.sort_by(|one, other| (&one.at, one.channel()).cmp(&(&other.at, other.channel())));
    for one in &in_order {
        let Some(reply) = reply(asked.mark, asked.question, one) else { continue };
        // A review of an earlier commit answered an earlier question, or came too late for it.
        if matches!(one.way, Way::Review { .. }) && one.at.as_str() < asked.since {
            continue;
        }
        if is_replaced(one, said) {
            continue;
        }
        let counted = match reply.and_then(|reply| visible(asked, one).map(|()| reply)) {
            Ok(_) if loses_words(asked.question, one) => Err(NotCounted::ReasonWithoutEffect),
            Ok(reply) => permitted(asked, &reply, &one.by, may_write)?.map(|()| reply),
            Err(reason) => Err(reason),
        };
        match counted {
            Ok(Reply { value, informs }) => {
                let is_no = !informs && is_no(asked.question, &value);
                let given = Given { value, by: one.by.login.clone(), at: one.at.clone(), channel: one.channel() };
                answers.push((is_no, given));
            }
            Err(reason) => decision.not_counted.push((one.by.login.clone(), reason)),
        }
    }
    let first_no = answers.iter().position(|(is_no, _)| *is_no).unwrap_or_default();
    decision.given = (!answers.is_empty()).then(|| answers.swap_remove(first_no).1);
    Ok(decision)
}

/// Only the last decision of a reviewer counts, as on GitHub itself; a dismissed one does not restore an earlier one.
fn is_replaced(one: &Remark, said: &[Remark]) -> bool {
    let decides = |state: ReviewState| state != ReviewState::Other;
    matches!(one.way, Way::Review { .. })
        && said.iter().any(|other| {
            other.by.login == one.by.login
                && matches!(other.way, Way::Review { state, .. } if decides(state))
                && other.id > one.id
        })
}

/// The first review of a commit that requests changes in words, by a person who may write.
///
/// # Errors
/// Fails if `may_write` does.
pub(super) fn changes_requested<'s>(
    said: &'s [Remark],
    head: &str,
    may_write: &mut dyn FnMut(&str) -> Result<bool, GithubError>,
) -> Result<Option<&'s Remark>, GithubError> {
    for one in said {
        let requests =
            matches!(&one.way, Way::Review { commit, state: ReviewState::ChangesRequested } if commit == head);
        let says = requests && one.by.kind == AccountKind::User && !one.words.trim().is_empty();
        if says && !is_replaced(one, said) && may_write(&one.by.login)? {
            return Ok(Some(one));
        }
    }
    Ok(None)
}

/// An answer, before it is known whether it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    pub(super) value: Value,
    /// The reply only answers questions and approves no document.
    pub(super) informs: bool,
}

/// The answer to a question in something that was said; `None` if it is not about the question.
pub(super) fn reply(mark: &Mark, question: &Asking<PrdWorkflow>, said: &Remark) -> Option<Result<Reply, NotCounted>> {
    let composed = match &said.way {
        Way::Comment { .. } => {
            let PrdCommand { ask, verb } = parse(&said.words)?;
            if ask.id != mark.id {
                return None;
            }
            match verb {
                Verb::Confirm => return None,
                _ if ask.hash != mark.hash => Err(NotCounted::OtherText),
                Verb::Approve(reason) => yes(question, &reason),
                Verb::Reject(words) => no(question, &words),
                Verb::Json(value) => Ok(Reply { value, informs: false }),
                Verb::Answers(answers) => informing(question, &answers),
            }
        }
        // A reviewer of documents does not decide whether to continue after a failure.
        Way::Review { state: ReviewState::Other | ReviewState::Dismissed, .. } => return None,
        Way::Review { .. } if matches!(question, Asking::Engine(..)) => return None,
        // Others may edit the words of a review without a trace, so a reason must come in a comment.
        Way::Review { state: ReviewState::Approved, .. } => yes(question, ""),
        // To reject every requirement takes a command that says so.
        Way::Review { .. } if ask::view(question, Language::En).requirements.is_some() => {
            Err(NotCounted::NeedsVerdicts)
        }
        Way::Review { state: ReviewState::ChangesRequested, .. } => no(question, &said.words),
    };
    Some(composed.and_then(|reply| match question.check(&reply.value) {
        Ok(()) => Ok(reply),
        Err(_) => Err(NotCounted::Unfit),
    }))
}

fn yes(question: &Asking<PrdWorkflow>, reason: &str) -> Result<Reply, NotCounted> {
    let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
    let needs_reason = ask::view(question, Language::En).needs_reason;
    if needs_reason && reason.is_none() {
        return Err(NotCounted::NeedsReason);
    }
    let reason = reason.filter(|_| needs_reason);
    decision(question, &approving(question, reason).map_err(|_| NotCounted::Unfit)?)
}

/// Returns true for a command that approves with words which the answer would lose. Such answers in older logs stay valid.
fn loses_words(question: &Asking<PrdWorkflow>, said: &Remark) -> bool {
    let verb = parse(&said.words).map(|command| command.verb);
    matches!(said.way, Way::Comment { .. })
        && matches!(verb, Some(Verb::Approve(words)) if !words.trim().is_empty())
        && !ask::view(question, Language::En).needs_reason
}

fn no(question: &Asking<PrdWorkflow>, words: &str) -> Result<Reply, NotCounted> {
    match words.trim() {
        "" => Err(NotCounted::NeedsWords),
        words => decision(question, &rejecting(question, words).map_err(|_: NoReply| NotCounted::NeedsAnswers)?),
    }
}

fn decision(question: &Asking<PrdWorkflow>, input: &Input) -> Result<Reply, NotCounted> {
    let answer = ask::answer(question, input).map_err(|_| NotCounted::Unfit)?;
    Ok(Reply { value: answer.json(), informs: false })
}

/// Answers to open questions, without an approval.
fn informing(question: &Asking<PrdWorkflow>, answers: &BTreeMap<String, String>) -> Result<Reply, NotCounted> {
    let view = ask::view(question, Language::En);
    if view.questions.is_empty() {
        return Err(NotCounted::Unfit);
    }
    let open = if view.yes_or_no.is_some() { Input::of(&[("decision", "change")]) } else { Input::default() };
    let input = answers.iter().fold(open, |input, (id, words)| input.with(format!("answer.{id}"), words));
    // A PRD is changed only by people who may write.
    Ok(Reply { informs: !view.takes_reason, ..decision(question, &input)? })
}

/// Returns true if an answer rejects a document or a requirement, in any written form.
fn is_no(question: &Asking<PrdWorkflow>, value: &Value) -> bool {
    ask::read(question, value).map_or(true, |given| given.is_no())
}

/// Checks that a comment or review is about the text that the person saw.
fn visible(asked: OpenQuestion<'_>, said: &Remark) -> Result<(), NotCounted> {
    match &said.way {
        Way::Comment { is_edited: true } => return Err(NotCounted::Edited),
        Way::Review { commit, .. } if commit != asked.commit => return Err(NotCounted::OtherCommit),
        Way::Comment { .. } | Way::Review { .. } => {}
    }
    // Ids can be foreseen, texts cannot.
    if said.at.as_str() < asked.since { Err(NotCounted::Early) } else { Ok(()) }
}

fn permitted(
    asked: OpenQuestion<'_>,
    reply: &Reply,
    by: &Account,
    may_write: &mut dyn FnMut(&str) -> Result<bool, GithubError>,
) -> Result<Result<(), NotCounted>, GithubError> {
    if by.kind != AccountKind::User {
        return Ok(Err(NotCounted::Bot));
    }
    let is_author = reply.informs && by.login.eq_ignore_ascii_case(asked.author);
    Ok(if is_author || may_write(&by.login)? { Ok(()) } else { Err(NotCounted::NoPermission) })
}

#[cfg(test)]
mod tests;
