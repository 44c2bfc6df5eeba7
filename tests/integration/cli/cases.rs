//! Runs the cases in `tests/cases/cli`: a command line and its expected output.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use serde::Deserialize;

use super::{READY, Sandbox, UNREADY, source};

/// A case; any of the files is an example.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// A sentence about the behaviour that the case shows.
    name: String,
    /// Files by path; `READY` and `UNREADY` are replaced by a ticket, `LONG` by a ready specification of 13,000 characters, and
    /// `LONG_ISSUE` and `LONG_WRITE` by the same as an issue of GitHub and as the call of an agent that writes it.
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    stdin: String,
    /// The arguments of `reqgate`, separated by spaces.
    run: String,
    code: i32,
    /// Texts that must be in standard output.
    #[serde(default)]
    out: Vec<String>,
    /// Texts that must not be in standard output.
    #[serde(default)]
    not_out: Vec<String>,
    /// Texts that must be in standard error; if the list is empty, standard error must be empty.
    #[serde(default)]
    err: Vec<String>,
    /// Texts that must not be in standard error.
    #[serde(default)]
    not_err: Vec<String>,
}

fn text(written: &str) -> Cow<'_, str> {
    match written {
        "READY" => READY.into(),
        "UNREADY" => UNREADY.into(),
        "LONG" => long().into(),
        "LONG_ISSUE" => {
            serde_json::json!({"number": 7, "title": "Booking of rooms", "body": long()}).to_string().into()
        }
        "LONG_WRITE" => {
            let input = serde_json::json!({"file_path": "docs/stories/rooms.md", "content": long()});
            serde_json::json!({"tool_name": "Write", "tool_input": input}).to_string().into()
        }
        other => other.into(),
    }
}

/// A specification that is too long for an issue of a tracker.
fn long() -> String {
    let story = |n: usize| {
        format!(
            "## Story {n}: Room {n}\n\nAs a teacher, I want to book room {n} for an hour, so that nobody else uses it.\n\n\
             - When room {n} is free and the teacher clicks \"Book\", the list shows the name of the teacher.\n\
             - When room {n} is taken, the button is disabled and the text \"Taken\" is shown.\n\n"
        )
    };
    let stories: String = (1..=44).map(story).collect();
    format!("# Booking of rooms\n\n{stories}")
}

/// The failures of a case; empty if it passes.
fn complaint(case: &Case) -> String {
    let sandbox = Sandbox::new();
    for (path, content) in &case.files {
        sandbox.file(path, text(content).as_bytes());
    }
    let arguments: Vec<&str> = case.run.split_whitespace().collect();
    let environment: Vec<(&str, &str)> = case.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let ran = sandbox.run_with(&arguments, &environment, &text(&case.stdin));
    let mut wrong = String::new();
    if ran.code != case.code {
        let _ = writeln!(wrong, "  ended with {}, not {}", ran.code, case.code);
    }
    for words in case.out.iter().filter(|words| !ran.stdout.contains(*words)) {
        let _ = writeln!(wrong, "  standard output lacks `{words}`");
    }
    for words in case.not_out.iter().filter(|words| ran.stdout.contains(*words)) {
        let _ = writeln!(wrong, "  standard output has `{words}`");
    }
    for words in case.err.iter().filter(|words| !ran.stderr.contains(*words)) {
        let _ = writeln!(wrong, "  standard error lacks `{words}`");
    }
    for words in case.not_err.iter().filter(|words| ran.stderr.contains(*words)) {
        let _ = writeln!(wrong, "  standard error has `{words}`");
    }
    if case.err.is_empty() && !ran.stderr.is_empty() {
        let _ = writeln!(wrong, "  standard error is not empty");
    }
    if wrong.is_empty() {
        return wrong;
    }
    format!("{}\n{wrong}--- stdout\n{}--- stderr\n{}\n", case.name, ran.stdout, ran.stderr)
}

fn check(file: &str) {
    let text = fs::read_to_string(source("cases/cli").join(file)).expect("the cases can be read");
    let cases: Vec<Case> = serde_saphyr::from_str(&text).expect("the cases are valid");
    let complaints: String = cases.iter().map(complaint).collect();
    assert!(complaints.is_empty(), "{file}\n\n{complaints}");
}

#[test]
fn judging_cases_hold() {
    check("judging.yaml");
}

#[test]
fn cases_of_a_second_reader_hold() {
    check("second-reader.yaml");
}

#[test]
fn bad_input_cases_hold() {
    check("bad-input.yaml");
}

#[test]
fn intake_cases_hold() {
    check("intake.yaml");
}

#[test]
fn cases_of_trackers_and_models_hold() {
    check("trackers.yaml");
}

#[test]
fn cases_of_agents_hold() {
    check("agents.yaml");
}

#[test]
fn cases_of_critique_hold() {
    check("critique.yaml");
}

#[test]
fn cases_of_words_hold() {
    check("words.yaml");
}

#[test]
fn cases_of_gaps_hold() {
    check("gaps.yaml");
}

#[test]
fn cases_of_research_hold() {
    check("research.yaml");
}

#[test]
fn cases_of_trace_hold() {
    check("trace.yaml");
}

#[test]
fn plan() {
    check("plan.yaml");
}

#[test]
fn cases_of_export_hold() {
    check("export.yaml");
}

#[test]
fn broken_files_cases_hold() {
    check("broken-files.yaml");
}

#[test]
fn configuration_cases_hold() {
    check("configuration.yaml");
}

#[test]
fn cases_of_the_other_commands_hold() {
    check("commands.yaml");
}

#[test]
fn cases_of_measuring_hold() {
    check("measuring.yaml");
}

#[test]
fn cases_of_facts_hold() {
    check("facts.yaml");
}

#[test]
fn requirements_are_read_wherever_they_stand() {
    check("requirements-anywhere.yaml");
}

#[test]
fn cases_of_the_first_contact_hold() {
    check("contact.yaml");
}
