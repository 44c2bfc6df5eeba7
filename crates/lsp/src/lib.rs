//! A language server for requirements: the gate in an editor, over the Language Server Protocol on standard input and output.
//!
//! One thread reads messages, one judges texts, and [`serve`] answers. A text is judged at once when it is opened or saved, and
//! shortly after a change; verdicts on older versions are dropped. Every edit that is offered is a plain `WorkspaceEdit`.

mod actions;
mod addresses;
mod completion;
mod diagnostics;
mod documents;
mod hover;
mod judge;
mod positions;
mod server;
mod settings;
mod symbols;
#[cfg(test)]
mod tests;
mod transport;

use std::path::{Path, PathBuf};

use reqgate_base::model::Language;
use reqgate_gate::pipeline::Pipeline;

pub use server::serve;

/// The gate of a folder, opened with its configuration.
pub struct Opened {
    /// The pipeline that judges.
    pub pipeline: Pipeline,
    /// The patterns of the files to judge; `None` for the text files that `reqgate check` takes.
    pub files: Option<Vec<String>>,
}

/// A rule for people who meet it for the first time, in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The fault, in one line.
    pub summary: String,
    /// The reason why it matters.
    pub why: String,
    /// The question to the author.
    pub question: String,
    /// The way to fix it.
    pub fix: String,
    /// A text in which the rule fires.
    pub fires: Option<String>,
    /// A text in which it does not.
    pub silent: Option<String>,
}

/// The installation of the person who runs the editor.
pub trait Installation: Send + Sync + 'static {
    /// Moves to the folder that the editor has opened, before anything is judged.
    ///
    /// # Errors
    /// Fails if the folder cannot be entered.
    fn enter(&self, folder: &Path) -> Result<(), String>;

    /// The folder that contains the texts.
    fn root(&self) -> PathBuf;

    /// Opens the gate.
    ///
    /// # Errors
    /// Fails if the configuration or the rules are not valid.
    fn opened(&self) -> Result<Opened, String>;

    /// A value that changes if the gate must be opened again: its configuration, or the day.
    fn stamp(&self) -> String;

    /// The configuration file in force; if none exists, the one to create.
    fn settings(&self) -> PathBuf;

    /// The explanation of a rule; `None` for an unknown one.
    fn explanation(&self, rule: &str, language: Language) -> Option<Explanation>;

    /// The page about a rule, if the project has an address.
    fn page(&self, rule: &str) -> Option<String>;
}
