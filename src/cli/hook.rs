//! `reqgate hook pretool`: stops a coding agent that creates a ticket which is not ready. It has separate exit codes.
//!
//! Agents stop a tool on exit code 2 and show standard error to the model. A fault of reqgate, including wrong options,
//! therefore ends with 0 and one line, because a broken gate must not stop all work. With `--strict` the call is
//! blocked instead.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use reqgate::config::{Engine, Flags, ModelConfig, ModelFlags};
use reqgate::files;
use reqgate::hook::{self, Call, OVERRIDE, OverrideRecord, TicketsOfCall};
use reqgate::pipeline::{Pipeline, Stated};

use super::arguments::{HookArguments, HookEvent, PretoolArguments};
use super::exit::{self, Failure};
use super::session::{self, Extent, Session};
use super::terminal;

/// The exit code that lets the tool run.
const PASS: u8 = 0;
/// The exit code that stops the tool.
const STOP: u8 = 2;
/// The maximum number of bytes that are read of a call, and of a file with its text: 4 MiB.
const LIMIT: u64 = files::SETTINGS;
/// The log of tickets that were let through with a reason, in the root of the repository.
const LOG: &str = ".reqgate/overrides.jsonl";

pub(super) fn run(arguments: &HookArguments) -> u8 {
    let HookEvent::Pretool(arguments) = &arguments.event;
    match decided(arguments) {
        Ok(code) => code,
        Err(why) => unjudged(&why, arguments.strict),
    }
}

/// The exit code for a call that could not be judged.
fn unjudged(why: &str, strict: bool) -> u8 {
    if strict {
        exit::error(&format!("not judged, and --strict stops it: {why}"));
        return STOP;
    }
    exit::note(&format!("not judged, let through: {why}"));
    PASS
}

/// Returns true if these arguments, without the name of the program, call the hook.
pub(super) fn is_called(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.next().is_some_and(|first| first == "hook")
}

/// Reports wrong options of the hook without stopping the agent, unless `--strict` is one of them.
pub(super) fn refuse(error: &clap::Error, mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let message = error.to_string();
    let first = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "no event is named",
        _ => message.lines().next().unwrap_or_default().trim_start_matches("error: "),
    };
    let why = format!("{first}; see `reqgate hook pretool --help`");
    ExitCode::from(unjudged(&why, arguments.any(|argument| argument == "--strict")))
}

fn decided(arguments: &PretoolArguments) -> Result<u8, String> {
    let Some(call) = Call::read(&standard_input()?).map_err(|error| error.to_string())? else { return Ok(PASS) };
    let TicketsOfCall { tickets, unseen } = hook::tickets(&call, &root(), &text_of);
    if tickets.is_empty() && unseen.is_empty() {
        return Ok(PASS);
    }
    let pipeline = pipeline(arguments)?;
    let general = std::env::var(OVERRIDE).ok();
    let mut overridden = Vec::new();
    for ticket in &tickets {
        let outcome = pipeline.run(ticket.input.clone()).map_err(|error| pipeline.masked(&error.to_string()))?;
        if !hook::is_stopped(&outcome) {
            continue;
        }
        let given = ticket.reason.iter().chain(&general).find(|reason| !reason.trim().is_empty());
        let Some(reason) = given else {
            // If standard error is closed, the reason cannot be reported.
            let _ = io::stderr().write_all(hook::reasons(ticket, &outcome).as_bytes());
            return Ok(STOP);
        };
        let mask = |words: &str| pipeline.masked(words);
        overridden.push(OverrideRecord::new(&terminal::today(), reason, ticket, &outcome, &mask));
    }
    if !overridden.is_empty() {
        // An override that cannot be recorded does not count.
        if let Err(why) = record(&overridden) {
            exit::error(&format!("stopped: the override cannot be recorded in {LOG}: {why}"));
            return Ok(STOP);
        }
        exit::note(&format!("let through by {OVERRIDE}; the reason is recorded in {LOG}"));
    }
    match unseen.first() {
        Some(why) => Err(pipeline.masked(why)),
        None => Ok(PASS),
    }
}

fn standard_input() -> Result<String, String> {
    if io::stdin().is_terminal() {
        return Err("nothing is on standard input; a coding agent runs this command as its hook".to_owned());
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("reading standard input: {error}"))?;
    if bytes.len() as u64 > LIMIT {
        return Err(format!("standard input is larger than {} KiB", LIMIT / 1024));
    }
    String::from_utf8(bytes).map_err(|_| "standard input is not UTF-8".to_owned())
}

/// Reads the text file of a command. It must be a regular file, because any other might never end.
fn text_of(path: &Path) -> Result<String, String> {
    let about = |error: io::Error| format!("`{}`: {error}", path.display());
    if !fs::metadata(path).map_err(about)?.is_file() || path.starts_with("/proc") {
        return Err(format!("`{}` is not a regular file", path.display()));
    }
    files::text(path, LIMIT).map_err(about)
}

/// The gate under the configuration of the repository, without a model.
fn pipeline(arguments: &PretoolArguments) -> Result<Pipeline, String> {
    let settings = ModelConfig { engine: Some(Engine::Rules), ..ModelConfig::default() };
    let flags = Flags { model: ModelFlags { settings, ..ModelFlags::default() }, ..Flags::default() };
    let words = |failure: Failure| failure.message().to_owned();
    let config = session::configuration(&arguments.configuration, flags).map_err(words)?;
    if config.file.is_none() && !arguments.configuration.no_config {
        return Err("this repository has no configuration: `reqgate init` writes one".to_owned());
    }
    let session = Session::open(config, terminal::today(), Extent::Judging).map_err(words)?;
    session.pipeline(Stated::default()).map_err(words)
}

/// Appends lines to the log. It must be a regular file inside the repository, because a link could lead outside and a
/// pipe would block.
fn record(overridden: &[OverrideRecord]) -> io::Result<()> {
    let root = root();
    let path = root.join(LOG);
    let folder = path.parent().unwrap_or(&root);
    let mut lines = String::new();
    for record in overridden {
        lines.push_str(&serde_json::to_string(record)?);
        lines.push('\n');
    }
    fs::create_dir_all(folder)?;
    if !folder.canonicalize()?.starts_with(root.canonicalize()?) {
        return Err(io::Error::other(format!("{} is a link that leads out of the repository", folder.display())));
    }
    match fs::symlink_metadata(&path) {
        Ok(about) if !about.is_file() => return Err(io::Error::other("it is a link, a pipe or a folder, not a file")),
        _ => {}
    }
    OpenOptions::new().append(true).create(true).open(&path)?.write_all(lines.as_bytes())
}

/// The root of the repository, or the current folder outside of one.
fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf);
    root.unwrap_or(here)
}
