//! Arguments of `reqgate hook`.

use clap::{Args, Subcommand};

use super::ConfigurationArguments;

#[derive(Debug, Args)]
pub struct HookArguments {
    /// The event for which the agent calls.
    #[command(subcommand)]
    pub event: HookEvent,
}

/// The events for which an agent calls.
#[derive(Debug, Subcommand)]
pub enum HookEvent {
    /// Before a tool is used: stop tickets and PRDs that are not ready
    ///
    /// Reads the call of the tool as JSON on standard input, as Claude Code, Codex, Gemini CLI, Copilot CLI and Cursor send
    /// it. Needs a configuration in the repository; `reqgate init` writes one.
    #[command(after_help = PRETOOL_EXAMPLES, after_long_help = format!("{PRETOOL_EXAMPLES}\n\n{PRETOOL_CODES}"))]
    Pretool(PretoolArguments),
}

#[derive(Debug, Args)]
pub struct PretoolArguments {
    /// Also stop calls that cannot be judged, e.g. for a broken configuration
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

const PRETOOL_EXAMPLES: &str = "\
Examples:
  reqgate hook pretool < call.json             what an agent runs; `reqgate init agents` registers it
  REQGATE_OVERRIDE=\"reason\" gh issue create …  what an agent types to set the gate aside; recorded";

const PRETOOL_CODES: &str = "\
Exit codes:
  0  let it pass: not a ticket, a ready one, or one that could not be judged (standard error says why)
  2  stop: standard error says what to write instead";
