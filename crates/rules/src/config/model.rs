//! The choice of the model and its limits: the section `model` of the file, the environment and the flags.
//!
//! Only the person who runs the program decides where the key is sent: the file can hold neither a key file nor a base
//! URL, because a pull request may bring its own file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consent::Consent;
use super::setting::{Origin, Setting};
use reqgate_base::model::ModelName;

reqgate_base::named! {
    /// The way of judging.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
    pub enum Engine {
        /// The rules without a model.
        #[default]
        Rules => "rules",
        /// The rules together with a model.
        Model => "model",
    }
}

/// The section `model` of the configuration.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// Provider and model: openai/NAME, anthropic/NAME, gemini/NAME or ollama/NAME. Without one no model is asked.
    pub name: Option<String>,
    /// rules: the model is not asked, although it is named. model: it is. Default: model if one is named.
    pub engine: Option<Engine>,
    /// Seconds for one exchange. Default 30.
    pub timeout: Option<f64>,
    /// Seconds for one ticket, all questions together. Default 60.
    pub deadline: Option<f64>,
    /// Replies that are read until one must be valid, 1 to 10. Default 3.
    pub attempts: Option<u32>,
    /// Largest answer in tokens, thinking included. Default 8192.
    pub max_output_tokens: Option<u32>,
    /// Exchanges at the same time. Default 4.
    pub concurrency: Option<u32>,
    /// Exchanges a minute. Default: as many as the server takes.
    pub per_minute: Option<u32>,
    /// Failures in a row after which the model is left alone, retries not counted. Default 5.
    pub breaker_failures: Option<u32>,
    /// Seconds for which it is left alone. Default 30.
    pub breaker_seconds: Option<f64>,
    /// Bounds on a run; beyond them the rules go on alone.
    pub budget: ModelBudget,
    /// The prices of a million tokens, in any one currency.
    pub prices: Option<ModelPrices>,
    /// Folder of cached answers, relative to this file, or off. Default: the user's cache folder.
    pub cache: Option<String>,
    /// Folder with your own prompts, relative to this file.
    pub prompts: Option<PathBuf>,
    /// True: a question without an answer ends the run with 3. Default false.
    pub required: Option<bool>,
}

/// Bounds on a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ModelBudget {
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Money, in the currency of the prices.
    pub money: Option<f64>,
}

/// The prices of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelPrices {
    /// A million tokens read.
    pub input_per_million: f64,
    /// A million tokens written.
    pub output_per_million: f64,
}

/// The settings of a model in the environment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelEnvironment {
    /// `REQGATE_MODEL`: the name of the model.
    pub name: Option<String>,
    /// `REQGATE_ENGINE`: `rules` or `model`.
    pub engine: Option<Engine>,
    /// `REQGATE_BASE_URL`: the address of the server.
    pub base_url: Option<String>,
    /// `REQGATE_KEY_FILE`: the file with the key.
    pub key_file: Option<PathBuf>,
    /// `REQGATE_CACHE`: the folder of cached answers, or `off`.
    pub cache: Option<String>,
    /// `REQGATE_PROMPTS`: the folder with prompts.
    pub prompts: Option<PathBuf>,
    /// `OPENAI_MODEL`: names a model only if the engine `model` is requested.
    pub openai_model: Option<String>,
    /// `OPENAI_TIMEOUT`: the time for one exchange, in seconds.
    pub timeout: Option<f64>,
    /// `MAX_LLM_RETRIES`: the number of attempts, the first included.
    pub attempts: Option<u32>,
    /// `STRUCTURING_TIMEOUT`: the time for the first question, in seconds.
    pub structuring_timeout: Option<f64>,
}

/// The settings of a model on the command line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelFlags {
    /// Settings that the file also has; only `name`, `engine`, `prompts`, `budget`, `timeout` and `deadline` have a flag.
    pub settings: ModelConfig,
    /// `--base-url`: the address of the server.
    pub base_url: Option<String>,
    /// `--key-file`: the file with the key.
    pub key_file: Option<PathBuf>,
}

/// The model in force.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidModel {
    /// The section of the file with the overrides of environment and flags.
    pub settings: ModelConfig,
    /// The model that is named, whether it is asked or not.
    pub name: Setting<Option<String>>,
    /// The way of judging.
    pub engine: Setting<Engine>,
    /// The address of the model, if it is not that of its provider.
    pub base_url: Option<String>,
    /// The file with the key.
    pub key_file: Option<PathBuf>,
    /// Seconds for the first question.
    pub structuring_timeout: Option<f64>,
    /// The wishes of the file that are not followed.
    pub withheld: Vec<Withheld>,
    /// The folders with rules that the file names may bring questions to a model.
    pub takes_questions: bool,
}

/// A wish of a repository's configuration that is not followed, because the file comes with every checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// The line of the wish.
    pub origin: Origin,
    /// The kind of wish.
    pub kind: WithheldKind,
}

/// The wishes of a repository that need the consent of the person who runs the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithheldKind {
    /// A model, whose cost the user has not agreed to. No model is asked.
    Cost,
    /// A program that answers in a model's place. No model is asked.
    Program,
    /// Instructions for a model. The shipped ones are used.
    Instructions,
}

impl WithheldKind {
    /// The reason, and the way to agree.
    pub fn words(self) -> &'static str {
        match self {
            Self::Cost => {
                "the model is not asked, because only the repository's configuration names it; to agree to its cost, use \
                 --model, --engine model or REQGATE_ENGINE=model"
            }
            Self::Program => {
                "the model is not asked, because a repository's configuration cannot choose a program to run; to use this \
                 agent, name it with --model, REQGATE_MODEL or your own configuration"
            }
            Self::Instructions => {
                "these instructions are not given to the model, because they come from the repository's configuration; to use \
                 them, name the folder with --prompts, REQGATE_PROMPTS or your own configuration"
            }
        }
    }
}

impl ValidModel {
    /// The settings without a named model.
    pub(super) fn defaults() -> Self {
        Self {
            settings: ModelConfig::default(),
            name: Setting::default(),
            engine: Setting::default(),
            base_url: None,
            key_file: None,
            structuring_timeout: None,
            withheld: Vec::new(),
            takes_questions: true,
        }
    }

    /// The model to ask; `None` if the rules judge alone.
    pub fn asked(&self) -> Option<&str> {
        self.name.value.as_deref().filter(|_| self.engine.value == Engine::Model)
    }

    /// Merges environment and flags into the file; flags win.
    ///
    /// # Errors
    /// Returns the origin of the invalid value, and the problem.
    pub(super) fn resolve(
        file: &ModelConfig,
        at: impl Fn(&[&str]) -> Origin,
        environment: &ModelEnvironment,
        flags: &ModelFlags,
        consent: &Consent,
    ) -> Result<Self, (Origin, String)> {
        let mut settings = file.clone();
        let mut name = Setting::first([
            (flags.settings.name.clone(), Origin::Flag("--model")),
            (environment.name.clone(), Origin::Environment("REQGATE_MODEL")),
            (consent.name.clone(), Origin::Own),
            (file.name.clone(), at(&["model", "name"])),
        ]);
        let stated = Setting::first([
            (flags.settings.engine, Origin::Flag("--engine")),
            (environment.engine, Origin::Environment("REQGATE_ENGINE")),
            (file.engine, at(&["model", "engine"])),
        ]);
        let implied = if name.value.is_some() { Engine::Model } else { Engine::Rules };
        let mut engine = Setting::new(implied, name.origin.clone());
        engine.take(stated.value, stated.origin);
        let named = name.value.as_deref().map(str::parse::<ModelName>).transpose();
        let named = named.map_err(|error| (name.origin.clone(), error.to_string()))?;
        // The person who runs the program pays for a model and is responsible for a program that is started; a file
        // comes with every checkout.
        let is_theirs = |origin: &Origin| matches!(origin, Origin::Flag(_) | Origin::Environment(_) | Origin::Own);
        let is_agreed = consent.model || is_theirs(&engine.origin) || is_theirs(&name.origin);
        let is_program = named.is_some_and(|named| named.provider().is_program());
        let is_chosen = consent.instructions || !matches!(name.origin, Origin::File(_));
        let mut withheld = Vec::new();
        if engine.value == Engine::Model && (is_program && !is_chosen || !is_agreed) {
            let kind = if is_program && !is_chosen { WithheldKind::Program } else { WithheldKind::Cost };
            withheld.push(Withheld { origin: name.origin.clone(), kind });
            engine = Setting::default();
        }
        if engine.value == Engine::Model && name.value.is_none() {
            // A name for other programs alone must not send a ticket anywhere; a request for the engine does.
            let openai = environment.openai_model.as_ref().map(|model| format!("openai/{model}"));
            let Some(openai) = openai else {
                let message = "the engine `model` needs a model: name one with --model, e.g. openai/NAME";
                return Err((engine.origin, message.to_owned()));
            };
            name = Setting { value: Some(openai), origin: Origin::Environment("OPENAI_MODEL") };
        }
        if let (Some(text), Origin::Environment("OPENAI_MODEL")) = (&name.value, &name.origin) {
            text.parse::<ModelName>().map_err(|error| (name.origin.clone(), error.to_string()))?;
        }
        settings.timeout = flags.settings.timeout.or(environment.timeout).or(settings.timeout);
        settings.deadline = flags.settings.deadline.or(settings.deadline);
        settings.attempts = environment.attempts.or(settings.attempts);
        settings.cache = environment.cache.clone().or(consent.cache.clone()).or(settings.cache);
        let chosen = [&flags.settings.prompts, &environment.prompts, &consent.prompts];
        let chosen = chosen.into_iter().find_map(Clone::clone);
        if chosen.is_none() && settings.prompts.is_some() && !consent.instructions {
            settings.prompts = None;
            if engine.value == Engine::Model {
                withheld.push(Withheld { origin: at(&["model", "prompts"]), kind: WithheldKind::Instructions });
            }
        }
        settings.prompts = chosen.or(settings.prompts);
        settings.budget.tokens = flags.settings.budget.tokens.or(settings.budget.tokens);
        settings.budget.money = flags.settings.budget.money.or(settings.budget.money);
        Ok(Self {
            settings,
            name,
            engine,
            base_url: flags.base_url.clone().or_else(|| environment.base_url.clone()),
            key_file: flags.key_file.clone().or_else(|| environment.key_file.clone()),
            structuring_timeout: environment.structuring_timeout,
            withheld,
            takes_questions: consent.instructions,
        })
    }
}

/// The problems with numbers of the section, each with the keys that lead to it.
pub(super) fn problems(config: &ModelConfig) -> Vec<(&'static [&'static str], String)> {
    let mut out: Vec<(&'static [&'static str], String)> = Vec::new();
    let mut check = |path: &'static [&'static str], value: Option<f64>, least: f64, most: f64| {
        if let Some(value) = value.filter(|value| !(least..=most).contains(value)) {
            out.push((path, format!("{value} is out of range: write a number from {least} to {most}")));
        }
    };
    check(&["model", "timeout"], config.timeout, 0.001, 3600.0);
    check(&["model", "deadline"], config.deadline, 0.001, 3600.0);
    check(&["model", "attempts"], config.attempts.map(f64::from), 1.0, 10.0);
    check(&["model", "max_output_tokens"], config.max_output_tokens.map(f64::from), 16.0, 1_000_000.0);
    check(&["model", "concurrency"], config.concurrency.map(f64::from), 1.0, 256.0);
    check(&["model", "per_minute"], config.per_minute.map(f64::from), 1.0, 1_000_000.0);
    check(&["model", "breaker_failures"], config.breaker_failures.map(f64::from), 1.0, 1_000.0);
    check(&["model", "breaker_seconds"], config.breaker_seconds, 0.001, 86_400.0);
    check(&["model", "budget", "money"], config.budget.money, 0.0, 1e12);
    let prices = config.prices.map(|prices| [prices.input_per_million, prices.output_per_million]);
    for price in prices.into_iter().flatten() {
        check(&["model", "prices"], Some(price), 0.0, 1e12);
    }
    if config.budget.money.is_some() && config.prices.is_none() {
        out.push((&["model", "budget", "money"], "needs model.prices: set the price of a million tokens".to_owned()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(file: &ModelConfig, environment: &ModelEnvironment, flags: &ModelFlags) -> Result<ValidModel, String> {
        ValidModel::resolve(file, |_| Origin::Default, environment, flags, &Consent::to_all())
            .map_err(|(_, message)| message)
    }

    #[test]
    fn model_of_a_file_is_asked_only_if_somebody_outside_the_repository_agrees() {
        let at = |_: &[&str]| Origin::File(reqgate_base::yaml::Place { line: 1, column: 1 });
        let asked = |file: &ModelConfig, environment: &ModelEnvironment, flags: &ModelFlags, consent: &Consent| {
            let valid = ValidModel::resolve(file, at, environment, flags, consent).expect("nothing is wrong");
            (valid.asked().is_some(), !valid.withheld.is_empty())
        };
        let named = ModelConfig { name: some("openai/file"), ..ModelConfig::default() };
        let engine = ModelConfig { engine: Some(Engine::Model), ..ModelConfig::default() };
        let (silent, nothing, none) = (ModelEnvironment::default(), ModelFlags::default(), Consent::default());
        let openai = ModelEnvironment { openai_model: some("theirs"), ..ModelEnvironment::default() };
        let url = ModelEnvironment { base_url: some("http://localhost:1"), ..ModelEnvironment::default() };
        for (file, environment) in [(&named, &silent), (&named, &openai), (&named, &url), (&engine, &openai)] {
            assert_eq!(asked(file, environment, &nothing, &none), (false, true));
            assert_eq!(asked(file, environment, &nothing, &Consent { model: true, ..none.clone() }), (true, false));
            let flag = stated(ModelConfig { engine: Some(Engine::Model), ..ModelConfig::default() });
            assert_eq!(asked(file, environment, &flag, &none), (true, false));
            let variable = ModelEnvironment { engine: Some(Engine::Model), ..environment.clone() };
            assert_eq!(asked(file, &variable, &nothing, &none), (true, false));
            let flag = stated(ModelConfig { engine: Some(Engine::Rules), ..ModelConfig::default() });
            assert_eq!(asked(file, environment, &flag, &none), (false, false));
        }
        // Naming a model is consent to pay for that one only.
        let other = stated(ModelConfig { name: some("ollama/mine"), ..ModelConfig::default() });
        assert_eq!(asked(&named, &silent, &other, &none), (true, false));
    }

    fn stated(settings: ModelConfig) -> ModelFlags {
        ModelFlags { settings, ..ModelFlags::default() }
    }

    fn some(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    #[test]
    fn a_repository_chooses_neither_a_program_nor_instructions() {
        let at = |_: &[&str]| Origin::File(reqgate_base::yaml::Place { line: 1, column: 1 });
        let resolved = |file: &ModelConfig, environment: &ModelEnvironment, flags: &ModelFlags, consent: &Consent| {
            let valid = ValidModel::resolve(file, at, environment, flags, consent).expect("the settings are valid");
            let kinds: Vec<WithheldKind> = valid.withheld.iter().map(|withheld| withheld.kind).collect();
            (valid.asked().map(str::to_owned), valid.settings.prompts.clone(), kinds)
        };
        let folder = Some(PathBuf::from("theirs"));
        let file = |name: &str| ModelConfig { name: some(name), prompts: folder.clone(), ..ModelConfig::default() };
        let (silent, nothing) = (ModelEnvironment::default(), ModelFlags::default());
        let agreed = Consent { model: true, ..Consent::default() };
        let (program, words) = (WithheldKind::Program, WithheldKind::Instructions);
        assert_eq!(resolved(&file("agent/claude"), &silent, &nothing, &agreed), (None, None, vec![program]));
        let engine = stated(ModelConfig { engine: Some(Engine::Model), ..ModelConfig::default() });
        assert_eq!(resolved(&file("agent/claude"), &silent, &engine, &agreed), (None, None, vec![program]));
        assert_eq!(resolved(&file("openai/a"), &silent, &nothing, &agreed), (some("openai/a"), None, vec![words]));
        // The user's own flags, environment and configuration may name both.
        let mine = Some(PathBuf::from("mine"));
        let flags = stated(ModelConfig { name: some("agent/claude"), prompts: mine.clone(), ..ModelConfig::default() });
        let environment =
            ModelEnvironment { name: some("agent/claude"), prompts: mine.clone(), ..ModelEnvironment::default() };
        let own = Consent { name: some("agent/claude"), prompts: mine.clone(), ..Consent::default() };
        for (environment, flags, consent) in
            [(&silent, &flags, &agreed), (&environment, &nothing, &agreed), (&silent, &nothing, &own)]
        {
            let asked = resolved(&file("openai/a"), environment, flags, consent);
            assert_eq!(asked, (some("agent/claude"), mine.clone(), Vec::new()));
        }
        let all = resolved(&file("agent/claude"), &silent, &nothing, &Consent::to_all());
        assert_eq!(all, (some("agent/claude"), folder.clone(), Vec::new()));
    }

    #[test]
    fn a_model_is_asked_only_if_somebody_told_reqgate_so() {
        let none = ModelConfig::default();
        let openai = ModelEnvironment { openai_model: some("some-model"), ..ModelEnvironment::default() };
        let silent = resolved(&none, &openai, &ModelFlags::default()).expect("nothing is wrong");
        assert_eq!(silent.asked(), None);
        let engine = stated(ModelConfig { engine: Some(Engine::Model), ..ModelConfig::default() });
        assert_eq!(resolved(&none, &openai, &engine).expect("it is named").asked(), Some("openai/some-model"));
        assert!(resolved(&none, &ModelEnvironment::default(), &engine).is_err());
        let named = ModelConfig { name: some("ollama/some"), ..ModelConfig::default() };
        assert_eq!(
            resolved(&named, &openai, &ModelFlags::default()).expect("it is named").asked(),
            Some("ollama/some")
        );
        let rules = stated(ModelConfig { engine: Some(Engine::Rules), ..ModelConfig::default() });
        assert_eq!(resolved(&named, &openai, &rules).expect("nothing is wrong").asked(), None);
    }

    #[test]
    fn flags_beat_the_environment_and_the_environment_beats_the_file() {
        let file = ModelConfig { name: some("openai/file"), ..ModelConfig::default() };
        let environment = ModelEnvironment { name: some("openai/environment"), ..ModelEnvironment::default() };
        let flags = stated(ModelConfig { name: some("openai/flag"), ..ModelConfig::default() });
        let asked = |environment: &ModelEnvironment, flags: &ModelFlags| {
            resolved(&file, environment, flags).expect("it is named").asked().expect("it is asked").to_owned()
        };
        assert_eq!(asked(&environment, &flags), "openai/flag");
        assert_eq!(asked(&environment, &ModelFlags::default()), "openai/environment");
        assert_eq!(asked(&ModelEnvironment::default(), &ModelFlags::default()), "openai/file");
        let file = ModelConfig { timeout: Some(1.0), deadline: Some(2.0), ..ModelConfig::default() };
        let environment = ModelEnvironment { timeout: Some(3.0), ..ModelEnvironment::default() };
        let flags = stated(ModelConfig { timeout: Some(4.0), deadline: Some(5.0), ..ModelConfig::default() });
        for (environment, flags, expected) in [
            (&environment, &flags, (4.0, 5.0)),
            (&environment, &ModelFlags::default(), (3.0, 2.0)),
            (&ModelEnvironment::default(), &ModelFlags::default(), (1.0, 2.0)),
        ] {
            let settings = resolved(&file, environment, flags).expect("nothing is wrong").settings;
            assert_eq!((settings.timeout, settings.deadline), (Some(expected.0), Some(expected.1)));
        }
        let wrong = stated(ModelConfig { name: some("gpt"), ..ModelConfig::default() });
        assert!(resolved(&file, &environment, &wrong).expect_err("it is no name").contains("openai/NAME"));
    }
}
