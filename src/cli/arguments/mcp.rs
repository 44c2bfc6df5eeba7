//! Arguments of `reqgate mcp`.

use clap::Args;
use reqgate::workflow::StatePlace;

use super::ConfigurationArguments;
use super::values::StatePlaceParser;

pub const MCP_EXAMPLES: &str = "\
Examples:
  claude mcp add reqgate -- reqgate mcp
  codex mcp add reqgate -- reqgate mcp
  npx @modelcontextprotocol/inspector --cli reqgate mcp --method tools/list";

/// Arguments of `reqgate mcp`.
#[derive(Debug, Args)]
pub struct McpArguments {
    /// Let agents pass on the answers of people to questions of a PRD, recorded as given by an agent
    #[arg(long)]
    pub allow_answers: bool,
    /// Folder with the state of all threads, or redis://HOST for several machines [default: .reqgate]
    #[arg(
        long, value_name = "PLACE", env = "REQGATE_STATE", hide_env_values = true, help_heading = "State",
        value_parser = StatePlaceParser
    )]
    pub state: Option<StatePlace>,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}
