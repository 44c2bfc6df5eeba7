//! The command line of `reqgate-lab`: commands, flags and their help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use reqgate::cli::arguments::drafting::DraftingModelArguments;
use reqgate::cli::arguments::{ColorWhen, ConfigurationArguments, ModelArguments, TextOrJson};
use reqgate::github::Repository;

/// Measure reqgate on labelled text, and fit it to the tickets of a team.
#[derive(Debug, Parser)]
#[command(name = "reqgate-lab", version, arg_required_else_help = true, max_term_width = 100, propagate_version = true)]
pub(crate) struct LabArguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colour the output; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Display")]
    pub(crate) color: ColorWhen,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure reqgate on labelled text: figures with confidence intervals, targets, changes since an earlier run
    #[command(after_help = EVAL_EXAMPLES, after_long_help = format!("{EVAL_EXAMPLES}\n\n{EVAL_CODES}"))]
    Eval(Box<EvalArguments>),
    /// Fit policy, weights and rubric to tickets that your team accepted or returned, and write a rubric
    #[command(after_help = CALIBRATE_EXAMPLES, after_long_help = format!("{CALIBRATE_EXAMPLES}\n\n{PLAIN_CODES}"))]
    Calibrate(Box<CalibrateArguments>),
    /// Learn from the history of your team's tickets, on GitHub or in saved exports, and write team weights
    #[command(after_help = LEARN_EXAMPLES, after_long_help = format!("{LEARN_EXAMPLES}\n\n{PLAIN_CODES}"))]
    Learn(Box<LearnArguments>),
    /// Compare rubrics
    #[command(after_help = RUBRIC_EXAMPLES)]
    Rubric(Box<RubricArguments>),
    /// Record that a finding is wrong (or right); this counts towards the measured precision of its rule
    #[command(after_help = DISPUTE_EXAMPLES, after_long_help = format!("{DISPUTE_EXAMPLES}\n\n{DISPUTE_CODES}"))]
    Dispute(Box<DisputeArguments>),
    /// Judge known good and bad tickets with the configuration in force
    #[command(after_long_help = CANARY_CODES)]
    Canaries(CanaryArguments),
    /// Print the JSON schema of a suite or of an evaluation
    Schema(SchemaArguments),
}

const CANARY_CODES: &str = "\
Exit codes:
  0  all are judged as expected
  1  a canary was judged wrongly, or none was judged
  2  the configuration or a rules folder is invalid";

#[derive(Debug, Args)]
pub(crate) struct CanaryArguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: TextOrJson,
    #[command(flatten)]
    pub(crate) configuration: ConfigurationArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {
    /// The file or report format
    #[arg(value_name = "NAME")]
    pub(crate) of: SchemaOf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// A suite of benchmarks
    Suite,
    /// A JSON evaluation, reqgate/eval/v1
    Eval,
}

pub(crate) const EVAL_EXAMPLES: &str = "\
Examples:
  reqgate-lab eval tests/suites/gold.yaml
  reqgate-lab eval suite.yaml --data ~/labelled --output html=eval.html --output json=eval.json
  reqgate-lab eval suite.yaml --data ~/labelled --baseline eval.json    exits with 1 if a figure fell
  reqgate-lab eval tests/suites/prd.yaml --model openai/NAME            PRDs with planted faults, read by a model
  reqgate-lab eval tickets/                                             a folder of labelled tickets";

pub(crate) const EVAL_CODES: &str = "\
Exit codes:
  0  measured; a missed target is shown but is not a failure
  1  a figure fell significantly, or can no longer be measured (--baseline)
  2  wrong usage, invalid suite, or nothing could be measured
  3  an output file cannot be written";

pub(crate) const PLAIN_CODES: &str = "\
Exit codes:
  0  done
  2  wrong usage, or the file cannot be read, or has too few rows
  3  an output file cannot be written";

pub(crate) const RUBRIC_EXAMPLES: &str = "\
Examples:
  reqgate-lab rubric diff feature quality/scorecards/feature.yaml --on history.jsonl";

pub(crate) const DISPUTE_EXAMPLES: &str = "\
Examples:
  reqgate-lab dispute 0123456789abcdef --because \"the term is in our glossary\" ticket.md
  reqgate-lab dispute 0123456789abcdef --right --because \"it really was open\" ticket.md";

pub(crate) const DISPUTE_CODES: &str = "\
Exit codes:
  0  recorded
  2  no finding has this fingerprint, or an input cannot be read
  3  the file cannot be written";

#[derive(Debug, Args)]
pub(crate) struct EvalArguments {
    /// Suite file, or a folder of labelled tickets in YAML
    #[arg(value_name = "SUITE|FOLDER")]
    pub(crate) suite: PathBuf,
    /// Folder with the suite's data [default: the suite's own folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Run only these benchmarks
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub(crate) only: Vec<String>,
    /// Format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: EvalFormat,
    /// Write another report to a file, e.g. html=eval.html; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = eval_output)]
    pub(crate) output: Vec<(EvalFormat, PathBuf)>,
    /// Compare with an earlier run (JSON) and exit with 1 if a figure fell significantly
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Record in this file how often each rule was right; figures from other data are kept
    #[arg(long, value_name = "FILE")]
    pub(crate) write_precision: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Also show the figures of every slice
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// The model that reads PRDs in the task `prd`, in place of recorded readings
    #[command(flatten)]
    pub(crate) model: DraftingModelArguments,
    #[command(flatten)]
    pub(crate) configuration: ConfigurationArguments,
}

/// An output format of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// For people at a terminal
    Table,
    /// For programs: reqgate/eval/v1
    Json,
    /// Markdown tables
    Markdown,
    /// One self-contained page with plots
    Html,
}

fn eval_output(text: &str) -> Result<(EvalFormat, PathBuf), String> {
    let split = text.split_once('=').filter(|(_, path)| !path.is_empty());
    let (format, path) = split.ok_or("write FORMAT=FILE, e.g. html=eval.html")?;
    let format = EvalFormat::from_str(format, true)
        .map_err(|_| format!("`{format}` is not a format: use table, json, markdown or html"))?;
    Ok((format, PathBuf::from(path)))
}

#[derive(Debug, Args)]
pub(crate) struct RubricArguments {
    #[command(subcommand)]
    pub(crate) command: RubricCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RubricCommand {
    /// Show which past verdicts another rubric would change
    #[command(after_help = RUBRIC_EXAMPLES, after_long_help = format!("{RUBRIC_EXAMPLES}\n\n{PLAIN_CODES}"))]
    Diff(RubricDiffArguments),
}

#[derive(Debug, Args)]
pub(crate) struct RubricDiffArguments {
    /// A rubric file, or the id of a rubric in force
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// A rubric file, or the id of a rubric in force
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    /// JSON Lines: one text or saved GitHub or Jira issue per line; labels are optional
    #[arg(long, value_name = "LABELLED")]
    pub(crate) on: PathBuf,
    /// Meaning of a label, status or resolution of the tracker, e.g. needs-info=returned
    #[arg(long, value_name = "NAME=accepted|returned", value_parser = label_meaning)]
    pub(crate) map: Vec<(String, bool)>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: TextOrJson,
    #[command(flatten)]
    pub(crate) configuration: ConfigurationArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DisputeArguments {
    /// Fingerprint of the finding, as shown by `--format json`
    #[arg(value_name = "FINGERPRINT", value_parser = fingerprint)]
    pub(crate) fingerprint: String,
    /// Reason why it is wrong (or right)
    #[arg(long, value_name = "REASON", value_parser = reason)]
    pub(crate) because: String,
    /// Record that the finding is right, instead of wrong
    #[arg(long)]
    pub(crate) right: bool,
    /// Input with the finding: file, folder, pattern in quotes, or - for standard input
    #[arg(value_name = "INPUT", default_value = ".")]
    pub(crate) inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) configuration: ConfigurationArguments,
}

fn fingerprint(text: &str) -> Result<String, String> {
    let text = text.trim().to_ascii_lowercase();
    let fits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if fits { Ok(text) } else { Err("a fingerprint is 16 hexadecimal digits; `--format json` shows it".to_owned()) }
}

fn reason(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("a dispute needs a reason".to_owned()) } else { Ok(text.trim().to_owned()) }
}

pub(crate) const CALIBRATE_EXAMPLES: &str = "\
Examples:
  reqgate-lab calibrate history.jsonl                               a row: {\"text\": …, \"label\": \"accepted\"}
  reqgate-lab calibrate issues.jsonl --map ready=accepted --map needs-info=returned
  reqgate-lab calibrate history.jsonl --cost 5:1 --output quality/scorecards/feature.yaml
  reqgate-lab calibrate labelled.jsonl --model openai/NAME --output quality/models/NAME.yaml

`reqgate-lab learn` gives the same report and writes team weights instead of a rubric.";

pub(crate) const LEARN_EXAMPLES: &str = "\
Examples:
  reqgate-lab learn --repo octo/shop --write-labels labels.jsonl  what happened to the issues; correct labels.jsonl
  reqgate-lab learn --repo octo/shop --labels labels.jsonl --output team-weights.yaml
  reqgate-lab learn issues.json jira.json                         saved exports, with comments and events if possible

Nothing is sent but the questions to GitHub. No word of a ticket gets into the file. Team weights are written only if they
are better on tickets that they were not learned from; .reqgate.yaml names them with `team_weights:`.";

/// The history of a team's tickets.
#[derive(Debug, Args)]
pub(crate) struct HistoryArguments {
    /// Meaning of a label, status or resolution of the tracker, e.g. needs-info=returned
    #[arg(long, value_name = "NAME=accepted|returned", value_parser = label_meaning, help_heading = "History")]
    pub(crate) map: Vec<(String, bool)>,
    /// Labels file with corrections: one line per ticket with id and label
    #[arg(long, value_name = "FILE", help_heading = "History")]
    pub(crate) labels: Option<PathBuf>,
    /// Write the label derived from each ticket's history to this file, for a person to correct
    #[arg(long, value_name = "FILE", help_heading = "History")]
    pub(crate) write_labels: Option<PathBuf>,
    /// Patterns for the outcome of a ticket, in the form of `learn --print-outcomes`
    #[arg(long, value_name = "FILE", help_heading = "History")]
    pub(crate) outcomes: Option<PathBuf>,
    /// Cost of a wrong block : cost of a wrong pass
    #[arg(long, value_name = "A:B", default_value = "3:1", value_parser = cost)]
    pub(crate) cost: (f64, f64),
    /// Policy to compare with [default: that of the configuration; triage with --repo, else ready]
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LearnArguments {
    /// Saved issues of GitHub or Jira (JSON, or one per line)
    #[arg(value_name = "EXPORT", required_unless_present_any = ["repo", "print_outcomes"], conflicts_with = "repo")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Repository on GitHub, owner/name; reads GITHUB_API_URL and the token in REQGATE_TOKEN, GITHUB_TOKEN or GH_TOKEN
    #[arg(long, value_name = "OWNER/NAME", help_heading = "GitHub")]
    pub(crate) repo: Option<Repository>,
    /// Read at most this many issues, oldest first
    #[arg(long, value_name = "N", default_value = "10000", help_heading = "GitHub")]
    pub(crate) max_issues: usize,
    /// Read every issue again instead of those that have changed
    #[arg(long, requires = "repo", help_heading = "GitHub")]
    pub(crate) anew: bool,
    #[command(flatten)]
    pub(crate) history: HistoryArguments,
    /// Print the patterns for the outcome of a ticket
    #[arg(long, help_heading = "History")]
    pub(crate) print_outcomes: bool,
    /// Write the weights to this file, if they are better
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Text or JSON
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: TextOrJson,
    #[command(flatten)]
    pub(crate) configuration: ConfigurationArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CalibrateArguments {
    /// JSON Lines: one text or saved GitHub or Jira issue per line, labelled accepted or returned
    #[arg(value_name = "LABELLED")]
    pub(crate) labelled: PathBuf,
    #[command(flatten)]
    pub(crate) history: HistoryArguments,
    /// Rubric to fit [default: the one that scores most rows, where points decide]
    #[arg(long, value_name = "ID")]
    pub(crate) rubric: Option<String>,
    /// Write the proposed rubric to this file, or with --model the calibration, if it is better
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: TextOrJson,
    /// With a model: fit how much its readings count, instead of a rubric.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) configuration: ConfigurationArguments,
}

/// Parses `NAME=accepted` or `NAME=returned`.
fn label_meaning(text: &str) -> Result<(String, bool), String> {
    let advice = "write NAME=accepted or NAME=returned";
    let (name, meaning) = text.rsplit_once('=').filter(|(name, _)| !name.trim().is_empty()).ok_or(advice)?;
    match meaning {
        "accepted" => Ok((name.trim().to_lowercase(), true)),
        "returned" => Ok((name.trim().to_lowercase(), false)),
        _ => Err(advice.to_owned()),
    }
}

fn cost(text: &str) -> Result<(f64, f64), String> {
    let parse = |number: &str| number.trim().parse::<f64>().ok().filter(|n| (0.001..=1000.0).contains(n));
    let costs = text.split_once(':').and_then(|(block, pass)| Some((parse(block)?, parse(pass)?)));
    costs.ok_or_else(|| "write two numbers from 0.001 to 1000, e.g. 3:1".to_owned())
}
