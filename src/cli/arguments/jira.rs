//! Arguments of `reqgate jira`.

use clap::{Args, Subcommand};
use reqgate::jira::IssueKey;

use super::JudgingArguments;

#[derive(Debug, Args)]
#[command(after_help = JIRA_ENVIRONMENT)]
pub struct JiraArguments {
    #[command(subcommand)]
    pub command: JiraCommand,
}

const JIRA_ENVIRONMENT: &str = "\
Environment:
  JIRA_BASE_URL                 https://nordwind.atlassian.net, or the address of a server
  JIRA_EMAIL, JIRA_API_TOKEN    an account on Cloud
  JIRA_TOKEN                    a personal access token of Server or Data Center
  JIRA_API                      2 or 3, if it cannot be derived from the address";

#[derive(Debug, Subcommand)]
pub enum JiraCommand {
    /// Judge an issue and create or update one comment with the missing information
    Comment(Box<JiraCommentArguments>),
}

#[derive(Debug, Args)]
#[command(after_help = JIRA_ENVIRONMENT)]
pub struct JiraCommentArguments {
    /// Key of the issue, e.g. PAY-123
    #[arg(value_name = "KEY")]
    pub key: IssueKey,
    /// Comment on issues that pass too; by default a pass only updates an existing comment
    #[arg(long)]
    pub always: bool,
    /// Print the comment instead of writing it to Jira
    #[arg(long)]
    pub dry_run: bool,
    /// Exit with 0 instead of 1 if an input is rejected
    #[arg(long)]
    pub exit_zero: bool,
    #[command(flatten)]
    pub judging: JudgingArguments,
}
