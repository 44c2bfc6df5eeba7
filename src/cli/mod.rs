//! The commands of reqgate, one file each, and their shared parts: session, judging, outputs, exit codes. `reqgate-lab` uses the
//! shared parts too.

pub mod arguments;
mod audit;
mod check;
mod configuration;
pub mod critique;
mod doctor;
pub mod exit;
mod explain;
mod export;
mod feature_files;
mod gap_readings;
mod gaps;
mod gaps_across;
mod github;
mod github_prd;
mod health;
mod help;
mod here;
mod hook;
mod init;
mod init_agents;
mod init_github;
mod jira;
mod judging;
mod lsp;
mod manual;
mod mcp;
mod new_rule;
mod notes;
pub mod outputs;
mod own_orders;
pub mod page;
mod pdf;
mod plan;
mod prd;
pub mod progress;
mod project_files;
mod research;
pub mod reviewer;
mod rule_details;
mod rule_examples;
mod rules;
pub mod schema;
mod score;
#[cfg(feature = "service")]
mod serve;
pub mod session;
pub mod terminal;
mod trace;
mod verify;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::ExitCode;
use std::sync::OnceLock;

use anstyle::AnsiColor;
use clap::builder::styling::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use reqgate::stages::guardrail::without_secrets;
use reqgate::workflow::Registry;

use arguments::{Arguments, Command};
use exit::Failure;

/// The workflows of this program.
static WORKFLOWS: OnceLock<Registry> = OnceLock::new();

/// The workflows whose threads are shown and answered.
pub(crate) fn workflows() -> &'static Registry {
    WORKFLOWS.get_or_init(reqgate::serve::workflows)
}

pub fn main() -> ExitCode {
    started(std::env::args_os())
}

/// Runs a command line of reqgate, of which the first argument is the name of the program, in a program with more workflows: `serve`,
/// `mcp`, `inbox` and `answer` show and answer their threads too. The workflows of the first call count.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>, workflows: Registry) -> ExitCode {
    WORKFLOWS.get_or_init(|| workflows);
    started(arguments)
}

fn started(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Arguments = match parsed_from(help::grouped(Arguments::command()), arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && hook::is_called(std::env::args_os().skip(1)) => {
            return hook::refuse(&error, std::env::args_os());
        }
        Err(error) => return refuse(&error),
    };
    terminal::set_colour(arguments.color);
    ended(run(arguments))
}

/// Parses the command line.
///
/// # Errors
/// Fails on wrong usage, and with the text of `--help` and `--version`.
pub fn parsed<A: FromArgMatches>(command: clap::Command) -> Result<A, clap::Error> {
    parsed_from(command, std::env::args_os())
}

fn parsed_from<A: FromArgMatches>(
    command: clap::Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<A, clap::Error> {
    let matches = without_blank_variables(command).styles(styles()).try_get_matches_from(arguments)?;
    A::from_arg_matches(&matches)
}

/// Reports a failure, and returns the exit code.
pub fn ended(result: Result<u8, Failure>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            failure.say();
            ExitCode::from(failure.code())
        }
    }
}

/// Removes the environment variables that are set to an empty value, because a CI system may set one without a value.
fn without_blank_variables(command: clap::Command) -> clap::Command {
    let is_blank = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.to_string_lossy().trim().is_empty());
    let unless_blank = |argument: clap::Arg| match argument.get_env().is_some_and(is_blank) {
        true => argument.env(None::<&str>),
        false => argument,
    };
    command.mut_args(unless_blank).mut_subcommands(without_blank_variables)
}

fn run(arguments: Arguments) -> Result<u8, Failure> {
    let color = arguments.color;
    match arguments.command {
        Command::Score(score) => score::run(&score, color),
        Command::Check(check) => check::run(&check, color),
        Command::Verify(verify) => verify::run(&verify, color),
        Command::Audit(audit) => audit::run(&audit, color),
        Command::Gaps(gaps) => gaps::run(&gaps, color),
        Command::Export(export) => export::run(&export),
        Command::Critique(critique) => critique::run(&critique, color),
        Command::Trace(trace) => trace::run(&trace, color),
        Command::Plan(arguments) => plan::run(&arguments, color),
        Command::Prd(arguments) => prd::run(*arguments),
        Command::Inbox(state) => prd::inbox(&state),
        Command::Answer(arguments) => prd::answer(&arguments),
        Command::Jira(jira) => jira::run(&jira, color),
        Command::Research(research) => research::run(&research, color),
        Command::Rules(rules) => rules::run(&rules, color),
        Command::Explain(explain) => explain::run(&explain, color),
        Command::Doctor(doctor) => doctor::run(&doctor, color),
        Command::Github(arguments) => github_prd::dispatched(&arguments),
        Command::Hook(hook) => Ok(hook::run(&hook)),
        Command::Init(init) => init::run(&init),
        Command::Config(config) => configuration::run(&config, color),
        Command::Schema(schema) => schema::run(&schema),
        Command::Health(health) => health::run(&health),
        Command::Mcp(mcp) => mcp::run(mcp),
        Command::Lsp(_) => lsp::run(),
        #[cfg(feature = "service")]
        Command::Serve(serve) => serve::run(*serve),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { command } => manual::man(command.as_deref()),
    }
}

fn styles() -> Styles {
    Styles::styled()
        .header(AnsiColor::Green.on_default().bold())
        .usage(AnsiColor::Green.on_default().bold())
        .literal(AnsiColor::Cyan.on_default().bold())
        .placeholder(AnsiColor::Cyan.on_default())
}

/// Commands that `reqgate` had before `reqgate-lab` existed.
const OF_THE_LAB: [&str; 5] = ["eval", "calibrate", "learn", "rubric", "dispute"];

/// Reports a wrong command line; help and version exit with 0.
pub fn refuse(error: &clap::Error) -> ExitCode {
    let typed = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(typed)) if error.kind() == ErrorKind::InvalidSubcommand => Some(typed),
        _ => None,
    };
    if let Some(typed) = typed.filter(|typed| OF_THE_LAB.contains(&typed.as_str())) {
        Failure::usage(format!(
            "`{typed}` is a command of reqgate-lab; install it from a checkout: cargo install --path lab"
        ))
        .say();
        return ExitCode::from(exit::USAGE);
    }
    if let Some(typed) = typed.filter(|typed| looks_like_input(typed)) {
        Failure::usage(format!("`{typed}` is not a command; to judge it: reqgate score {typed}")).say();
        return ExitCode::from(exit::USAGE);
    }
    let plain = error.to_string();
    // An argument can be a secret, and standard error can be a log. An error of writing is ignored.
    let _ = match without_secrets(&plain) {
        Cow::Owned(masked) if error.use_stderr() => std::io::stderr().write_all(masked.as_bytes()),
        _ => error.print(),
    };
    ExitCode::from(if error.use_stderr() { exit::USAGE } else { exit::PASS })
}

/// Returns true for `ticket.txt`, `docs/`, `*.md` and `-`, which mean that the command was left out.
fn looks_like_input(typed: &str) -> bool {
    typed == "-" || typed.contains(['.', '/', '\\', '*']) || std::path::Path::new(typed).exists()
}
