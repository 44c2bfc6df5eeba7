//! The audit of the repository's open issues. It only reads, and exits with 1 only if the inputs ask for it.

use super::ActionError;
use super::conclusion::{CommentAction, Conclusion, Outputs};
use super::options::{Mode, Options};
use reqgate_audit::v1::Report;
use reqgate_audit::{Audit, Bookmark, Day, Subject, Walk};
use reqgate_base::model::RuleId;
use reqgate_gate::pipeline::Pipeline;
use reqgate_net::github::{Client, IssuesWanted, Repository};

/// An audit of one repository.
pub struct AuditFlow<'a> {
    /// The client of GitHub.
    pub client: &'a Client,
    /// The repository to audit.
    pub repository: &'a Repository,
    /// The pipeline that judges the issues.
    pub pipeline: &'a Pipeline,
    /// The inputs of the Action.
    pub options: &'a Options,
    /// The day of the audit, from which ages are counted.
    pub today: Day,
    /// Issues opened before this day are only observed.
    pub since: Option<Day>,
}

/// The result of an audit.
pub struct AuditRun {
    /// The report on all issues.
    pub report: Report,
    /// The outputs for later steps.
    pub outputs: Outputs,
    /// The exit code of the step.
    pub code: u8,
}

impl AuditFlow<'_> {
    /// Reads and judges the open issues; `summary_of` describes a rule in one line.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked or refuses.
    pub fn run(&self, summary_of: impl Fn(&RuleId) -> String) -> Result<AuditRun, ActionError> {
        let source = self.repository.to_string();
        let mut bookmark = Bookmark::new(&source, "");
        let mut audit = Audit::new(Subject { source, today: self.today, since: self.since });
        let (wanted, most) = (IssuesWanted::default(), self.options.max_issues);
        let Self { client, repository, pipeline, .. } = *self;
        Walk { client, repository, pipeline, wanted: &wanted, most }.run(&mut bookmark, &mut audit, |_, _| Ok(()))?;
        Ok(AuditRun::of(audit.report(summary_of, None), self.options))
    }
}

impl AuditRun {
    fn of(report: Report, options: &Options) -> Self {
        let totals = &report.totals;
        let conclusion = match (totals.would_block, totals.tickets) {
            (0, 0) => Conclusion::Skipped,
            (0, _) => Conclusion::Pass,
            _ => Conclusion::Blocked,
        };
        let code = match options.mode {
            Mode::Observe => 0,
            // A backlog is never completely ready, so a finding fails the step only if the inputs ask for it.
            Mode::Enforce => conclusion.exit_code(options.fail_on, true),
        };
        let mut outputs = Outputs(vec![
            ("verdict", conclusion.name().to_owned()),
            ("ready", (conclusion == Conclusion::Pass).to_string()),
            ("blockers", totals.would_block.to_string()),
            ("findings", (totals.not_ready + totals.stopped).to_string()),
            ("comment-action", CommentAction::None.name().to_owned()),
            ("exit-code", code.to_string()),
        ]);
        outputs.report_file(options);
        Self { report, outputs, code }
    }
}
