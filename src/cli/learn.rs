//! `reqgate learn`: learns from what happened to a team's tickets, or the weights that ship from tickets that readers judged.

use std::io::{BufRead, BufReader};
use std::path::Path;

use reqgate::config::Flags;
use reqgate::eval::calibrate::Cost;
use reqgate::eval::learn;
use reqgate::eval::team::SHIPPED_OUTCOMES;
use reqgate::files;
use reqgate::hash::Hash;
use reqgate::pipeline::Stated;
use reqgate::rules::DEFAULT_ISSUE_POLICY;
use serde_json::{Map, Value, json};

use super::arguments::fitting::LearnArguments;
use super::arguments::{ColorWhen, TextOrJson};
use super::exit::{self, Failure};
use super::fitting::history::{FromRepository, TeamHistory};
use super::fitting::{self, Wanted};
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

/// The longest first line that is looked at, in bytes.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// Runs the command.
pub fn run(arguments: &LearnArguments, color: ColorWhen) -> Result<u8, Failure> {
    if arguments.print_outcomes {
        outputs::print(SHIPPED_OUTCOMES)?;
        return Ok(exit::PASS);
    }
    if let Some(path) = arguments.output.as_ref().filter(|path| path.exists() && !arguments.force) {
        return Err(Failure::usage(format!("`{}` already exists: use --force to replace it", path.display())));
    }
    let read = arguments.inputs.iter().chain(&arguments.texts).chain(&arguments.history.labels);
    let read: Vec<String> = read.map(|path| path.display().to_string()).collect();
    let written: Vec<&Path> =
        arguments.output.iter().chain(&arguments.history.write_labels).map(AsRef::as_ref).collect();
    outputs::refuse_inputs(&read, &written)?;
    match arguments.inputs.as_slice() {
        [readings] if arguments.texts.is_some() || holds_readings(readings) => of_readings(arguments, readings, color),
        _ => of_team(arguments, color),
    }
}

/// True for a file whose first row holds the judgement of a reader.
fn holds_readings(path: &Path) -> bool {
    let Ok(file) = files::open(path) else { return false };
    let mut lines = BufReader::new(std::io::Read::take(file, LONGEST_LINE)).lines();
    let first = lines.find_map(|line| line.ok().filter(|line| !line.trim().is_empty()));
    let row = first.and_then(|line| serde_json::from_str::<Map<String, Value>>(&line).ok());
    row.is_some_and(|row| row.contains_key("reading"))
}

/// Learns from what happened to a team's tickets.
fn of_team(arguments: &LearnArguments, color: ColorWhen) -> Result<u8, Failure> {
    if arguments.written.is_some() {
        return Err(Failure::usage("--written is for judged tickets: each row of the file must hold a `reading`"));
    }
    let flags = Flags { policy: arguments.history.policy.clone(), ..Flags::default() };
    let mut config = session::configuration(&arguments.configuration, flags)?;
    if arguments.repo.is_some() {
        // The same question as on a new issue: what a maintainer needs.
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
        None => {
            exit::note(&format!("`{}` was not written: the shipped weights serve this team as well", path.display()))
        }
    }
    Ok(exit::PASS)
}

/// Learns the weights that ship from tickets that careful readers judged.
fn of_readings(arguments: &LearnArguments, readings: &Path, color: ColorWhen) -> Result<u8, Failure> {
    let read: Vec<&Path> = std::iter::once(readings).chain(arguments.texts.as_deref()).collect();
    let mut tickets = learn::read(readings, arguments.texts.as_deref()).map_err(Failure::usage)?;
    if let Some(folder) = &arguments.written {
        tickets.extend(learn::read_written(folder).map_err(Failure::usage)?);
    }
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let pipeline = Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let mut sources = vec![format!("learned on {} by `reqgate learn`", terminal::today())];
    for path in read {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = files::read(path, files::DATASETS)
            .map_err(|error| Failure::usage(format!("reading `{}`: {error}", path.display())))?;
        sources.push(format!("{name}, sha256 {}", Hash::of(bytes).hex()));
    }
    let learned = learn::learn(&pipeline, &tickets, &sources).map_err(Failure::usage)?;
    let text = match arguments.format {
        TextOrJson::Human => {
            let mut page = Page::new(color);
            page.heading("On projects that were held out");
            for line in learned.figures.lines() {
                page.line(&format!("  {line}"));
            }
            page.text
        }
        TextOrJson::Json => {
            let all = json!({ "schema": "reqgate/learned/v1", "figures": learned.figures });
            format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    if let Some(path) = &arguments.output {
        outputs::write_whole(path, &learned.file)?;
    }
    Ok(exit::PASS)
}
