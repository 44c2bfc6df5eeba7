//! The entries of the reports that list one finding after the other: each with its level, place and words.

use super::InputError;
use super::digest::{
    BELOW_THRESHOLD, Digest, GUARDRAIL_REJECTED, NOT_JUDGED, OTHER_LANGUAGE, STRUCTURING_FAILED, first_secret,
    refused_as_a_whole, secrets, stopped_words,
};
use super::place::{Place, message, place, sentence};
use super::words::nowhere;
use reqgate_base::clean::one_line;
use reqgate_base::model::{Basis, Language, Outcome, Position, ReviewIssue, Verdict};
use reqgate_base::project;
use reqgate_messages as messages;

/// The id of the warning about a key, token or password in a judged text.
pub(super) const SECRET: &str = "secret";
/// The id of the remark on a pass that rests on a person's acceptance.
const ACCEPTED: &str = "accepted-findings";
/// The id of the entry with the verdict on a rejected text, where the format has no other place for it.
const NOT_READY: &str = "not-ready";
/// The id of an input that could not be read.
const UNREADABLE: &str = "unreadable-input";

/// The weight of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// A reader would ask about it; it does not block.
    Question,
    /// It does not block.
    Warning,
    /// The input could not be read.
    Error,
    /// It rejects the text.
    Blocker,
}

impl Level {
    /// The name of the level, as the report for people has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Blocker => "blocker",
        }
    }

    /// Returns true if the run fails because of it.
    pub(super) fn fails(self) -> bool {
        self >= Self::Error
    }
}

/// One entry of a report.
#[derive(Debug)]
pub(super) struct Remark<'a> {
    pub level: Level,
    /// The id of the rule, or of the message of the gate.
    pub id: &'a str,
    pub place: Place<'a>,
    /// The fault and the suggestion on one line.
    pub message: String,
    /// The finding, unless the remark is about the input as a whole.
    pub issue: Option<&'a ReviewIssue>,
    language: Language,
}

impl<'a> Remark<'a> {
    /// The message; that of an estimate says that it is one.
    pub(super) fn words(&self) -> String {
        let message = one_line(&self.message);
        let Some(issue) = self.issue.filter(|issue| issue.basis == Basis::Estimate) else {
            return message.into_owned();
        };
        let fixed = messages::Report::of(self.language);
        // The description of a question already says that the element could not be found.
        let is_said = issue.span.is_some() || issue.rule_id.as_str().starts_with("asks-");
        let estimate = match is_said {
            true => fixed.estimate.to_owned(),
            false => fixed.after_path(&nowhere(fixed, issue), &fixed.estimate),
        };
        format!("{estimate}{}{message}", fixed.colon)
    }

    /// The line and column, for formats that need them: a remark about the whole text is at its beginning.
    pub(super) fn position(&self) -> Position {
        self.place.position.unwrap_or(Position { line: 1, column: 1 })
    }

    fn of_issue(level: Level, outcome: &'a Outcome, issue: &'a ReviewIssue) -> Self {
        let place = place(&outcome.input, issue.position);
        let message = message(&place, outcome, issue);
        Self { level, id: issue.rule_id.as_str(), place, message, issue: Some(issue), language: outcome.language }
    }

    fn whole(level: Level, id: &'a str, outcome: &'a Outcome, at: Option<Position>, words: &str) -> Self {
        let place = place(&outcome.input, at);
        let message = sentence(&place, outcome, words);
        Self { level, id, place, message, issue: None, language: outcome.language }
    }

    /// The remark on an input that could not be read.
    pub(super) fn unreadable(error: &'a InputError) -> Self {
        Self {
            level: Level::Error,
            id: UNREADABLE,
            place: place(&error.input, None),
            message: error.message.clone(),
            issue: None,
            language: Language::En,
        }
    }
}

/// The remarks on an outcome: secrets, the verdict where no finding gives it, blockers, warnings.
pub(super) fn remarks(outcome: &Outcome) -> Vec<Remark<'_>> {
    let explanation = outcome.decision.explanation.as_str();
    let verdict = outcome.decision.verdict;
    let mut out = Vec::new();
    if verdict != Verdict::GuardrailRejected
        && let Some(words) = secrets(outcome)
    {
        out.push(Remark::whole(Level::Warning, SECRET, outcome, first_secret(outcome), &words));
    }
    match verdict {
        Verdict::NotApplicable if outcome.decision.not_judged.is_some() => {
            out.push(Remark::whole(Level::Warning, NOT_JUDGED, outcome, None, explanation));
            return out;
        }
        Verdict::NotApplicable => return out,
        Verdict::GuardrailRejected => {
            out.push(Remark::whole(Level::Blocker, GUARDRAIL_REJECTED, outcome, None, &stopped_words(outcome)));
            return out;
        }
        Verdict::Pass | Verdict::Reject => {}
    }
    if verdict.is_pass() && !outcome.decision.accepted.is_empty() {
        out.push(Remark::whole(Level::Warning, ACCEPTED, outcome, None, explanation));
    }
    if let Some(id) = refused_as_a_whole(outcome) {
        out.push(Remark::whole(Level::Blocker, id, outcome, None, explanation));
    }
    let digest = Digest::new(outcome);
    out.extend(digest.blockers.iter().map(|issue| Remark::of_issue(Level::Blocker, outcome, issue)));
    out.extend(digest.warnings.iter().map(|issue| {
        let level = if issue.is_asked() { Level::Question } else { Level::Warning };
        Remark::of_issue(level, outcome, issue)
    }));
    out
}

/// The remarks on an outcome for a format that has no other place for the verdict: a rejection comes first.
pub(super) fn remarks_with_verdict(outcome: &Outcome) -> Vec<Remark<'_>> {
    let is_rejected = outcome.decision.verdict == Verdict::Reject && refused_as_a_whole(outcome).is_none();
    let verdict = is_rejected
        .then(|| Remark::whole(Level::Blocker, NOT_READY, outcome, None, outcome.decision.explanation.as_str()));
    verdict.into_iter().chain(remarks(outcome)).collect()
}

/// The address of the page about a message of the gate itself; `None` for the id of a rule.
pub(super) fn page_of_message(id: &str) -> Option<String> {
    let own = [
        SECRET,
        ACCEPTED,
        NOT_READY,
        UNREADABLE,
        NOT_JUDGED,
        GUARDRAIL_REJECTED,
        STRUCTURING_FAILED,
        OTHER_LANGUAGE,
        BELOW_THRESHOLD,
    ];
    own.contains(&id).then(|| project::document("docs/verdicts.md"))
}
