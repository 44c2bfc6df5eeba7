//! The configuration as people write it: the shape of `.reqgate.yaml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::guardrail::GuardrailSettings;
use super::model::ModelConfig;
use crate::model::{RuleId, Severity, Waiver};

/// The commented configuration that `reqgate init` writes; everything in it is a default.
pub const COMMENTED_DEFAULT: &str = include_str!("../../config/reqgate.yaml");

/// The configuration of an installation, as written in `.reqgate.yaml`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "reqgate configuration, version 1")]
pub struct Config {
    /// Version of this shape; 1.
    pub version: Option<u32>,
    /// Severities of rules that differ from the rules' own.
    pub rules: BTreeMap<RuleId, RuleLevel>,
    /// Score needed for a pass, 0 to 100, by id of the rubric: `feature`, `bug`, `prd`, `meeting` or one of your own.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub thresholds: BTreeMap<String, f64>,
    /// Rubric that judges everything, whatever the kind of document.
    pub rubric: Option<String>,
    /// Folders with rules, rubrics and vocabulary of your own, relative to this file.
    pub rules_folders: Vec<PathBuf>,
    /// Findings that are set aside, each with a reason.
    pub waivers: Vec<Waiver>,
    /// How the guardrail behaves.
    pub guardrail: GuardrailSettings,
    /// How structuring behaves.
    pub structuring: StructuringConfig,
    /// Which model is asked as a witness, and how.
    pub model: ModelConfig,
    /// How results are shown.
    pub output: OutputConfig,
}

/// What a configuration says of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// The rule is not applied.
    Off,
    /// Its findings cost points and never decide alone.
    Warning,
    /// Its findings reject the ticket.
    Blocker,
}

impl RuleLevel {
    /// The severity; `None` switches the rule off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Warning => Some(Severity::Warning),
            Self::Blocker => Some(Severity::Blocker),
        }
    }

    /// The name in the file, e.g. `off`.
    pub fn name_of(severity: Option<Severity>) -> &'static str {
        match severity {
            None => "off",
            Some(Severity::Warning) => "warning",
            Some(Severity::Blocker) => "blocker",
        }
    }
}

/// How structuring behaves.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StructuringConfig {
    /// False scores the raw text without a draft and without the structure check.
    pub enabled: Option<bool>,
}

/// How results are shown.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutputConfig {
    /// Format on standard output: human, json, markdown, sarif, github, junit or html.
    pub format: Option<String>,
}
