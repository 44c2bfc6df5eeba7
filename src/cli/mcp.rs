//! `reqgate mcp`: serves the gate and the PRD workflow to coding agents, by the Model Context Protocol on standard input and output.

use std::path::PathBuf;

use reqgate::config::Flags;
use reqgate::model::Language;
use reqgate::pipeline::Stated;
use reqgate::prd::workflow::TeamSearch;
use reqgate::serve::mcp::{self, Gate, Installation, Server, Settings};
use reqgate::workflow::SqliteStore;

use super::arguments::McpArguments;
use super::arguments::prd::{PrdFormat, StateArguments};
use super::exit::{self, Failure};
use super::session::{self, Extent, Session};
use super::{explain, prd, reviewer, terminal};

/// Runs the command until the client closes standard input.
pub fn run(arguments: McpArguments) -> Result<u8, Failure> {
    let settings = Settings { allow_answers: arguments.allow_answers };
    let state = StateArguments { state: arguments.state.clone(), format: PrdFormat::Json };
    let here = Here { arguments, state };
    // A broken configuration is said at once, where whoever starts the server looks.
    here.opened(None).map(drop)?;
    let mut server = Server::new(&here, settings);
    mcp::serve(&mut server, std::io::stdin(), std::io::stdout().lock())
        .map_err(|error| Failure::World(format!("speaking to the client: {error}")))?;
    Ok(exit::PASS)
}

/// The installation in the current folder.
struct Here {
    arguments: McpArguments,
    state: StateArguments,
}

impl Here {
    fn opened(&self, policy: Option<&str>) -> Result<Gate, Failure> {
        let flags = Flags { policy: policy.map(str::to_owned), ..Flags::default() };
        let config = session::configuration(&self.arguments.configuration, flags)?;
        let (prompts, orders) = reviewer::words(&config.model)?;
        let session = Session::open(config, terminal::today(), Extent::Judging)?;
        let screen = session.screen()?;
        Ok(Gate { pipeline: session.pipeline(Stated::default())?, screen, prompts, orders })
    }
}

impl Installation for Here {
    fn root(&self) -> Result<PathBuf, String> {
        let folder = std::env::current_dir().and_then(|folder| folder.canonicalize());
        let folder = folder.map_err(|error| format!("the current folder: {error}"))?;
        // Everything of a person lies below such a folder: it is no project.
        let home = std::env::var_os("HOME").map(PathBuf::from);
        if folder.parent().is_none() || home.is_some_and(|home| home == folder) {
            return Err(format!("{} is not a project: start the server in the folder of one", folder.display()));
        }
        Ok(folder)
    }

    fn gate(&self, policy: Option<&str>) -> Result<Gate, String> {
        self.opened(policy).map_err(Failure::into_message)
    }

    fn searcher(&self) -> Result<Option<TeamSearch>, String> {
        prd::team_search(&self.arguments.configuration).map_err(Failure::into_message)
    }

    fn explanation(&self, rule: &str, language: Language) -> Result<String, String> {
        explain::explained(&self.arguments.configuration, rule, language).map_err(Failure::into_message)
    }

    fn store(&self) -> Result<SqliteStore, String> {
        prd::store(&self.state).map_err(Failure::into_message)
    }

    fn existing_store(&self) -> Result<Option<SqliteStore>, String> {
        prd::existing_store(&self.state).map_err(Failure::into_message)
    }

    fn state(&self) -> Result<PathBuf, String> {
        // The store makes the folder, and keeps it out of the repository.
        self.store().map(|_| prd::state_folder(&self.state))
    }

    fn person(&self) -> String {
        prd::actor(None)
    }

    fn today(&self) -> String {
        terminal::today()
    }

    fn now(&self) -> String {
        prd::now()
    }
}
