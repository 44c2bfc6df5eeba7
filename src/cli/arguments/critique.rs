//! Arguments of `reqgate critique`.

use std::path::PathBuf;

use clap::Args;
use reqgate::prd::critique::Role;

use super::drafting::DraftingModelArguments;
use super::{ConfigurationArguments, GapsFormat};

#[derive(Debug, Args)]
pub struct CritiqueArguments {
    /// A PRD in Markdown, the directory of a feature with prd.md, or a change of OpenSpec
    #[arg(value_name = "FILE|DIR")]
    pub path: PathBuf,
    /// Critic: director, design or engineering; may be repeated [default: all three]
    #[arg(long = "role", value_name = "ROLE", value_parser = role)]
    pub roles: Vec<Role>,
    /// Critics who read the PRD twice, separated by commas: director, design, engineering [default: none; with
    /// PRD_CRITIC_SECOND_MODEL, all]
    #[arg(long, value_name = "ROLES", value_delimiter = ',', value_parser = role, conflicts_with = "readings", help_heading = "Reader")]
    pub second_opinion: Option<Vec<Role>>,
    /// Exit with 1 without a reading, or if the average of the critics is below this, from 0 to 100
    #[arg(long, value_name = "SCORE", value_parser = score)]
    pub fail_under: Option<f64>,
    /// Without a reading, exit with 0 if the form has no findings
    #[arg(long, conflicts_with_all = ["readings", "model", "fail_under"])]
    pub form_only: bool,
    /// Format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", ignore_case = true)]
    pub format: GapsFormat,
    /// Print the orders for readers as JSON, one per critic (instructions, inputs, schema of the result), and stop
    #[arg(long, conflicts_with_all = ["readings", "model", "fail_under", "form_only"], help_heading = "Reader")]
    pub order: bool,
    /// Take the result of an order from this file (- for standard input); may be repeated, one per critic, or two for a second opinion
    #[arg(long = "reading", value_name = "FILE", conflicts_with = "model", help_heading = "Reader")]
    pub readings: Vec<PathBuf>,
    #[command(flatten)]
    pub model: DraftingModelArguments,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

pub(super) const CRITIQUE_EXAMPLES: &str = "\
Examples:
  reqgate critique docs/prd/004-export-orders      the prd.md of a feature, its form alone: never a pass
  reqgate critique prd.md --form-only              for CI without a reader: exit 0 if the form has no findings
  reqgate critique prd.md --role engineering       one critic
  reqgate critique prd.md --model openai/NAME      have a model read it, once per critic
  reqgate critique prd.md --model openai/NAME --second-opinion director
                                                   the director reads it twice; with PRD_CRITIC_SECOND_MODEL, by
                                                   another model
  reqgate critique prd.md --order > orders.json    the orders for coding agents or people
  reqgate critique prd.md --reading director.json --reading design.json --reading engineering.json
                                                   check what they found, and show it";

pub(super) const CRITIQUE_CODES: &str = "\
Exit codes:
  0  more than half of the critics pass; with --form-only: the form has no findings
  1  they do not, or nobody has read it; with --fail-under: the average is below it; with --form-only: the form has findings
  2  wrong usage, a file that cannot be read, or a reading that does not pass the checks
  3  the model gave no answer";

pub(super) fn role(text: &str) -> Result<Role, String> {
    let lower = text.to_lowercase();
    Role::ALL
        .into_iter()
        .find(|role| role.name() == lower)
        .ok_or_else(|| "write director, design or engineering".to_owned())
}

fn score(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|score| (0.0..=100.0).contains(score))
        .ok_or_else(|| "write a number from 0 to 100".to_owned())
}
