//! The interface between the servers and the installation in which they run.

use std::path::PathBuf;
use std::sync::LazyLock;

use reqgate_action::Form;
use reqgate_base::model::{Language, RuleCard};
use reqgate_flow::{Hosted, Registry, Served, StateStore, StoreError, ThreadRecord, Workflow};
use reqgate_gate::pipeline::Pipeline;
use reqgate_guardrail::Guardrail;
use reqgate_net::llm;
use reqgate_orders::Orders;
use reqgate_prd::ask::in_words;
use reqgate_prd::workflow::{PrdState, PrdWorkflow, TeamSearch, documents_of, drafts_of};
use reqgate_rules::prompts::Prompts;

/// A gate with the parts that a review by a model or an agent needs.
pub struct Gate {
    /// The pipeline that judges.
    pub pipeline: Pipeline,
    /// The guardrail for text that leaves the program: it masks, regardless of the installation's own setting.
    pub screen: Guardrail,
    /// The prompts in force.
    pub prompts: Prompts,
    /// The orders in force.
    pub orders: Orders,
}

/// The workflows of the program: both flows of the PRD. Add your own with [`Registry::with`].
pub fn workflows() -> Registry {
    let prd = Hosted::new(PrdWorkflow, ["PRD", "PRD"]).with_language(PrdState::language);
    Registry::default().with(prd.with_documents(documents_of).with_drafts(drafts_of).with_words(in_words))
}

/// The installation: configuration, rules, state. Each call opens them again, as a command does; the service keeps a
/// gate for a minute. An error is a message with a remedy.
pub trait Installation: Send + Sync {
    /// The workflows whose threads are shown and answered.
    fn workflows(&self) -> &Registry {
        static SHIPPED: LazyLock<Registry> = LazyLock::new(workflows);
        &SHIPPED
    }
    /// The folder of the project; no path may leave it.
    fn root(&self) -> Result<PathBuf, String>;
    /// The gate under the policy of this name (default: as configured).
    fn gate(&self, policy: Option<&str>) -> Result<Gate, String> {
        self.gate_in(policy, None)
    }
    /// As [`Installation::gate`], with every report in one language (default: that of each text).
    fn gate_in(&self, policy: Option<&str>, language: Option<Language>) -> Result<Gate, String>;
    /// The search for a team's sources, if one is configured.
    fn searcher(&self) -> Result<Option<TeamSearch>, String>;
    /// The explanation of a rule in a language.
    fn explanation(&self, rule: &str, language: Language) -> Result<String, String>;
    /// The cards of all rules.
    fn cards(&self) -> Result<Vec<RuleCard>, String>;
    /// The circuit breakers of the models.
    fn models(&self) -> Result<llm::Health, String>;
    /// The gate for issues of a tracker, where a reporter has to state less than a team, and the forms of the
    /// repository.
    fn issues(&self) -> Result<(Pipeline, Vec<Form>), String>;
    /// The store of threads, which is created if necessary.
    fn store(&self) -> Result<StateStore, String>;
    /// The store of threads, if it exists; reading does not create it.
    fn existing_store(&self) -> Result<Option<StateStore>, String>;
    /// The folder for the state on this machine, which is created if necessary.
    fn state(&self) -> Result<PathBuf, String>;
    /// The name of the person who runs the server.
    fn person(&self) -> String;
    /// Today in UTC, as YYYY-MM-DD.
    fn today(&self) -> String;
    /// The PDF of a Markdown document; `name` is its title if it has none.
    fn pdf(&self, markdown: &str, name: &str) -> Result<Vec<u8>, String>;
    /// The current time, RFC 3339 in UTC.
    fn now(&self) -> String;
}

/// The workflow of a thread of this installation.
///
/// # Errors
/// Fails if the installation does not have it.
pub(crate) fn workflow_of<'i>(
    installation: &'i dyn Installation,
    record: &ThreadRecord,
) -> Result<&'i dyn Served, StoreError> {
    installation.workflows().of(record).ok_or_else(|| StoreError::Unknown(record.id.clone()))
}

/// The workflow of a thread that is not a PRD.
pub(crate) fn other<'i>(installation: &'i dyn Installation, record: &ThreadRecord) -> Option<&'i dyn Served> {
    let workflow = installation.workflows().of(record)?;
    (workflow.name() != PrdWorkflow::NAME).then_some(workflow)
}
