//! The commands, tools and files that create tickets, from `config/hook.yaml`.

use std::sync::{LazyLock, OnceLock};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use serde_json::{Map, Value};

use reqgate_base::yaml;

const TEXT: &str = include_str!("../../../config/hook.yaml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    pub commands: Vec<Command>,
    pub tools: Vec<Tool>,
    pub arguments: Arguments,
    files: Files,
    #[cfg_attr(not(test), expect(dead_code, reason = "its examples are read by a test"))]
    pub examples: Vec<Example>,
}

/// A command that creates a ticket.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Command {
    pub words: Vec<String>,
    #[serde(default)]
    pub title: Vec<String>,
    #[serde(default)]
    pub body: Vec<String>,
    #[serde(default)]
    pub body_file: Vec<String>,
    #[serde(default)]
    pub labels: Vec<String>,
    pub values: Vec<String>,
    pub person: Vec<String>,
    /// Patterns of the API addresses at which a call creates a ticket; empty for other commands.
    #[serde(default)]
    pub endpoint: Vec<String>,
    #[serde(default)]
    pub fields: Vec<String>,
    #[serde(default)]
    pub typed_fields: Vec<String>,
    #[serde(default)]
    pub method: Vec<String>,
    /// The patterns of `endpoint`, compiled when first used.
    #[serde(skip)]
    endpoints: OnceLock<GlobSet>,
}

impl Command {
    /// Returns true if this address of an API creates tickets.
    pub(super) fn creates_at(&self, address: &str) -> bool {
        self.endpoints.get_or_init(|| set(&self.endpoint)).is_match(address)
    }
}

/// A tool that creates a ticket.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    words: Vec<String>,
    #[serde(default)]
    only: Map<String, Value>,
    #[serde(default)]
    never: Vec<String>,
}

/// The names of arguments, in order of precedence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub title: Vec<String>,
    pub body: Vec<String>,
    pub labels: Vec<String>,
    pub within: Vec<String>,
    pub file_path: Vec<String>,
    pub file_content: Vec<String>,
    pub command: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    judged: Vec<String>,
    judged_in_hidden_folders: Vec<String>,
    hidden_folders: Vec<String>,
    left_out: Vec<String>,
}

/// An example: a command, a tool or a file, and the expected tickets.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Example {
    pub command: Option<String>,
    pub tool: Option<String>,
    pub file: Option<String>,
    pub title: Option<String>,
    pub body: Option<String>,
    pub judged: bool,
}

/// The content of the shipped file, parsed once.
pub(super) fn known() -> &'static Known {
    static KNOWN: LazyLock<Known> = LazyLock::new(|| yaml::read(TEXT).expect("the shipped file is valid, a test says"));
    &KNOWN
}

impl Tool {
    /// Returns true if this tool creates a ticket when called with these arguments.
    pub(super) fn is(&self, name: &str, arguments: &Map<String, Value>) -> bool {
        let has_value = |(key, value): (&String, &Value)| arguments.get(key) == Some(value);
        words_of(name).ends_with(&self.words)
            && self.only.iter().all(has_value)
            && !self.never.iter().any(|key| arguments.get(key).is_some_and(|value| !value.is_null()))
    }
}

/// The words of a name in lower case: `mcp__github__createIssue` gives mcp, github, create, issue.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            is_new = true;
            continue;
        }
        if is_new || (was_lower && c.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
        (is_new, was_lower) = (false, c.is_lowercase());
    }
    words
}

/// Returns true for a file that is a PRD or a ticket by its path in the repository.
pub(super) fn is_judged(path: &str) -> bool {
    static SETS: LazyLock<[GlobSet; 4]> = LazyLock::new(|| {
        let files = &known().files;
        [&files.judged, &files.judged_in_hidden_folders, &files.hidden_folders, &files.left_out].map(|it| set(it))
    });
    let path = path.replace('\\', "/");
    let [judged, judged_in_hidden, hidden, left_out] = &*SETS;
    let is_named = judged_in_hidden.is_match(&path) || judged.is_match(&path) && !hidden.is_match(&path);
    is_named && !left_out.is_match(&path)
}

fn set(patterns: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.expect("the shipped patterns are valid, a test says"));
    }
    set.build().expect("the shipped patterns are valid, a test says")
}
