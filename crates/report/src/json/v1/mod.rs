//! The frozen shape of `reqgate/outcome/v1`.
//!
//! This contract may only grow, and a snapshot of the schema freezes it. A field is never renamed, removed or given
//! another meaning; such a change needs a `v2`. Types of the program with the same form are separate from these.

mod model;
mod reading;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::{InputError, Summary};
pub use model::{Disagreement, DraftItem, Model, ModelReading, ModelStep, QuotedPart, Rewrite, StepEnd};
pub use reading::{FoundElement, Reading, ReadingQuestion};
use reqgate_base::model::{
    Basis, BlockReason, Category, DimensionScore, GuardrailAction, GuardrailKind, GuardrailStatus, Language, NotJudged,
    Origin, PrdDraft, Priority, RubricReference, Severity, SourceType, Stage, TicketType, Verdict,
};

/// The name and version of this shape, in the field `schema` of every report.
pub(crate) const SCHEMA: &str = "reqgate/outcome/v1";

/// A report of reqgate on one or more inputs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "reqgate/outcome/v1")]
pub struct Report {
    /// The name of the schema, always `reqgate/outcome/v1`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: &'static str,
    /// The program that wrote the report.
    pub tool: Tool,
    /// One entry per input that was judged, in the order in which they were given.
    pub outcomes: Vec<Outcome>,
    /// The inputs that could not be read or judged.
    pub errors: Vec<InputError>,
    /// The number of inputs by result.
    pub summary: Summary,
}

/// The program that wrote the report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tool {
    /// The name of the program, always `reqgate`.
    pub name: &'static str,
    /// Version of the program, e.g. `1.2.0`.
    pub version: &'static str,
}

/// The result for one input.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Outcome {
    /// Name of the input: a path, `-`, or `file.jsonl:12`.
    pub input: String,
    /// The judged text and its known properties.
    pub packet: Packet,
    /// The report of the guardrail.
    pub guardrail: Guardrail,
    /// The structured form; null if the text does not fill it or if structuring did not run.
    pub structured_prd: Option<PrdDraft>,
    /// The places of the items of `structured_prd` in the text; null if structuring did not run.
    pub grounding: Option<Grounding>,
    /// The structure check passed; null if it did not run.
    pub structure_check_passed: Option<bool>,
    /// The errors of the structure check.
    pub structure_errors: Vec<String>,
    /// The remarks of the structure check.
    pub structure_warnings: Vec<String>,
    /// The score; null if the text was not scored.
    pub score_report: Option<ScoreReport>,
    /// The gate lets the input through: verdict `PASS` or `NOT_APPLICABLE`.
    pub gate_decision: bool,
    /// The decision with its reasons.
    pub decision: Decision,
    /// Structuring ran and gave no draft.
    pub fallback_activated: bool,
    /// Structuring was switched off.
    pub structuring_skipped: bool,
    /// Attempts beyond the first at a model call; 0 without a model.
    pub retry_count: u32,
    /// Errors that did not end the run.
    pub error_logs: Vec<String>,
    /// The last stage that ran.
    pub current_stage: Stage,
    /// Seconds per stage that ran; the only part that differs from run to run.
    #[serde(serialize_with = "as_map")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub execution_times: Vec<(&'static str, f64)>,
    /// The contribution of a language model; absent if no model was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// The estimated reading of the ticket; absent if the policy does not use readings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// The stamp of a ready text, `ready@` with 16 digits for the text and 8 for policy and rubric; absent unless the verdict is PASS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// The signs for and against each facet; only on request (`--explain`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Vec<FacetEvidence>>,
}

/// Keeps the order of the stages, which a sorted map would lose.
fn as_map<S: Serializer>(times: &[(&'static str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(times.iter().copied())
}

/// The judged text and its known properties.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Packet {
    /// The screened text that all spans point into, personal data and secrets masked byte for byte. Only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_text: Option<String>,
    /// The number or key of the ticket, if its source states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The title, masked like the text; absent if the ticket has none, or if the guardrail stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address of the ticket, if its source states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The place of the title, if the source has it separate from the body.
    pub title_span: Option<Place>,
    /// The kind of document.
    pub source_type: SourceType,
    /// The origin of the kind of document.
    pub source_type_origin: Origin,
    /// The type of the ticket.
    pub ticket_type: TicketType,
    /// The origin of the ticket type.
    pub ticket_type_origin: Origin,
    /// Main language of the text.
    pub language: Language,
    /// The origin of the language.
    pub language_origin: Origin,
    /// Code of the language if the rules do not support it, `und` if it cannot be detected; then `language` has no
    /// meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_language: Option<&'static str>,
    /// Key of the project, two to five capital letters.
    pub project_key: Option<String>,
    /// The urgency, if it is given.
    pub priority: Option<Priority>,
    /// Labels of the ticket.
    pub labels: Vec<String>,
    /// Names of attached files.
    pub attachments: Vec<String>,
}

/// A place in the text.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Place {
    /// First byte of the UTF-8 text, counted from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first character, counted from 1.
    pub line: usize,
    /// Column of the first character in Unicode scalar values, counted from 1.
    pub column: usize,
}

/// The report of the guardrail; it never contains the values.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Guardrail {
    /// The result of the guardrail.
    pub status: GuardrailStatus,
    /// Characters counted against the limits.
    pub counted_characters: usize,
    /// Everything that was found, in the order of the text.
    pub findings: Vec<GuardrailFinding>,
}

/// One finding of the guardrail.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GuardrailFinding {
    /// The kind of finding.
    pub kind: GuardrailKind,
    /// Id of the pattern or check that found it.
    pub pattern: String,
    /// The place; null for the length checks.
    pub place: Option<Place>,
    /// The action of the guardrail.
    pub action: GuardrailAction,
    /// One sentence for the author.
    pub message: String,
}

/// The place of each item of the structured form, in its order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Grounding {
    /// The place of the title.
    pub title: Option<Place>,
    /// The places of the story; several if person, need and benefit are in different places.
    pub user_story: Vec<Place>,
    /// One place per acceptance criterion.
    pub acceptance_criteria: Vec<Place>,
    /// One place per edge case.
    pub edge_cases: Vec<Place>,
    /// One place per resource.
    pub resources: Vec<Place>,
}

/// The scores and issues of a ticket.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScoreReport {
    /// The score, 0 to 100.
    pub total_score: f64,
    /// No issue blocks and the threshold is reached.
    pub ready_for_review: bool,
    /// The dimensions in the rubric's order.
    pub dimension_scores: Vec<DimensionScore>,
    /// Points taken from the weighted sum.
    pub penalties: Vec<Penalty>,
    /// Issues that reject the ticket, most important first.
    pub blocking_issues: Vec<Issue>,
    /// Issues that only cost points, most important first.
    pub non_blocking_issues: Vec<Issue>,
    /// The report in a few lines of Markdown.
    pub summary_markdown: String,
}

/// Points taken from the total for a reason that is not a finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Penalty {
    /// The reason for the penalty.
    pub reason: String,
    /// The points, as a positive number.
    pub points: f64,
}

/// A problem to fix.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Issue {
    /// The rule that found it.
    pub rule_id: String,
    /// The severity of the issue.
    pub severity: Severity,
    /// The category of the issue.
    pub category: Category,
    /// The fault, in one sentence.
    pub description: String,
    /// The suggestion to the author.
    pub suggestion: String,
    /// The question to put to the author.
    pub question: Option<String>,
    /// The place; null if something is missing from the whole text.
    pub place: Option<Place>,
    /// The words at that place, masked, at most 200 characters.
    pub quote: Option<String>,
    /// Name of this finding; it stays the same if the line moves.
    pub fingerprint: String,
    /// The points that the issue costs.
    pub points: f64,
    /// The reason why the severity differs from the rule's own, if it does.
    pub severity_note: Option<String>,
    /// A waiver sets it aside.
    pub waived: bool,
    /// The ground of the issue: the text proves it, or a reader would probably say so.
    pub basis: Basis,
}

/// The decision of the gate.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Decision {
    /// The verdict on the input.
    pub verdict: Verdict,
    /// The reasons against a pass; empty for a pass.
    pub reasons: Vec<BlockReason>,
    /// The verdict and the main reason in one sentence.
    pub explanation: String,
    /// The reason why the text was not judged; absent if it was judged, or if it is not a requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_judged: Option<NotJudged>,
    /// The score that is needed, 0 to 100; null if the text was not scored.
    pub threshold: Option<f64>,
    /// The rubric that was applied; null if the text was not scored.
    pub rubric: Option<RubricReference>,
    /// The policy in force; null if the text was not scored.
    pub policy: Option<Policy>,
    /// The chance that the text is ready, 0 to 1; null if the text was not scored, and for a rejection that rests on
    /// facts alone.
    pub certainty: Option<f64>,
    /// The text passed with questions: a point is missing or unclear, but not surely enough to block.
    pub questions_only: bool,
    /// The waivers in force and their effects.
    pub waivers: Vec<Waiver>,
    /// The shortest path to a pass; null unless the verdict is `REJECT`.
    pub path_to_pass: Option<PathToPass>,
}

/// The policy under which a verdict was given.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Policy {
    /// Id of the policy, e.g. `ready`.
    pub id: String,
    /// The version of the policy, e.g. `1.0.0`.
    pub version: String,
    /// First 16 hexadecimal digits of the SHA-256 of its text.
    pub hash: String,
}

/// The signs for and against one facet of a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FacetEvidence {
    /// Id of the facet, e.g. `steps`.
    pub facet: String,
    /// The probability that the facet is present, 0 to 1.
    pub probability: f64,
    /// The signs that were seen.
    pub signs: Vec<FacetSign>,
}

/// A sign that was seen.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FacetSign {
    /// Id of the sign.
    pub id: String,
    /// The meaning of the sign.
    pub says: String,
    /// Its contribution to the log-odds of the facet.
    pub weight: f64,
    /// The first place where it was found; null if it is about the whole text.
    pub place: Option<Place>,
}

/// A rule that is set aside for a good reason.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Waiver {
    /// The rule that is set aside.
    pub rule: String,
    /// The reason for the waiver.
    pub reason: String,
    /// Only this finding; null means all findings of the rule.
    pub fingerprint: Option<String>,
    /// Only inputs whose name matches this glob; null means all inputs.
    pub input: Option<String>,
    /// Last day on which it holds, `YYYY-MM-DD`.
    pub expires: Option<String>,
    /// The effect of the waiver.
    pub status: WaiverStatus,
    /// The number of findings that it set aside.
    pub count: usize,
}

/// The smallest set of edits found that turns a rejection into a pass.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PathToPass {
    /// The edits, in the order in which the points were counted.
    pub edits: Vec<Edit>,
    /// Score after all of them, 0 to 100.
    pub score_after: f64,
}

/// One edit on the way to a pass.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Edit {
    /// The instruction to the author.
    pub instruction: String,
    /// The rule that it satisfies.
    pub rule_id: Option<String>,
    /// The rubric criterion that it earns.
    pub criterion: Option<String>,
    /// The place; null means anywhere in the text.
    pub place: Option<Place>,
    /// Points it adds once the edits before it are made.
    pub points: f64,
    /// The edit removes a blocker.
    pub removes_blocker: bool,
}

/// The effect of a waiver.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WaiverStatus {
    /// It set findings aside.
    Used,
    /// It matched no finding.
    Unused,
    /// It has expired and counts as absent.
    Expired,
}
