//! Arguments of `reqgate mcp`.

use std::path::PathBuf;

use clap::Args;

use super::ConfigurationArguments;

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
    /// Folder with the state of all threads [default: .reqgate]
    #[arg(long, value_name = "DIR", env = "REQGATE_STATE", help_heading = "State")]
    pub state: Option<PathBuf>,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}
