//! Arguments of the commands that explain and set up: explain, init, config, schema.

use clap::{Args, ValueEnum};
use reqgate::model::Language;

use super::{ConfigurationArguments, TextOrJson, language};

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// Rule id, e.g. vague-demand; or `policy` or `facet`; without a name, these list all
    #[arg(value_name = "RULE|policy|facet")]
    pub what: String,
    /// The policy or facet, e.g. triage
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Language of the explanation
    #[arg(long, value_name = "LANG", value_parser = language(), ignore_case = true, default_value = "en")]
    pub lang: Language,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// Overwrite an existing configuration
    #[arg(long)]
    pub force: bool,
    /// Policy to set: ready, triage or strict; asked for on a terminal
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
pub struct ConfigArguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArguments {
    /// File or report format
    #[arg(value_name = "WHAT", default_value = "outcome")]
    pub what: SchemaOf,
}

/// The formats that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The JSON report of score and check
    Outcome,
    /// The structured draft in it
    Draft,
    /// The score report in it
    Report,
    /// The JSON report of audit
    Audit,
    /// .reqgate.yaml
    Config,
    /// A rubric file
    Rubric,
    /// A rule file
    Rule,
    /// A policy file
    Policy,
    /// A facet file
    Facet,
    /// A word list of the vocabulary
    Words,
    /// A suite of benchmarks
    Suite,
    /// The JSON report of eval
    Eval,
    /// The JSON report of critique
    Critique,
    /// The JSON report of gaps
    Gaps,
    /// Requirements of a feature as JSON
    Requirements,
    /// A PRD as JSON
    Prd,
    /// The status of a thread of the PRD workflow
    Thread,
    /// A question to a person
    Ask,
    /// An answer to it, one schema per kind of question
    Answer,
    /// A work order: a draft for an agent or script to write
    Order,
    /// A question to a model
    #[value(alias = "witness")]
    Question,
}
