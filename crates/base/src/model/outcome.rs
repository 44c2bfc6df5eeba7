//! The complete result of a run over one input. Reports are made from this alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    GateDecision, GuardrailReport, Language, ModelReport, RequirementPacket, Structured, TicketReading,
    TicketScoreReport,
};

crate::named! {
    /// The seven nodes of the pipeline, in order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Stage {
        /// Length, personal data, secrets, prompt injection.
        InputGuardrail => "input_guardrail",
        /// The packet is validated; validation is normalisation.
        Normalize => "normalize",
        /// Text becomes a draft.
        Structuring => "structuring_agent",
        /// Hard Check #1 of the draft.
        StructureCheck => "hard_check_1",
        /// Rules and rubric are applied.
        Scoring => "scoring_agent",
        /// Hard Check #2, the decision.
        Gate => "hard_gate",
        /// The report's summary is written.
        Formatter => "formatter",
    }
}

/// Seconds per stage that ran, in order; the only part of an outcome that differs from run to run.
pub type ExecutionTimes = Vec<(Stage, f64)>;

/// The result for one input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Name of the input: a path, `-`, or `file.jsonl:12`.
    pub input: String,
    /// The packet; its `raw_text` is the screened text, with personal data and secrets masked byte for byte.
    pub packet: RequirementPacket,
    /// The language of the report about the input: the language of the ticket, unless the user chose another.
    pub language: Language,
    /// The findings of the guardrail.
    pub guardrail: GuardrailReport,
    /// The result of structuring; `None` if it did not run.
    pub structured: Option<Structured>,
    /// Structuring was switched off; then a missing draft is not a fallback.
    pub structuring_skipped: bool,
    /// Structuring ran and gave no draft.
    pub fallback_activated: bool,
    /// The result of Hard Check #1; `None` if it did not run.
    pub structure_check_passed: Option<bool>,
    /// The errors of Hard Check #1.
    pub structure_errors: Vec<String>,
    /// The remarks of Hard Check #1, e.g. on a title that does not begin with a verb.
    pub structure_warnings: Vec<String>,
    /// The score; `None` if no score was computed.
    pub score_report: Option<TicketScoreReport>,
    /// The decision of the gate.
    pub decision: GateDecision,
    /// Attempts beyond the first at a model call; always 0 without a model.
    pub retry_count: u32,
    /// Errors that did not end the run.
    pub error_logs: Vec<String>,
    /// The last stage that ran.
    pub current_stage: Stage,
    /// Seconds per stage that ran.
    pub execution_times: ExecutionTimes,
    /// The contribution of a model; `None` if the run uses no model.
    pub model: Option<ModelReport>,
    /// The estimated reading of the ticket; `None` if the policy does not use readings.
    pub reading: Option<TicketReading>,
}
