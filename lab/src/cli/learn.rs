//! `reqgate-lab learn`: learns from the history of a team's tickets.

use std::path::Path;

use reqgate::config::Flags;
use reqgate::pipeline::Stated;
use reqgate::rules::DEFAULT_ISSUE_POLICY;
use reqgate_lab::calibrate::Cost;
use reqgate_lab::team::SHIPPED_OUTCOMES;

use super::arguments::LearnArguments;
use super::fitting::history::{FromRepository, TeamHistory};
use super::fitting::{self, Wanted};
use reqgate::cli::arguments::{ColorWhen, TextOrJson};
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::page::Page;
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{outputs, terminal};

pub(super) fn run(arguments: &LearnArguments, color: ColorWhen) -> Result<u8, Failure> {
    if arguments.print_outcomes {
        outputs::print(SHIPPED_OUTCOMES)?;
        return Ok(exit::PASS);
    }
    if let Some(path) = arguments.output.as_ref().filter(|path| path.exists() && !arguments.force) {
        return Err(Failure::usage(format!("`{}` already exists: use --force to replace it", path.display())));
    }
    let read = arguments.inputs.iter().chain(&arguments.history.labels);
    let read: Vec<String> = read.map(|path| path.display().to_string()).collect();
    let written: Vec<&Path> =
        arguments.output.iter().chain(&arguments.history.write_labels).map(AsRef::as_ref).collect();
    outputs::refuse_inputs(&read, &written)?;
    of_team(arguments, color)
}

/// Learns from the history of a team's tickets.
fn of_team(arguments: &LearnArguments, color: ColorWhen) -> Result<u8, Failure> {
    let flags = Flags { policy: arguments.history.policy.clone(), ..Flags::default() };
    let mut config = session::configuration(&arguments.configuration, flags)?;
    if arguments.repo.is_some() {
        // The policy for new issues, which asks only for the needs of a maintainer.
        config.policy.value.get_or_insert_with(|| DEFAULT_ISSUE_POLICY.to_owned());
    }
    let mut pipeline = Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let history = match &arguments.repo {
        Some(repository) => {
            let from = FromRepository { repository, most: arguments.max_issues, anew: arguments.anew };
            TeamHistory::of_repository(&from, &arguments.history, &pipeline)?
        }
        None => TeamHistory::of_exports(&arguments.inputs, &arguments.history, &pipeline)?,
    };
    let cost = Cost { wrong_block: arguments.history.cost.0, wrong_pass: arguments.history.cost.1 };
    let fitted = fitting::fit(&mut pipeline, &history, cost, (None, false))?;
    let place = arguments.output.as_ref().map(|path| path.display().to_string());
    let text = match arguments.format {
        TextOrJson::Human => {
            let mut page = Page::new(color);
            fitting::human(&mut page, &history, &fitted, Wanted::Weights(place.as_deref()));
            page.text
        }
        TextOrJson::Json => {
            format!("{}\n", serde_json::to_string_pretty(&fitting::json(&history, &fitted)).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    let Some(path) = &arguments.output else { return Ok(exit::PASS) };
    match fitted.team.as_ref().ok().filter(|team| team.is_worth_it()) {
        Some(team) => {
            let yaml =
                team.weights.written().map_err(|error| Failure::World(format!("writing the weights: {error}")))?;
            outputs::write_whole(path, &yaml)?;
        }
        None => exit::note(&format!(
            "`{}` was not written: the local reader serves this team as well without",
            path.display()
        )),
    }
    Ok(exit::PASS)
}
