//! Builds the model review of a run from configuration, environment and flags.

use std::path::PathBuf;
use std::time::Duration;

use reqgate::clean;
use reqgate::config::{Flags, ModelBudget, ModelConfig, ModelFlags, ValidConfig, ValidModel};
use reqgate::llm::{self, ApiKey, BreakerLimits, Budget, Model, ModelName, ModelSettings, Prices, RecordingMode};
use reqgate::model::Outcome;
use reqgate::orders::ModelAuthor;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::review::{DryRun, ModelReviewer, lacks_the_model};

use super::arguments::drafting::DraftingModelArguments;
use super::arguments::{ConfigurationArguments, ModelArguments};
use super::exit::Failure;
use super::session::{self, Extent, Session};
use super::terminal;
use super::{outputs, own_orders};

/// The settings for a model from the flags.
pub fn flags(arguments: &ModelArguments) -> ModelFlags {
    let settings = ModelConfig {
        name: arguments.model.clone(),
        engine: arguments.engine,
        prompts: arguments.prompts.clone(),
        budget: ModelBudget { tokens: arguments.max_tokens, money: arguments.max_cost },
        timeout: arguments.timeout,
        deadline: arguments.deadline,
        ..ModelConfig::default()
    };
    ModelFlags { settings, base_url: arguments.base_url.clone(), key_file: arguments.key_file.clone() }
}

/// The pipeline of a session, with its model if one is requested.
///
/// # Errors
/// Fails like [`Session::pipeline`], if a flag needs a model but none is requested, or if the model cannot be used.
pub fn pipeline(session: Session, stated: Stated, arguments: &ModelArguments) -> Result<Pipeline, Failure> {
    let asked = reviewer(&session, arguments)?;
    let pipeline = session.pipeline(stated)?;
    Ok(match asked {
        Some(reviewer) => pipeline.with_reviewer(reviewer),
        None => pipeline,
    })
}

/// Checks that a required model has answered every question about an outcome.
///
/// # Errors
/// Fails if the configuration requires the model and an answer is missing.
pub fn demand(is_required: bool, outcome: &Outcome) -> Result<(), Failure> {
    if let Some(what) = unrecorded(outcome) {
        return Err(Failure::World(what));
    }
    match is_required && lacks_the_model(outcome) {
        true => Err(Failure::World(format!("the required model gave no answer for {}", outcome.input))),
        false => Ok(()),
    }
}

/// A request of a replayed run that is not in the recording. Such a run differs from the recorded one, so it has no
/// verdict.
pub fn unrecorded(outcome: &Outcome) -> Option<String> {
    let what = outcome.model.as_ref()?.unrecorded.as_ref()?;
    Some(format!("{}: {what}", outcome.input))
}

/// The reviewer of a run; `None` if only the rules judge, and then no files are read.
///
/// # Errors
/// Fails if a flag needs a model but none is requested, or if settings, key or prompts cannot be used.
fn reviewer(session: &Session, arguments: &ModelArguments) -> Result<Option<ModelReviewer>, Failure> {
    let model = &session.config.model;
    let Some(name) = model.asked() else {
        return match flag_that_needs_a_model(arguments) {
            Some(flag) => Err(Failure::usage(format!("{flag} needs a model: name one with --model, e.g. openai/NAME"))),
            None => Ok(None),
        };
    };
    let asked = named(model, name, arguments)?;
    let (prompts, orders) = own_orders::of_tickets(model)?;
    let reviewer = ModelReviewer::new(asked, prompts, orders, session.screen()?);
    let reviewer = match model.structuring_timeout {
        Some(seconds) => reviewer.with_structuring_limit(Duration::from_secs_f64(seconds)),
        None => reviewer,
    };
    Ok(Some(if arguments.dry_run { reviewer.as_dry_run() } else { reviewer }))
}

/// The model that writes drafts.
///
/// # Errors
/// Fails if no model is named, or if settings or key cannot be used.
pub fn author(session: &Session, arguments: &ModelArguments) -> Result<ModelAuthor, Failure> {
    let model = &session.config.model;
    let name = model
        .asked()
        .ok_or_else(|| Failure::usage("--author model needs a model: name one with --model, e.g. openai/NAME"))?;
    let author = ModelAuthor::new(named(model, name, arguments)?, session.screen()?);
    Ok(author.with_orders(own_orders::of_documents(model)?))
}

/// The model that reads or writes documents: the one with this name, or the one of the arguments.
///
/// # Errors
/// As [`author`].
pub fn reader(
    model: &DraftingModelArguments,
    name: Option<String>,
    configuration: &ConfigurationArguments,
) -> Result<ModelAuthor, Failure> {
    let model = model.as_review();
    let model = ModelArguments { model: name.or_else(|| model.model.clone()), ..model };
    let config = session::configuration(configuration, Flags { model: flags(&model), ..Flags::default() })?;
    author(&Session::open(config, terminal::today(), Extent::Judging)?, &model)
}

fn named(model: &ValidModel, name: &str, arguments: &ModelArguments) -> Result<Model, Failure> {
    let name: ModelName = name.parse().map_err(Failure::usage)?;
    Model::new(settings(model, name, arguments)?).map_err(Failure::usage)
}

/// Returns true if a request without an answer ends the run with 3.
pub fn is_required(config: &ValidConfig, arguments: &ModelArguments) -> bool {
    arguments.require_model || config.model.asked().is_some() && config.model.settings.required == Some(true)
}

/// The folder for cached answers and breakers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheFolder {
    /// Caching was switched off.
    Off,
    /// Cached data is in this folder.
    At(PathBuf),
    /// No folder is known, so answers are not cached.
    Unknown,
}

impl CacheFolder {
    /// The path of the folder, if there is one.
    pub fn folder(self) -> Option<PathBuf> {
        match self {
            Self::At(folder) => Some(folder),
            Self::Off | Self::Unknown => None,
        }
    }
}

/// The cache folder of runs with these settings.
pub fn cache(model: &ValidModel) -> CacheFolder {
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    match model.settings.cache.as_deref() {
        Some("off") => CacheFolder::Off,
        Some(folder) => CacheFolder::At(PathBuf::from(folder)),
        None => llm::cache_folder(variable).map_or(CacheFolder::Unknown, CacheFolder::At),
    }
}

fn flag_that_needs_a_model(arguments: &ModelArguments) -> Option<&'static str> {
    let given = [
        (arguments.dry_run, "--dry-run"),
        (arguments.require_model, "--require-model"),
        (arguments.record.is_some(), "--record"),
        (arguments.replay.is_some(), "--replay"),
    ];
    // With `--engine rules` the other flags have no effect on purpose; these cannot be honoured.
    given.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
}

fn settings(model: &ValidModel, name: ModelName, arguments: &ModelArguments) -> Result<ModelSettings, Failure> {
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let key = match &model.key_file {
        Some(path) => ApiKey::from_file(path).map(Some),
        None => ApiKey::from_environment(name.provider(), variable),
    };
    let written = &model.settings;
    let mut settings = ModelSettings::new(name);
    settings.api_key = key.map_err(Failure::usage)?;
    // An address belongs to a server. An agent on this machine may be the critic at the same time.
    settings.base_url = model.base_url.clone().filter(|_| !settings.model.provider().is_program());
    settings.agents = std::env::var_os("REQGATE_AGENTS").map(PathBuf::from);
    if let Some(seconds) = written.timeout {
        settings.timeout = Duration::from_secs_f64(seconds);
    }
    if let Some(seconds) = written.deadline {
        settings.deadline = Duration::from_secs_f64(seconds);
    }
    if let Some(attempts) = written.attempts {
        settings.attempts = attempts;
        settings.retry.tries = attempts;
    }
    settings.max_output_tokens = written.max_output_tokens.unwrap_or(settings.max_output_tokens);
    settings.concurrency = written.concurrency.unwrap_or(settings.concurrency);
    settings.per_minute = written.per_minute;
    settings.breaker = breaker(written);
    settings.budget = Budget { tokens: written.budget.tokens, money: written.budget.money };
    settings.prices = written.prices.map(|prices| Prices {
        input_per_million: prices.input_per_million,
        output_per_million: prices.output_per_million,
    });
    settings.cache = cache(model).folder();
    settings.recording = match (&arguments.record, &arguments.replay) {
        (Some(folder), _) => RecordingMode::Record(folder.clone()),
        (None, Some(folder)) => RecordingMode::Replay(folder.clone()),
        (None, None) => RecordingMode::Live,
    };
    Ok(settings)
}

/// The limits at which a failing model is paused.
pub fn breaker(written: &ModelConfig) -> BreakerLimits {
    let default = BreakerLimits::default();
    BreakerLimits {
        failures: written.breaker_failures.unwrap_or(default.failures),
        recovery: written.breaker_seconds.map_or(default.recovery, Duration::from_secs_f64),
    }
}

/// Prints the requests of a dry run.
///
/// # Errors
/// Fails if they cannot be written.
pub fn print(dry_run: &[DryRun]) -> Result<(), Failure> {
    let mut text = String::new();
    for request in dry_run {
        let shown = serde_json::json!({
            "input": request.input,
            "task": request.task.name(),
            "request": request.preview,
        });
        let shown = serde_json::to_string_pretty(&shown).map_err(|error| Failure::World(error.to_string()))?;
        // The request contains text of a ticket, whose control characters must not reach the terminal.
        text.push_str(&clean::lines(&shown));
        text.push('\n');
    }
    if dry_run.is_empty() {
        text.push_str("nothing would be sent\n");
    }
    outputs::print(&text)
}
