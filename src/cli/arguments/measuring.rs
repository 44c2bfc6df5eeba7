//! Arguments of the commands that measure reqgate and fit it to a team: eval, calibrate, rubric, doctor, dispute.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{ConfigurationArguments, ModelArguments, TextOrJson};

/// Examples of `eval`.
pub const EVAL_EXAMPLES: &str = "\
Examples:
  reqgate eval tests/suites/gold.yaml
  reqgate eval suite.yaml --data ~/labelled --output html=eval.html --output json=eval.json
  reqgate eval suite.yaml --data ~/labelled --baseline eval.json    exits with 1 if a figure fell
  reqgate eval tickets/                                             a folder of labelled tickets";

/// Exit codes of `eval`.
pub const EVAL_CODES: &str = "\
Exit codes:
  0  measured; a missed target is shown but is not a failure
  1  a figure fell significantly, or can no longer be measured (--baseline)
  2  wrong usage, invalid suite, or nothing could be measured
  3  an output file cannot be written";

/// Examples of `calibrate`.
pub const CALIBRATE_EXAMPLES: &str = "\
Examples:
  reqgate calibrate history.jsonl                               a row: {\"text\": …, \"label\": \"accepted\"}
  reqgate calibrate issues.jsonl --map ready=accepted --map needs-info=returned
  reqgate calibrate history.jsonl --cost 5:1 --output quality/scorecards/feature.yaml
  reqgate calibrate labelled.jsonl --model openai/NAME --output quality/models/NAME.yaml";

/// Examples of `learn`.
pub const LEARN_EXAMPLES: &str = "\
Examples:
  reqgate learn readings.jsonl                       what the weights are worth on other projects
  reqgate learn readings.jsonl --output weights.tsv  also write them

A row of readings.jsonl:
  {\"origin\": \"jira SHOP\", \"title\": …, \"text\": …,
   \"reading\": {\"kind\": \"bug\", \"ready\": 2, \"questions\": [{\"code\": \"reproduce\"}]}}
  kind: bug, feature, task, question, discussion or other. ready: 4 (start now) to 0 (nobody can tell what is wanted).
  A row without a text names with \"row\" an issue of the file given by --texts.";

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
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// A form of an evaluation.
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

/// Arguments of `learn`.
#[derive(Debug, Args)]
pub struct LearnArguments {
    /// JSON Lines: one ticket per line with what a careful reader said of it
    #[arg(value_name = "READINGS")]
    pub readings: PathBuf,
    /// JSON Lines with the texts of rows that name an issue: id, repo, title, body
    #[arg(long, value_name = "FILE")]
    pub texts: Option<PathBuf>,
    /// Folder of written cases, one YAML file each: text, verdict, ticket_type
    #[arg(long, value_name = "FOLDER")]
    pub written: Option<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Text or JSON
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// Arguments of `calibrate`.
#[derive(Debug, Args)]
pub struct CalibrateArguments {
    /// JSON Lines: one text or saved GitHub or Jira issue per line, labelled accepted or returned
    #[arg(value_name = "LABELLED")]
    pub labelled: PathBuf,
    /// What a label, status or resolution of the tracker means, e.g. needs-info=returned
    #[arg(long, value_name = "NAME=accepted|returned", value_parser = label_meaning)]
    pub map: Vec<(String, bool)>,
    /// Rubric to fit [default: the one that scores most rows]
    #[arg(long, value_name = "ID")]
    pub rubric: Option<String>,
    /// Cost of a wrong block : cost of a wrong pass
    #[arg(long, value_name = "A:B", default_value = "3:1", value_parser = cost)]
    pub cost: (f64, f64),
    /// Write the proposed rubric to this file, or with --model the calibration, if it is better
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// With a model: fit how much its readings count, instead of a rubric.
    #[command(flatten)]
    pub model: ModelArguments,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

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

/// Arguments of `rubric`.
#[derive(Debug, Args)]
pub struct RubricArguments {
    /// What to do with rubrics.
    #[command(subcommand)]
    pub command: RubricCommand,
}

/// What can be done with rubrics.
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
    #[arg(long, value_name = "NAME=accepted|returned", value_parser = label_meaning)]
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
