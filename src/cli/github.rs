//! `reqgate github`: runs as a GitHub Actions step; judges what the event is about, then writes outputs, summary, comment and labels.

use std::path::{Path, PathBuf};

use reqgate::action::{
    Changes, Conclusion, GitRepository, IssueFlow, Mode, Named, Options, Outputs as StepOutputs, Request, Skip, Task,
    changes, decide, forms_in,
};
use reqgate::config::{Flags, ValidConfig};
use reqgate::github::{Client, GithubError, Repository};
use reqgate::model::{Outcome, RuleCard};
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::report::comment::CommentText;
use reqgate::report::{self, Format, InputError, ReportOptions, Summary};
use reqgate::rules::DEFAULT_ISSUE_POLICY;
use reqgate::stages::gate::{Baseline, BaselineUse};
use reqgate::stages::intake::{self, IntakeError, IntakeOptions, RawInput};
use reqgate::{action, catalog};

use tempfile::TempDir;

use super::arguments::{AuditFormat, ConfigurationArguments, ModelArguments, OutputFile};
use super::audit;
use super::exit::{self, Failure};
use super::outputs::{self, Outputs, Overlap};
use super::session::{self, Extent, Session};
use super::workplace::{Workplace, variable};
use super::{base_policy, reviewer, terminal};

/// Runs the command.
pub fn run() -> Result<u8, Failure> {
    let workplace = Workplace::open()?;
    let ended = run_task(&workplace);
    if let Err(failure) = &ended {
        let code = ("exit-code", failure.code().to_string());
        let failed = vec![("verdict", Conclusion::Error.name().to_owned()), ("ready", "false".to_owned()), code];
        // The failure itself is the more important news.
        let _ = workplace.output(&StepOutputs(failed));
    }
    ended
}

fn run_task(workplace: &Workplace) -> Result<u8, Failure> {
    let options = Options::read(variable).map_err(Failure::usage)?;
    let task = decide(&workplace.event_name, &workplace.event, options.issue_number).map_err(Failure::usage)?;
    match task {
        Task::Skip(skip) => skipped(workplace, &skip),
        Task::Issue { number, trigger } => issue(workplace, &options, number, &Request::Trigger(trigger)),
        Task::Command { number, by, command } => issue(workplace, &options, number, &Request::Command { by, command }),
        Task::PullRequest { base, head, changed_files } => {
            let named = Named { base, head, merge: variable("GITHUB_SHA") };
            pull_request(workplace, &options, &named, changed_files)
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

/// Judges one issue and keeps its comment.
fn issue(workplace: &Workplace, options: &Options, number: u64, request: &Request) -> Result<u8, Failure> {
    let repository: Repository = variable("GITHUB_REPOSITORY")
        .ok_or_else(|| Failure::usage("GITHUB_REPOSITORY is not set: write owner/name"))?
        .parse()
        .map_err(Failure::usage)?;
    let client = Client::from_environment(variable).map_err(Failure::usage)?;
    let today = terminal::today();
    let mut config = session::configuration(&ConfigurationArguments::default(), Flags::default())?;
    // Whoever writes an issue owes what a maintainer needs, and not yet what a team needs to start.
    config.policy.value.get_or_insert_with(|| DEFAULT_ISSUE_POLICY.to_owned());
    session::warn_of_unused(&config, &today);
    let (forms, broken) = forms_in(Path::new(".github/ISSUE_TEMPLATE"), &config.forms);
    for error in broken {
        exit::warn(&error.to_string());
    }
    let model = ModelArguments::default();
    let is_required = reviewer::is_required(&config, &model);
    let session = Session::open(config, today.clone(), Extent::Judging)?;
    let mut pipeline = reviewer::pipeline(session, Stated::default(), &model)?;
    let flow = IssueFlow { client: &client, repository: &repository, options, forms: &forms, today: &today };
    let mut judged = match flow.judge(&mut pipeline, number, request).map_err(world)? {
        Ok(judged) => judged,
        Err(skip) => return skipped(workplace, &skip),
    };
    reviewer::demand(is_required, &judged.outcome)?;
    let mut told = StepOutputs::judged(judged.conclusion, &[&judged.outcome], options, true);
    if let Some(path) = &options.report_file {
        outputs::write_report(Format::Json, path, &judged.outcome)?;
        told.0.push(("report-file", path.display().to_string()));
    }
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

fn world(error: action::ActionError) -> Failure {
    match error {
        // What is wrong with the address or the token is for somebody to mend; the rest is the world's.
        action::ActionError::Github(GithubError::BadAddress(_)) | action::ActionError::Pipeline(_) => {
            Failure::usage(error)
        }
        action::ActionError::Github(_) => Failure::World(error.to_string()),
    }
}

/// Judges the files that a pull request changes, by the policy of its base. Needs no token and calls nobody.
fn pull_request(workplace: &Workplace, options: &Options, named: &Named, said: u64) -> Result<u8, Failure> {
    let git = GitRepository::new(Path::new("."));
    let base = git.base(named).map_err(Failure::usage)?;
    let folder = folder()?;
    let config = base_policy::read(&git, &base.policy, folder.path())?;
    let stated = Stated { is_requirement: true, ..Stated::default() };
    let (mut pipeline, cards) = judges(config, options, stated)?;
    let Changes { files: changed, left_out } =
        changes(&git, &base.changed, &options.paths, said).map_err(Failure::usage)?;
    for path in left_out {
        exit::warn(&format!("`{path}` is a symbolic link or a submodule and was not judged"));
    }
    if changed.is_empty() {
        return skipped(workplace, &Skip::NoFiles);
    }
    let mut known = Baseline::default();
    let mut after = Vec::new();
    for change in changed {
        for input in change.before.into_iter().filter(|_| options.changed_only) {
            // What cannot be judged was not known.
            if let Ok(outcome) = pipeline.run(input) {
                known.record(&outcome);
            }
        }
        after.extend(change.now);
    }
    pipeline.use_baseline(BaselineUse::Hold(known));
    let judged = after.into_iter().filter_map(|input| judge(&pipeline, input)).collect();
    tell(workplace, options, &cards, folder.path(), judged)
}

/// True for the events that are about nothing in particular: without files to judge they are about all open issues.
fn asks_for_an_audit(event: &str) -> bool {
    matches!(event, "schedule" | "workflow_dispatch" | "workflow_call" | "repository_dispatch")
}

/// Audits the open issues of the repository. Reads only, and says no only if it was told to.
fn audit(workplace: &Workplace, options: &Options) -> Result<u8, Failure> {
    let repository = variable("GITHUB_REPOSITORY")
        .ok_or_else(|| Failure::usage("GITHUB_REPOSITORY is not set: write owner/name"))?;
    let most = variable("REQGATE_MAX_ISSUES").unwrap_or_else(|| "500".to_owned());
    let report = audit::of_workflow(&repository, most.trim(), options.since.as_deref())?;
    let conclusion = match (report.totals.would_block, report.totals.tickets) {
        (0, 0) => Conclusion::Skipped,
        (0, _) => Conclusion::Pass,
        _ => Conclusion::Blocked,
    };
    let code = match options.mode {
        Mode::Observe => exit::PASS,
        // A backlog is never all ready: unless asked for, it fails nothing.
        Mode::Enforce => conclusion.exit_code(options.fail_on, true),
    };
    let mut told = vec![
        ("verdict", conclusion.name().to_owned()),
        ("ready", (conclusion == Conclusion::Pass).to_string()),
        ("blockers", report.totals.would_block.to_string()),
        ("findings", (report.totals.not_ready + report.totals.stopped).to_string()),
        ("comment-action", "none".to_owned()),
        ("exit-code", code.to_string()),
    ];
    if let Some(path) = &options.report_file {
        let is_page = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"));
        let format = if is_page { AuditFormat::Html } else { AuditFormat::Json };
        outputs::write_whole(path, &audit::written(format, &report)?)?;
        told.push(("report-file", path.display().to_string()));
    }
    workplace.output(&StepOutputs(told))?;
    workplace.summarise(&audit::written(AuditFormat::Text, &report)?)?;
    let totals = &report.totals;
    outputs::print(&format!("reqgate: {} of {} issues are ready\n", totals.ready, totals.tickets))?;
    Ok(code)
}

/// Judges the files that the inputs name, as they lie in the checkout.
fn files(workplace: &Workplace, options: &Options) -> Result<u8, Failure> {
    if options.paths.is_empty() {
        return skipped(workplace, &Skip::NoFiles);
    }
    let config = session::configuration(&ConfigurationArguments::default(), Flags::default())?;
    let (pipeline, cards) = judges(config, options, Stated::default())?;
    let written: Vec<&Path> = options.sarif_file.iter().chain(&options.report_file).map(PathBuf::as_path).collect();
    let overlap = Overlap::new(&written);
    let inputs = overlap.watch(Box::new(intake::inputs(&options.paths, &IntakeOptions::default())));
    let judged = inputs.filter_map(|input| judge(&pipeline, input)).collect();
    if let Some(path) = overlap.found() {
        return Err(outputs::read_and_written(&path));
    }
    let folder = folder()?;
    tell(workplace, options, &cards, folder.path(), judged)
}

fn judges(config: ValidConfig, options: &Options, stated: Stated) -> Result<(Pipeline, Vec<RuleCard>), Failure> {
    let today = terminal::today();
    session::warn_of_unused(&config, &today);
    let extent = if options.sarif_file.is_some() { Extent::Teaching } else { Extent::Judging };
    let session = Session::open(config, today, extent)?;
    let cards = match extent {
        Extent::Teaching => catalog::cards(&session.book, &session.patterns),
        Extent::Judging => Vec::new(),
    };
    Ok((session.pipeline(stated)?, cards))
}

type JudgedFile = Result<Outcome, InputError>;

fn judge(pipeline: &Pipeline, input: Result<RawInput, IntakeError>) -> Option<JudgedFile> {
    let input = match input {
        Ok(input) => input,
        Err(error) if error.is_note() => return None,
        Err(error) => {
            let input = error.input().unwrap_or_default().to_owned();
            return Some(Err(InputError { input, message: error.to_string() }));
        }
    };
    let name = input.name.clone();
    Some(pipeline.run(input).map_err(|error| InputError { input: name, message: error.to_string() }))
}

/// Annotations, reports, summary, outputs and exit code of judged files.
fn tell(
    workplace: &Workplace,
    options: &Options,
    cards: &[RuleCard],
    folder: &Path,
    judged: Vec<JudgedFile>,
) -> Result<u8, Failure> {
    let summary_file = folder.join("summary.md");
    let mut files = vec![OutputFile { format: Format::Markdown, path: summary_file.clone() }];
    let mut file = |format, path: &Option<PathBuf>| {
        files.extend(path.clone().map(|path| OutputFile { format, path }));
    };
    file(Format::Sarif, &options.sarif_file);
    file(Format::Json, &options.report_file);
    let mut reports = Outputs::open(Format::Github, &files, cards, ReportOptions::default())?;
    let mut summary = Summary::default();
    let mut conclusion = Conclusion::Skipped;
    for item in &judged {
        match item {
            Ok(outcome) => {
                conclusion = conclusion.worse(Conclusion::of(outcome));
                summary.add(outcome);
                reports.outcome(outcome);
            }
            Err(error) => {
                conclusion = conclusion.worse(Conclusion::Error);
                summary.add_error(error);
                reports.input_error(error);
            }
        }
    }
    let outcomes: Vec<&Outcome> = judged.iter().filter_map(|item| item.as_ref().ok()).collect();
    let mut told = StepOutputs::judged(conclusion, &outcomes, options, false);
    let code = if conclusion == Conclusion::Error { exit::USAGE } else { conclusion.exit_code(options.fail_on, false) };
    told.0.retain(|(name, _)| *name != "exit-code");
    told.0.push(("exit-code", code.to_string()));
    if let Some(path) = &options.report_file {
        told.0.push(("report-file", path.display().to_string()));
    }
    reports.finish(&summary)?;
    workplace.output(&told)?;
    let text = std::fs::read_to_string(&summary_file).map_err(|error| Failure::writing("the summary", &error))?;
    workplace.summarise(&text)?;
    Ok(code)
}

/// A folder of this run's own, gone when it ends.
fn folder() -> Result<TempDir, Failure> {
    let parent = variable("RUNNER_TEMP").map_or_else(std::env::temp_dir, PathBuf::from);
    let shown = parent.display().to_string();
    tempfile::Builder::new()
        .prefix("reqgate-")
        .tempdir_in(parent)
        .map_err(|error| Failure::writing(&format!("a folder in `{shown}`"), &error))
}
