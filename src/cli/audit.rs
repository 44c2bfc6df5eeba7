//! `reqgate audit`: audits a whole backlog, from saved exports or from a repository.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;

use reqgate::audit::{self, Audit, Bookmark, Day, Entry, Subject, Walk, WalkError, v1};
use reqgate::catalog;
use reqgate::config::{Flags, ValidConfig};
use reqgate::files;
use reqgate::github::{Client, IssuesWanted};
use reqgate::hash::Hash;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::rules::{self, DEFAULT_ISSUE_POLICY, SourceFile};
use reqgate::stages::intake::{self, IntakeOptions, TicketFacts};

use super::arguments::{AuditArguments, AuditFormat, AuditMode, ColorWhen};
use super::exit::{self, Failure};
use super::judging::{self, Judged};
use super::notes::Notes;
use super::outputs::{self, Overlap};
use super::progress::Progress;
use super::session::{self, Extent, Session};
use super::terminal;

/// The width of a report for people in a file, in columns.
const FILE_WIDTH: usize = 100;
/// The maximum number of exports that are named; more are only counted.
const MOST_NAMES: usize = 3;
/// The maximum size of an earlier audit, in bytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn run(arguments: &AuditArguments, color: ColorWhen) -> Result<u8, Failure> {
    outputs::refuse_inputs(&arguments.exports, &outputs_of(arguments))?;
    let report = made(arguments)?;
    for file in &arguments.output {
        outputs::write_whole(&file.path, &written(file.format, &report)?)?;
    }
    let is_terminal = std::io::stdout().is_terminal();
    let usual = if is_terminal { AuditFormat::Human } else { AuditFormat::Markdown };
    outputs::print(&match arguments.format.unwrap_or(usual) {
        AuditFormat::Human => audit::text_for_terminal(&report, terminal::width(), terminal::is_coloured(color)),
        format => written(format, &report)?,
    })?;
    let says_no = arguments.mode == AuditMode::Enforce && report.totals.would_block > 0;
    let is_empty = report.totals.tickets == 0 && arguments.repo.is_none();
    Ok(match (report.totals.unreadable > 0 && arguments.repo.is_none() || is_empty, says_no) {
        (true, _) => exit::USAGE,
        (false, true) => exit::GATE_SAID_NO,
        (false, false) => exit::PASS,
    })
}

/// Judges the inputs and creates the report.
///
/// # Errors
/// Fails if the configuration, the state or the earlier audit cannot be used, or if GitHub cannot be asked.
fn made(arguments: &AuditArguments) -> Result<v1::Report, Failure> {
    let judging = &arguments.judging;
    let today = judging.today.clone().unwrap_or_else(terminal::today);
    let earlier = arguments.previous.as_deref().map(earlier).transpose()?;
    let flags = Flags {
        threshold: judging.threshold,
        rubric: judging.rubric.clone(),
        policy: judging.policy.clone(),
        sure: judging.sure,
        ..Flags::default()
    };
    let mut config = session::configuration(&judging.configuration, flags)?;
    if arguments.repo.is_some() {
        // The policy for new issues, which asks only for the needs of a maintainer.
        config.policy.value.get_or_insert_with(|| DEFAULT_ISSUE_POLICY.to_owned());
    }
    session::warn_of_unused(&config, &today);
    let session = Session::open(config.clone(), today.clone(), Extent::Judging)?;
    session.warn_of_no_effect();
    let cards = catalog::cards(&session.book, &session.patterns);
    let stated = Stated {
        source_type: judging.source,
        ticket_type: judging.ticket_type,
        language: judging.lang,
        ..Stated::default()
    };
    let team = session.team.as_ref().map(|team| team.reference().hash).unwrap_or_default();
    let judge = judge(&config, stated, &today, &team)?;
    let pipeline = session.pipeline(stated)?;
    let today: Day = today.parse().map_err(Failure::usage)?;
    let source = arguments.repo.as_ref().map_or_else(|| named(&arguments.exports), ToString::to_string);
    let mut audit = Audit::new(Subject { source, today, since: arguments.since });
    match &arguments.repo {
        Some(_) => of_repository(arguments, &pipeline, &judge, &mut audit)?,
        None => of_exports(arguments, &pipeline, &mut audit)?,
    }
    Ok(audit.report(|rule| catalog::summary_of(&cards, rule), earlier.as_ref()))
}

/// The names of the exports, or their number.
fn named(exports: &[String]) -> String {
    match exports.len() {
        0..=MOST_NAMES => exports.join(", "),
        count => format!("{count} files"),
    }
}

/// An audit in one of its formats.
///
/// # Errors
/// Fails only if the page's template is broken.
pub(super) fn written(format: AuditFormat, report: &v1::Report) -> Result<String, Failure> {
    let world = |error: &dyn std::fmt::Display| Failure::World(format!("writing the audit: {error}"));
    match format {
        AuditFormat::Human => Ok(audit::text_for_terminal(report, FILE_WIDTH, false)),
        AuditFormat::Markdown => Ok(audit::text(report)),
        AuditFormat::Json => {
            serde_json::to_string_pretty(report).map(|text| format!("{text}\n")).map_err(|error| world(&error))
        }
        AuditFormat::Html => audit::html(report).map_err(|error| world(&error)),
    }
}

/// The files that an audit writes in addition to standard output.
fn outputs_of(arguments: &AuditArguments) -> Vec<&Path> {
    arguments.output.iter().map(|file| file.path.as_path()).chain(arguments.state.as_deref()).collect()
}

fn of_exports(arguments: &AuditArguments, pipeline: &Pipeline, audit: &mut Audit) -> Result<(), Failure> {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.judging.jobs.map_or_else(all, usize::from);
    // Results come in the order of the inputs, so each result belongs to the first facts in the queue.
    let facts: RefCell<VecDeque<TicketFacts>> = RefCell::default();
    let mut pull_requests = 0;
    let overlap = Overlap::new(&outputs_of(arguments));
    let inputs = overlap.watch(Box::new(intake::inputs(&arguments.exports, &IntakeOptions::default())));
    let inputs = inputs.filter(|item| {
        let is_pull_request = item.as_ref().is_ok_and(|input| input.facts.is_pull_request);
        pull_requests += usize::from(is_pull_request);
        !is_pull_request
    });
    let inputs = inputs.inspect(|item| {
        facts.borrow_mut().push_back(item.as_ref().map(|input| input.facts.clone()).unwrap_or_default());
    });
    let mut progress = Progress::start();
    let mut notes = Notes::default();
    let judged = judging::judge(pipeline, inputs, jobs, |judged| {
        let facts = facts.borrow_mut().pop_front().unwrap_or_default();
        match judged {
            Judged::Outcome(outcome) => audit.add(Entry::of(&facts, &outcome)),
            Judged::Error(error) => {
                exit::error(&error.message);
                audit.add_unreadable();
            }
            Judged::Note(note) => notes.say(&note),
        }
        progress.step();
        ControlFlow::Continue(())
    });
    drop(progress);
    notes.end();
    (0..pull_requests).for_each(|_| audit.add_pull_request());
    judged.map_err(|error| Failure::World(format!("starting threads: {error}")))?;
    overlap.found().map_or(Ok(()), |path| Err(outputs::read_and_written(&path)))
}

fn of_repository(
    arguments: &AuditArguments,
    pipeline: &Pipeline,
    judge: &str,
    audit: &mut Audit,
) -> Result<(), Failure> {
    let Some(repository) = &arguments.repo else { return Ok(()) };
    let client = Client::from_environment(|name| std::env::var(name).ok()).map_err(Failure::usage)?;
    let wanted = IssuesWanted { closed_too: arguments.closed, ..IssuesWanted::default() };
    let source = format!("{repository}{}", if arguments.closed { " with closed issues" } else { "" });
    let mut bookmark = match &arguments.state {
        Some(path) => Bookmark::read(path, &source, judge).map_err(Failure::usage)?,
        None => Bookmark::new(&source, judge),
    };
    if bookmark.is_broken_off() {
        exit::note("resuming where the last run stopped");
    }
    let walk = Walk { client: &client, repository, pipeline, wanted: &wanted, most: arguments.max_issues };
    let mut progress = Progress::start();
    let mut shown = 0;
    let walked = walk.run(&mut bookmark, audit, |bookmark, count| {
        (shown..count).for_each(|_| progress.step());
        shown = count;
        let Some(path) = &arguments.state else { return Ok(()) };
        let failed = |failure| match failure {
            Failure::Usage(message) | Failure::World(message) | Failure::OtherVersion(message) => message,
            Failure::ReaderGone => "its reader has gone".to_owned(),
        };
        outputs::write_whole(path, &bookmark.written()).map_err(failed)
    });
    drop(progress);
    match walked {
        Ok(_) => Ok(()),
        Err(WalkError::Github(error)) => {
            let kept = if arguments.state.is_some() { "; progress is saved: run it again to resume" } else { "" };
            Err(Failure::World(format!("{error}{kept}")))
        }
        Err(WalkError::Store(message)) => Err(Failure::World(message)),
    }
}

fn earlier(path: &Path) -> Result<v1::Report, Failure> {
    let shown = path.display();
    let size = fs::metadata(path).map_err(|error| Failure::usage(format!("reading `{shown}`: {error}")))?.len();
    let foreign = || Failure::usage(format!("`{shown}` is not an audit in JSON (reqgate/audit/v1)"));
    if size > MOST_BYTES {
        return Err(foreign());
    }
    let text = files::read(path, MOST_BYTES).map_err(|error| Failure::usage(format!("reading `{shown}`: {error}")))?;
    let report: v1::Report = serde_json::from_slice(&text).map_err(|_| foreign())?;
    if report.schema == v1::SCHEMA { Ok(report) } else { Err(foreign()) }
}

/// A hash of everything that decides a verdict: entries of the state with another hash are not reused.
fn judge(config: &ValidConfig, stated: Stated, today: &str, team: &str) -> Result<String, Failure> {
    let mut files: Vec<SourceFile> = rules::shipped_files_for_judging();
    for folder in &config.rules_folders {
        files.extend(rules::user_files(&folder.value).map_err(Failure::usage)?);
    }
    let mut hash = Hash::default();
    for file in &files {
        hash = hash.and(format!("{}\n{}\n", file.path, file.hash));
    }
    // A verdict depends on the day only if a waiver has an end date.
    let day = if config.waivers.iter().any(|waiver| waiver.value.expires.is_some()) { today } else { "" };
    Ok(hash.and(format!("{config:?}\n{stated:?}\n{day}\n{team}\n{}", env!("CARGO_PKG_VERSION"))).digits(32))
}
