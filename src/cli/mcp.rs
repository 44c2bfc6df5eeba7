//! `reqgate mcp`: serves the gate and the PRD workflow to coding agents, by the Model Context Protocol on standard input and output.

use reqgate::serve::Installation as _;
use reqgate::serve::mcp::{self, Caller, Server};

use super::arguments::McpArguments;
use super::arguments::prd::{PrdFormat, StateArguments};
use super::exit::{self, Failure};
use super::here::Here;

/// Runs the command until the client closes standard input.
pub(super) fn run(arguments: McpArguments) -> Result<u8, Failure> {
    let state = StateArguments { place: arguments.place, format: PrdFormat::Json };
    let here = Here { configuration: arguments.configuration, state };
    // An invalid configuration is reported at once, because the person who starts the server sees it then.
    here.opened(None, None).map(drop)?;
    let caller = Caller { allow_answers: arguments.allow_answers, ..Caller::of_machine(here.person()) };
    let mut server = Server::new(&here, &caller);
    mcp::serve(&mut server, std::io::stdin(), std::io::stdout().lock())
        .map_err(|error| Failure::World(format!("speaking to the client: {error}")))?;
    Ok(exit::PASS)
}
