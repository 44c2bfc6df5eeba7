//! `reqgate-lab dispute`: records that a finding is wrong, or right.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use reqgate::config::Flags;
use reqgate::files;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::rules::dispute::{self as disputes, Dispute, Judgement};
use reqgate::stages::intake::{self, IntakeOptions};
use reqgate_lab::dispute;

use super::arguments::DisputeArguments;
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{outputs, terminal};

pub(super) fn run(arguments: &DisputeArguments) -> Result<u8, Failure> {
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let path = config.disputes.value.clone();
    let pipeline = Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let row = find(arguments, &pipeline)?;
    let shown = path.display();
    if is_known(&path, &row)? {
        outputs::print(&format!("`{}` is already recorded in {shown}\n", row.fingerprint.0))?;
        return Ok(exit::PASS);
    }
    append(&path, &row)?;
    let said = match row.label {
        Judgement::Right => "right",
        Judgement::Wrong => "wrong",
    };
    outputs::print(&format!(
        "recorded in {shown}: `{}` about “{}” is {said}\n",
        row.rule,
        row.quote.as_deref().unwrap_or("the whole text")
    ))?;
    Ok(exit::PASS)
}

/// The row of the first finding with the fingerprint.
fn find(arguments: &DisputeArguments, pipeline: &Pipeline) -> Result<Dispute, Failure> {
    let label = if arguments.right { Judgement::Right } else { Judgement::Wrong };
    let mut judged = 0;
    let mut broken = 0;
    for input in intake::inputs(&arguments.inputs, &IntakeOptions::default()) {
        let input = match input {
            Ok(input) => input,
            Err(error) if error.is_note() => continue,
            Err(error) => {
                exit::error(&error.to_string());
                broken += 1;
                continue;
            }
        };
        match pipeline.run(input) {
            Ok(outcome) => {
                judged += 1;
                if let Some(issue) = dispute::find(&outcome, &arguments.fingerprint) {
                    return Ok(dispute::row(pipeline, &outcome, issue, label, &arguments.because));
                }
            }
            Err(error) => {
                exit::error(&error.to_string());
                broken += 1;
            }
        }
    }
    let unread = if broken > 0 { format!(", and {broken} could not be read") } else { String::new() };
    Err(Failure::usage(format!(
        "no finding in {judged} inputs has the fingerprint `{}`{unread}: run `reqgate score INPUT --format json` to see them",
        arguments.fingerprint
    )))
}

/// Returns true if the last row about the finding has the same label.
fn is_known(path: &Path, row: &Dispute) -> Result<bool, Failure> {
    let shown = path.display();
    let text = match files::text(path, files::RECORDS) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(Failure::usage(format!("reading the disputes `{shown}`: {error}"))),
    };
    let rows = disputes::read(&text).map_err(|error| Failure::usage(format!("`{shown}`, {error}")))?;
    let is_same =
        |other: &&Dispute| other.fingerprint == row.fingerprint && other.rule == row.rule && other.input == row.input;
    let last = rows.iter().rev().find(is_same);
    Ok(last.is_some_and(|last| last.label == row.label))
}

fn append(path: &Path, row: &Dispute) -> Result<(), Failure> {
    let shown = format!("`{}`", path.display());
    let line = serde_json::to_string(row).map_err(|error| Failure::World(format!("writing {shown}: {error}")))?;
    // A person may have edited the file without a line end after the last line.
    let is_open = files::read(path, files::RECORDS).is_ok_and(|bytes| bytes.last().is_some_and(|last| *last != b'\n'));
    let lead = if is_open { "\n" } else { "" };
    let file = OpenOptions::new().create(true).append(true).open(path);
    // One write, so that two concurrent runs do not mix their lines.
    file.and_then(|mut file| file.write_all(format!("{lead}{line}\n").as_bytes()))
        .map_err(|error| Failure::writing(&shown, &error))
}
