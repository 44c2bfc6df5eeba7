//! Arguments of `reqgate plan`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use reqgate::github::Repository;
use reqgate::prd::plan::issues::JiraTarget;

use super::ConfigurationArguments;
use super::drafting::DraftingModelArguments;

#[derive(Debug, Args)]
pub struct PlanArguments {
    /// Directory of a feature (feature-brief.md, requirements.md), a folder of spec-kit or OpenSpec, or any PRD in Markdown
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,
    /// Format on standard output, and in the file of --output
    #[arg(long, value_name = "FORMAT", default_value = "human", ignore_case = true)]
    pub format: PlanFormat,
    /// Write the plan into this file instead; the day on which it was first written is kept
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Take the stories from this file (- for standard input), as `reqgate schema stories` describes them
    #[arg(long, value_name = "FILE", conflicts_with = "model", help_heading = "Reader")]
    pub stories: Option<PathBuf>,
    /// Print the order for a reader as JSON (instructions, inputs, schema of the result) and stop
    #[arg(long, conflicts_with_all = ["stories", "model", "export", "output"], help_heading = "Reader")]
    pub order: bool,
    #[command(flatten)]
    pub model: DraftingModelArguments,
    /// Write files for another tool, or issues: spec-kit=DIR, openspec=DIR, github=OWNER/REPO, jira=PROJECT[:TYPE]
    #[arg(long, value_name = "TOOL=TARGET", help_heading = "Export")]
    pub export: Option<Export>,
    /// Overwrite exported files that differ
    #[arg(long, requires = "export", help_heading = "Export")]
    pub force: bool,
    /// Open and update the issues; without it they are only listed
    #[arg(long, requires = "export", help_heading = "Export")]
    pub yes: bool,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// The format of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// For people at a terminal
    Human,
    /// A document with front matter
    Markdown,
    /// For programs: reqgate/plan/v1
    Json,
    /// The waves as a graph
    Mermaid,
}

/// The tool that a plan is exported to, and the target there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Export {
    /// `spec.md` and `tasks.md` in this folder of spec-kit.
    SpecKit(PathBuf),
    /// A change in this folder of OpenSpec.
    OpenSpec(PathBuf),
    /// One issue for each story in this repository.
    Github(Repository),
    /// One issue for each story in this project.
    Jira(JiraTarget),
}

impl FromStr for Export {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = || "write spec-kit=DIR, openspec=DIR, github=OWNER/REPO or jira=PROJECT".to_owned();
        let (tool, target) = text.split_once('=').filter(|(_, target)| !target.is_empty()).ok_or_else(usage)?;
        match tool {
            "spec-kit" => Ok(Self::SpecKit(target.into())),
            "openspec" => Ok(Self::OpenSpec(target.into())),
            "github" => target.parse().map(Self::Github).map_err(|error| format!("{error}")),
            "jira" => target.parse().map(Self::Jira).map_err(|error: reqgate::jira::JiraError| error.to_string()),
            _ => Err(usage()),
        }
    }
}

pub const PLAN_EXAMPLES: &str = "\
Examples:
  reqgate plan docs/prd/004-export-orders                        one story for each approved requirement
  reqgate plan docs/prd/004-export-orders --order > order.json   the order for a coding agent or a person
  reqgate plan docs/prd/004-export-orders --stories stories.json check and plan what they wrote
  reqgate plan docs/prd/004-export-orders --format markdown --output plan.md
  reqgate plan docs/prd/004-export-orders --export openspec=openspec/changes/export-orders
  reqgate plan docs/prd/004-export-orders --export github=octo/shop  what would be opened; --yes opens it
  reqgate plan docs/prd/004-export-orders --export jira=PAY      the same in Jira, one Story each (jira=PAY:Task for another type)";

pub const PLAN_CODES: &str = "\
Exit codes:
  0  the plan was made
  1  the requirements cannot be planned: they depend on each other, or on one that is not to be built
  2  wrong usage, a file that cannot be read, or stories that do not pass the checks
  3  the model gave no answer, or a file or an issue could not be written";
