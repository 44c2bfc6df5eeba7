//! The GitHub Actions job that a run is part of: event, outputs, summary, log. No text of a ticket goes to the log.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use reqgate::action::{Outputs, bounded_summary};

use super::exit::Failure;

/// The largest payload that is read, in bytes; GitHub's own limit is 25 MB.
const LARGEST_EVENT: u64 = 32 * 1024 * 1024;

/// What GitHub tells a step in its environment.
pub struct Workplace {
    /// `GITHUB_EVENT_NAME`.
    pub event_name: String,
    /// The payload at `GITHUB_EVENT_PATH`; empty where there is none.
    pub event: Vec<u8>,
    output: Option<PathBuf>,
    summary: Option<PathBuf>,
}

/// A variable of the environment; unset and empty are the same.
pub fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.trim().is_empty())
}

impl Workplace {
    /// Reads the environment and the event.
    ///
    /// # Errors
    /// Fails outside a workflow, or if the event cannot be read.
    pub fn open() -> Result<Self, Failure> {
        let event_name = variable("GITHUB_EVENT_NAME").ok_or_else(|| {
            Failure::usage(
                "GITHUB_EVENT_NAME is not set: `reqgate github` runs in GitHub Actions; elsewhere use `reqgate score`",
            )
        })?;
        let event = match variable("GITHUB_EVENT_PATH") {
            Some(path) => read(Path::new(&path))?,
            None => Vec::new(),
        };
        let file = |name| variable(name).map(PathBuf::from);
        Ok(Self { event_name, event, output: file("GITHUB_OUTPUT"), summary: file("GITHUB_STEP_SUMMARY") })
    }

    /// Hands outputs to later steps.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn output(&self, outputs: &Outputs) -> Result<(), Failure> {
        // Nobody who wrote a ticket can know it, so no value can end its own output.
        let delimiter = format!("reqgate_{:016x}", RandomState::new().build_hasher().finish());
        append(self.output.as_deref(), &outputs.lines(&delimiter))
    }

    /// Adds to the job summary.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn summarise(&self, text: &str) -> Result<(), Failure> {
        append(self.summary.as_deref(), &bounded_summary(text))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failure = |error: std::io::Error| Failure::usage(format!("reading the event at GITHUB_EVENT_PATH: {error}"));
    let mut bytes = Vec::new();
    fs::File::open(path).map_err(failure)?.take(LARGEST_EVENT).read_to_end(&mut bytes).map_err(failure)?;
    Ok(bytes)
}

fn append(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Failure::writing(&format!("`{}`", path.display()), &error))
}
