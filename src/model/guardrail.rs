//! What the guardrail found: kinds, places and what was done about them, never the values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Span;

/// What kind of thing the guardrail found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuardrailKind {
    /// Fewer characters than the lower bound.
    TooShort,
    /// More characters than the upper bound.
    TooLong,
    /// E-mail address of a person.
    Email,
    /// Telephone number.
    Phone,
    /// Payment card number that passes the Luhn check.
    PaymentCard,
    /// International bank account number that passes its check digits.
    Iban,
    /// Number of a national identity document (US SSN, Chinese resident identity card, …).
    NationalId,
    /// Date of birth that is labelled as one.
    BirthDate,
    /// Public IP address.
    IpAddress,
    /// Key, token, password or private key.
    Secret,
    /// Words addressed to a language model or hidden from a human reader.
    PromptInjection,
}

/// What an installation wants done when a kind is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailAction {
    /// Stop the run: verdict `GUARDRAIL_REJECTED`.
    Reject,
    /// Go on with the value replaced by its kind wherever the text is shown or sent.
    Redact,
    /// Go on and say so.
    Warn,
    /// Do not look.
    Off,
}

/// How strict the guardrail is where the configuration does not say it per kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailMode {
    /// Personal data and secrets are redacted, never decisive.
    #[default]
    Lenient,
    /// Personal data and secrets stop the run.
    Strict,
}

/// One thing the guardrail found. The value itself is nowhere in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardrailFinding {
    /// What was found.
    pub kind: GuardrailKind,
    /// Id of the pattern or check that found it, e.g. `email-address` or `instruction-override`.
    pub pattern: String,
    /// Where it stands; `None` for the length checks and for what stands beside the text (labels, names of files).
    pub span: Option<Span>,
    /// What is done about it.
    pub action: GuardrailAction,
    /// One sentence for the author, without the value.
    pub message: String,
}

/// How the guardrail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailStatus {
    /// Nothing stops the run.
    Passed,
    /// At least one finding stops the run.
    Rejected,
    /// Switched off by the configuration; not the same as passed.
    Skipped,
}

/// The guardrail's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardrailReport {
    /// How it ended.
    pub status: GuardrailStatus,
    /// Characters counted against the limits: fenced code and pasted logs do not count towards the upper one.
    pub counted_characters: usize,
    /// Everything that was found, in the order of the text.
    pub findings: Vec<GuardrailFinding>,
}

impl GuardrailReport {
    /// True unless a finding stops the run.
    pub fn lets_through(&self) -> bool {
        self.status != GuardrailStatus::Rejected
    }
}
