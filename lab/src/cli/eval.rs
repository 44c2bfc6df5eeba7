//! `reqgate-lab eval`: measures reqgate on labelled text.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use reqgate::config::Flags;
use reqgate::files;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::prd::critique::CritiqueOrder;
use reqgate::suggest::did_you_mean;
use reqgate_lab::compare::{self, Change, Move};
use reqgate_lab::result::{Evaluation, Measured, State, number};
use reqgate_lab::{Critic, Suite, evaluate, folder_suite, is_named, markdown, page, precision};

use super::arguments::{EvalArguments, EvalFormat};
use reqgate::cli::arguments::ColorWhen;
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::page::Page;
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{critique, outputs, reviewer, terminal};

pub(super) fn run(arguments: &EvalArguments, color: ColorWhen) -> Result<u8, Failure> {
    let written: Vec<&Path> = arguments.output.iter().map(|(_, path)| path.as_path()).collect();
    outputs::refuse_inputs(&[arguments.suite.display().to_string()], &written)?;
    let (suite, root) = suite(arguments)?;
    for id in &arguments.only {
        let known = || suite.benchmarks.iter().map(|benchmark| benchmark.id.as_str());
        if !known().any(|other| is_named(other, id)) {
            let hint = did_you_mean(id, known());
            let hint = if hint.is_empty() {
                format!(": choose from {}", known().collect::<Vec<_>>().join(", "))
            } else {
                hint
            };
            return Err(Failure::usage(format!("the suite has no benchmark `{id}`{hint}")));
        }
    }
    let earlier = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let mut pipeline = Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let jobs = arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Failure::World(format!("starting threads: {error}")))?;
    let progress = progress(suite.benchmarks.len());
    let author =
        arguments.model.model.as_ref().map(|_| reviewer::reader(&arguments.model, None, &arguments.configuration));
    let author = author.transpose()?;
    let reads =
        |order: &CritiqueOrder| author.as_ref().map_or(Ok(None), |author| critique::model_reading(author, order));
    let critic: Option<Critic<'_>> = if author.is_some() { Some(&reads) } else { None };
    let evaluation =
        pool.install(|| evaluate(&suite, &root, &mut pipeline, &arguments.only, critic, |title| progress.next(title)));
    drop(progress);

    let changes = earlier.map(|earlier| compare::compare(&suite, &earlier, &evaluation));
    let shown =
        Shown { suite: &suite, evaluation: &evaluation, changes: changes.as_deref(), arguments, pipeline: &pipeline };
    outputs::print(&shown.render(arguments.format, color)?)?;
    for (format, path) in &arguments.output {
        let text = match (format, files::text(path, files::RECORDS)) {
            // An existing page may contain more than the figures, which is kept.
            (EvalFormat::Markdown, Ok(page)) => markdown::placed(&page, &evaluation, &shown.command()),
            _ => shown.render(*format, ColorWhen::Never)?,
        };
        outputs::write_whole(path, &text)?;
    }
    if let Some(path) = &arguments.write_precision {
        write_precision(path, &suite, &evaluation)?;
    }
    if evaluation.measured().next().is_none() {
        return Err(Failure::usage("nothing was measured: name the data folder with --data"));
    }
    let has_lost = changes.iter().flatten().any(|change| change.moved == Move::Lost);
    Ok(if has_lost { exit::GATE_SAID_NO } else { exit::PASS })
}

/// The suite and the folder with its data.
fn suite(arguments: &EvalArguments) -> Result<(Suite, PathBuf), Failure> {
    let path = &arguments.suite;
    let shown = path.display();
    if path.is_dir() {
        if arguments.data.is_some() {
            return Err(Failure::usage(format!("`{shown}` is a folder of tickets: --data works only with suites")));
        }
        return Ok((folder_suite(&shown.to_string()).map_err(Failure::usage)?, path.clone()));
    }
    let text = files::text(path, files::RECORDS).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::usage(format!("the suite `{shown}` does not exist: check the spelling"))
        }
        _ => Failure::usage(format!("reading the suite `{shown}`: {error}")),
    })?;
    let suite = Suite::parse(&shown.to_string(), &text).map_err(Failure::usage)?;
    let own = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let root = arguments.data.clone().unwrap_or_else(|| own.to_path_buf());
    if !root.is_dir() {
        return Err(Failure::usage(format!("the data folder `{}` is not a folder: check its name", root.display())));
    }
    Ok((suite, root))
}

fn read_baseline(path: &Path) -> Result<Evaluation, Failure> {
    let shown = path.display();
    let text = files::text(path, files::RECORDS)
        .map_err(|error| Failure::usage(format!("reading the baseline `{shown}`: {error}")))?;
    compare::read_baseline(&text).map_err(|error| Failure::usage(format!("`{shown}`: {error}")))
}

fn write_precision(path: &Path, suite: &Suite, evaluation: &Evaluation) -> Result<(), Failure> {
    let shown = path.display();
    let before = match files::text(path, files::RECORDS) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::usage(format!("reading `{shown}`: {error}"))),
    };
    let text =
        precision::merged(&before, suite, evaluation).map_err(|error| Failure::usage(format!("`{shown}`: {error}")))?;
    outputs::write_whole(path, &text)
}

/// Shows the current benchmark on an interactive terminal.
struct Steps(Option<indicatif::ProgressBar>);

fn progress(count: usize) -> Steps {
    let is_recorded = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    if !std::io::stderr().is_terminal() || is_recorded {
        return Steps(None);
    }
    let bar = indicatif::ProgressBar::new(count as u64);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{pos}/{len} {msg}") {
        bar.set_style(style);
    }
    Steps(Some(bar))
}

impl Steps {
    fn next(&self, title: &str) {
        if let Some(bar) = &self.0 {
            bar.set_message(title.to_owned());
            bar.inc(1);
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

struct Shown<'a> {
    suite: &'a Suite,
    evaluation: &'a Evaluation,
    changes: Option<&'a [Change]>,
    arguments: &'a EvalArguments,
    pipeline: &'a Pipeline,
}

impl Shown<'_> {
    fn render(&self, format: EvalFormat, color: ColorWhen) -> Result<String, Failure> {
        let broken = |error: &dyn std::fmt::Display| Failure::World(format!("writing the evaluation: {error}"));
        Ok(match format {
            EvalFormat::Table => self.table(color),
            EvalFormat::Json => {
                let text = serde_json::to_string(self.evaluation).map_err(|error| broken(&error))?;
                format!("{text}\n")
            }
            EvalFormat::Markdown => markdown::markdown(self.evaluation, &self.command()),
            EvalFormat::Html => page::page(self.evaluation, &self.suite.summary).map_err(|error| broken(&error))?,
        })
    }

    /// The command that generates a page. The folder of the data is private and replaced by a placeholder.
    fn command(&self) -> String {
        let data = if self.arguments.data.is_some() { " --data FOLDER" } else { "" };
        format!("reqgate-lab eval {}{data} --format markdown", self.arguments.suite.display())
    }

    fn table(&self, color: ColorWhen) -> String {
        let mut page = Page::new(color);
        for benchmark in &self.evaluation.benchmarks {
            page.line(&format!("{}  {}", page.bold(&benchmark.title), page.faint(&benchmark.id)));
            match &benchmark.state {
                State::Measured => figures(&mut page, benchmark, self.arguments.verbose),
                State::Absent { file } => page.line(&format!("  {}", page.yellow(&format!("absent: {file}")))),
                State::Failed { message } => page.line(&format!("  {}", page.red(&format!("failed: {message}")))),
            }
        }
        if let Some(changes) = self.changes {
            compared(&mut page, changes);
        }
        disputes(&mut page, self.pipeline);
        let absent = self.evaluation.benchmarks.len() - self.evaluation.measured().count();
        let missed = self.evaluation.misses().count();
        let all = self.evaluation.benchmarks.len();
        page.line(&format!(
            "\n{} of {all} benchmarks measured, {absent} absent or failed; {missed} targets missed. 95 % intervals: \
             Wilson's for shares, else percentiles of 1,000 seeded resamples.",
            all - absent
        ));
        page.text
    }
}

fn figures(page: &mut Page, benchmark: &Measured, verbose: bool) {
    let widest = benchmark.figures.iter().map(|figure| figure.title.chars().count()).max().unwrap_or(0);
    for figure in &benchmark.figures {
        let words = format!("{:22}", figure.result.words());
        let words = match figure.met {
            Some(false) => page.red(&words),
            _ => page.bold(&words),
        };
        let n = match figure.result.hits {
            Some(hits) => format!("{hits}/{}", figure.result.n),
            None => format!("n={}", figure.result.n),
        };
        let target = match figure.met {
            Some(true) => format!("{} ok", figure.target()),
            Some(false) => format!("{} MISSED", figure.target()),
            None => String::new(),
        };
        let peers: Vec<String> = figure
            .peers
            .iter()
            .map(|peer| {
                let note = peer.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
                format!("{} {}{note}", peer.name, number(peer.value))
            })
            .collect();
        page.line(&format!("  {:widest$}  {words}  {n:10}  {target:15}  {}", figure.title, peers.join(", ")));
        for slice in figure.slices.iter().filter(|_| verbose) {
            let words = slice.result.words();
            page.line(&format!("      {} = {}: {words}  n={}", slice.field, slice.value, slice.result.n));
        }
    }
    certainties(page, benchmark);
    if verbose && benchmark.counts.len() > 1 {
        for (class, counts) in benchmark.classes.iter().zip(&benchmark.counts) {
            let f1 = counts.f(1.0).map_or_else(|| "–".to_owned(), number);
            page.line(&format!(
                "      {class}: F1 {f1}, {} right, {} wrongly found, {} missed",
                counts.tp, counts.fp, counts.missed
            ));
        }
    }
}

/// The number of columns of the bar for a share of 1.
const FULL_BAR: usize = 30;

/// Prints the share of correct verdicts at each level of certainty, and the most certain wrong verdicts.
fn certainties(page: &mut Page, benchmark: &Measured) {
    if !benchmark.reliability.is_empty() {
        page.line(&page.faint("  certainty   mean   right, as a bar; | is the mean of the certainty"));
    }
    for bin in &benchmark.reliability {
        let [from_to, mean, right, n] = bin.cells();
        let columns = |value: Option<f64>| (value.unwrap_or(0.0) * FULL_BAR as f64).round() as usize;
        let mut bar: Vec<char> = "█".repeat(columns(bin.right.value)).chars().collect();
        bar.resize(FULL_BAR + 1, ' ');
        if bin.certainty.is_some() {
            bar[columns(bin.certainty).min(FULL_BAR)] = '|';
        }
        let bar: String = bar.into_iter().collect();
        page.line(&format!("  {from_to}  {mean:>5}  {bar}  {right:22}  {n}"));
    }
    if !benchmark.worst.is_empty() {
        page.line(&page.faint("  the most certain wrong verdicts"));
    }
    for wrong in &benchmark.worst {
        let [id, origin, label, given, sure] = wrong.cells();
        page.line(&format!("    {sure:5}  {id}  ({origin}): {given} instead of {label}"));
    }
}

/// Prints the disputes recorded with `reqgate-lab dispute`, and the resulting precision of their rules.
fn disputes(page: &mut Page, pipeline: &Pipeline) {
    let recorded = &pipeline.settings().recorded;
    if recorded.is_empty() {
        return;
    }
    page.line(&page.bold("Disputes recorded here"));
    for (rule, own) in recorded {
        let all = pipeline.book.precision_of(rule).into_iter().fold(*own, |sum, (_, tally)| sum.plus(tally));
        let words = all.measured().map(|measured| measured.words()).unwrap_or_default();
        page.line(&format!("  {rule}: {} right, {} wrong; with all labels {words}", own.right, own.wrong));
    }
}

fn compared(page: &mut Page, changes: &[Change]) {
    page.line("");
    page.line(&page.bold("Against the baseline"));
    let value = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let mut same = 0;
    for change in changes {
        let words = match change.moved {
            Move::Same => {
                same += 1;
                continue;
            }
            Move::Lost => page.red("lost"),
            Move::Won => page.bold("won"),
            Move::Moved => page.faint("changed, but not significantly"),
            Move::Unknown => page.yellow("cannot be compared"),
        };
        let interval = match (change.low, change.high) {
            (Some(low), Some(high)) => format!(" [{}, {}]", number(low), number(high)),
            _ => String::new(),
        };
        let others =
            if change.others > 0 { format!(", {} items in one run only", change.others) } else { String::new() };
        page.line(&format!(
            "  {} {}: {} → {}{interval} {words}{others}",
            change.benchmark,
            change.figure,
            value(change.before),
            value(change.after)
        ));
    }
    page.line(&format!("  {same} figures are the same"));
}
