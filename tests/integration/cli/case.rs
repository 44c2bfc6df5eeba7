//! A case of the command line, written in YAML: the command, and the output that it must have.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::sandbox::{READY, Sandbox, UNREADY};

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
    #[serde(default)]
    out: Vec<String>,
    #[serde(default)]
    not_out: Vec<String>,
    /// Texts that must be in standard output.
    #[serde(default)]
    err: Vec<String>,
    /// Texts that must not be in standard output.
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

/// Runs the cases of a file.
#[track_caller]
pub fn check(path: &Path) {
    let text = fs::read_to_string(path).expect("the cases can be read");
    let cases: Vec<Case> = serde_saphyr::from_str(&text).expect("the cases are valid");
    let complaints: String = cases.iter().map(complaint).collect();
    assert!(complaints.is_empty(), "{}\n\n{complaints}", path.display());
}
