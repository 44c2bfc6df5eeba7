//! The part of `reqgate/outcome/v1` about a language model. It is absent if no model was requested.

use schemars::JsonSchema;
use serde::Serialize;

use super::Place;
use reqgate_base::model::{
    AnswerOrigin, Discarded, DraftPart, EvidencePart, FallbackLevel, Lowered, ModelTask, ModelUsage, PromptReference,
    TicketType, Verdict,
};

/// The contribution of a language model, the discarded statements, and the usage. Only words of the text can make it improve
/// a verdict.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Model {
    /// Provider and name, e.g. `openai/NAME`.
    pub model: String,
    /// Host that the masked text is sent to; null if it is not known.
    pub host: Option<String>,
    /// Hash of the questions to the model under the rubric; null if there are none.
    pub witness_hash: Option<String>,
    /// The basis of the draft.
    pub structuring: FallbackLevel,
    /// The basis of the score.
    pub scoring: FallbackLevel,
    /// Score of the rules alone; `total_score` is higher only by the evidence of `reading`.
    pub rules_score: f64,
    /// Verdict of the rules alone; the verdict is better only by the evidence of `reading`.
    pub rules_verdict: Verdict,
    /// The judgement of the model as a reader; absent if the policy does not use readings, or if no answer came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<ModelReading>,
    /// The steps, in order.
    pub steps: Vec<ModelStep>,
    /// The usage of all steps in this run.
    pub usage: ModelUsage,
    /// Findings that the model added to the score report; their ids begin with `model-`.
    pub added_findings: usize,
    /// Criteria of the rubric that the model lowered.
    pub lowered: Vec<Lowered>,
    /// Items that only the model saw, each word for word in the text.
    pub added_items: Vec<DraftItem>,
    /// The questions of the model, which replace those of the rules about the same findings.
    pub questions: Vec<String>,
    /// Its rewrites; `____` is a blank for the author to fill in.
    pub rewrites: Vec<Rewrite>,
    /// Places that rules and model read differently; the rules' reading counts.
    pub disagreements: Vec<Disagreement>,
    /// The statements that were discarded.
    pub discarded: Vec<Discarded>,
}

/// A model's judgement of a ticket, and its effect on the verdict.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelReading {
    /// Id of the calibration that turned it into probabilities.
    pub calibration: String,
    /// The kind of ticket according to the model; null if none fits.
    pub kind: Option<TicketType>,
    /// 4: work can start. 3: work can start with a small assumption. 2: one answer is needed before the end. 1: one
    /// answer is needed before the start. 0: the wish is unclear.
    pub ready: u8,
    /// One of its questions must be answered before the start.
    pub must: bool,
    /// The number of its questions that passed the checks.
    pub questions: usize,
    /// Probability of "not ready" by the estimate alone, 0 to 1.
    pub rules_not_ready: f64,
    /// Probability of "not actionable" by the estimate alone, 0 to 1.
    pub rules_not_actionable: f64,
    /// Words of the text that are a part which the rules missed; only these can raise the score.
    pub evidence: Vec<QuotedPart>,
    /// An open point or a contradiction keeps the evidence from raising the score.
    pub held_down: bool,
}

/// A part of a ticket at its place.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct QuotedPart {
    /// The part of a ticket.
    pub part: EvidencePart,
    /// The words, as they are in the text.
    pub quote: String,
    /// The place of the words.
    pub place: Place,
}

/// One request and its result.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelStep {
    /// The task of the request.
    pub task: ModelTask,
    /// The prompt that was sent.
    pub prompt: PromptReference,
    /// The result of the step.
    pub status: StepEnd,
    /// The reason for a missing answer; null if there is an answer.
    pub reason: Option<String>,
    /// The number of replies that were read; 0 if no request was sent or if it failed.
    pub attempts: u32,
    /// The origin of the answer; null if there is none.
    pub origin: Option<AnswerOrigin>,
    /// The usage of this step in this run.
    pub usage: ModelUsage,
}

/// The result of a step.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum StepEnd {
    /// An answer came and was checked.
    Answered,
    /// No usable answer came; the run went on with the rules.
    Failed,
    /// The model was not asked.
    NotAsked,
}

/// An item of the draft.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DraftItem {
    /// The kind of item.
    pub part: DraftPart,
    /// The place of the item.
    pub place: Place,
}

/// Another wording of a sentence.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rewrite {
    /// The place of the sentence.
    pub place: Place,
    /// The new wording of the sentence.
    pub words: String,
}

/// A place that is read in two ways.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Disagreement {
    /// The place of the words.
    pub place: Place,
    /// The part according to the rules; null for no part.
    pub rules: Option<DraftPart>,
    /// The part according to the model; null for no part.
    pub model: Option<DraftPart>,
}
