//! What can be typed after `reqgate gaps`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `gaps`.
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
}

/// A form of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GapsFormat {
    /// For people at a terminal
    Human,
    /// For programs: reqgate/gaps/v2
    Json,
    /// For comments and pages
    Markdown,
}

pub const GAPS_EXAMPLES: &str = "\
Examples:
  reqgate gaps docs/prd/004-export-orders          check the requirements of a feature
  reqgate gaps requirements.md --brief brief.md    two files
  reqgate gaps prd.md --fail-under 0.8             any PRD; exit 1 if a fifth has gaps";

pub const GAPS_CODES: &str = "\
Exit codes:
  0  the share of requirements without a gap is not below --fail-under
  1  it is below --fail-under
  2  wrong usage, or a file that cannot be read";

fn score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|score| (0.0..=1.0).contains(score)).ok_or_else(|| "write a number from 0 to 1".to_owned())
}
