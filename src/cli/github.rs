//! `reqgate github`: runs as a GitHub Actions step: judges the subject of the event, then writes outputs, summary,
//! comment and labels.

use std::path::{Path, PathBuf};

use reqgate::action::{
    ActionError, AuditFlow, FilesRun, GitRepository, IssueFlow, JudgedFile, Named, Options, Outputs as StepOutputs,
    PullRequestFlow, Request, Skip, Task, Workplace, decide, forms_in, judge_files,
};
use reqgate::audit::Day;
use reqgate::catalog;
use reqgate::config::{Flags, ValidConfig};
use reqgate::files;
use reqgate::github::Client;
use reqgate::model::{Outcome, RuleCard, RuleId};
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::report::comment::CommentText;
use reqgate::report::{self, Format, ReportOptions, Summary};
use reqgate::rules::DEFAULT_ISSUE_POLICY;
use reqgate::stages::intake::{self, IntakeOptions};

use tempfile::TempDir;

use super::arguments::{AuditFormat, ConfigurationArguments, ModelArguments, OutputFile};
use super::audit;
use super::exit::{self, Failure};
use super::outputs::{self, Outputs, Overlap};
use super::session::{self, Extent, Session};
use super::{reviewer, terminal};

impl From<ActionError> for Failure {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::Write { path, error } => Self::writing(&format!("`{path}`"), &error),
            error if error.is_usage() => Self::usage(error),
            error => Self::World(error.to_string()),
        }
    }
}

/// A variable of the environment; unset and empty are the same.
pub(super) fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.trim().is_empty())
}

pub(super) fn run() -> Result<u8, Failure> {
    let workplace = Workplace::open(variable)?;
    let ended = run_task(&workplace);
    if let Err(failure) = &ended {
        // An error of the output is ignored, because the failure itself is more important.
        let _ = workplace.output(&StepOutputs::failed(failure.code()));
    }
    ended
}

fn run_task(workplace: &Workplace) -> Result<u8, Failure> {
    let options = Options::read(variable).map_err(ActionError::from)?;
    let task = decide(&workplace.event_name, &workplace.event, options.issue_number).map_err(ActionError::from)?;
    match task {
        Task::Skip(skip) => skipped(workplace, &skip),
        Task::Issue { number, trigger } => issue(workplace, &options, number, &Request::Trigger(trigger)),
        Task::Command { number, by, comment, command } => {
            issue(workplace, &options, number, &Request::Command { by, comment, command })
        }
        Task::PullRequest { base, head, changed_files, is_from_fork } => {
            let named = Named { base, head, merge: variable("GITHUB_SHA") };
            pull_request(workplace, &options, &named, (changed_files, is_from_fork))
        }
        Task::Files if options.paths.is_empty() && asks_for_an_audit(&workplace.event_name) => {
            audit(workplace, &options)
        }
        Task::Files => files(workplace, &options),
    }
}

fn skipped(workplace: &Workplace, skip: &Skip) -> Result<u8, Failure> {
    workplace.output(&StepOutputs::skipped(skip))?;
    outputs::print(&format!("reqgate: skipped: {skip}\n"))?;
    Ok(exit::PASS)
}

/// The configuration of the checkout, for issues: a reporter has to state the needs of a maintainer, not everything
/// that a team needs to start.
pub(super) fn issue_configuration(today: &str) -> Result<ValidConfig, Failure> {
    let mut config = session::configuration(&ConfigurationArguments::default(), Flags::default())?;
    config.policy.value.get_or_insert_with(|| DEFAULT_ISSUE_POLICY.to_owned());
    session::warn_of_unused(&config, today);
    Ok(config)
}

/// Judges one issue and updates its comment.
fn issue(workplace: &Workplace, options: &Options, number: u64, request: &Request) -> Result<u8, Failure> {
    let repository = workplace.repository()?;
    let client = Client::from_environment(variable).map_err(ActionError::from)?;
    let today = terminal::today();
    let config = issue_configuration(&today)?;
    let (forms, broken) = forms_in(Path::new(".github/ISSUE_TEMPLATE"), &config.forms);
    for error in broken {
        exit::warn(&error.to_string());
    }
    let model = ModelArguments::default();
    let is_required = reviewer::is_required(&config, &model);
    let session = Session::open(config, today.clone(), Extent::Judging)?;
    session.warn_of_no_effect();
    let mut pipeline = reviewer::pipeline(session, Stated::default(), &model)?;
    let flow = IssueFlow { client: &client, repository: &repository, options, forms: &forms, today: &today };
    let mut judged = match flow.judge(&mut pipeline, number, request)? {
        Ok(judged) => judged,
        Err(skip) => return skipped(workplace, &skip),
    };
    reviewer::demand(is_required, &judged.outcome)?;
    let mut told = StepOutputs::judged(judged.conclusion, &[&judged.outcome], options, true);
    if let Some(path) = &options.report_file {
        outputs::write_report(Format::Json, path, &judged.outcome)?;
    }
    told.report_file(options);
    workplace.output(&told)?;
    let mut summary = format!("{}\n", CommentText::visible(&judged.comment.text));
    summary.push_str(&whole_report(&judged.outcome));
    workplace.summarise(&summary)?;
    let kept = flow.keep(&mut judged);
    workplace.output(&StepOutputs::kept(&kept))?;
    for warning in &judged.warnings {
        outputs::print(&report::workflow_warning(warning))?;
    }
    let (verdict, comment, requests) = (judged.conclusion.name(), kept.action.name(), client.requests());
    outputs::print(&format!("reqgate: {verdict}; comment: {comment}; requests: {requests}\n"))?;
    Ok(judged.conclusion.exit_code(options.fail_on, true))
}

/// The verbose Markdown report of one outcome, folded.
fn whole_report(outcome: &Outcome) -> String {
    format!("<details><summary>reqgate</summary>\n\n{}\n</details>\n", report::whole_markdown(outcome))
}

/// Judges the files that a pull request changes, under the policy of its base.
fn pull_request(
    workplace: &Workplace,
    options: &Options,
    named: &Named,
    (said, is_from_fork): (u64, bool),
) -> Result<u8, Failure> {
    let (git, folder) = (GitRepository::new(Path::new(".")), folder()?);
    let flow = PullRequestFlow { git: &git, named, said, is_from_fork, options, folder: folder.path() };
    let mut cards = Vec::new();
    let judged = flow.judge(
        variable,
        |warning| exit::warn(&warning),
        |config, stated| {
            let (pipeline, its_cards) = judges(config, options, stated)?;
            cards = its_cards;
            Ok::<_, Failure>(pipeline)
        },
    )?;
    match judged {
        Ok(judged) => tell(workplace, options, &cards, folder.path(), &judged),
        Err(skip) => skipped(workplace, &skip),
    }
}

/// Returns true for the events without a subject: without files to judge they are about all open issues.
fn asks_for_an_audit(event: &str) -> bool {
    matches!(event, "schedule" | "workflow_dispatch" | "workflow_call" | "repository_dispatch")
}

/// Audits the open issues of the repository.
fn audit(workplace: &Workplace, options: &Options) -> Result<u8, Failure> {
    let repository = workplace.repository()?;
    let since = options.since.as_deref().map(str::parse).transpose().map_err(Failure::usage)?;
    let today = terminal::today();
    let config = issue_configuration(&today)?;
    let session = Session::open(config, today.clone(), Extent::Judging)?;
    session.warn_of_no_effect();
    let cards = catalog::cards(&session.book, &session.patterns);
    let pipeline = session.pipeline(Stated::default())?;
    let client = Client::from_environment(variable).map_err(ActionError::from)?;
    let today: Day = today.parse().map_err(Failure::usage)?;
    let flow = AuditFlow { client: &client, repository: &repository, pipeline: &pipeline, options, today, since };
    let run = flow.run(|rule: &RuleId| catalog::summary_of(&cards, rule))?;
    if let Some(path) = &options.report_file {
        let is_page = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"));
        let format = if is_page { AuditFormat::Html } else { AuditFormat::Json };
        outputs::write_whole(path, &audit::written(format, &run.report)?)?;
    }
    workplace.output(&run.outputs)?;
    workplace.summarise(&audit::written(AuditFormat::Markdown, &run.report)?)?;
    let totals = &run.report.totals;
    outputs::print(&format!("reqgate: {} of {} issues are ready\n", totals.ready, totals.tickets))?;
    Ok(run.code)
}

/// Judges the files of the checkout that the inputs name.
fn files(workplace: &Workplace, options: &Options) -> Result<u8, Failure> {
    if options.paths.is_empty() {
        return skipped(workplace, &Skip::NoFiles);
    }
    let config = session::configuration(&ConfigurationArguments::default(), Flags::default())?;
    let (pipeline, cards) = judges(config, options, Stated::default())?;
    let written: Vec<&Path> = options.sarif_file.iter().chain(&options.report_file).map(PathBuf::as_path).collect();
    let overlap = Overlap::new(&written);
    let inputs = overlap.watch(Box::new(intake::inputs(&options.paths, &IntakeOptions::default())));
    let judged = judge_files(&pipeline, inputs);
    if let Some(path) = overlap.found() {
        return Err(outputs::read_and_written(&path));
    }
    let folder = folder()?;
    tell(workplace, options, &cards, folder.path(), &judged)
}

fn judges(config: ValidConfig, options: &Options, stated: Stated) -> Result<(Pipeline, Vec<RuleCard>), Failure> {
    let today = terminal::today();
    session::warn_of_unused(&config, &today);
    let extent = if options.sarif_file.is_some() { Extent::Teaching } else { Extent::Judging };
    let session = Session::open(config, today, extent)?;
    session.warn_of_no_effect();
    let cards = match extent {
        Extent::Teaching => catalog::cards(&session.book, &session.patterns),
        Extent::Judging => Vec::new(),
    };
    Ok((session.pipeline(stated)?, cards))
}

/// Writes annotations, reports, summary and outputs of judged files; returns the exit code.
fn tell(
    workplace: &Workplace,
    options: &Options,
    cards: &[RuleCard],
    folder: &Path,
    judged: &[JudgedFile],
) -> Result<u8, Failure> {
    let summary_file = folder.join("summary.md");
    let mut files = vec![OutputFile { format: Format::Markdown, path: summary_file.clone() }];
    for (format, path) in [(Format::Sarif, &options.sarif_file), (Format::Json, &options.report_file)] {
        files.extend(path.clone().map(|path| OutputFile { format, path }));
    }
    let mut reports = Outputs::open(Format::Github, &files, cards, ReportOptions::default())?;
    let mut summary = Summary::default();
    for item in judged {
        match item {
            Ok(outcome) => {
                summary.add(outcome);
                reports.outcome(outcome);
            }
            Err(error) => {
                summary.add_error(error);
                reports.input_error(error);
            }
        }
    }
    let run = FilesRun::of(judged, options);
    reports.finish(&summary)?;
    workplace.output(&run.outputs)?;
    let text = std::fs::read_to_string(&summary_file).map_err(|error| Failure::writing("the summary", &error))?;
    workplace.summarise(&text)?;
    Ok(run.code)
}

/// A temporary folder of this run, which is deleted when the run ends.
fn folder() -> Result<TempDir, Failure> {
    let parent = variable("RUNNER_TEMP").map_or_else(std::env::temp_dir, PathBuf::from);
    let shown = parent.display().to_string();
    files::temporary_folder("reqgate-", Some(&parent))
        .map_err(|error| Failure::writing(&format!("a folder in `{shown}`"), &error))
}
