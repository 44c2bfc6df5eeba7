//! Arguments of `reqgate gaps`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ConfigurationArguments;
use super::drafting::DraftingModelArguments;

#[derive(Debug, Args)]
pub struct GapsArguments {
    /// Directory of a feature (feature-brief.md, requirements.md), a requirements.md, any PRD or ticket in Markdown, or a
    /// folder of several features, which are compared with each other
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
    /// Print the order for a reader as JSON (instructions, inputs, schema of the result) and stop: gaps (default), or
    /// conflicts, which compares pairs of statements
    #[arg(long, value_name = "ORDER", num_args = 0..=1, default_missing_value = "gaps", hide_possible_values = true,
        conflicts_with_all = ["reading", "conflicts", "model", "fail_under"], help_heading = "Reader")]
    pub order: Option<GapsOrder>,
    /// Take the result of the order for gaps from this file (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "model", help_heading = "Reader")]
    pub reading: Option<PathBuf>,
    /// Take the result of the order for conflicts from this file (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "model", help_heading = "Reader")]
    pub conflicts: Option<PathBuf>,
    #[command(flatten)]
    pub model: DraftingModelArguments,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// An order for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GapsOrder {
    /// To find gaps in the whole document
    Gaps,
    /// To find contradictions between statements
    Conflicts,
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
  reqgate gaps prd.md --reading result.json        check what they found, and show it
  reqgate gaps prd.md --order conflicts            the order to find contradictions between statements
  reqgate gaps prd.md --conflicts result.json      check and show these; --reading may be added
  reqgate gaps docs/prd --order conflicts          the same between all features of a folder";

pub(super) const GAPS_CODES: &str = "\
Exit codes:
  0  the share of requirements without a gap is not below --fail-under
  1  it is below --fail-under
  2  wrong usage, a file that cannot be read, or a reading that does not pass the checks
  3  the model gave no answer";

fn score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|score| (0.0..=1.0).contains(score)).ok_or_else(|| "write a number from 0 to 1".to_owned())
}
