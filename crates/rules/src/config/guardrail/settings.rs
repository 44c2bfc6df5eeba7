//! The guardrail's part of a configuration, in reqgate's own form and in the form of the seed file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::{GuardrailAction, GuardrailKind, GuardrailMode, SourceType};
use reqgate_base::yaml;

/// Phrases of the seed file that the shipped forms judge in context; as bare words they would stop ordinary tickets.
const COVERED_PHRASES: [&str; 6] =
    ["ignore previous instructions", "you are now", "system prompt", "disregard", "disregard all", "forget everything"];

/// Kinds that are personal data.
pub const PERSONAL_KINDS: [GuardrailKind; 7] = [
    GuardrailKind::Email,
    GuardrailKind::Phone,
    GuardrailKind::PaymentCard,
    GuardrailKind::Iban,
    GuardrailKind::NationalId,
    GuardrailKind::BirthDate,
    GuardrailKind::IpAddress,
];

/// The settings of the guardrail in an installation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(try_from = "WrittenSettings")]
#[schemars(with = "WrittenSettings")]
pub struct GuardrailSettings {
    /// False switches every check off; the report then says skipped.
    #[garde(skip)]
    pub enabled: bool,
    /// The action for personal data and secrets unless `actions` sets another.
    #[garde(skip)]
    pub mode: GuardrailMode,
    /// Bounds on the length of a text.
    #[garde(dive)]
    pub limits: LengthLimits,
    /// The action for a kind, if it differs from the mode.
    #[garde(skip)]
    pub actions: BTreeMap<GuardrailKind, GuardrailAction>,
    /// Folders with more pattern files (`*.yaml`), read after the shipped ones.
    #[garde(skip)]
    pub pattern_folders: Vec<PathBuf>,
    /// Phrases that count as prompt injection anywhere in a text; whole words, case does not matter.
    #[garde(inner(length(chars, min = 4, max = 200)))]
    pub phrases: Vec<String>,
}

impl Default for GuardrailSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            mode: GuardrailMode::default(),
            limits: LengthLimits::default(),
            actions: BTreeMap::new(),
            pattern_folders: Vec::new(),
            phrases: Vec::new(),
        }
    }
}

impl GuardrailSettings {
    /// Reads settings from YAML: bare, or under a top-level `guardrail:` or (as in the seed file) `input_guardrail:`.
    ///
    /// # Errors
    ///
    /// Fails if the text is not YAML, names an unknown setting, or has a value that is out of its range.
    pub(crate) fn from_yaml(text: &str) -> Result<Self, SettingsError> {
        let wrapped = text.lines().any(|line| line.starts_with("guardrail:") || line.starts_with("input_guardrail:"));
        let settings: Self =
            if wrapped { yaml::read::<WrittenFile>(text).map(|file| file.guardrail) } else { yaml::read(text) }
                .map_err(|source| SettingsError::Syntax(source.to_string()))?;
        settings.validate().map_err(|source| SettingsError::Range(source.to_string()))?;
        Ok(settings)
    }

    /// The action for `kind`: the override, or else that of the mode.
    pub fn action(&self, kind: GuardrailKind) -> GuardrailAction {
        if let Some(action) = self.actions.get(&kind) {
            return *action;
        }
        match (kind, self.mode) {
            (GuardrailKind::TooShort | GuardrailKind::TooLong | GuardrailKind::PromptInjection, _)
            | (_, GuardrailMode::Strict) => GuardrailAction::Reject,
            (_, GuardrailMode::Lenient) => GuardrailAction::Redact,
        }
    }
}

/// Bounds on the length of a text, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(default, deny_unknown_fields)]
#[garde(allow_unvalidated)]
pub struct LengthLimits {
    /// Fewest characters of any text, code and logs included. If absent, 50; or 10 if the policy decides by readings,
    /// which can judge a text with little content.
    #[garde(inner(range(max = 10_000)))]
    pub min_length: Option<usize>,
    /// Most characters of a ticket whose source is known, code and logs left out.
    #[garde(range(min = 100, max = 10_000_000))]
    pub max_length: usize,
    /// Most characters of a document, a transcript or a text of unknown source, code and logs left out.
    #[garde(range(min = 100, max = 10_000_000))]
    pub max_document_length: usize,
}

impl Default for LengthLimits {
    fn default() -> Self {
        Self { min_length: None, max_length: 10_000, max_document_length: 200_000 }
    }
}

/// The fewest characters under the rules, as in the source documents.
const FEWEST: usize = 50;
/// The fewest characters of a text that can be judged.
const FEWEST_OF_ALL: usize = 10;

impl LengthLimits {
    /// The lower bound. Its default depends on whether the text is judged by readings.
    pub fn lower(&self, by_readings: bool) -> usize {
        self.min_length.unwrap_or(if by_readings { FEWEST_OF_ALL } else { FEWEST })
    }

    /// The upper bound for a kind of document; a text of unknown source may be as long as a document.
    pub fn upper(&self, source: Option<SourceType>) -> usize {
        match source {
            Some(SourceType::JiraTicket | SourceType::GitHubIssue | SourceType::PlainText) => self.max_length,
            Some(SourceType::PrdDoc | SourceType::MeetingTranscript) | None => {
                self.max_document_length.max(self.max_length)
            }
        }
    }
}

/// The reason why settings could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The text is not YAML, or not the settings of a guardrail.
    #[error("reading the guardrail settings: {0}")]
    Syntax(String),
    /// A value is out of its range.
    #[error("checking the guardrail settings: {0}")]
    Range(String),
}

#[derive(Deserialize)]
struct WrittenFile {
    #[serde(alias = "input_guardrail")]
    guardrail: GuardrailSettings,
}

/// Settings as written: reqgate's own names together with those of the seed file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "GuardrailSettings")]
struct WrittenSettings {
    /// False switches every check off.
    enabled: Option<bool>,
    /// The action for personal data and secrets: `lenient` redacts them, `strict` rejects the text.
    mode: Option<GuardrailMode>,
    /// Bounds on the length of a text, in characters.
    limits: Option<LengthLimits>,
    /// The action for a kind, if it differs from the mode.
    actions: BTreeMap<GuardrailKind, GuardrailAction>,
    /// Folders with more pattern files.
    pattern_folders: Vec<PathBuf>,
    /// Phrases that count as prompt injection anywhere in a text.
    phrases: Vec<String>,
    /// Seed file: same as `limits.min_length`.
    min_length: Option<usize>,
    /// Seed file: same as `limits.max_length`.
    max_length: Option<usize>,
    /// Seed file: personal data.
    pii_detection: Option<WrittenPersonalData>,
    /// Seed file: prompt injection.
    prompt_injection: Option<WrittenInjection>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct WrittenPersonalData {
    enabled: bool,
    mode: Option<GuardrailMode>,
    patterns: WrittenPersonalKinds,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct WrittenPersonalKinds {
    email: bool,
    phone: bool,
    credit_card: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct WrittenInjection {
    enabled: bool,
    action: WrittenInjectionAction,
    patterns: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum WrittenInjectionAction {
    #[default]
    Reject,
    Sanitize,
    Warn,
}

impl Default for WrittenPersonalData {
    fn default() -> Self {
        Self { enabled: true, mode: None, patterns: WrittenPersonalKinds::default() }
    }
}

impl Default for WrittenPersonalKinds {
    fn default() -> Self {
        Self { email: true, phone: true, credit_card: true }
    }
}

impl Default for WrittenInjection {
    fn default() -> Self {
        Self { enabled: true, action: WrittenInjectionAction::Reject, patterns: Vec::new() }
    }
}

impl TryFrom<WrittenSettings> for GuardrailSettings {
    type Error = String;

    fn try_from(written: WrittenSettings) -> Result<Self, String> {
        let mut limits = written.limits.unwrap_or_default();
        limits.min_length = written.min_length.or(limits.min_length);
        limits.max_length = written.max_length.unwrap_or(limits.max_length);
        if let Some(fewest) = limits.min_length.filter(|fewest| *fewest > limits.max_length) {
            return Err(format!("min_length {fewest} is more than max_length {}", limits.max_length));
        }
        let mut settings = Self {
            enabled: written.enabled.unwrap_or(true),
            mode: written.mode.unwrap_or_default(),
            limits,
            actions: BTreeMap::new(),
            pattern_folders: written.pattern_folders,
            phrases: written.phrases,
        };
        if let Some(personal) = written.pii_detection {
            settings.take_personal_data(&personal);
        }
        if let Some(injection) = written.prompt_injection {
            settings.take_injection(injection);
        }
        settings.actions.extend(written.actions);
        Ok(settings)
    }
}

impl GuardrailSettings {
    fn take_personal_data(&mut self, written: &WrittenPersonalData) {
        self.mode = written.mode.unwrap_or(self.mode);
        let kinds = &written.patterns;
        let off = PERSONAL_KINDS.into_iter().filter(|kind| match kind {
            GuardrailKind::Email => !(written.enabled && kinds.email),
            GuardrailKind::Phone => !(written.enabled && kinds.phone),
            GuardrailKind::PaymentCard => !(written.enabled && kinds.credit_card),
            _ => !written.enabled,
        });
        self.actions.extend(off.map(|kind| (kind, GuardrailAction::Off)));
    }

    fn take_injection(&mut self, written: WrittenInjection) {
        let action = match (written.enabled, written.action) {
            (false, _) => GuardrailAction::Off,
            (true, WrittenInjectionAction::Reject) => GuardrailAction::Reject,
            (true, WrittenInjectionAction::Sanitize) => GuardrailAction::Redact,
            (true, WrittenInjectionAction::Warn) => GuardrailAction::Warn,
        };
        self.actions.insert(GuardrailKind::PromptInjection, action);
        let covered = |phrase: &String| COVERED_PHRASES.contains(&phrase.to_lowercase().as_str());
        self.phrases.extend(written.patterns.into_iter().filter(|phrase| !covered(phrase)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_lenient_and_reject_injection() {
        let settings = GuardrailSettings::default();
        assert_eq!(settings.action(GuardrailKind::Email), GuardrailAction::Redact);
        assert_eq!(settings.action(GuardrailKind::PromptInjection), GuardrailAction::Reject);
        assert_eq!(settings.action(GuardrailKind::TooLong), GuardrailAction::Reject);
    }

    #[test]
    fn strict_mode_rejects_secrets_unless_overridden() {
        let settings = GuardrailSettings::from_yaml("mode: strict\nactions:\n  phone: warn\n").unwrap();
        assert_eq!(settings.action(GuardrailKind::Secret), GuardrailAction::Reject);
        assert_eq!(settings.action(GuardrailKind::Phone), GuardrailAction::Warn);
    }

    #[test]
    fn the_seed_file_is_converted() {
        let text = "input_guardrail:\n  min_length: 40\n  max_length: 9000\n  pii_detection:\n    enabled: true\n    \
                    mode: \"strict\"\n    patterns:\n      email: true\n      phone: true\n      credit_card: false\n  \
                    prompt_injection:\n    enabled: true\n    action: \"sanitize\"\n    patterns:\n      \
                    - \"you are now\"\n      - \"open sesame\"\n";
        let settings = GuardrailSettings::from_yaml(text).unwrap();
        assert_eq!((settings.limits.min_length, settings.limits.max_length), (Some(40), 9000));
        assert_eq!(settings.action(GuardrailKind::Email), GuardrailAction::Reject);
        assert_eq!(settings.action(GuardrailKind::PaymentCard), GuardrailAction::Off);
        assert_eq!(settings.action(GuardrailKind::PromptInjection), GuardrailAction::Redact);
        assert_eq!(settings.phrases, ["open sesame"]);
    }

    #[test]
    fn an_unknown_setting_is_refused() {
        assert!(GuardrailSettings::from_yaml("enabeld: true\n").is_err());
        assert!(GuardrailSettings::from_yaml("min_length: 500\nmax_length: 200\n").is_err());
    }

    #[test]
    fn documents_may_be_longer_than_tickets() {
        let limits = LengthLimits::default();
        assert_eq!(limits.upper(Some(SourceType::PrdDoc)), 200_000);
        assert_eq!(limits.upper(Some(SourceType::JiraTicket)), 10_000);
        assert_eq!(limits.upper(None), 200_000);
    }
}
