//! `reqgate score`: judges inputs and reports on them.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use reqgate::catalog;
use reqgate::clean;
use reqgate::config::{Flags, ValidConfig};
use reqgate::llm::trace;
use reqgate::model::{Outcome, RuleCard, Stamp, Waiver, WaiverUse};
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::report::{Detail, Format, ReportOptions, Summary};
use reqgate::review::{ModelReviewer, lacks_the_model};
use reqgate::stages::gate::BaselineUse;
use reqgate::stages::intake::{self, IntakeError, IntakeOptions, RawInput};

use super::arguments::{ColorWhen, JudgingArguments, ModelArguments, ScoreArguments, ShowingArguments};
use super::exit::{self, Failure};
use super::jira;
use super::judging::{self, Judged};
use super::notes::Notes;
use super::outputs::{self, Outputs, Overlap};
use super::progress::Progress;
use super::session::{self, Extent, Session};
use super::{reviewer, terminal, verify};

pub(super) fn run(arguments: &ScoreArguments, color: ColorWhen) -> Result<u8, Failure> {
    let run = Run {
        inputs: &arguments.inputs,
        judging: &arguments.judging,
        model: &arguments.model,
        showing: &arguments.showing,
        color,
        scope: Scope::Named,
        baseline: BaselineUse::None,
    };
    let mut stamps = Vec::new();
    let code = run.run(|outcome| {
        if arguments.stamp {
            stamps.push((PathBuf::from(&outcome.input), Stamp::of(outcome)));
        }
    })?;
    for (path, stamp) in &stamps {
        match stamp {
            _ if verify::takes_stamp(path) => verify::stamp(path, stamp.as_ref())?,
            Some(stamp) => {
                exit::note(&format!(
                    "`{}`: {stamp}, not written: only Markdown and text files take one",
                    path.display()
                ));
            }
            None => {}
        }
    }
    Ok(code)
}

/// The scope of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The inputs on the command line: all details are shown.
    Named,
    /// All files: passes are not shown, and unused waivers are reported.
    Everything,
}

/// A run over inputs; `score` and `check` differ in their output and in the baseline.
pub(super) struct Run<'a> {
    pub inputs: &'a [String],
    pub judging: &'a JudgingArguments,
    /// The model to ask.
    pub model: &'a ModelArguments,
    pub showing: &'a ShowingArguments,
    /// The use of colour.
    pub color: ColorWhen,
    pub scope: Scope,
    /// The use of a baseline.
    pub baseline: BaselineUse,
}

impl Run<'_> {
    /// Judges, reports and returns the exit code; `seen` is called with each outcome.
    pub(super) fn run(&self, seen: impl FnMut(&Outcome)) -> Result<u8, Failure> {
        let today = self.judging.today.clone().unwrap_or_else(terminal::today);
        let config = session::configuration(&self.judging.configuration, self.flags())?;
        session::warn_of_unused(&config, &today);
        let format = format_in_force(&config)?;
        let needs_cards = format.needs_rules() || self.showing.output.iter().any(|output| output.format.needs_rules());
        let extent = if needs_cards { Extent::Teaching } else { Extent::Judging };
        let session = Session::open(config.clone(), today.clone(), extent)?;
        session.warn_of_no_effect();
        let cards = if needs_cards { cards(&session, &config) } else { Vec::new() };
        let is_required = reviewer::is_required(&config, self.model);
        let mut pipeline = reviewer::pipeline(session, self.stated(), self.model)?;
        pipeline.use_baseline(self.baseline.clone());
        // Opening a trace empties its file, so the outputs are checked before.
        outputs::refuse_inputs(self.inputs, &self.written())?;
        let listening = pipeline.reviewer().map(|_| trace::listen(self.model.trace.as_deref())).transpose();
        let listening = listening.map_err(Failure::World)?;
        if self.model.dry_run {
            return self.show_requests(&pipeline);
        }

        let outputs = Outputs::open(format, &self.showing.output, &cards, self.options())?;
        let overlap = Overlap::new(&self.written());
        let mut reporting = Reporting {
            seen,
            outputs,
            overlap: &overlap,
            tally: Tally::new(&config, &today),
            progress: Progress::start(),
            notes: Notes::default(),
            shows_errors: !format.is_for_terminals(),
            unanswered: 0,
            unrecorded: None,
        };
        let inputs = overlap.watch(self.inputs()?);
        let judged = judging::judge(&pipeline, inputs, self.jobs(&config), |judged| reporting.take(judged));
        let Reporting { outputs, tally, progress, notes, unanswered, unrecorded, .. } = reporting;
        drop(progress);
        judged.map_err(|error| Failure::World(format!("starting threads: {error}")))?;
        notes.end();
        if self.scope == Scope::Everything {
            tally.warn_of_unused_waivers(&config);
        }
        // The process ends here; dropping the pipeline would take longer than judging a ticket.
        std::mem::forget(pipeline);
        let unheard = listening.and_then(|listening| listening.finish().err());
        if let Some(unheard @ trace::Unheard::Collector(_)) = &unheard {
            exit::warn(&unheard.to_string());
        }
        if let Some(path) = overlap.found() {
            return Err(outputs::read_and_written(&path));
        }
        if let Some(what) = unrecorded {
            return Err(Failure::World(what));
        }
        let finished = outputs.finish(&tally.summary);
        if let Some(line) = self.configuration_line(&config, format) {
            outputs::print(&line)?;
        }
        if is_required && unanswered > 0 {
            let inputs = tally.summary.inputs;
            let message = format!("the required model gave no answer for {unanswered} of {inputs} inputs");
            return Err(Failure::World(message));
        }
        match (finished, unheard) {
            (Ok(()) | Err(Failure::ReaderGone), Some(unheard @ trace::Unheard::File(_))) => {
                Err(Failure::World(unheard.to_string()))
            }
            (Ok(()) | Err(Failure::ReaderGone), _) => Ok(self.code(&tally.summary)),
            (Err(failure), _) => Err(failure),
        }
    }

    /// The properties that the arguments state about all inputs.
    fn stated(&self) -> Stated {
        Stated {
            source_type: self.judging.source,
            ticket_type: self.judging.ticket_type,
            language: self.judging.lang,
            report_language: self.showing.report_lang,
            ..Stated::default()
        }
    }

    /// The files that a run writes, apart from standard output.
    fn written(&self) -> Vec<&Path> {
        let written = self.showing.output.iter().map(|output| output.path.as_path());
        written.chain(self.model.trace.as_deref()).collect()
    }

    /// The path of the configuration, for people: shown with --verbose, and if the file is above the current folder.
    fn configuration_line(&self, config: &ValidConfig, format: Format) -> Option<String> {
        let path = config.file.as_deref().filter(|_| format == Format::Human && !self.showing.quiet)?;
        let is_found_above = self.judging.configuration.config.is_none() && path.is_absolute();
        let is_told = self.showing.verbose || is_found_above;
        let shown = path.display().to_string();
        is_told.then(|| format!("configuration: {}\n", clean::one_line(&shown)))
    }

    /// All inputs of the arguments, in their order; issues in Jira are fetched before judging begins.
    fn inputs(&self) -> Result<Box<dyn Iterator<Item = Result<RawInput, IntakeError>> + Send>, Failure> {
        if self.inputs.iter().any(|argument| argument == "-") && std::io::stdin().is_terminal() {
            exit::note("paste the ticket, then press Enter and Ctrl-D");
        }
        if !self.inputs.iter().any(|argument| jira::names_issue(argument)) {
            return Ok(Box::new(intake::inputs(self.inputs, &IntakeOptions::default())));
        }
        let mut all: Vec<Box<dyn Iterator<Item = Result<RawInput, IntakeError>> + Send>> = Vec::new();
        for argument in self.inputs {
            if jira::names_issue(argument) {
                all.push(Box::new(jira::fetched(argument)?.into_iter()));
            } else {
                all.push(Box::new(intake::inputs(std::slice::from_ref(argument), &IntakeOptions::default())));
            }
        }
        Ok(Box::new(all.into_iter().flatten()))
    }

    /// Prints the requests that would be sent to the model about each input.
    fn show_requests(&self, pipeline: &Pipeline) -> Result<u8, Failure> {
        let mut failed = false;
        for input in self.inputs()? {
            let outcome = match input {
                Ok(input) => pipeline.run(input).map_err(|error| error.to_string()),
                Err(error) if error.is_note() => continue,
                Err(error) => Err(error.to_string()),
            };
            if let Err(message) = outcome {
                exit::error(&message);
                failed = true;
            }
        }
        reviewer::print(&pipeline.reviewer().map(ModelReviewer::dry_run).unwrap_or_default())?;
        Ok(if failed { exit::USAGE } else { exit::PASS })
    }

    fn flags(&self) -> Flags {
        Flags {
            threshold: self.judging.threshold,
            rubric: self.judging.rubric.clone(),
            policy: self.judging.policy.clone(),
            sure: self.judging.sure,
            rules_folders: Vec::new(),
            format: self.showing.format.map(|format| format.name().to_owned()),
            model: reviewer::flags(self.model),
            ..Flags::default()
        }
    }

    fn options(&self) -> ReportOptions {
        ReportOptions {
            colour: terminal::is_coloured(self.color),
            width: terminal::width(),
            breaks_verdicts: terminal::is_shown(),
            include_text: self.showing.include_text,
            detail: match (self.showing.verbose, self.showing.quiet, self.scope) {
                (true, ..) => Detail::Full,
                (_, true, _) => Detail::Quiet,
                (.., Scope::Everything) => Detail::Failures,
                (.., Scope::Named) => Detail::Usual,
            },
            explain_model: self.model.explain_model,
            explain: self.showing.explain,
        }
    }

    fn jobs(&self, config: &ValidConfig) -> usize {
        let all = || {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            // A thread that waits for a model does not need a core.
            let asked = config.model.asked().map_or(1, |_| config.model.settings.concurrency.unwrap_or(4));
            cores.max(asked as usize)
        };
        self.judging.jobs.map_or_else(all, usize::from)
    }

    fn code(&self, summary: &Summary) -> u8 {
        let said_no = summary.rejected + summary.guardrail_rejected > 0;
        match (summary.errors > 0 || summary.inputs == 0, said_no) {
            (true, _) => exit::USAGE,
            (false, true) if !self.showing.exit_zero => exit::GATE_SAID_NO,
            _ => exit::PASS,
        }
    }
}

fn format_in_force(config: &ValidConfig) -> Result<Format, Failure> {
    let Some(name) = &config.format.value else { return Ok(Format::Human) };
    Format::from_str(name).map_err(|error| Failure::usage(config.problem(&config.format.origin, error.to_string())))
}

/// The cards of the rules, and those of the questions if a model is asked.
fn cards(session: &Session, config: &ValidConfig) -> Vec<RuleCard> {
    let mut cards = catalog::cards(&session.book, &session.patterns);
    if config.model.asked().is_some() {
        cards.extend(catalog::question_cards(&session.book));
    }
    cards
}

/// Reports the results of a run one by one.
struct Reporting<'a, F> {
    /// Called with each outcome.
    seen: F,
    outputs: Outputs<'a>,
    overlap: &'a Overlap,
    tally: Tally,
    progress: Progress,
    notes: Notes,
    /// The report for people names the inputs that failed. With a report for programs, people read standard error.
    shows_errors: bool,
    /// The number of inputs about which the model gave no answer.
    unanswered: usize,
    /// The answer of the model that a recording lacks.
    unrecorded: Option<String>,
}

impl<F: FnMut(&Outcome)> Reporting<'_, F> {
    /// Reports a result, and decides if the run goes on.
    fn take(&mut self, judged: Judged) -> ControlFlow<()> {
        match judged {
            Judged::Outcome(outcome) => {
                self.unrecorded = reviewer::unrecorded(&outcome);
                if self.unrecorded.is_some() {
                    return ControlFlow::Break(());
                }
                (self.seen)(&outcome);
                self.unanswered += usize::from(lacks_the_model(&outcome));
                self.tally.add(&outcome);
                self.outputs.outcome(&outcome);
            }
            Judged::Error(error) => {
                if self.shows_errors {
                    exit::error(&error.message);
                }
                self.tally.summary.add_error(&error);
                self.outputs.input_error(&error);
            }
            Judged::Note(note) => self.notes.say(&note),
        }
        self.progress.step();
        match self.outputs.is_closed() || self.overlap.found().is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Counts outcomes, and finds unused waivers.
struct Tally {
    summary: Summary,
    unused: Vec<Waiver>,
}

impl Tally {
    fn new(config: &ValidConfig, today: &str) -> Self {
        // Expired waivers have already been reported.
        let is_over = |waiver: &Waiver| waiver.expires.as_deref().is_some_and(|last_day| last_day < today);
        let waivers = config.waivers.iter().map(|waiver| waiver.value.clone());
        let unused = waivers.filter(|waiver| !is_over(waiver)).collect();
        Self { summary: Summary::default(), unused }
    }

    fn add(&mut self, outcome: &Outcome) {
        self.summary.add(outcome);
        for (waiver, used) in &outcome.decision.waivers {
            if matches!(used, WaiverUse::Used(_)) {
                self.unused.retain(|other| other != waiver);
            }
        }
    }

    /// Warns about unused waivers, because they would hide later findings.
    fn warn_of_unused_waivers(&self, config: &ValidConfig) {
        if self.summary.inputs == 0 {
            return;
        }
        for waiver in config.waivers.iter().filter(|waiver| self.unused.contains(&waiver.value)) {
            let words = config.words(&waiver.origin);
            exit::warn(&format!("{words}: the waiver of `{}` was not needed in this run", waiver.value.rule));
        }
    }
}
