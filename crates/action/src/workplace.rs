//! The GitHub Actions job of a run: event, outputs, summary, log. The text of a ticket is never logged.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::{ActionError, Outputs, bounded_summary};
use reqgate_net::github::Repository;

/// The maximum size of a payload, in bytes; GitHub's own limit is 25 MB.
const LARGEST_EVENT: u64 = 32 * 1024 * 1024;

/// The environment that GitHub provides to a step.
pub struct Workplace {
    /// The name of the event, from `GITHUB_EVENT_NAME`.
    pub event_name: String,
    /// The payload at `GITHUB_EVENT_PATH`; empty if there is none.
    pub event: Vec<u8>,
    output: Option<PathBuf>,
    summary: Option<PathBuf>,
    repository: Option<String>,
}

impl Workplace {
    /// Reads the environment and the event.
    ///
    /// # Errors
    /// Fails outside a workflow, or if the event cannot be read.
    pub fn open(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ActionError> {
        let event_name = variable("GITHUB_EVENT_NAME").ok_or(ActionError::Environment(
            "GITHUB_EVENT_NAME is not set: `reqgate github` runs in GitHub Actions; elsewhere use `reqgate score`",
        ))?;
        let event = match variable("GITHUB_EVENT_PATH") {
            Some(path) => read(Path::new(&path))?,
            None => Vec::new(),
        };
        let file = |name| variable(name).map(PathBuf::from);
        let (output, summary) = (file("GITHUB_OUTPUT"), file("GITHUB_STEP_SUMMARY"));
        Ok(Self { event_name, event, output, summary, repository: variable("GITHUB_REPOSITORY") })
    }

    /// The repository of the workflow.
    ///
    /// # Errors
    /// Fails if the environment does not name one.
    pub fn repository(&self) -> Result<Repository, ActionError> {
        let name = self.repository.as_deref();
        let name = name.ok_or(ActionError::Environment("GITHUB_REPOSITORY is not set: write owner/name"))?;
        Ok(name.parse()?)
    }

    /// Writes the outputs for later steps.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn output(&self, outputs: &Outputs) -> Result<(), ActionError> {
        // The delimiter is random, so that a value of a ticket cannot end its own output.
        let delimiter = format!("reqgate_{:016x}", RandomState::new().build_hasher().finish());
        append(self.output.as_deref(), &outputs.lines(&delimiter))
    }

    /// Appends a text to the job summary.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn summarise(&self, text: &str) -> Result<(), ActionError> {
        append(self.summary.as_deref(), &bounded_summary(text))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ActionError> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LARGEST_EVENT).read_to_end(&mut bytes));
    read.map_err(ActionError::Payload)?;
    Ok(bytes)
}

fn append(path: Option<&Path>, text: &str) -> Result<(), ActionError> {
    let Some(path) = path else { return Ok(()) };
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| ActionError::Write { path: path.display().to_string(), error })
}
