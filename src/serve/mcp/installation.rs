//! What the server needs from the installation that it runs in.

use std::path::PathBuf;

use crate::model::Language;
use crate::orders::Orders;
use crate::pipeline::Pipeline;
use crate::prd::workflow::TeamSearch;
use crate::prompts::Prompts;
use crate::stages::guardrail::Guardrail;
use crate::workflow::SqliteStore;

/// The gate, and what a reader needs to stand beside it.
pub struct Gate {
    /// The gate.
    pub pipeline: Pipeline,
    /// The guardrail for what a reader gets: it masks, whatever the installation's own is set to.
    pub screen: Guardrail,
    /// The prompts in force.
    pub prompts: Prompts,
    /// The orders in force.
    pub orders: Orders,
}

/// The installation: configuration, rules, state. Everything is opened anew for each call, as a command does, so that a change of
/// the configuration counts at once. Errors are messages that say what to do.
pub trait Installation {
    /// The project: no path leads out of this folder.
    fn root(&self) -> Result<PathBuf, String>;
    /// The gate under the policy of this name, or as configured.
    fn gate(&self, policy: Option<&str>) -> Result<Gate, String>;
    /// Where a team looks for sources, if somewhere.
    fn searcher(&self) -> Result<Option<TeamSearch>, String>;
    /// The explanation of a rule in a language.
    fn explanation(&self, rule: &str, language: Language) -> Result<String, String>;
    /// The store of threads, which is created if necessary.
    fn store(&self) -> Result<SqliteStore, String>;
    /// The store of threads, if there is one: looking at nothing makes nothing.
    fn existing_store(&self) -> Result<Option<SqliteStore>, String>;
    /// The folder of the state, which is created if necessary.
    fn state(&self) -> Result<PathBuf, String>;
    /// The name of the person who runs the server.
    fn person(&self) -> String;
    /// Today in UTC, as YYYY-MM-DD.
    fn today(&self) -> String;
    /// The time by RFC 3339, in UTC.
    fn now(&self) -> String;
}

/// What the person who starts the server allows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// Answers of agents to questions for people are taken, and recorded as such.
    pub allow_answers: bool,
}

/// Where a tool works, and what it may do there.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The installation.
    pub installation: &'a dyn Installation,
    /// What is allowed.
    pub settings: Settings,
    /// The client can show a form to the person.
    pub shows_forms: bool,
}
