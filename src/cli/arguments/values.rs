//! Reads the values of arguments: names of kinds and formats, certainties, thresholds, days, files.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use reqgate::config::Engine;
use reqgate::model::{Language, SourceType, TicketType};
use reqgate::report::Format;
use reqgate::workflow::StatePlace;

use super::OutputFile;

pub(super) fn named<T: Clone + Send + Sync + 'static>(
    known: Vec<(&'static [&'static str], T)>,
) -> impl TypedValueParser<Value = T> {
    let values = known.iter().map(|(names, _)| {
        let (first, others) = names.split_first().expect("every value has a name");
        clap::builder::PossibleValue::new(first).aliases(others)
    });
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(move |name| {
        let is_it = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(&name));
        known.iter().find(|(names, _)| is_it(names)).map(|(_, value)| value.clone()).ok_or("unknown value")
    })
}

pub(super) fn ticket_type() -> impl TypedValueParser<Value = TicketType> {
    named(vec![
        (&["feature"], TicketType::Feature),
        (&["bug"], TicketType::Bug),
        (&["task"], TicketType::Task),
        (&["question"], TicketType::Question),
        (&["discussion"], TicketType::Discussion),
    ])
}

pub(super) fn source_type() -> impl TypedValueParser<Value = SourceType> {
    named(vec![
        (&["jira", "Jira_Ticket"], SourceType::JiraTicket),
        (&["prd", "PRD_Doc"], SourceType::PrdDoc),
        (&["meeting", "Meeting_Transcript"], SourceType::MeetingTranscript),
        (&["github", "GitHub_Issue"], SourceType::GitHubIssue),
        (&["plain", "Plain_Text"], SourceType::PlainText),
    ])
}

pub(super) fn language() -> impl TypedValueParser<Value = Language> {
    named(vec![(&["en"], Language::En), (&["zh"], Language::Zh)])
}

pub(super) fn engine() -> impl TypedValueParser<Value = Engine> {
    named(vec![(&["rules"], Engine::Rules), (&["model"], Engine::Model)])
}

pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| Format::from_str(&name.to_lowercase()))
}

pub(super) fn certainty(value: &str) -> Result<f64, String> {
    let number = value.parse::<f64>().ok().filter(|number| (0.01..=0.99).contains(number));
    number.ok_or_else(|| "write a number from 0.01 to 0.99".to_owned())
}

pub(super) fn threshold(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 100".to_owned())
}

pub(super) fn day(text: &str) -> Result<String, String> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, b)| if matches!(at, 4 | 7) { b == b'-' } else { b.is_ascii_digit() });
    if shape { Ok(text.to_owned()) } else { Err("write YYYY-MM-DD".to_owned()) }
}

pub(super) fn output_file(text: &str) -> Result<OutputFile, String> {
    let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err("write FORMAT=FILE, e.g. sarif=out.sarif".to_owned());
    };
    let format = Format::from_str(format).map_err(|error| error.to_string())?;
    Ok(OutputFile { format, path: PathBuf::from(path) })
}

/// Parses the place of the state without clap's own message about a wrong value, which would repeat it: it may contain
/// a password.
#[derive(Debug, Clone)]
pub(super) struct StatePlaceParser;

impl TypedValueParser for StatePlaceParser {
    type Value = StatePlace;

    fn parse_ref(&self, _: &clap::Command, _: Option<&clap::Arg>, value: &OsStr) -> Result<StatePlace, clap::Error> {
        let wrong = |error| clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n"));
        StatePlace::try_from(value.to_owned()).map_err(wrong)
    }
}

/// Parses an amount of money.
pub(super) fn amount(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "write an amount, e.g. 0.50".to_owned())
}

/// Parses a time limit for a model.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.001..=3600.0).contains(number));
    number.ok_or_else(|| "write seconds, a number from 0.001 to 3600".to_owned())
}
