//! The overrides of the environment: reqgate's own variables, and some that other programs also use.

use std::path::PathBuf;
use std::str::FromStr;

use super::Problem;
use super::model::{Engine, ModelEnvironment};
use super::search::{SearchConfig, SearchProviderName};
use reqgate_base::model::GuardrailMode;

/// Variables that matter only if a model is asked; otherwise they are shown and not used.
pub const UNUSED: [&str; 5] =
    ["OPENAI_API_KEY", "OPENAI_MODEL", "OPENAI_TIMEOUT", "MAX_LLM_RETRIES", "STRUCTURING_TIMEOUT"];

/// Every variable that changes how reqgate judges or shows results.
pub const USED: [&str; 22] = [
    "REQGATE_CONFIG",
    "REQGATE_POLICY",
    "REQGATE_THRESHOLD",
    "REQGATE_FORMAT",
    "ENABLE_STRUCTURING",
    "ENABLE_FALLBACK",
    "ENABLE_GUARDRAIL",
    "GUARDRAIL_MODE",
    "GUARDRAIL_CONFIG_PATH",
    "REQGATE_MODEL",
    "REQGATE_ENGINE",
    "REQGATE_BASE_URL",
    "REQGATE_KEY_FILE",
    "REQGATE_AGENTS",
    "REQGATE_CACHE",
    "REQGATE_PROMPTS",
    "REQGATE_SEARCH",
    "REQGATE_SEARCH_PATH",
    "REQGATE_SEARCH_URL",
    "MAX_SEARCH_QUERIES",
    "SEARCH_TIMEOUT",
    "NUM_RESULTS",
];

/// The checked overrides of the environment; `None` if a variable is unset or empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Environment {
    /// `REQGATE_CONFIG`: the configuration file.
    pub config: Option<PathBuf>,
    /// `REQGATE_THRESHOLD`: score needed for a pass, 0 to 100.
    pub threshold: Option<f64>,
    /// `REQGATE_POLICY`: name of the policy.
    pub policy: Option<String>,
    /// `REQGATE_FORMAT`: format on standard output.
    pub format: Option<String>,
    /// `ENABLE_STRUCTURING`: switches structuring on or off.
    pub enable_structuring: Option<bool>,
    /// `ENABLE_FALLBACK`: switches the fallback to the raw text on or off. It is named like its neighbours.
    pub enable_fallback: Option<bool>,
    /// `ENABLE_GUARDRAIL`: switches the guardrail on or off.
    pub enable_guardrail: Option<bool>,
    /// `GUARDRAIL_MODE`: `lenient` or `strict`.
    pub guardrail_mode: Option<GuardrailMode>,
    /// `GUARDRAIL_CONFIG_PATH`: a file with the guardrail's settings.
    pub guardrail_config: Option<PathBuf>,
    /// The settings of the model.
    pub model: ModelEnvironment,
    /// The settings of the search.
    pub search: SearchConfig,
    /// Variables of a model that are set; their values are not read.
    pub unused: Vec<&'static str>,
}

impl Environment {
    /// Reads the environment through `variable`.
    ///
    /// # Errors
    /// Returns one problem for each variable with an invalid value.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<Problem>> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let mut problems = Vec::new();
        let mut refuse = |name: &str, value: &str, remedy: &str| {
            let source = format!("environment variable {name}");
            problems.push(Problem::new(source, format!("`{value}` is not valid: {remedy}")));
        };
        let threshold = variable("REQGATE_THRESHOLD").and_then(|value| {
            let parsed = f64::from_str(value.trim()).ok().filter(|number| (0.0..=100.0).contains(number));
            if parsed.is_none() {
                refuse("REQGATE_THRESHOLD", &value, "write a number from 0 to 100");
            }
            parsed
        });
        let mut switch = |name: &str| {
            let value = variable(name)?;
            let parsed = switched(value.trim());
            if parsed.is_none() {
                refuse(name, &value, "write true or false");
            }
            parsed
        };
        let enable_structuring = switch("ENABLE_STRUCTURING");
        let enable_fallback = switch("ENABLE_FALLBACK");
        let enable_guardrail = switch("ENABLE_GUARDRAIL");
        let guardrail_mode =
            variable("GUARDRAIL_MODE").and_then(|value| match value.trim().to_ascii_lowercase().as_str() {
                "lenient" => Some(GuardrailMode::Lenient),
                "strict" => Some(GuardrailMode::Strict),
                _ => {
                    refuse("GUARDRAIL_MODE", &value, "write lenient or strict");
                    None
                }
            });
        let model = model(&variable, &mut refuse);
        let search = search(&variable, &mut refuse);
        let environment = Self {
            model,
            search,
            config: variable("REQGATE_CONFIG").map(PathBuf::from),
            threshold,
            policy: variable("REQGATE_POLICY"),
            format: variable("REQGATE_FORMAT"),
            enable_structuring,
            enable_fallback,
            enable_guardrail,
            guardrail_mode,
            guardrail_config: variable("GUARDRAIL_CONFIG_PATH").map(PathBuf::from),
            unused: UNUSED.into_iter().filter(|name| variable(name).is_some()).collect(),
        };
        if problems.is_empty() { Ok(environment) } else { Err(problems) }
    }
}

fn model(variable: &impl Fn(&str) -> Option<String>, refuse: &mut impl FnMut(&str, &str, &str)) -> ModelEnvironment {
    let mut seconds = |name: &str| {
        let value = variable(name)?;
        let parsed = f64::from_str(value.trim()).ok().filter(|number| (0.001..=3600.0).contains(number));
        if parsed.is_none() {
            refuse(name, &value, "write seconds, a number up to 3600");
        }
        parsed
    };
    let timeout = seconds("OPENAI_TIMEOUT");
    let structuring_timeout = seconds("STRUCTURING_TIMEOUT");
    let attempts = variable("MAX_LLM_RETRIES").and_then(|value| {
        let parsed = u32::from_str(value.trim()).ok().filter(|number| (1..=10).contains(number));
        if parsed.is_none() {
            refuse("MAX_LLM_RETRIES", &value, "write a number from 1 to 10");
        }
        parsed
    });
    let engine = variable("REQGATE_ENGINE").and_then(|value| {
        let parsed = Engine::of(&value);
        if parsed.is_none() {
            refuse("REQGATE_ENGINE", &value, "write rules or model");
        }
        parsed
    });
    ModelEnvironment {
        name: variable("REQGATE_MODEL"),
        engine,
        base_url: variable("REQGATE_BASE_URL"),
        key_file: variable("REQGATE_KEY_FILE").map(PathBuf::from),
        cache: variable("REQGATE_CACHE"),
        prompts: variable("REQGATE_PROMPTS").map(PathBuf::from),
        openai_model: variable("OPENAI_MODEL"),
        timeout,
        attempts,
        structuring_timeout,
    }
}

fn search(variable: &impl Fn(&str) -> Option<String>, refuse: &mut impl FnMut(&str, &str, &str)) -> SearchConfig {
    let provider = variable("REQGATE_SEARCH").and_then(|value| {
        let parsed = SearchProviderName::of(&value);
        if parsed.is_none() {
            refuse("REQGATE_SEARCH", &value, "write none, folder, searxng, brave or tavily");
        }
        parsed
    });
    let mut number = |name: &str| {
        let value = variable(name)?;
        let parsed = u32::from_str(value.trim()).ok();
        if parsed.is_none() {
            refuse(name, &value, "write a whole number");
        }
        parsed
    };
    SearchConfig {
        provider,
        path: variable("REQGATE_SEARCH_PATH").map(PathBuf::from),
        url: variable("REQGATE_SEARCH_URL"),
        max_search_queries: number("MAX_SEARCH_QUERIES"),
        search_timeout: number("SEARCH_TIMEOUT"),
        num_results: number("NUM_RESULTS"),
    }
}

fn switched(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Environment, Vec<Problem>> {
        Environment::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn values_are_checked_and_all_wrong_ones_are_named() {
        let problems = read(&[("REQGATE_THRESHOLD", "high"), ("ENABLE_GUARDRAIL", "maybe"), ("GUARDRAIL_MODE", "x")])
            .expect_err("three are wrong");
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "environment variable REQGATE_THRESHOLD: `high` is not valid: write a number from 0 to 100",
                "environment variable ENABLE_GUARDRAIL: `maybe` is not valid: write true or false",
                "environment variable GUARDRAIL_MODE: `x` is not valid: write lenient or strict",
            ]
        );
    }

    #[test]
    fn variables_of_the_search_are_read() {
        let read = read(&[("REQGATE_SEARCH", "Brave"), ("MAX_SEARCH_QUERIES", "3"), ("REQGATE_SEARCH_PATH", "docs")]);
        let search = read.expect("valid").search;
        assert_eq!((search.provider, search.max_search_queries), (Some(SearchProviderName::Brave), Some(3)));
        assert_eq!(search.path, Some(PathBuf::from("docs")));
    }

    #[test]
    fn empty_variables_count_as_unset_and_those_of_models_are_only_listed() {
        let environment =
            read(&[("ENABLE_STRUCTURING", "0"), ("GUARDRAIL_MODE", ""), ("OPENAI_API_KEY", "sk-x")]).expect("valid");
        assert_eq!((environment.enable_structuring, environment.enable_fallback), (Some(false), None));
        assert_eq!(environment.guardrail_mode, None);
        assert_eq!(environment.unused, ["OPENAI_API_KEY"]);
    }
}
