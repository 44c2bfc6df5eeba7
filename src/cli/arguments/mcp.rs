//! Arguments of `reqgate mcp`.

use clap::Args;

use super::ConfigurationArguments;
use super::prd::PlaceArgument;

pub(super) const MCP_EXAMPLES: &str = "\
Examples:
  claude mcp add reqgate -- reqgate mcp
  codex mcp add reqgate -- reqgate mcp
  npx @modelcontextprotocol/inspector --cli reqgate mcp --method tools/list";

#[derive(Debug, Args)]
pub struct McpArguments {
    /// Let agents pass on the answers of people to questions of a PRD, recorded as given by an agent
    #[arg(long)]
    pub allow_answers: bool,
    #[command(flatten)]
    pub place: PlaceArgument,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}
