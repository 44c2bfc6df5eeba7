//! Decides which comment or review answers the open question. Pure: GitHub's facts come in, the answer goes out.

use serde_json::{Value, json};

use super::command::{Mark, PrdCommand, Verb, parse};
use crate::github::{Account, AccountKind, Comment, GithubError, Review, ReviewState};
use crate::prd::workflow::{PrdAsk, PrdWorkflow, approving, is_stopped, overriding, rejecting};
use crate::workflow::Asking;

/// Something that somebody said on GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// Its id among those of its kind.
    pub(super) id: u64,
    /// The account, as the API names it.
    pub(super) by: Account,
    /// When, e.g. `2026-11-21T08:00:00Z`.
    pub(super) at: String,
    /// The words.
    pub(super) words: String,
    /// The way it was said.
    pub(super) way: Way,
}

/// The way something was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// A comment on the issue or the pull request.
    Comment {
        /// Whether it was changed after it was made: others may change a comment, and it keeps its author's name.
        is_edited: bool,
    },
    /// A review of the pull request.
    Review {
        /// The commit that the reviewer saw.
        commit: String,
        /// The decision.
        state: ReviewState,
    },
}

impl Said {
    /// A comment.
    pub(super) fn comment(comment: Comment) -> Self {
        let is_edited = !comment.updated_at.is_empty() && comment.updated_at != comment.created_at;
        let way = Way::Comment { is_edited };
        Self { id: comment.id, by: comment.user, at: comment.created_at, words: comment.body, way }
    }

    /// A review.
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
pub(super) struct Asked<'a> {
    /// Its name.
    pub(super) mark: &'a Mark,
    /// The question.
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
    /// The answer.
    pub(super) value: Value,
    /// The login of whoever gave it.
    pub(super) by: String,
    /// When it was given.
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
    /// It was said before the question was asked.
    Early,
    /// It names another text under the same number, or none.
    OtherText,
    /// The gate stops the document, and no reason was given.
    NeedsReason,
    /// It does not say what to change.
    NeedsWords,
    /// Questions need answers.
    NeedsAnswers,
    /// Requirements are decided one by one.
    NeedsVerdicts,
    /// The answer does not fit the question.
    Unfit,
}

/// What was decided, and what did not count.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Decision {
    /// The answer.
    pub(super) given: Option<Given>,
    /// Login and reason of everything that did not count, the oldest first.
    pub(super) not_counted: Vec<(String, NotCounted)>,
}

/// Looks for the answer to a question among everything that was said. A no wins over a yes; otherwise the first one counts.
///
/// # Errors
/// Fails if `may_write` does.
pub(super) fn decide(
    asked: Asked<'_>,
    said: &[Said],
    may_write: &mut dyn FnMut(&str) -> Result<bool, GithubError>,
) -> Result<Decision, GithubError> {
    let mut decision = Decision::default();
    let mut answers: Vec<(bool, Given)> = Vec::new();
    let mut in_order: Vec<&Said> = said.iter().collect();
    in_order.sort_by(|one, other| (&one.at, one.channel()).cmp(&(&other.at, other.channel())));
    for one in &in_order {
        let Some(reply) = reply(asked.mark, asked.question, one) else { continue };
        // A review of an earlier commit answered an earlier question, or came too late for it.
        if matches!(one.way, Way::Review { .. }) && one.at.as_str() < asked.since {
            continue;
        }
        // Only the last decision of a reviewer counts, as on GitHub itself.
        let is_replaced = matches!(one.way, Way::Review { .. })
            && in_order.iter().any(|other| {
                other.by.login == one.by.login
                    && matches!(
                        other.way,
                        Way::Review { state: ReviewState::Approved | ReviewState::ChangesRequested, .. }
                    )
                    && other.id > one.id
            });
        if is_replaced {
            continue;
        }
        let counted = match reply.and_then(|reply| visible(asked, one).map(|()| reply)) {
            Ok(reply) => permitted(asked, &reply, &one.by, may_write)?.map(|()| reply),
            Err(reason) => Err(reason),
        };
        match counted {
            Ok(Reply { value, is_no, .. }) => {
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

/// The first review of a commit that requests changes in words, by somebody who may write.
///
/// # Errors
/// Fails if `may_write` does.
pub(super) fn changes_requested<'s>(
    said: &'s [Said],
    head: &str,
    may_write: &mut dyn FnMut(&str) -> Result<bool, GithubError>,
) -> Result<Option<&'s Said>, GithubError> {
    for one in said {
        let requests =
            matches!(&one.way, Way::Review { commit, state: ReviewState::ChangesRequested } if commit == head);
        let says = requests && one.by.kind == AccountKind::User && !one.words.trim().is_empty();
        if says && may_write(&one.by.login)? {
            return Ok(Some(one));
        }
    }
    Ok(None)
}

/// An answer, before it is known whether it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    /// The answer.
    pub(super) value: Value,
    is_no: bool,
    /// True if it approves nothing and only answers questions.
    pub(super) informs: bool,
}

/// The answer to a question in something that was said; `None` if it is not about the question.
pub(super) fn reply(mark: &Mark, question: &Asking<PrdWorkflow>, said: &Said) -> Option<Result<Reply, NotCounted>> {
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
                Verb::Json(value) => Ok(Reply { value, is_no: false, informs: false }),
                Verb::Answers(answers) => match question {
                    Asking::Workflow(PrdAsk::Clarification(_)) => {
                        Ok(Reply { value: json!({ "answers": answers }), is_no: false, informs: true })
                    }
                    Asking::Workflow(PrdAsk::BriefReview(_)) => {
                        let value = json!({ "approved": false, "answers": answers });
                        Ok(Reply { value, is_no: false, informs: true })
                    }
                    _ => Err(NotCounted::Unfit),
                },
            }
        }
        // Whether to go on after a failure is not what a reviewer of documents decides.
        Way::Review { state: ReviewState::Other, .. } => return None,
        Way::Review { .. } if matches!(question, Asking::Engine(..)) => return None,
        Way::Review { state: ReviewState::Approved, .. } => yes(question, &said.words),
        // To reject every requirement takes a command that says so.
        Way::Review { .. } if matches!(question, Asking::Workflow(PrdAsk::RequirementsReview(_))) => {
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
    let value = match (is_stopped(question), reason.trim()) {
        (true, "") => return Err(NotCounted::NeedsReason),
        (true, reason) => overriding(question, reason).map_err(|_| NotCounted::Unfit)?,
        (false, _) => approving(question),
    };
    Ok(Reply { value, is_no: false, informs: false })
}

fn no(question: &Asking<PrdWorkflow>, words: &str) -> Result<Reply, NotCounted> {
    match words.trim() {
        "" => Err(NotCounted::NeedsWords),
        words => match rejecting(question, words) {
            Ok(value) => Ok(Reply { value, is_no: true, informs: false }),
            Err(_) => Err(NotCounted::NeedsAnswers),
        },
    }
}

/// Whether it is about what the person saw.
fn visible(asked: Asked<'_>, said: &Said) -> Result<(), NotCounted> {
    match &said.way {
        Way::Comment { is_edited: true } => return Err(NotCounted::Edited),
        Way::Review { commit, .. } if commit != asked.commit => return Err(NotCounted::OtherCommit),
        Way::Comment { .. } | Way::Review { .. } => {}
    }
    // Ids can be foreseen, texts cannot.
    if said.at.as_str() < asked.since { Err(NotCounted::Early) } else { Ok(()) }
}

fn permitted(
    asked: Asked<'_>,
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
mod tests {
    use super::*;
    use crate::workflow::{Because, Clarification, Interrupt, Question};

    const SINCE: &str = "2026-11-24T08:00:10Z";

    fn account(login: &str, kind: AccountKind) -> Account {
        Account { login: login.to_owned(), kind }
    }

    fn comment(login: &str, at: &str, words: &str) -> Said {
        let way = Way::Comment { is_edited: false };
        Said { id: 1, by: account(login, AccountKind::User), at: at.into(), words: words.into(), way }
    }

    fn review(id: u64, login: &str, commit: &str, state: ReviewState, words: &str) -> Said {
        let way = Way::Review { commit: commit.into(), state };
        Said {
            id,
            by: account(login, AccountKind::User),
            at: format!("2026-11-24T08:01:{id:02}Z"),
            words: words.into(),
            way,
        }
    }

    fn clarification() -> Asking<PrdWorkflow> {
        let question = Question { id: "q1".into(), question: "Who?".into(), about: None };
        let ask = Clarification { questions: vec![question], context: None, instructions: String::new() };
        Asking::Workflow(PrdAsk::Clarification(ask))
    }

    fn brief() -> Asking<PrdWorkflow> {
        let ask = json!({ "kind": "brief_review", "document": "# Feature brief: X", "path": "docs/prd/001-x/feature-brief.md",
            "gate": { "document": "brief", "textHash": "", "verdict": "PASS" }, "instructions": "" });
        Asking::Workflow(serde_json::from_value(ask).expect("a question"))
    }

    fn stopped() -> Asking<PrdWorkflow> {
        let ask = json!({ "kind": "prd_review", "document": "# PRD", "path": "docs/prd/001-x/prd.md",
            "gate": { "document": "prd", "textHash": "", "verdict": "REJECT" }, "instructions": "" });
        Asking::Workflow(serde_json::from_value(ask).expect("a question"))
    }

    fn interrupt() -> Asking<PrdWorkflow> {
        let ask = Interrupt { reason: String::new(), state: [].into(), resume_instructions: String::new() };
        Asking::Engine(Because::NodeFailed { messages: Vec::new() }, ask)
    }

    /// Carol may write; bob is the author of the issue.
    fn decided(question: &Asking<PrdWorkflow>, said: &[Said]) -> Decision {
        let mark: Mark = "octo-shop-7.6-ab12".parse().unwrap();
        let asked = Asked { mark: &mark, question, commit: "c0", since: SINCE, author: "bob" };
        decide(asked, said, &mut |login| Ok(login == "carol" || login == "dora")).unwrap()
    }

    fn outcome(question: &Asking<PrdWorkflow>, said: &[Said]) -> String {
        let decision = decided(question, said);
        match (&decision.given, decision.not_counted.as_slice()) {
            (Some(given), _) => format!("{} {}", given.by, given.value),
            (None, []) => "nothing".to_owned(),
            (None, all) => all.iter().map(|(_, reason)| format!("{reason:?}")).collect::<Vec<_>>().join(" "),
        }
    }

    #[test]
    fn an_answer_counts_only_from_whom_it_may_come_and_when() {
        let (after, before) = ("2026-11-24T08:00:10Z", "2026-11-24T08:00:09Z");
        let approve = "/reqgate approve octo-shop-7.6-ab12";
        let is = |question: &Asking<PrdWorkflow>, said: &[Said], expected: &str| {
            assert_eq!(outcome(question, said), expected, "{said:?}");
        };
        is(&brief(), &[comment("carol", after, approve)], r#"carol {"approved":true}"#);
        is(&brief(), &[comment("carol", before, approve)], "Early");
        is(&brief(), &[comment("bob", after, approve)], "NoPermission");
        is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-7.5")], "nothing");
        is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-70.6-ab12")], "nothing");
        // Another text was written under the number that was seen.
        is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-7.6-ab13")], "OtherText");
        is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-7.6")], "OtherText");
        let mut one = comment("carol", after, approve);
        one.way = Way::Comment { is_edited: true };
        is(&brief(), &[one], "Edited");
        let mut one = comment("carol", after, approve);
        one.by.kind = AccountKind::Bot;
        is(&brief(), &[one], "Bot");
        let mut one = comment("carol", after, approve);
        one.by.kind = AccountKind::Other;
        is(&brief(), &[one], "Bot");
        // Who wrote the issue may inform, and nothing more.
        let informs = "/reqgate answer octo-shop-7.6-ab12\nq1: the clerk";
        is(&clarification(), &[comment("bob", after, informs)], r#"bob {"answers":{"q1":"the clerk"}}"#);
        is(&clarification(), &[comment("eve", after, informs)], "NoPermission");
        is(&clarification(), &[comment("bob", after, approve)], "NoPermission");
        let json = "/reqgate answer octo-shop-7.6-ab12 {\"approved\": true}";
        is(&brief(), &[comment("bob", after, json)], "NoPermission");
        is(&brief(), &[comment("carol", after, "/reqgate answer octo-shop-7.6-ab12 {\"aproved\": true}")], "Unfit");
        is(&brief(), &[comment("carol", after, "/reqgate reject octo-shop-7.6-ab12")], "NeedsWords");
        is(&clarification(), &[comment("carol", after, "/reqgate reject octo-shop-7.6-ab12 no")], "NeedsAnswers");
    }

    #[test]
    fn a_review_counts_for_the_commit_that_was_seen() {
        use ReviewState::{Approved, ChangesRequested, Other};
        let is = |question: &Asking<PrdWorkflow>, said: &[Said], expected: &str| {
            assert_eq!(outcome(question, said), expected, "{said:?}");
        };
        is(&brief(), &[review(1, "carol", "c0", Approved, "")], r#"carol {"approved":true}"#);
        is(&brief(), &[review(1, "carol", "c1", Approved, "")], "OtherCommit");
        is(&brief(), &[review(1, "carol", "", Approved, "")], "OtherCommit");
        is(&brief(), &[review(1, "bob", "c0", Approved, "")], "NoPermission");
        is(&brief(), &[review(1, "carol", "c0", Other, "/reqgate approve octo-shop-7.6-ab12")], "nothing");
        is(&brief(), &[review(1, "carol", "c0", ChangesRequested, " ")], "NeedsWords");
        let no = r#"dora {"approved":false,"userFeedback":"Say who."}"#;
        let (yes, no_too) =
            (review(1, "carol", "c0", Approved, ""), review(2, "dora", "c0", ChangesRequested, "Say who."));
        is(&brief(), &[yes, no_too], no);
        // Whoever changes their mind has said only the last word.
        let (first, last) = (review(1, "carol", "c0", ChangesRequested, "no"), review(2, "carol", "c0", Approved, ""));
        is(&brief(), &[first, last], r#"carol {"approved":true}"#);
        is(&stopped(), &[review(1, "carol", "c0", Approved, "")], "NeedsReason");
        is(
            &stopped(),
            &[review(1, "carol", "c0", Approved, "a pilot")],
            r#"carol {"prdApproved":true,"gateOverride":"a pilot"}"#,
        );
        is(&interrupt(), &[review(1, "carol", "c0", Approved, "")], "nothing");
        let on = comment("carol", SINCE, "/reqgate approve octo-shop-7.6-ab12");
        is(&interrupt(), &[on], r#"carol {"action":"continue"}"#);
    }

    #[test]
    fn the_order_in_which_github_lists_things_decides_nothing() {
        use ReviewState::{Approved, ChangesRequested};
        let said = [
            review(1, "carol", "c0", Approved, ""),
            review(2, "dora", "c0", ChangesRequested, "Say who."),
            comment("carol", SINCE, "/reqgate reject octo-shop-7.6-ab12 Say when."),
            review(3, "bob", "c0", Approved, ""),
        ];
        let expected = decided(&brief(), &said);
        for shift in 0..said.len() {
            let mut other = said.to_vec();
            other.rotate_left(shift);
            assert_eq!(decided(&brief(), &other), expected);
            other.reverse();
            assert_eq!(decided(&brief(), &other), expected);
        }
    }
}
