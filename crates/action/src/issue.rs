//! Processes one issue from its current text to comment and labels: first everything is judged, then reported, then
//! written.

use std::borrow::Cow;

use super::ActionError;
use super::conclusion::{CommentAction, Conclusion, Kept};
use super::event::Trigger;
use super::forms::Form;
use super::labels::{self, Change};
use super::options::{CommentWhen, Mode, Options};
use super::skip::Skip;
use super::sticky_comment::{IssueComment, OwnComment};
use super::{answers, command::Command, form_gaps};
use reqgate_base::hash::Hash;
use reqgate_base::model::{GuardrailAction, Outcome, RequirementPacket, RuleId, Verdict, Waiver};
use reqgate_gate::catalog;
use reqgate_gate::pipeline::{Pipeline, PipelineError};
use reqgate_gate::stages::intake::RawInput;
use reqgate_net::github::{Client, GithubError, Issue, IssueState, Permission, Repository};
use reqgate_report::comment::{
    self, CommentParts, CommentState, CommentText, Override, Proposal, WaivedRule, kinds_of,
};

/// The substitute for an issue without a letter or digit, which intake would refuse; the guardrail reports that it is
/// too short.
const NO_TEXT: &str = "-";
/// Is appended to the text of an issue that has almost none, so that its author is asked a question instead of for more
/// characters. A comment is never quoted.
const SHORT_TEXT: &str = "<!-- no description -->";

/// Processes the issues of one repository.
pub struct IssueFlow<'a> {
    /// The client of GitHub.
    pub client: &'a Client,
    /// The repository of the issues.
    pub repository: &'a Repository,
    /// The inputs of the Action.
    pub options: &'a Options,
    /// The issue forms of the repository.
    pub forms: &'a [Form],
    /// The current day, `YYYY-MM-DD`.
    pub today: &'a str,
}

/// A request about an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// An event that triggers a judgement.
    Trigger(Trigger),
    /// A command in a comment.
    Command {
        /// Login of the author of the command.
        by: String,
        /// The id of the comment.
        comment: u64,
        /// The command to carry out.
        command: Command,
    },
}

/// A judged issue, before anything is written.
pub struct Judged {
    /// The issue as it was read.
    pub issue: Issue,
    /// The outcome of the gate.
    pub outcome: Outcome,
    /// The conclusion of the run.
    pub conclusion: Conclusion,
    /// The comment with the result, written or not.
    pub comment: CommentText,
    /// Problems that did not end the run.
    pub warnings: Vec<String>,
    /// reqgate's comment before the run; `None` if the lookup failed or was not needed.
    found: Option<OwnComment>,
    is_asked_for: bool,
    is_observed: bool,
    /// A lookup that decides what to write has failed, so the comment and labels are left unchanged.
    is_blind: bool,
}

impl IssueFlow<'_> {
    /// Reads the current issue and reqgate's comment, and judges. It writes neither comment nor labels.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked or the text cannot be judged; an issue that is not to be judged is a `Skip`.
    pub fn judge(
        &self,
        pipeline: &mut Pipeline,
        number: u64,
        request: &Request,
    ) -> Result<Result<Judged, Skip>, ActionError> {
        let issue = match self.client.issue(self.repository, number) {
            Ok(issue) => issue,
            Err(error) if matches!(error.status(), Some(301 | 404 | 410)) => return Ok(Err(Skip::Gone)),
            Err(error) => return Err(error.into()),
        };
        if issue.is_pull_request {
            return Ok(Err(Skip::PullRequest));
        }
        if issue.state == IssueState::Closed && *request != Request::Trigger(Trigger::Asked) {
            return Ok(Err(Skip::Closed));
        }
        if let Some(skip) = self.objection(pipeline, &issue, request)? {
            return Ok(Err(skip));
        }
        let mut warnings = Vec::new();
        let is_observed = self.is_observed(&issue);
        let found = if is_observed || self.options.comment == CommentWhen::Never {
            None
        } else {
            let sticky = self.sticky(number);
            sticky.find().map_err(|error| warnings.push(error.to_string())).ok()
        };
        let mut is_blind = found.is_none() && !is_observed && self.options.comment != CommentWhen::Never;
        let before = found.as_ref().and_then(|found| found.state.clone());

        let mut memory = before.clone().unwrap_or_default();
        let is_forgotten = found.as_ref().is_none_or(|found| found.own.is_some() && found.state.is_none());
        if is_forgotten {
            match self.override_by_label(&issue, request) {
                Ok(overridden) => memory.overridden = overridden,
                Err(error) => {
                    is_blind = true;
                    warnings.push(error.to_string());
                }
            }
            if matches!(request, Request::Command { command: Command::Override { .. }, .. }) {
                warnings.push(format!(
                    "there is no comment to record this override in, so it applies only to this run: set the label `{}` to keep it",
                    labels::OVERRIDE
                ));
            }
        }
        settle(&mut memory, &issue, request, pipeline);
        let waivers = memory.waived.iter().map(waiver).collect::<Vec<_>>();
        if let Err(error) = pipeline.waive(&waivers, self.today) {
            warnings.push(error.to_string());
        }
        let outcome = self.outcome(pipeline, &issue)?;
        let is_text = matches!(request, Request::Trigger(Trigger::Text));
        let mut now = CommentState::after(
            Some(&memory),
            &outcome,
            &digest(&outcome),
            &issue.updated_at,
            is_text || before.is_none(),
        );
        let proposal = self.proposal(pipeline, &issue, &outcome, &mut now, request)?;
        let conclusion = if now.overridden.is_some() { Conclusion::Overridden } else { Conclusion::of(&outcome) };
        let language = outcome.packet.language.value;
        let summary = |rule: &RuleId| catalog::summary(&pipeline.book, rule, language).unwrap_or_default();
        let comment =
            comment::comment(CommentParts { outcome: &outcome, now, proposal: proposal.as_ref(), summary: &summary });
        let is_asked_for = !is_text;
        Ok(Ok(Judged { issue, outcome, conclusion, comment, warnings, found, is_asked_for, is_observed, is_blind }))
    }

    /// Writes the comment and the labels if they differ. If GitHub refuses, that is a warning and not an error: the
    /// verdict is in the outputs and the summary.
    pub fn keep(&self, judged: &mut Judged) -> Kept {
        let number = judged.issue.number;
        let mut kept = Kept::default();
        if judged.is_blind {
            // The current state is unknown and must not be undone.
            kept.action = CommentAction::Failed;
            return kept;
        }
        let mut is_older_run = false;
        if let Some(found) = &judged.found {
            is_older_run = found.state.as_ref().is_some_and(|state| state.updated > judged.comment.state.updated);
            kept = match self.is_to_be_written(judged, found) {
                Some(true) => self.sticky(number).write(found, &judged.comment).unwrap_or_else(|error| {
                    judged.warnings.push(error.to_string());
                    Kept { action: CommentAction::Failed, ..Kept::default() }
                }),
                Some(false) => Kept {
                    action: CommentAction::Unchanged,
                    id: found.own.as_ref().map(|own| own.id),
                    url: found.own.as_ref().map(|own| own.html_url.clone()).filter(|url| !url.is_empty()),
                },
                None => Kept::default(),
            };
        }
        if !judged.is_observed && !is_older_run {
            self.label(judged);
        }
        kept
    }

    /// Returns whether to write the comment: `Some(false)` leaves it unchanged; `None` means that there is none and
    /// none is needed.
    fn is_to_be_written(&self, judged: &Judged, found: &OwnComment) -> Option<bool> {
        let state = &judged.comment.state;
        let Some(before) = &found.state else {
            // A comment of reqgate whose state cannot be read is rewritten.
            let is_told = found.own.is_some()
                || self.options.comment == CommentWhen::Always && judged.outcome.decision.verdict == Verdict::Pass
                || matches!(judged.conclusion, Conclusion::Blocked | Conclusion::Rejected | Conclusion::Overridden);
            return is_told.then_some(true);
        };
        let is_no_again = matches!(judged.conclusion, Conclusion::Blocked | Conclusion::Rejected);
        let repeats = before.asks_for_a_person() && state.asks_for_a_person() && is_no_again && !judged.is_asked_for;
        Some(!repeats)
    }

    fn label(&self, judged: &mut Judged) {
        let asks = judged.comment.state.asks_for_a_person();
        for change in labels::changes(&judged.issue.labels, judged.conclusion, asks, self.options) {
            let number = judged.issue.number;
            let done = match change {
                Change::Add(label) => self.client.add_label(self.repository, number, label),
                Change::Remove(label) => self.client.remove_label(self.repository, number, label),
            };
            if let Err(error) = done {
                judged.warnings.push(error.to_string());
            }
        }
    }

    fn sticky(&self, number: u64) -> IssueComment<'_> {
        IssueComment { client: self.client, repository: self.repository, number, author: &self.options.comment_author }
    }

    fn name(&self, number: u64) -> String {
        format!("github:{}#{number}", self.repository)
    }

    fn is_observed(&self, issue: &Issue) -> bool {
        let is_before = |since: &String| issue.created_at.get(..10).is_some_and(|day| day < since.as_str());
        self.options.mode == Mode::Observe || self.options.since.as_ref().is_some_and(is_before)
    }

    /// The reason to refuse a request. GitHub is asked about the rights of its author; the payload is not trusted.
    ///
    /// The triage role may set labels but has no write access. An override needs write access, whether it is given by
    /// label or by command.
    fn objection(&self, pipeline: &Pipeline, issue: &Issue, request: &Request) -> Result<Option<Skip>, GithubError> {
        let (by, command) = match request {
            Request::Command { by, command, .. } => (by, command),
            Request::Trigger(Trigger::OverrideSet { by }) => {
                let mut may = self.may_write(by)?;
                if may && has_override(issue) {
                    // The event can be an old one that was sent again, and another person may have set the label since.
                    let last = self.client.labelled_by(self.repository, issue.number, labels::OVERRIDE)?;
                    may = last.filter(|last| last != by).map_or(Ok(true), |last| self.may_write(&last))?;
                }
                return Ok((!may).then_some(Skip::NotAllowed("write access")));
            }
            Request::Trigger(_) => return Ok(None),
        };
        if let Command::Waive { rule, .. } = command
            && !catalog::is_known(&pipeline.book, rule)
        {
            return Ok(Some(Skip::UnknownRule(rule.clone())));
        }
        let is_author = issue.user.login == *by;
        if is_author && matches!(command, Command::Recheck | Command::Answer(_)) {
            return Ok(None);
        }
        let may = self.may_write(by)?;
        let needed = match command {
            Command::Recheck | Command::Answer(_) => "write access, or being the author of the issue",
            Command::Override { .. } | Command::Waive { .. } => "write access",
        };
        Ok((!may).then_some(Skip::NotAllowed(needed)))
    }

    /// The override for a label that no recorded state explains: a person with write access has set the label.
    fn override_by_label(&self, issue: &Issue, request: &Request) -> Result<Option<Override>, GithubError> {
        let is_settled = matches!(request, Request::Trigger(Trigger::OverrideSet { .. } | Trigger::OverrideTaken));
        if is_settled || !has_override(issue) {
            return Ok(None);
        }
        let by = self.client.labelled_by(self.repository, issue.number, labels::OVERRIDE)?;
        Ok(match by {
            Some(by) if self.may_write(&by)? => Some(Override { by, reason: String::new() }),
            _ => None,
        })
    }

    fn may_write(&self, login: &str) -> Result<bool, GithubError> {
        Ok(self.client.permission(self.repository, login)? >= Permission::Write)
    }

    fn outcome(&self, pipeline: &Pipeline, issue: &Issue) -> Result<Outcome, PipelineError> {
        let name = self.name(issue.number);
        let gaps = |packet: &RequirementPacket| form_gaps::form_gaps(packet, self.forms, &issue.body);
        pipeline.run_with(input(&name, issue, &issue.body), gaps)
    }

    /// Inserts the answers of a command into the body and judges the result.
    fn proposal(
        &self,
        pipeline: &Pipeline,
        issue: &Issue,
        outcome: &Outcome,
        now: &mut CommentState,
        request: &Request,
    ) -> Result<Option<Proposal>, PipelineError> {
        let Request::Command { command: Command::Answer(given), .. } = request else { return Ok(None) };
        let name = self.name(issue.number);
        let first_line = body_line(&input(&name, issue, &issue.body));
        let folded = answers::fold(&issue.body, first_line, outcome, &now.questions, given);
        if folded.changes.is_empty() {
            return Ok(None);
        }
        let numbers: Vec<usize> = given.iter().map(|(number, _)| *number).collect();
        now.answer(&numbers);
        let new = input(&name, issue, &folded.body);
        let skipped = body_line(&new) - 1;
        let judged = pipeline.run(new)?;
        if judged.decision.verdict == Verdict::GuardrailRejected {
            let stops = judged.guardrail.findings.iter().filter(|finding| finding.action == GuardrailAction::Reject);
            return Ok(Some(Proposal::Stopped(kinds_of(stops.map(|finding| finding.kind)))));
        }
        // The screened text is shown: personal data in an answer is masked like in any other text.
        let screened: Vec<&str> = judged.packet.raw_text.lines().skip(skipped).collect();
        let before: Vec<&str> = outcome.packet.raw_text.lines().skip(first_line - 1).collect();
        let changes = folded.changes.iter().map(|change| {
            let removed = change.removed.and_then(|line| before.get(line)).map(|line| (*line).to_owned());
            let added = screened.iter().skip(change.line).take(change.added).map(|line| (*line).to_owned());
            (change.line + 1, removed, added.collect())
        });
        Ok(Some(Proposal::Shown {
            changes: changes.collect(),
            body: screened.join("\n"),
            score: judged.score_report.as_ref().map(|report| report.total_score),
            verdict: judged.decision.verdict,
        }))
    }
}

/// Records the decisions of people with the right to make them in the state.
fn settle(memory: &mut CommentState, issue: &Issue, request: &Request, pipeline: &Pipeline) {
    let has_label = has_override(issue);
    // An override by label ends when the label is removed, one by command with a recheck.
    if memory.overridden.as_ref().is_some_and(|decision| decision.reason.is_empty()) && !has_label {
        memory.overridden = None;
    }
    let decision = |by: &str, reason: &str| Override { by: by.to_owned(), reason: pipeline.masked(reason) };
    match request {
        Request::Trigger(Trigger::OverrideSet { by }) if has_label => memory.overridden = Some(decision(by, "")),
        Request::Trigger(Trigger::OverrideTaken) if !has_label => memory.overridden = None,
        Request::Trigger(_) => {}
        Request::Command { comment, .. } if !memory.obey(*comment) => {}
        Request::Command { by, command, .. } => match command {
            Command::Override { reason } => memory.overridden = Some(decision(by, reason)),
            Command::Waive { rule, reason } => {
                memory.waive(WaivedRule { rule: rule.clone(), decision: decision(by, reason) });
            }
            Command::Recheck if !has_label => memory.overridden = None,
            Command::Recheck | Command::Answer(_) => {}
        },
    }
}

fn has_override(issue: &Issue) -> bool {
    issue.labels.iter().any(|label| label.eq_ignore_ascii_case(labels::OVERRIDE))
}

fn waiver(waived: &WaivedRule) -> Waiver {
    let Override { by, reason } = &waived.decision;
    Waiver {
        rule: waived.rule.clone(),
        reason: format!("{by}: {reason}"),
        fingerprint: None,
        input: None,
        expires: None,
    }
}

/// The issue with the given body, as the pipeline reads it.
fn input(name: &str, issue: &Issue, body: &str) -> RawInput {
    let characters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).take(10).count();
    let body = if !issue.title.chars().chain(body.chars()).any(char::is_alphanumeric) {
        Cow::Borrowed(NO_TEXT)
    } else if characters(&issue.title) + characters(body) < 10 {
        Cow::Owned(format!("{}\n\n{SHORT_TEXT}", body.trim()).trim().to_owned())
    } else {
        Cow::Borrowed(body)
    };
    RawInput::github_issue(name, &issue.title, &body, &issue.labels)
}

/// The line of the input, counted from 1, on which the body begins.
fn body_line(input: &RawInput) -> usize {
    if input.title_span.is_some() { 3 } else { 1 }
}

/// A hash of the screened text, which shows whether two runs judged the same text.
fn digest(outcome: &Outcome) -> String {
    Hash::of(&outcome.packet.raw_text).short()
}
