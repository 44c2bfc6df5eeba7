//! Arguments of `reqgate github`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub struct GithubArguments {
    /// The subcommand; without one, the subject of the event is judged.
    #[command(subcommand)]
    pub command: Option<GithubCommand>,
}

#[derive(Debug, Subcommand)]
pub enum GithubCommand {
    /// Write the PRD of issues with the label `prd`: one branch, one pull request, approvals by review
    #[command(after_help = GITHUB_PRD_CODES)]
    Prd(GithubPrdArguments),
}

#[derive(Debug, Args)]
pub struct GithubPrdArguments {
    #[command(subcommand)]
    pub command: GithubPrdCommand,
}

#[derive(Debug, Subcommand)]
pub enum GithubPrdCommand {
    /// Ask the model for the next drafts, and write its results to a file; without changes on GitHub
    Plan(GithubPlanArguments),
    /// Take every thread on: push documents and log, and keep pull request, comment and check run up to date
    Apply(GithubApplyArguments),
}

#[derive(Debug, Args)]
pub struct GithubPlanArguments {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write with this model: openai/NAME, anthropic/NAME, gemini/NAME, ollama/NAME [env: REQGATE_MODEL]
    #[arg(long, value_name = "PROVIDER/NAME")]
    pub model: Option<String>,
    /// Address of the model server, e.g. http://localhost:8000/v1 [env: REQGATE_BASE_URL]
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Issue to plan for; by default the event says which
    #[arg(long, value_name = "NUMBER")]
    pub issue: Option<u64>,
}

#[derive(Debug, Args)]
pub struct GithubApplyArguments {
    /// File that `plan` has written; without one, rules and people write
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Issue to take on; by default the event says which
    #[arg(long, value_name = "NUMBER")]
    pub issue: Option<u64>,
}

pub const GITHUB_PRD_CODES: &str = "\
Exit codes:
  0  everything is done that can be done without a person
  1  a thread has failed, or its issue or its log is not taken; a comment says why
  2  wrong usage or configuration
  3  GitHub cannot be used, or does not allow the push or the pull request; a comment has the document";
