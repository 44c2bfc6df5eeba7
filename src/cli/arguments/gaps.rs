//! Arguments of `reqgate gaps`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ConfigurationArguments;
use super::drafting::DraftingModelArguments;

#[derive(Debug, Args)]
pub struct GapsArguments {
    /// Directory of a feature (feature-brief.md, requirements.md), a requirements.md, or any PRD or ticket in Markdown
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,
    /// The brief, which may explain abbreviations [default: feature-brief.md in the directory]
    #[arg(long, value_name = "FILE")]
    pub brief: Option<PathBuf>,
    /// Exit with 1 if gaps are found in more requirements: the least share without one, from 0 to 1
    #[arg(long, value_name = "SCORE", value_parser = score)]
    pub fail_under: Option<f64>,
    /// Format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", ignore_case = true)]
    pub format: GapsFormat,
    /// Print the order for a reader as JSON (instructions, inputs, schema of the result) and stop
    #[arg(long, conflicts_with_all = ["reading", "model", "fail_under"], help_heading = "Reader")]
    pub order: bool,
    /// Take the result of that order from this file (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "model", help_heading = "Reader")]
    pub reading: Option<PathBuf>,
    #[command(flatten)]
    pub model: DraftingModelArguments,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// The format of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GapsFormat {
    /// For people at a terminal
    Human,
    /// JSON, for programs
    Json,
    /// For comments and pages
    Markdown,
}

pub(super) const GAPS_EXAMPLES: &str = "\
Examples:
  reqgate gaps docs/prd/004-export-orders          check the requirements of a feature
  reqgate gaps requirements.md --brief brief.md    two files
  reqgate gaps prd.md --fail-under 0.8             any PRD; exit 1 if a fifth has gaps
  reqgate gaps prd.md --model openai/NAME          also have a model read it
  reqgate gaps prd.md --order > order.json         the order for a coding agent or a person
  reqgate gaps prd.md --reading result.json        check what they found, and show it";

pub(super) const GAPS_CODES: &str = "\
Exit codes:
  0  the share of requirements without a gap is not below --fail-under
  1  it is below --fail-under
  2  wrong usage, a file that cannot be read, or a reading that does not pass the checks
  3  the model gave no answer";

fn score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|score| (0.0..=1.0).contains(score)).ok_or_else(|| "write a number from 0 to 1".to_owned())
}
