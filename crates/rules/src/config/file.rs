//! The configuration as people write it: the shape of `.reqgate.yaml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::guardrail::GuardrailSettings;
use super::model::ModelConfig;
use super::search::SearchConfig;
use reqgate_base::model::{Language, OtherLanguages, RuleId, Severity, Waiver};

/// The commented configuration that `reqgate init` writes; everything in it is a default.
pub const COMMENTED_DEFAULT: &str = include_str!("../../../../config/reqgate.yaml");

/// The configuration of an installation, as written in `.reqgate.yaml`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "reqgate configuration, version 1")]
pub struct Config {
    /// Version of this shape; 1.
    pub version: Option<u32>,
    /// Severities of rules that differ from the rules' own.
    pub rules: BTreeMap<RuleId, RuleLevel>,
    /// Score needed to pass, 0 to 100, by id of the rubric: `feature`, `bug`, `prd`, `meeting` or one of your own.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub thresholds: BTreeMap<String, f64>,
    /// Rubric that judges every kind of document.
    pub rubric: Option<String>,
    /// The policy, which decides what blocks: `ready`, `triage`, `strict`, `agent` or one of your own. Default:
    /// `ready`; `triage` for issues on GitHub.
    pub policy: Option<String>,
    /// Certainty that a rejection needs, 0.01 to 0.99. Default: that of the policy.
    pub sure: Option<f64>,
    /// The languages that are judged.
    pub languages: LanguagesConfig,
    /// Folders with rules, rubrics and vocabulary of your own, relative to this file.
    pub rules_folders: Vec<PathBuf>,
    /// Findings that are set aside, each with a reason.
    pub waivers: Vec<Waiver>,
    /// Share of a rule's findings that must have been right on labelled text for it to block, 0 to 1; default 0.8. A rule
    /// measured below it warns only.
    pub precision_floor: Option<f64>,
    /// File with weights learned from your team's own tickets (`reqgate-lab learn`), relative to this file.
    pub team_weights: Option<PathBuf>,
    /// File in which `reqgate-lab dispute` records findings, relative to this file.
    pub disputes: Option<PathBuf>,
    /// The settings of the guardrail.
    pub guardrail: GuardrailSettings,
    /// Requirements for answers in issue forms, by id or label of the field.
    #[schemars(with = "BTreeMap<String, FormFieldConfig>")]
    pub forms: BTreeMap<String, FormFieldConfig>,
    /// The settings of structuring.
    pub structuring: StructuringConfig,
    /// The model that is asked to review, and its limits.
    pub model: ModelConfig,
    /// The service that is searched for sources, and its limits.
    pub search: SearchConfig,
    /// The form of the results.
    pub output: OutputConfig,
    /// The settings of the language server.
    pub lsp: LspConfig,
}

/// The settings of the language server, `reqgate lsp`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LspConfig {
    /// Patterns of the files that are judged in an editor, e.g. `docs/**/*.md`; default: the text files that `reqgate
    /// check` takes in the folder.
    pub files: Option<Vec<String>>,
}

/// The languages that are judged, and the treatment of texts in others.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LanguagesConfig {
    /// The languages that are judged, `en` and `zh` or one of them; default both.
    pub judge: Option<Vec<Language>>,
    /// Treatment of a text in another language: `report` (not applicable, with a warning in pull requests; the
    /// default), `skip` (not applicable, without a warning) or `fail` (rejected).
    pub others: Option<OtherLanguages>,
}

/// Requirements for the answer in a field of an issue form, beyond the checks of GitHub.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FormFieldConfig {
    /// An answer is required; the setting of the form if absent.
    pub required: Option<bool>,
    /// The fewest characters of an answer.
    pub min_length: Option<usize>,
    /// The most characters of an answer.
    pub max_length: Option<usize>,
    /// A regular expression that it must match somewhere; `^…$` for the whole answer.
    pub pattern: Option<String>,
}

/// The severity of a rule in a configuration.
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
    /// The severity; `None` if the rule is switched off.
    pub(crate) fn severity(self) -> Option<Severity> {
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

/// The settings of structuring.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StructuringConfig {
    /// False scores the raw text without a draft and without the structure check.
    pub enabled: Option<bool>,
    /// False rejects a text of which no draft can be made, instead of scoring the raw text with a penalty.
    pub fallback: Option<bool>,
}

/// The form of the results.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutputConfig {
    /// Format on standard output: human, json, markdown, sarif, github, junit, html, concise, gitlab, rdjson or azure.
    pub format: Option<String>,
}
