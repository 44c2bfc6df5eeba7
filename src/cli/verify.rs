//! `reqgate verify`: checks that texts are still those that were stamped as ready, and shows how they changed.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use reqgate::action::{FileVersion, GitRepository};
use reqgate::clean;
use reqgate::config::Flags;
use reqgate::docs::changed_lines;
use reqgate::files;
use reqgate::model::{Outcome, Stamp, StampState};
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::stages::intake::{self, IntakeOptions};
use reqgate_messages as messages;
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{ColorWhen, VerifyArguments, VerifyFormat};
use super::exit::{self, Failure};
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

/// The committed versions of a file that are searched for the stamped one.
const MOST_VERSIONS: usize = 50;

/// The report of `reqgate verify` for programs.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Verified {
    /// The version of the format, always `reqgate/verify/v1`.
    schema: &'static str,
    /// Every text is ready.
    ready: bool,
    /// The texts, in order.
    texts: Vec<VerifiedText>,
}

/// The stamp of one text.
#[derive(Debug, Serialize, JsonSchema)]
struct VerifiedText {
    /// Name of the input: a path, `-`, or `file.jsonl:12`.
    input: String,
    /// The state of the stamp.
    state: StampState,
    /// The stamp, in the text or as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    stamp: Option<Stamp>,
    /// The state in words, for people.
    explanation: String,
    /// The commit with the stamped text, if git has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// The changed lines since that commit: `-` before a removed line, `+` before a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<String>,
}

pub(super) fn run(arguments: &VerifyArguments, color: ColorWhen) -> Result<u8, Failure> {
    let flags = Flags { policy: arguments.policy.clone(), ..Flags::default() };
    let config = session::configuration(&arguments.configuration, flags)?;
    let pipeline = Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let (mut texts, mut errors) = (Vec::new(), 0);
    for input in intake::inputs(&arguments.inputs, &IntakeOptions::default()) {
        let outcome = match input {
            Ok(input) => pipeline.run(input).map_err(|error| error.to_string()),
            Err(error) if error.is_note() => continue,
            Err(error) => Err(error.to_string()),
        };
        match outcome {
            Ok(outcome) => texts.push(verified(&pipeline, &outcome, arguments.stamp.as_ref())),
            Err(message) => {
                exit::error(&pipeline.masked(&message));
                errors += 1;
            }
        }
    }
    let ready = texts.iter().filter(|text| text.state.is_ready()).count();
    let all = texts.len();
    let words = match arguments.format {
        VerifyFormat::Human => human(&texts, ready, terminal::is_coloured(color)),
        VerifyFormat::Json => {
            outputs::json("the report", &Verified { schema: "reqgate/verify/v1", ready: ready == all, texts })?
        }
    };
    outputs::print(&words)?;
    Ok(match (errors > 0 || all == 0, ready == all) {
        (true, _) => exit::USAGE,
        (false, true) => exit::PASS,
        (false, false) => exit::GATE_SAID_NO,
    })
}

fn verified(pipeline: &Pipeline, outcome: &Outcome, given: Option<&Stamp>) -> VerifiedText {
    let text = &outcome.packet.raw_text;
    let stamp = given.cloned().or_else(|| Stamp::find(text));
    let state = StampState::of(stamp.as_ref(), outcome);
    let stamped = stamp.as_ref().filter(|_| state == StampState::TextChanged);
    let stamped = stamped.and_then(|stamp| stamped_version(pipeline, stamp, Path::new(&outcome.input)));
    let words = messages::Stamp::of(outcome.language);
    let changes = stamped.as_ref().map(|version| {
        let (old, new) = (Stamp::removed_from(&version.text), Stamp::removed_from(text));
        changed_lines(&old, &new).unwrap_or_else(|_| words.too_long(&version.commit))
    });
    let explanation = match (state, &stamped) {
        (StampState::Current, _) => words.current.to_owned(),
        (StampState::OtherSettings, _) => words.other_settings.to_owned(),
        (StampState::NotReady, _) => words.not_ready(&clean::one_line(&outcome.decision.explanation)),
        (StampState::TextChanged, Some(version)) => {
            words.changed_since(&version.commit.chars().take(10).collect::<String>(), &version.day)
        }
        (StampState::TextChanged, None) => words.changed.to_owned(),
        (StampState::NotApplicable, _) => words.not_applicable.to_owned(),
        (StampState::Missing, _) => words.missing.to_owned(),
    };
    let commit = stamped.map(|version| version.commit);
    VerifiedText { input: outcome.input.clone(), state, stamp, explanation, commit, changes }
}

/// The newest committed version of a file that is the stamped text, with masked personal data and secrets.
fn stamped_version(pipeline: &Pipeline, stamp: &Stamp, path: &Path) -> Option<FileVersion> {
    let folder = path.parent().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder })?;
    let name = path.file_name()?.to_str().filter(|_| path.is_file())?;
    let versions = GitRepository::new(folder).versions(name, MOST_VERSIONS).ok()?;
    let screened = |version: FileVersion| FileVersion { text: pipeline.screen(&version.text).text, ..version };
    versions.into_iter().map(screened).find(|version| stamp.is_of(&version.text))
}

fn human(texts: &[VerifiedText], ready: usize, is_coloured: bool) -> String {
    let style = |state: StampState| match is_coloured {
        true if state.is_ready() => AnsiColor::Green.on_default().bold(),
        true => AnsiColor::Red.on_default().bold(),
        false => Style::new(),
    };
    let mut out = String::new();
    for text in texts {
        let style = style(text.state);
        out.push_str(&format!("{style}{}{style:#}: {}\n", clean::one_line(&text.input), text.explanation));
        for line in text.changes.iter().flat_map(|changes| changes.lines()) {
            out.push_str(&format!("    {line}\n"));
        }
    }
    if texts.len() > 1 {
        out.push_str(&format!("{}\n", messages::Stamp::of(terminal::language()).count(&texts.len(), &ready)));
    }
    out
}

/// Keeps the stamps in files true: a ready text gets its stamp, any other loses the one that it has.
///
/// # Errors
/// Fails if a file cannot be written.
pub(super) fn stamp(path: &Path, stamp: Option<&Stamp>) -> Result<(), Failure> {
    let shown = path.display();
    let text = files::text(path, files::RECORDS)
        .map_err(|error| Failure::World(format!("reading `{shown}` to stamp it: {error}")))?;
    let stamped = match stamp {
        Some(stamp) => stamp.put_into(&text),
        None if Stamp::find(&text).is_some() => Stamp::removed_from(&text),
        None => return Ok(()),
    };
    if stamped == text {
        return Ok(());
    }
    outputs::write_whole(path, &stamped)?;
    exit::note(&match stamp {
        Some(stamp) => format!("`{shown}`: stamped {stamp}"),
        None => format!("`{shown}`: its stamp was removed, because it is not ready"),
    });
    Ok(())
}

/// Returns true for a file into which a stamp can be written as a comment.
pub(super) fn takes_stamp(path: &Path) -> bool {
    let is_text = |end: &str| ["md", "markdown", "txt"].iter().any(|known| end.eq_ignore_ascii_case(known));
    path.is_file() && path.extension().and_then(|end| end.to_str()).is_some_and(is_text)
}
