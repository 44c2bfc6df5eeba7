//! The installation in the current folder, for the servers: configuration, rules, state.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use reqgate::action::{Form, forms_in};
use reqgate::catalog;
use reqgate::config::Flags;
use reqgate::llm;
use reqgate::model::{Language, RuleCard};
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::prd::workflow::TeamSearch;
use reqgate::rules::DEFAULT_ISSUE_POLICY;
use reqgate::serve::{Gate, Installation};
use reqgate::workflow::{Registry, StateStore};

use super::arguments::ConfigurationArguments;
use super::arguments::prd::StateArguments;
use super::exit::{self, Failure};
use super::session::{self, Extent, Session};
use super::{explain, own_orders, pdf, prd, reviewer, terminal};

/// The installation in the current folder.
pub(super) struct Here {
    pub configuration: ConfigurationArguments,
    /// The place of the threads.
    pub state: StateArguments,
}

impl Here {
    /// Opens the gate under a policy and with reports in a language (default: as configured).
    ///
    /// # Errors
    /// Fails if the configuration or the rules are not valid.
    pub(super) fn opened(&self, policy: Option<&str>, language: Option<Language>) -> Result<Gate, Failure> {
        let flags = Flags { policy: policy.map(str::to_owned), ..Flags::default() };
        let config = session::configuration(&self.configuration, flags)?;
        let (prompts, orders) = own_orders::of_tickets(&config.model)?;
        let own = own_orders::of_documents(&config.model)?;
        let session = Session::open(config, terminal::today(), Extent::Judging)?;
        let screen = session.screen()?;
        Ok(Gate {
            pipeline: session.pipeline(Stated { report_language: language, ..Stated::default() })?.with_orders(own),
            screen,
            prompts,
            orders,
        })
    }
}

impl Installation for Here {
    fn workflows(&self) -> &Registry {
        super::workflows()
    }

    fn root(&self) -> Result<PathBuf, String> {
        let folder = std::env::current_dir().and_then(|folder| folder.canonicalize());
        let folder = folder.map_err(|error| format!("the current folder: {error}"))?;
        // A home folder or a root contains all files of a person, so it is not a project.
        let home = std::env::var_os("HOME").map(PathBuf::from);
        if folder.parent().is_none() || home.is_some_and(|home| home == folder) {
            return Err(format!("{} is not a project: start the server in the folder of one", folder.display()));
        }
        Ok(folder)
    }

    fn gate_in(&self, policy: Option<&str>, language: Option<Language>) -> Result<Gate, String> {
        self.opened(policy, language).map_err(Failure::into_message)
    }

    fn searcher(&self) -> Result<Option<TeamSearch>, String> {
        prd::team_search(&self.configuration).map_err(Failure::into_message)
    }

    fn explanation(&self, rule: &str, language: Language) -> Result<String, String> {
        explain::explained(&self.configuration, rule, language).map_err(Failure::into_message)
    }

    fn cards(&self) -> Result<Vec<RuleCard>, String> {
        let cards = || {
            let config = session::configuration(&self.configuration, Flags::default())?;
            let session = Session::open(config, terminal::today(), Extent::Teaching)?;
            Ok::<_, Failure>(catalog::cards(&session.book, &session.patterns))
        };
        cards().map_err(Failure::into_message)
    }

    fn models(&self) -> Result<llm::Health, String> {
        let config = session::configuration(&self.configuration, Flags::default()).map_err(Failure::into_message)?;
        let folder = reviewer::cache(&config.model).folder();
        Ok(llm::health(folder.as_deref(), reviewer::breaker(&config.model.settings)))
    }

    fn issues(&self) -> Result<(Pipeline, Vec<Form>), String> {
        let opened = || {
            let mut config = session::configuration(&self.configuration, Flags::default())?;
            config.policy.value.get_or_insert_with(|| DEFAULT_ISSUE_POLICY.to_owned());
            let (forms, broken) = forms_in(Path::new(".github/ISSUE_TEMPLATE"), &config.forms);
            for error in broken {
                exit::warn(&error.to_string());
            }
            let session = Session::open(config, terminal::today(), Extent::Judging)?;
            Ok::<_, Failure>((session.pipeline(Stated::default())?, forms))
        };
        opened().map_err(Failure::into_message)
    }

    fn store(&self) -> Result<StateStore, String> {
        prd::store(&self.state).map_err(Failure::into_message)
    }

    fn existing_store(&self) -> Result<Option<StateStore>, String> {
        prd::existing_store(&self.state).map_err(Failure::into_message)
    }

    fn state(&self) -> Result<PathBuf, String> {
        let folder = self.state.place.state.clone().unwrap_or_default().local().to_owned();
        prd::make_state_folder(&folder).map_err(Failure::into_message)?;
        Ok(folder)
    }

    fn person(&self) -> String {
        prd::actor(None)
    }

    fn today(&self) -> String {
        terminal::today()
    }

    fn pdf(&self, markdown: &str, name: &str) -> Result<Vec<u8>, String> {
        // One browser at a time, for any number of requests.
        static PRINTING: Mutex<()> = Mutex::new(());
        let _one = PRINTING.lock().unwrap_or_else(PoisonError::into_inner);
        pdf::made(markdown, name, None).map_err(Failure::into_message)
    }

    fn now(&self) -> String {
        prd::now()
    }
}
