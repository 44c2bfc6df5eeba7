//! Arguments of the commands that measure reqgate: eval, rubric, doctor, dispute.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::drafting::DraftingModelArguments;
use super::{ConfigurationArguments, TextOrJson};

/// Examples of `eval`.
pub const EVAL_EXAMPLES: &str = "\
Examples:
  reqgate eval tests/suites/gold.yaml
  reqgate eval suite.yaml --data ~/labelled --output html=eval.html --output json=eval.json
  reqgate eval suite.yaml --data ~/labelled --baseline eval.json    exits with 1 if a figure fell
  reqgate eval tests/suites/prd.yaml --model openai/NAME            PRDs with planted faults, read by a model
  reqgate eval tickets/                                             a folder of labelled tickets";

/// Exit codes of `eval`.
pub const EVAL_CODES: &str = "\
Exit codes:
  0  measured; a missed target is shown but is not a failure
  1  a figure fell significantly, or can no longer be measured (--baseline)
  2  wrong usage, invalid suite, or nothing could be measured
  3  an output file cannot be written";

/// Exit codes of commands that propose or compare.
pub const PLAIN_CODES: &str = "\
Exit codes:
  0  done
  2  wrong usage, or the file cannot be read, or has too few rows
  3  an output file cannot be written";

/// Examples of `rubric`.
pub const RUBRIC_EXAMPLES: &str = "\
Examples:
  reqgate rubric diff feature quality/scorecards/feature.yaml --on history.jsonl";

/// Examples of `doctor`.
pub const DOCTOR_EXAMPLES: &str = "\
Examples:
  reqgate doctor              is the configuration valid?
  reqgate doctor --canary     are known good and bad tickets judged correctly?";

/// Exit codes of `doctor`.
pub const DOCTOR_CODES: &str = "\
Exit codes:
  0  no problem found
  1  a canary was judged wrongly, or nothing was judged
  2  the configuration or a rules folder is invalid";

/// Examples of `dispute`.
pub const DISPUTE_EXAMPLES: &str = "\
Examples:
  reqgate dispute 0123456789abcdef --because \"the term is in our glossary\" ticket.md
  reqgate dispute 0123456789abcdef --right --because \"it really was open\" ticket.md";

/// Exit codes of `dispute`.
pub const DISPUTE_CODES: &str = "\
Exit codes:
  0  recorded
  2  no finding has this fingerprint, or an input cannot be read
  3  the file cannot be written";

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct EvalArguments {
    /// Suite file, or a folder of labelled tickets in YAML
    #[arg(value_name = "SUITE|FOLDER")]
    pub suite: PathBuf,
    /// Folder with the suite's data [default: the suite's own folder]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Run only these benchmarks
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub only: Vec<String>,
    /// Format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: EvalFormat,
    /// Write another report to a file, e.g. html=eval.html; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = eval_output)]
    pub output: Vec<(EvalFormat, PathBuf)>,
    /// Compare with an earlier run (JSON) and exit with 1 if a figure fell significantly
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Record in this file how often each rule was right; figures from other data are kept
    #[arg(long, value_name = "FILE")]
    pub write_precision: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// Also show the figures of every slice
    #[arg(long, short)]
    pub verbose: bool,
    /// The model that reads PRDs in the task `prd`, in place of recorded readings
    #[command(flatten)]
    pub model: DraftingModelArguments,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// An output format of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalFormat {
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

/// Arguments of `rubric`.
#[derive(Debug, Args)]
pub struct RubricArguments {
    /// The subcommand.
    #[command(subcommand)]
    pub command: RubricCommand,
}

/// Subcommands of `rubric`.
#[derive(Debug, Subcommand)]
pub enum RubricCommand {
    /// Show which past verdicts another rubric would change
    #[command(after_help = RUBRIC_EXAMPLES, after_long_help = format!("{RUBRIC_EXAMPLES}\n\n{PLAIN_CODES}"))]
    Diff(RubricDiffArguments),
}

/// Arguments of `rubric diff`.
#[derive(Debug, Args)]
pub struct RubricDiffArguments {
    /// A rubric file, or the id of a rubric in force
    #[arg(value_name = "OLD")]
    pub old: String,
    /// A rubric file, or the id of a rubric in force
    #[arg(value_name = "NEW")]
    pub new: String,
    /// JSON Lines: one text or saved GitHub or Jira issue per line; labels are optional
    #[arg(long, value_name = "LABELLED")]
    pub on: PathBuf,
    /// What a label, status or resolution of the tracker means, e.g. needs-info=returned
    #[arg(long, value_name = "NAME=accepted|returned", value_parser = super::fitting::label_meaning)]
    pub map: Vec<(String, bool)>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Judge known-bad and known-good tickets with the configuration in force
    #[arg(long)]
    pub canary: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// Arguments of `dispute`.
#[derive(Debug, Args)]
pub struct DisputeArguments {
    /// Fingerprint of the finding, as shown by `--format json`
    #[arg(value_name = "FINGERPRINT", value_parser = fingerprint)]
    pub fingerprint: String,
    /// Why it is wrong (or right)
    #[arg(long, value_name = "REASON", value_parser = reason)]
    pub because: String,
    /// Record that the finding is right, instead of wrong
    #[arg(long)]
    pub right: bool,
    /// Where the finding is: file, folder, pattern in quotes, or - for standard input
    #[arg(value_name = "INPUT", default_value = ".")]
    pub inputs: Vec<String>,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

fn fingerprint(text: &str) -> Result<String, String> {
    let text = text.trim().to_ascii_lowercase();
    let fits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if fits { Ok(text) } else { Err("a fingerprint is 16 hexadecimal digits; `--format json` shows it".to_owned()) }
}

fn reason(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("a dispute needs a reason".to_owned()) } else { Ok(text.trim().to_owned()) }
}
