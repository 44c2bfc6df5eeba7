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

/// The action of an installation for a kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuardrailAction {
    /// Stop the run: verdict `GUARDRAIL_REJECTED`.
    Reject,
    /// Continue, with the value replaced by its kind wherever the text is shown or sent.
    Redact,
    /// Continue and warn.
    Warn,
    /// Do not look.
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

/// One thing the guardrail found. The value itself is nowhere in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardrailFinding {
    /// The kind.
    pub kind: GuardrailKind,
    /// Id of the pattern or check that found it, e.g. `email-address` or `instruction-override`.
    pub pattern: String,
    /// The place; `None` for the length checks and for findings outside the text (labels, names of files).
    pub span: Option<Span>,
    /// The action taken.
    pub action: GuardrailAction,
    /// One sentence for the author, without the value.
    pub message: String,
}

/// The result of the guardrail.
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
    /// The result.
    pub status: GuardrailStatus,
    /// Characters counted against the limits: fenced code and pasted logs do not count towards the upper one.
    pub counted_characters: usize,
    /// Everything that was found, in the order of the text.
    pub findings: Vec<GuardrailFinding>,
}

impl GuardrailReport {
    /// Returns true unless a finding stops the run.
    pub fn lets_through(&self) -> bool {
        self.status != GuardrailStatus::Rejected
    }
}
