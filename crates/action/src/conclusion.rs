//! The conclusion of a run on GitHub: verdict, outputs for the workflow, exit code.

use super::options::{FailOn, Options};
use super::skip::Skip;
use reqgate_base::clean::one_line;
use reqgate_base::model::{Outcome, Verdict};

/// The verdict, as it appears in the Action's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// The text is ready, without remarks.
    Pass,
    /// The text is ready, with hints.
    Warn,
    /// The text is not ready.
    Blocked,
    /// The guardrail stopped it.
    Rejected,
    /// A maintainer overrode the gate.
    Overridden,
    /// The event was skipped.
    Skipped,
    /// A text could not be judged: it is in another language, or contains no prose.
    Unread,
    /// The run ended with an error.
    Error,
}

impl Conclusion {
    /// The name in the output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Blocked => "blocked",
            Self::Rejected => "rejected",
            Self::Overridden => "overridden",
            Self::Skipped | Self::Unread => "skipped",
            Self::Error => "error",
        }
    }

    /// The conclusion of a judged text without an override.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let costs = |outcome: &Outcome| {
            outcome
                .score_report
                .as_ref()
                .is_some_and(|report| report.non_blocking_issues.iter().any(|i| i.points > 0.0))
        };
        match outcome.decision.verdict {
            Verdict::GuardrailRejected => Self::Rejected,
            Verdict::Reject => Self::Blocked,
            Verdict::Pass if costs(outcome) => Self::Warn,
            Verdict::Pass => Self::Pass,
            Verdict::NotApplicable if outcome.decision.not_judged.is_some() => Self::Unread,
            Verdict::NotApplicable => Self::Skipped,
        }
    }

    /// The worse of two conclusions, for runs over several files.
    pub(crate) fn worse(self, other: Self) -> Self {
        let rank = |conclusion| match conclusion {
            Self::Skipped => 0,
            Self::Pass => 1,
            Self::Overridden => 2,
            Self::Warn => 3,
            // A file that was not judged is not ready, even if all others are.
            Self::Unread => 4,
            Self::Blocked => 5,
            Self::Rejected => 6,
            Self::Error => 7,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The exit code: 0 for a pass, 1 for a rejection that the inputs count as a failure.
    pub fn exit_code(self, fail_on: FailOn, is_issue: bool) -> u8 {
        let fail_on = match (fail_on, is_issue) {
            (FailOn::Auto, true) => FailOn::Never,
            (FailOn::Auto, false) => FailOn::Blocker,
            (stated, _) => stated,
        };
        let fails = match (fail_on, self) {
            (FailOn::Never, _) => false,
            (_, Self::Blocked | Self::Rejected) => true,
            (FailOn::Warning, Self::Warn | Self::Unread) => true,
            _ => false,
        };
        u8::from(fails)
    }
}

/// The action taken on the comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommentAction {
    /// The comment was created.
    Created,
    /// The comment was updated.
    Updated,
    /// It is up to date, a newer run has written it, or a person was asked for.
    Unchanged,
    /// No comment exists, and none is needed.
    #[default]
    None,
    /// GitHub refused the request.
    Failed,
}

impl CommentAction {
    /// The name in the output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::None => "none",
            Self::Failed => "failed",
        }
    }
}

/// The comment after a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// The action taken on it.
    pub action: CommentAction,
    /// The id of the comment.
    pub id: Option<u64>,
    /// Its address for people.
    pub url: Option<String>,
}

/// The outputs of the Action for later steps, as names and values. No value contains a word of a ticket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs(pub Vec<(&'static str, String)>);

impl Outputs {
    /// The outputs of a verdict over `outcomes`.
    pub fn judged(conclusion: Conclusion, outcomes: &[&Outcome], options: &Options, is_issue: bool) -> Self {
        let reports = || outcomes.iter().filter_map(|outcome| outcome.score_report.as_ref());
        let blockers: usize = reports().map(|report| report.blocking_issues.len()).sum();
        let others: usize = reports().map(|report| report.non_blocking_issues.len()).sum();
        let is_ready = matches!(conclusion, Conclusion::Pass | Conclusion::Warn | Conclusion::Overridden);
        let mut outputs = Self(vec![
            ("verdict", conclusion.name().to_owned()),
            ("ready", is_ready.to_string()),
            ("blockers", blockers.to_string()),
            ("findings", (blockers + others).to_string()),
            ("exit-code", conclusion.exit_code(options.fail_on, is_issue).to_string()),
        ]);
        let skip = match conclusion {
            Conclusion::Skipped => Some(Skip::NoRequirement),
            Conclusion::Unread => Some(Skip::Unread),
            _ => None,
        };
        outputs.0.extend(skip.map(|skip| ("skip-reason", skip.to_string())));
        outputs
    }

    /// The outputs of a skipped run.
    pub fn skipped(reason: &Skip) -> Self {
        Self(vec![
            ("verdict", Conclusion::Skipped.name().to_owned()),
            ("ready", "false".to_owned()),
            ("skip-reason", reason.to_string()),
            ("comment-action", CommentAction::None.name().to_owned()),
            ("exit-code", "0".to_owned()),
        ])
    }

    /// The outputs about the comment.
    pub fn kept(kept: &Kept) -> Self {
        let mut outputs = vec![("comment-action", kept.action.name().to_owned())];
        outputs.extend(kept.id.map(|id| ("comment-id", id.to_string())));
        outputs.extend(kept.url.clone().map(|url| ("comment-url", url)));
        Self(outputs)
    }

    /// The lines for `GITHUB_OUTPUT`; `delimiter` must not be predictable.
    pub(crate) fn lines(&self, delimiter: &str) -> String {
        self.0.iter().map(|(name, value)| format!("{name}<<{delimiter}\n{}\n{delimiter}\n", one_line(value))).collect()
    }

    /// Sets one value, replacing an earlier one of the same name.
    pub(super) fn set(&mut self, name: &'static str, value: String) {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, value));
    }

    /// Adds the path of the JSON report, if one is written.
    pub fn report_file(&mut self, options: &Options) {
        if let Some(path) = &options.report_file {
            self.set("report-file", path.display().to_string());
        }
    }

    /// The outputs of a run that failed.
    pub fn failed(code: u8) -> Self {
        let code = ("exit-code", code.to_string());
        Self(vec![("verdict", Conclusion::Error.name().to_owned()), ("ready", "false".to_owned()), code])
    }

    /// The value of one output.
    #[cfg(test)]
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_events_fail_only_if_asked_to() {
        for (fail_on, is_issue, conclusion, code) in [
            (FailOn::Auto, true, Conclusion::Blocked, 0),
            (FailOn::Auto, false, Conclusion::Blocked, 1),
            (FailOn::Auto, false, Conclusion::Warn, 0),
            (FailOn::Blocker, true, Conclusion::Rejected, 1),
            (FailOn::Warning, true, Conclusion::Warn, 1),
            (FailOn::Warning, true, Conclusion::Pass, 0),
            (FailOn::Never, false, Conclusion::Blocked, 0),
            (FailOn::Blocker, true, Conclusion::Overridden, 0),
            (FailOn::Blocker, true, Conclusion::Skipped, 0),
            (FailOn::Auto, false, Conclusion::Unread, 0),
            (FailOn::Warning, false, Conclusion::Unread, 1),
        ] {
            assert_eq!(conclusion.exit_code(fail_on, is_issue), code, "{fail_on:?} {is_issue} {conclusion:?}");
        }
    }

    #[test]
    fn value_cannot_end_its_output() {
        let outputs = Outputs(vec![("comment-url", "https://x\nEOF\nverdict=pass".to_owned())]);
        assert_eq!(outputs.lines("EOF"), "comment-url<<EOF\nhttps://x EOF verdict=pass\nEOF\n");
    }
}
