//! The overrides of the environment: reqgate's own variables, and some that other programs also use.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use serde::de::DeserializeOwned;

use super::Problem;
use super::model::ModelEnvironment;
use super::search::SearchConfig;
use super::setting::named;
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
        let mut variables = Variables { value: variable, problems: Vec::new() };
        let environment = Self {
            threshold: variables.parsed("REQGATE_THRESHOLD", "write a number from 0 to 100", within(0.0..=100.0)),
            enable_structuring: variables.parsed("ENABLE_STRUCTURING", SWITCH, switched),
            enable_fallback: variables.parsed("ENABLE_FALLBACK", SWITCH, switched),
            enable_guardrail: variables.parsed("ENABLE_GUARDRAIL", SWITCH, switched),
            guardrail_mode: variables.parsed("GUARDRAIL_MODE", "write lenient or strict", named_in_any_case),
            model: variables.model(),
            search: variables.search(),
            config: variables.text("REQGATE_CONFIG").map(PathBuf::from),
            policy: variables.text("REQGATE_POLICY"),
            format: variables.text("REQGATE_FORMAT"),
            guardrail_config: variables.text("GUARDRAIL_CONFIG_PATH").map(PathBuf::from),
            unused: UNUSED.into_iter().filter(|name| variables.text(name).is_some()).collect(),
        };
        if variables.problems.is_empty() { Ok(environment) } else { Err(variables.problems) }
    }
}

const SWITCH: &str = "write true or false";

/// The variables of a process, and the problems of those that were read.
struct Variables<F> {
    value: F,
    problems: Vec<Problem>,
}

impl<F: Fn(&str) -> Option<String>> Variables<F> {
    fn text(&self, name: &str) -> Option<String> {
        (self.value)(name).filter(|value| !value.trim().is_empty())
    }

    /// Reads a value with `parse`; a value that is not valid is noted with its remedy.
    fn parsed<T>(&mut self, name: &str, remedy: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.text(name)?;
        let parsed = parse(value.trim());
        if parsed.is_none() {
            let source = format!("environment variable {name}");
            self.problems.push(Problem::new(source, format!("`{value}` is not valid: {remedy}")));
        }
        parsed
    }

    fn model(&mut self) -> ModelEnvironment {
        const SECONDS: &str = "write seconds, a number up to 3600";
        ModelEnvironment {
            timeout: self.parsed("OPENAI_TIMEOUT", SECONDS, within(0.001..=3600.0)),
            structuring_timeout: self.parsed("STRUCTURING_TIMEOUT", SECONDS, within(0.001..=3600.0)),
            attempts: self.parsed("MAX_LLM_RETRIES", "write a number from 1 to 10", within(1..=10)),
            engine: self.parsed("REQGATE_ENGINE", "write rules or model", named_in_any_case),
            name: self.text("REQGATE_MODEL"),
            base_url: self.text("REQGATE_BASE_URL"),
            key_file: self.text("REQGATE_KEY_FILE").map(PathBuf::from),
            cache: self.text("REQGATE_CACHE"),
            prompts: self.text("REQGATE_PROMPTS").map(PathBuf::from),
            openai_model: self.text("OPENAI_MODEL"),
        }
    }

    fn search(&mut self) -> SearchConfig {
        const PROVIDERS: &str = "write none, folder, searxng, brave or tavily";
        const WHOLE: &str = "write a whole number";
        SearchConfig {
            provider: self.parsed("REQGATE_SEARCH", PROVIDERS, named_in_any_case),
            path: self.text("REQGATE_SEARCH_PATH").map(PathBuf::from),
            url: self.text("REQGATE_SEARCH_URL"),
            max_search_queries: self.parsed("MAX_SEARCH_QUERIES", WHOLE, |text| text.parse().ok()),
            search_timeout: self.parsed("SEARCH_TIMEOUT", WHOLE, |text| text.parse().ok()),
            num_results: self.parsed("NUM_RESULTS", WHOLE, |text| text.parse().ok()),
        }
    }
}

fn within<T: FromStr + PartialOrd>(range: RangeInclusive<T>) -> impl Fn(&str) -> Option<T> {
    move |text| text.parse().ok().filter(|number| range.contains(number))
}

fn named_in_any_case<T: DeserializeOwned>(name: &str) -> Option<T> {
    named(&name.to_ascii_lowercase())
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
    use super::super::search::SearchProviderName;
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
