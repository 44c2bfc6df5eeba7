//! What a person may know of a rule without knowing how it works: feeds `rules`, `explain`, SARIF and the docs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Category, RuleId, Severity};

/// How often a rule was right on labelled text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredPrecision {
    /// Share of its findings that the labels confirm, 0 to 1.
    pub precision: f64,
    /// How many findings were judged.
    pub n: usize,
}

/// The public face of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleCard {
    /// Its kebab-case id.
    pub id: RuleId,
    /// What its findings are about.
    pub category: Category,
    /// How much a finding weighs unless a rubric or a configuration says otherwise.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub summary: String,
    /// Why it matters, one or two sentences.
    pub why: String,
    /// The question it puts to the author.
    pub question: String,
    /// How to mend it.
    pub fix: String,
    /// Where the rule or its figure comes from, e.g. `QUS: atomic` or `INCOSE R7`.
    pub source: Option<String>,
    /// An example that must fire.
    pub bad_example: Option<String>,
    /// An example that must not.
    pub good_example: Option<String>,
    /// Measured precision, if it was measured.
    pub precision: Option<MeasuredPrecision>,
}
