//! Arguments of `reqgate serve`.

use std::net::SocketAddr;

use clap::{Args, Subcommand, ValueEnum};
use reqgate::workflow::StatePlace;

use super::ConfigurationArguments;
use super::prd::PlaceArgument;
use super::values::StatePlaceParser;

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  reqgate serve                                at http://127.0.0.1:8787, for this machine
  reqgate serve token add alice --role answer  prints the token of alice once
  reqgate serve --host gate.example            behind a proxy with TLS, for others";

pub(super) const SERVE_HELP: &str = "\
Environment:
  REQGATE_GITHUB_WEBHOOK_SECRET  secret of /webhooks/github, else it is off
  REQGATE_JIRA_WEBHOOK_SECRET    secret of /webhooks/jira, else it is off
  REQGATE_TOKEN, GITHUB_TOKEN    for comments on GitHub; options: `reqgate github --help`
  REQGATE_COMMENT_AUTHOR         the account of that token; needed for webhooks of GitHub
  JIRA_BASE_URL, JIRA_EMAIL, …   for comments in Jira: `reqgate jira --help`

Exit codes:
  0  stopped by SIGTERM or SIGINT, every accepted request answered
  2  wrong usage or configuration
  3  the address cannot be used";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ServeArguments {
    #[command(subcommand)]
    pub command: Option<ServeCommand>,
    /// Address and port to listen at; one that other machines reach needs a token and --host
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787")]
    pub listen: SocketAddr,
    /// Name under which clients reach the service, e.g. gate.example; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Requests per second that one client may send, after a burst of twice as many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub rate: u32,
    #[command(flatten)]
    pub place: PlaceArgument,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

#[derive(Debug, Subcommand)]
pub enum ServeCommand {
    /// Add, list or remove the tokens with which people and programs use the service
    Token(TokenArguments),
}

#[derive(Debug, Args)]
pub struct TokenArguments {
    #[command(subcommand)]
    pub command: TokenCommand,
    /// Folder with the tokens [default: .reqgate]
    #[arg(
        long, value_name = "PLACE", env = "REQGATE_STATE", hide_env_values = true, global = true,
        value_parser = StatePlaceParser
    )]
    pub state: Option<StatePlace>,
}

#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it once; only its hash is kept
    Add {
        /// Name of the person or program; approvals are recorded under it
        #[arg(value_name = "NAME")]
        name: String,
        /// Role: the rights of the token; each role includes the ones before it
        #[arg(long, value_name = "ROLE")]
        role: RoleName,
    },
    /// List the tokens: name, role, day
    List,
    /// Remove a token; it is refused at once
    Remove {
        /// Name of the token
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleName {
    /// Judge texts, look at threads
    Read,
    /// Start threads and submit results: for coding agents
    Write,
    /// Answer questions and approve: for people
    Answer,
    /// Cancel threads
    Admin,
}
