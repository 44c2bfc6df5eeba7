//! Arguments of `reqgate verify`.

use clap::{Args, ValueEnum};
use reqgate::model::Stamp;

use super::ConfigurationArguments;

#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// File, folder, pattern in quotes, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<String>,
    /// Stamp to compare with, e.g. from a comment, instead of the one in the text
    #[arg(long, value_name = "READY@…")]
    pub stamp: Option<Stamp>,
    /// Policy in force
    #[arg(long, value_name = "POLICY", env = "REQGATE_POLICY")]
    pub policy: Option<String>,
    /// Format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", ignore_case = true)]
    pub format: VerifyFormat,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    /// For people at a terminal
    Human,
    /// For programs: reqgate/verify/v1
    Json,
}

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  reqgate score docs/prd/export.md --stamp      judge it, and write a stamp if it is ready
  reqgate verify docs/prd                       all of them are still as stamped
  gh issue view 7 --json title,body | reqgate verify - --stamp ready@0123456789abcdef-01234567";

pub(super) const VERIFY_CODES: &str = "\
Exit codes:
  0  every text is ready: as stamped, or under another policy or rubric; or it is not a requirement
  1  a text changed, has no stamp, or is not ready under the policy, rubric and rules of today
  2  wrong usage or configuration, or an input that cannot be read";
