//! The findings of the guardrail: kinds, places and actions, never the values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Span;

/// The kind of a finding of the guardrail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuardrailKind {
    /// Fewer characters than the lower bound.
    TooShort,
    /// More characters than the upper bound.
    TooLong,
    /// E-mail address of a person.
    Email,
    /// Telephone number of a person.
    Phone,
    /// Payment card number that passes the Luhn check.
    PaymentCard,
    /// International bank account number that passes its check digits.
    Iban,
    /// Number of a national identity document (US SSN, Chinese resident identity card, …).
    NationalId,
    /// Date of birth that is labelled as one.
    BirthDate,
    /// IP address of the public internet.
    IpAddress,
    /// Key, token, password or private key.
    Secret,
    /// Words addressed to a language model or hidden from a human reader.
    PromptInjection,
}

/// The action of an installation for a kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailAction {
    /// Stop the run: verdict `GUARDRAIL_REJECTED`.
    Reject,
    /// Continue, with the value replaced by its kind wherever the text is shown or sent.
    Redact,
    /// Continue, with a warning.
    Warn,
    /// Do not look for it.
    Off,
}

/// The strictness of the guardrail for kinds that the configuration does not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailMode {
    /// Personal data and secrets are redacted, never decisive.
    #[default]
    Lenient,
    /// Personal data and secrets stop the run.
    Strict,
}

/// One finding of the guardrail. It never contains the value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardrailFinding {
    /// The kind of the finding.
    pub kind: GuardrailKind,
    /// Id of the pattern or check that found it, e.g. `email-address` or `instruction-override`.
    pub pattern: String,
    /// The place; `None` for the length checks and for findings outside the text (labels, names of files).
    pub span: Option<Span>,
    /// The action that was taken.
    pub action: GuardrailAction,
    /// One sentence for the author, without the value.
    pub message: String,
}

/// The result of the guardrail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailStatus {
    /// No finding stops the run.
    Passed,
    /// At least one finding stops the run.
    Rejected,
    /// Switched off by the configuration; not the same as passed.
    Skipped,
}

/// The report of the guardrail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardrailReport {
    /// The result of all findings together.
    pub status: GuardrailStatus,
    /// Characters counted against the limits: fenced code and pasted logs do not count towards the upper one.
    pub counted_characters: usize,
    /// All findings, in the order of the text.
    pub findings: Vec<GuardrailFinding>,
}

impl GuardrailReport {
    /// Returns true unless a finding stops the run.
    pub fn lets_through(&self) -> bool {
        self.status != GuardrailStatus::Rejected
    }
}
