//! `reqgate serve`: serves the gate and the PRD workflow over HTTP, and manages its tokens.

use reqgate::action::Options;
use reqgate::serve::Installation as _;
use reqgate::serve::http::{self, HttpSettings, Role, Tokens};
use reqgate::serve::site;

use super::arguments::prd::{PrdFormat, StateArguments};
use super::arguments::{RoleName, ServeArguments, ServeCommand, TokenArguments, TokenCommand};
use super::exit::{self, Failure};
use super::here::Here;
use super::{outputs, prd, terminal};

/// Runs the command until a signal ends it.
pub(super) fn run(arguments: ServeArguments) -> Result<u8, Failure> {
    if let Some(ServeCommand::Token(arguments)) = &arguments.command {
        return token(arguments);
    }
    let ServeArguments { listen, hosts, rate, place, configuration, .. } = arguments;
    let folder = place.state.clone().unwrap_or_default().local().to_owned();
    let state = StateArguments { place, format: PrdFormat::Json };
    let tokens = Tokens::in_folder(&folder).list().map_err(Failure::usage)?;
    let is_for_others = !listen.ip().is_loopback() || !hosts.is_empty();
    if is_for_others && tokens.is_empty() {
        return Err(Failure::usage(
            "others can reach this service: make a token first with `reqgate serve token add NAME --role ROLE`",
        ));
    }
    if !listen.ip().is_loopback() && hosts.is_empty() {
        return Err(Failure::usage(format!("other machines reach {listen}: name the service with --host NAME")));
    }
    let here = Here { configuration, state };
    let github_secret = variable("REQGATE_GITHUB_WEBHOOK_SECRET");
    // A folder that is not a project, an invalid configuration and an unusable store are reported at once, because the
    // person who starts the service sees it then.
    here.root().map_err(Failure::usage)?;
    here.opened(None, None).map(drop)?;
    prd::existing_store(&here.state)?;
    // The same applies to invalid options of the Action, and to the settings that its comments need.
    Options::read(variable).map_err(Failure::usage)?;
    let token = ["REQGATE_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"].iter().find_map(|name| variable(name));
    if github_secret.is_some() && (token.is_none() || variable("REQGATE_COMMENT_AUTHOR").is_none()) {
        return Err(Failure::usage(
            "webhooks of GitHub need a token to comment with, and its account, whose one comment is kept up to date: set \
             GITHUB_TOKEN and REQGATE_COMMENT_AUTHOR",
        ));
    }
    let settings = HttpSettings {
        listen,
        hosts,
        rate,
        state: folder,
        github_secret,
        jira_secret: variable("REQGATE_JIRA_WEBHOOK_SECRET"),
        variable,
        log: exit::warn,
    };
    let refused = |error: std::io::Error| Failure::World(format!("listening at {listen}: {error}"));
    let service = http::listen(Box::new(here), settings, site::routes()).map_err(refused)?;
    let address = service.address().map_err(refused)?;
    outputs::print(&format!("listening at http://{address}\n"))?;
    service.serve().map_err(|error| Failure::World(format!("serving at {address}: {error}")))?;
    Ok(exit::PASS)
}

/// A variable of the environment; unset and empty are the same.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn token(arguments: &TokenArguments) -> Result<u8, Failure> {
    let folder = arguments.state.clone().unwrap_or_default().local().to_owned();
    let tokens = Tokens::in_folder(&folder);
    match &arguments.command {
        TokenCommand::Add { name, role } => {
            prd::make_state_folder(&folder)?;
            let role = match role {
                RoleName::Read => Role::Read,
                RoleName::Write => Role::Write,
                RoleName::Answer => Role::Answer,
                RoleName::Admin => Role::Admin,
            };
            let token = tokens.add(name, role, &terminal::today()).map_err(Failure::usage)?;
            outputs::print(&format!("{token}\n"))?;
            exit::note(&format!("this is the token of `{name}`; it is shown only now"));
        }
        TokenCommand::List => {
            let lines: String = tokens
                .list()
                .map_err(Failure::usage)?
                .iter()
                .map(|token| format!("{}  {}  {}\n", token.created, token.role.name(), token.name))
                .collect();
            outputs::print(if lines.is_empty() { "no tokens\n" } else { &lines })?;
        }
        TokenCommand::Remove { name } => {
            tokens.remove(name).map_err(Failure::usage)?;
            outputs::print(&format!("removed the token of `{name}`\n"))?;
        }
    }
    Ok(exit::PASS)
}
