//! Arguments of the commands that fit reqgate to a team: learn and calibrate.

use std::path::PathBuf;

use clap::Args;
use reqgate::github::Repository;

use super::{ConfigurationArguments, ModelArguments, TextOrJson};

/// Examples of `calibrate`.
pub const CALIBRATE_EXAMPLES: &str = "\
Examples:
  reqgate calibrate history.jsonl                               a row: {\"text\": …, \"label\": \"accepted\"}
  reqgate calibrate issues.jsonl --map ready=accepted --map needs-info=returned
  reqgate calibrate history.jsonl --cost 5:1 --output quality/scorecards/feature.yaml
  reqgate calibrate labelled.jsonl --model openai/NAME --output quality/models/NAME.yaml

`reqgate learn` gives the same report and writes team weights instead of a rubric.";

/// Examples of `learn`.
pub const LEARN_EXAMPLES: &str = "\
Examples:
  reqgate learn --repo octo/shop --write-labels labels.jsonl  what happened to the issues; correct labels.jsonl
  reqgate learn --repo octo/shop --labels labels.jsonl --output team-weights.yaml
  reqgate learn issues.json jira.json                         saved exports, with comments and events if possible

Nothing is sent but the questions to GitHub. No word of a ticket gets into the file. Team weights are written only if they
are better on tickets that they were not learned from; .reqgate.yaml names them with `team_weights:`.";

/// What happened to a team's tickets.
#[derive(Debug, Args)]
pub struct HistoryArguments {
    /// What a label, status or resolution of the tracker means, e.g. needs-info=returned
    #[arg(long, value_name = "NAME=accepted|returned", value_parser = label_meaning, help_heading = "History")]
    pub map: Vec<(String, bool)>,
    /// Labels file with corrections: one line per ticket with id and label
    #[arg(long, value_name = "FILE", help_heading = "History")]
    pub labels: Option<PathBuf>,
    /// Write what was made of each ticket's past to this file, for a person to correct
    #[arg(long, value_name = "FILE", help_heading = "History")]
    pub write_labels: Option<PathBuf>,
    /// Patterns that tell what happened, in the form of `learn --print-outcomes`
    #[arg(long, value_name = "FILE", help_heading = "History")]
    pub outcomes: Option<PathBuf>,
    /// Cost of a wrong block : cost of a wrong pass
    #[arg(long, value_name = "A:B", default_value = "3:1", value_parser = cost)]
    pub cost: (f64, f64),
    /// Policy to compare with [default: that of the configuration; triage with --repo, else ready]
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
}

/// Arguments of `learn`.
#[derive(Debug, Args)]
pub struct LearnArguments {
    /// Saved issues of GitHub or Jira (JSON, or one per line)
    #[arg(value_name = "EXPORT", required_unless_present_any = ["repo", "print_outcomes"], conflicts_with = "repo")]
    pub inputs: Vec<PathBuf>,
    /// Repository on GitHub, owner/name; reads GITHUB_API_URL and the token in REQGATE_TOKEN, GITHUB_TOKEN or GH_TOKEN
    #[arg(long, value_name = "OWNER/NAME", help_heading = "GitHub")]
    pub repo: Option<Repository>,
    /// Read at most this many issues, oldest first
    #[arg(long, value_name = "N", default_value = "10000", help_heading = "GitHub")]
    pub max_issues: usize,
    /// Read every issue again instead of those that have changed
    #[arg(long, requires = "repo", help_heading = "GitHub")]
    pub anew: bool,
    /// What happened to the tickets.
    #[command(flatten)]
    pub history: HistoryArguments,
    /// Print the patterns that tell what happened to a ticket
    #[arg(long, help_heading = "History")]
    pub print_outcomes: bool,
    /// Write the weights to this file, if they are better
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
    /// What happened to the tickets.
    #[command(flatten)]
    pub history: HistoryArguments,
    /// Rubric to fit [default: the one that scores most rows, where points decide]
    #[arg(long, value_name = "ID")]
    pub rubric: Option<String>,
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

/// `NAME=accepted` or `NAME=returned`.
pub(super) fn label_meaning(text: &str) -> Result<(String, bool), String> {
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
