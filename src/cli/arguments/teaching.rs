//! Arguments of the commands that explain and set up: explain, init, config, schema.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use reqgate::model::Language;

use super::{ConfigurationArguments, TextOrJson, language};

#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// A rule, policy, facet, rubric or command, e.g. vague-demand or triage; `policy`, `facet` and `rubric` alone list all
    #[arg(value_name = "NAME", required_unless_present = "all")]
    pub what: Option<String>,
    /// The name, where the first one is its kind: policy, facet, rubric or command
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Explain all rules, without the patterns of the guardrail
    #[arg(long, conflicts_with_all = ["what", "name"])]
    pub all: bool,
    /// Output format, for rules
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ExplainFormat,
    /// Language of the explanation
    #[arg(long, value_name = "LANG", value_parser = language(), ignore_case = true, default_value = "en")]
    pub lang: Language,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// The format of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For people at a terminal
    Human,
    /// For pages
    Markdown,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct InitArguments {
    /// The files to write instead of the configuration.
    #[command(subcommand)]
    pub what: Option<InitWhat>,
    /// Overwrite an existing configuration
    #[arg(long)]
    pub force: bool,
    /// Policy to set: ready, triage, strict or agent; asked for on a terminal
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
}

/// The files that `init` can write in addition to the configuration.
#[derive(Debug, Subcommand)]
pub enum InitWhat {
    /// Write files for coding agents: a section of AGENTS.md, a skill, a plugin with hook and MCP server
    ///
    /// Where the folder has .specify/, also an extension and a workflow overlay for Spec Kit. Files that exist and differ are left
    /// alone.
    Agents(InitAgentsArguments),
    /// Write workflows for GitHub: new and edited issues, PRD files in pull requests, commands in comments, a weekly
    /// audit
    ///
    /// The output lists the parts to replace in them. Files that exist and differ are left alone.
    Github(InitGithubArguments),
}

#[derive(Debug, Args)]
pub struct InitGithubArguments {
    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// Overwrite files that exist and differ
    #[arg(long)]
    pub force: bool,
    /// The action and the commit that you trust, e.g. octo/reqgate@ and the 40 digits of the hash
    #[arg(long, value_name = "OWNER/NAME@HASH", value_parser = action)]
    pub action: Option<String>,
}

/// Parses an action that is pinned to a commit.
fn action(text: &str) -> Result<String, String> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let is_hash = |hash: &str| hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit());
    let parts = text.split_once('@').and_then(|(name, hash)| Some((name.split_once('/')?, hash)));
    match parts {
        Some(((owner, name), hash)) if is_name(owner) && is_name(name) && is_hash(hash) => Ok(text.to_owned()),
        _ => Err("write OWNER/NAME@HASH with the 40 digits of a commit: a tag can be moved".to_owned()),
    }
}

#[derive(Debug, Args)]
pub struct InitAgentsArguments {
    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// Overwrite files that exist and differ
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct ConfigArguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

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
    /// The JSON report of critique
    Critique,
    /// The JSON report of gaps
    Gaps,
    /// The JSON report of research
    Research,
    /// The JSON report of a trace
    Trace,
    /// The JSON report of verify
    Verify,
    /// The JSON of plan
    Plan,
    /// User stories as plan --stories takes them
    Stories,
    /// Requirements of a feature as JSON
    Requirements,
    /// A PRD as JSON
    Prd,
    /// The JSON of export
    Export,
    /// The status of a thread of the PRD workflow
    Thread,
    /// A question to a person
    Ask,
    /// An answer to it, one schema per kind of question
    Answer,
    /// A work order: a draft for an agent or script to write
    Order,
    /// The HTTP service, as OpenAPI 3.1
    #[cfg(feature = "service")]
    Api,
    /// A question to a model
    #[value(alias = "witness")]
    Question,
}
