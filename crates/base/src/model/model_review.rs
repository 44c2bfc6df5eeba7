//! The contribution of a language model to a run, its discarded statements and its cost. A model never gives a verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{RuleId, Span, TicketType, Verdict};

/// The prompt that was sent, so that an answer can be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptReference {
    /// Name and version, e.g. `scoring_v1`.
    pub id: String,
    /// First 16 hexadecimal digits of the SHA-256 of its text.
    pub hash: String,
}

crate::named! {
    /// A task for a model.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum ModelTask {
        /// Assign the sentences of the text to the parts of a draft.
        Structuring => "structuring",
        /// Find unclear points, with evidence.
        Scoring => "scoring",
        /// Questions to the author and rewrites.
        Clarify => "clarify",
        /// A reader's judgement: kind, readiness, questions. Asked in place of the others if readings decide.
        Reading => "reading",
    }
}

/// The end of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum ModelStepEnd {
    /// An answer came and was checked.
    Answered,
    /// No usable answer came; the run went on with the rules.
    Failed {
        /// The reason, masked and shortened.
        reason: String,
    },
    /// The model was not asked.
    NotAsked {
        /// The reason for not asking.
        reason: SkipReason,
    },
}

/// The reason why a model was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// A model might take something in the text for an order.
    Withheld,
    /// The text is too long.
    TooLong {
        /// The most characters that are sent.
        limit: usize,
    },
    /// The rubric has no question for a model.
    NoQuestion,
    /// No question is left to ask.
    NothingToAsk,
    /// It is a dry run.
    DryRun,
    /// The question before was not answered.
    Outage,
    /// Structuring is switched off.
    StructuringOff,
    /// The ticket is not rejected.
    NotRejected,
}

/// The origin of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOrigin {
    /// The provider, in this run.
    Provider,
    /// The cache of earlier answers.
    Cache,
    /// A recording of an earlier run.
    Recording,
}

/// Tokens of this run; 0 for an answer from the cache or a recording, and for figures that the provider does not
/// report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelUsage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the answer, thinking included.
    pub output_tokens: u64,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

/// One request to a model and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelStep {
    /// The task of the request.
    pub task: ModelTask,
    /// The prompt that was sent.
    pub prompt: PromptReference,
    /// The end of the step.
    pub end: ModelStepEnd,
    /// Attempts that were made; 0 if it was not asked.
    pub attempts: u32,
    /// The origin of the answer, if there is one.
    pub origin: Option<AnswerOrigin>,
    /// Tokens and cost of the request.
    pub usage: ModelUsage,
}

/// A level of the fallback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FallbackLevel {
    /// The rules and the model.
    RulesAndModel,
    /// The rules without a model.
    Rules,
    /// The raw text, because no draft could be made.
    RawText,
}

/// A part of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftPart {
    /// The title of the draft.
    Title,
    /// The person, the need and the benefit.
    Story,
    /// A condition of acceptance.
    AcceptanceCriterion,
    /// An error, a limit, an exception.
    EdgeCase,
    /// Something the text refers to.
    Resource,
    /// A point that the author left open.
    OpenPoint,
}

/// A place that rules and model read differently. The reading of the rules counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// The place in the text.
    pub span: Span,
    /// The part according to the rules; `None` for no part of a draft.
    pub rules: Option<DraftPart>,
    /// The part according to the model; `None` for no part of a draft.
    pub model: Option<DraftPart>,
}

/// A statement of a model that was discarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Discarded {
    /// The task that it answers.
    pub task: ModelTask,
    /// The reason why it does not count.
    pub reason: DiscardReason,
    /// The statement, masked and shortened; it is neither a fact nor a quote.
    pub said: String,
}

/// The reason why a statement of a model does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiscardReason {
    /// The words are not in the text.
    NotInText,
    /// It calls a part missing that the rules found.
    Contradicted,
    /// It answers a question that was not asked, or one for the second time.
    NotAsked,
    /// It is a grade without evidence: worse than the problems that it names.
    NoEvidence,
    /// It changes or adds a number, a name, a quoted word, or a word that the text does not have.
    ChangesFacts,
    /// It contains an address that the text does not have, or is addressed to a model.
    Unsafe,
    /// It is empty, too long, in another language, not a question, or unrelated to the text.
    Unusable,
    /// The limit was already reached.
    TooMany,
}

/// A criterion of the rubric that the model's evidence lowered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lowered {
    /// The criterion of the rubric.
    pub criterion: String,
    /// The rule of the finding that lowered it.
    pub rule_id: RuleId,
    /// Share of its points that the rules gave, 0 to 1.
    pub from: f64,
    /// Share of its points that is left.
    pub to: f64,
}

/// Another wording of a sentence, with a blank for everything unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rewrite {
    /// The place of the sentence.
    pub span: Span,
    /// The new wording; `____` is a blank.
    pub words: String,
}

crate::named! {
    /// A part of a ticket that a reader can point at as evidence.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum EvidencePart {
        /// A result that a tester can check.
        Criterion => "criterion",
        /// A step that reproduces the fault.
        Step => "step",
        /// The behaviour that should be seen.
        Expected => "expected",
        /// The behaviour that is seen: a message, a log, a value.
        Actual => "actual",
        /// Version, platform or setup.
        Environment => "environment",
    }
}

impl EvidencePart {
    /// The facets of `rubrics/facets/` by which the rules recognise the part.
    pub fn facets(self) -> &'static [&'static str] {
        match self {
            Self::Criterion => &["criteria"],
            Self::Step => &["steps"],
            Self::Expected => &["expected-stated", "expected-implied"],
            Self::Actual => &["actual"],
            Self::Environment => &["environment-stated", "environment-not-needed"],
        }
    }
}

/// A model's judgement of a ticket, and how it was counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelReading {
    /// Id of the calibration by which it was counted.
    pub calibration: String,
    /// The kind of ticket that the model takes it for; `None` for none of them, e.g. spam.
    pub kind: Option<TicketType>,
    /// Readiness, 0 to 4, as in [`super::TicketReading`].
    pub ready: u8,
    /// At least one of its questions must be answered before the work can start.
    pub must: bool,
    /// The number of its questions that passed the checks.
    pub questions: usize,
    /// Probability of "not ready" by the estimate alone, 0 to 1.
    pub rules_not_ready: f64,
    /// Probability of "not actionable" by the estimate alone, 0 to 1.
    pub rules_not_actionable: f64,
    /// Parts of a ticket that the rules had missed, with the words that are one: only these can raise the score.
    pub evidence: Vec<(EvidencePart, Span)>,
    /// An open point or a contradiction keeps the evidence from raising the score.
    pub held_down: bool,
}

/// The contribution of a model to a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelReport {
    /// Provider and model, e.g. `openai/NAME`.
    pub model: String,
    /// Host that the text is sent to; `None` if it is not known.
    pub host: Option<String>,
    /// Hash of the questions to the model under the rubric; `None` if there are none.
    pub questions_hash: Option<String>,
    /// The basis of the draft.
    pub structuring: FallbackLevel,
    /// The basis of the score.
    pub scoring: FallbackLevel,
    /// The steps, in order.
    pub steps: Vec<ModelStep>,
    /// The score of the rules alone; only the evidence of `reading` can raise the score above it.
    pub rules_score: f64,
    /// The verdict of the rules alone; only the evidence of `reading` can improve it.
    pub rules_verdict: Verdict,
    /// Its judgement as a reader, if readings decide and it gave one.
    pub reading: Option<ModelReading>,
    /// Items of the draft that only the model saw, each word for word in the text.
    pub added_items: Vec<(DraftPart, Span)>,
    /// Criteria of the rubric that it lowered.
    pub lowered: Vec<Lowered>,
    /// The number of findings that it added.
    pub added_findings: usize,
    /// Its questions, which replace those of the rules about the same findings.
    pub questions: Vec<String>,
    /// Its rewrites of sentences.
    pub rewrites: Vec<Rewrite>,
    /// Places that rules and model read differently.
    pub disagreements: Vec<Disagreement>,
    /// The statements of the model that were discarded.
    pub discarded: Vec<Discarded>,
    /// In a replayed run, a request that is not in the recording: the run is not the recorded one.
    pub unrecorded: Option<String>,
}

impl ModelReport {
    /// The usage of all steps together.
    pub fn usage(&self) -> ModelUsage {
        self.steps.iter().fold(ModelUsage::default(), |sum, step| ModelUsage {
            input_tokens: sum.input_tokens + step.usage.input_tokens,
            output_tokens: sum.output_tokens + step.usage.output_tokens,
            cost: match (sum.cost, step.usage.cost) {
                (None, None) => None,
                (one, other) => Some(one.unwrap_or_default() + other.unwrap_or_default()),
            },
        })
    }

    /// Returns true if the model was asked: the masked text went to the host in this run or in an earlier one.
    pub fn was_asked(&self) -> bool {
        self.steps.iter().any(|step| !matches!(step.end, ModelStepEnd::NotAsked { .. }))
    }

    /// The first step that failed, with the reason.
    pub fn failure(&self) -> Option<(ModelTask, &str)> {
        self.steps.iter().find_map(|step| match &step.end {
            ModelStepEnd::Failed { reason } => Some((step.task, reason.as_str())),
            _ => None,
        })
    }
}
