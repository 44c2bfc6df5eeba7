//! What the servers need from the installation that they run in.

use std::path::PathBuf;

use reqgate_action::Form;
use reqgate_base::model::{Language, RuleCard};
use reqgate_flow::StateStore;
use reqgate_gate::pipeline::Pipeline;
use reqgate_guardrail::Guardrail;
use reqgate_net::llm;
use reqgate_orders::Orders;
use reqgate_prd::workflow::TeamSearch;
use reqgate_rules::prompts::Prompts;

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

/// The installation: configuration, rules, state. Everything is opened anew for each call, as a command does; the service keeps a gate
/// for a minute. Errors are messages that say what to do.
pub trait Installation: Send + Sync {
    /// The project: no path leads out of this folder.
    fn root(&self) -> Result<PathBuf, String>;
    /// The gate under the policy of this name, or as configured.
    fn gate(&self, policy: Option<&str>) -> Result<Gate, String> {
        self.gate_in(policy, None)
    }
    /// The same, with every report in one language; without one, each is in the language of its text.
    fn gate_in(&self, policy: Option<&str>, language: Option<Language>) -> Result<Gate, String>;
    /// Where a team looks for sources, if somewhere.
    fn searcher(&self) -> Result<Option<TeamSearch>, String>;
    /// The explanation of a rule in a language.
    fn explanation(&self, rule: &str, language: Language) -> Result<String, String>;
    /// The cards of every rule.
    fn cards(&self) -> Result<Vec<RuleCard>, String>;
    /// The breakers of the models that were asked.
    fn models(&self) -> Result<llm::Health, String>;
    /// The gate for issues of a tracker, whose reporter owes less than a team before it starts, and the forms of the repository.
    fn issues(&self) -> Result<(Pipeline, Vec<Form>), String>;
    /// The store of threads, which is created if necessary.
    fn store(&self) -> Result<StateStore, String>;
    /// The store of threads, if there is one: looking at nothing makes nothing.
    fn existing_store(&self) -> Result<Option<StateStore>, String>;
    /// The folder for what stays on this machine, which is created if necessary.
    fn state(&self) -> Result<PathBuf, String>;
    /// The name of the person who runs the server.
    fn person(&self) -> String;
    /// Today in UTC, as YYYY-MM-DD.
    fn today(&self) -> String;
    /// The PDF of a Markdown document; `name` is its title if it has none.
    fn pdf(&self, markdown: &str, name: &str) -> Result<Vec<u8>, String>;
    /// The time by RFC 3339, in UTC.
    fn now(&self) -> String;
}
