//! The contribution of a language model to a run, its discarded statements and its cost. A model never gives a verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{RuleId, Span, TicketType, Verdict};

/// Which prompt was sent, so that an answer can be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptReference {
    /// Name and version, e.g. `scoring_v1`.
    pub id: String,
    /// First 16 hexadecimal digits of the SHA-256 of its text.
    pub hash: String,
}

/// A task for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelTask {
    /// Which sentences of the text are what.
    Structuring,
    /// Find unclear points, with evidence.
    Scoring,
    /// Questions to the author and rewrites.
    Clarify,
    /// A reader's judgement: kind, readiness, questions. Asked in place of the others where readings decide.
    Reading,
}

impl ModelTask {
    /// Every value, in the order in which they are asked.
    pub const ALL: [Self; 4] = [Self::Structuring, Self::Scoring, Self::Clarify, Self::Reading];

    /// The wire name, e.g. `structuring`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structuring => "structuring",
            Self::Scoring => "scoring",
            Self::Clarify => "clarify",
            Self::Reading => "reading",
        }
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
        /// Why, masked and cut.
        reason: String,
    },
    /// It was not asked.
    NotAsked {
        /// Why.
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
    /// There is nothing to ask about.
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
    /// The cache.
    Cache,
    /// A recording.
    Recording,
}

/// Tokens of this run; 0 for an answer from the cache or a recording, and for figures that the provider does not
/// report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelUsage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written, thinking included.
    pub output_tokens: u64,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

/// One request to a model and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelStep {
    /// The task.
    pub task: ModelTask,
    /// The prompt.
    pub prompt: PromptReference,
    /// The end of the step.
    pub end: ModelStepEnd,
    /// Attempts that were made; 0 if it was not asked.
    pub attempts: u32,
    /// The origin of the answer, if there is one.
    pub origin: Option<AnswerOrigin>,
    /// The usage.
    pub usage: ModelUsage,
}

/// A level of the fallback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FallbackLevel {
    /// The rules and the model.
    RulesAndModel,
    /// The rules alone.
    Rules,
    /// The raw text: nothing could be structured.
    RawText,
}

/// A part of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftPart {
    /// The title.
    Title,
    /// Who, what and why.
    Story,
    /// A condition of acceptance.
    AcceptanceCriterion,
    /// An error, a limit, an exception.
    EdgeCase,
    /// Something the text refers to.
    Resource,
    /// Something left undecided.
    OpenPoint,
}

/// A place that rules and model read differently. The rules' reading is the one that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// Where.
    pub span: Span,
    /// The part according to the rules; `None` for nothing in particular.
    pub rules: Option<DraftPart>,
    /// The part according to the model; `None` for nothing in particular.
    pub model: Option<DraftPart>,
}

/// Something a model said that was thrown away.
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
    /// It says that something is missing that the rules found.
    Contradicted,
    /// It answers a question that was not asked, or one for the second time.
    NotAsked,
    /// It is worse than its problems: a grade without evidence.
    NoEvidence,
    /// It changes or adds a number, a name, a quoted word, or a word that the text does not have.
    ChangesFacts,
    /// It contains an address that the text does not have, or is addressed to a model.
    Unsafe,
    /// It is empty, too long, in another language, not a question, or says nothing about the text.
    Unusable,
    /// There were already enough.
    TooMany,
}

/// A criterion of the rubric that the model's evidence lowered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lowered {
    /// The criterion of the rubric.
    pub criterion: String,
    /// The finding that says why.
    pub rule_id: RuleId,
    /// Share of its points that the rules gave, 0 to 1.
    pub from: f64,
    /// Share of its points that is left.
    pub to: f64,
}

/// Another wording of a sentence, with a blank for everything unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rewrite {
    /// The sentence.
    pub span: Span,
    /// The new wording; `____` is a blank.
    pub words: String,
}

/// A part of a ticket that a reader can point at, as evidence that it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EvidencePart {
    /// A result that a tester can check.
    Criterion,
    /// How to make it happen.
    Step,
    /// The behaviour that should be seen.
    Expected,
    /// The behaviour that is seen: a message, a log, a value.
    Actual,
    /// Version, platform or setup.
    Environment,
}

impl EvidencePart {
    /// Every part of a ticket.
    pub const ALL: [Self; 5] = [Self::Criterion, Self::Step, Self::Expected, Self::Actual, Self::Environment];

    /// The wire name, e.g. `criterion`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Criterion => "criterion",
            Self::Step => "step",
            Self::Expected => "expected",
            Self::Actual => "actual",
            Self::Environment => "environment",
        }
    }

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
    /// True if at least one of its questions must be answered before the work can start.
    pub must: bool,
    /// How many of its questions passed the checks.
    pub questions: usize,
    /// Probability of "not ready" by the estimate alone, 0 to 1.
    pub rules_not_ready: f64,
    /// Probability of "not actionable" by the estimate alone, 0 to 1.
    pub rules_not_actionable: f64,
    /// Parts of a ticket that the rules had missed, with the words that are one: only these can raise the score.
    pub evidence: Vec<(EvidencePart, Span)>,
    /// True if something left open, or a contradiction, keeps the evidence from raising the score.
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
    /// The score of the rules alone; the score with a model is higher only by the evidence of `reading`.
    pub rules_score: f64,
    /// The verdict of the rules alone; the verdict with a model is better only by the evidence of `reading`.
    pub rules_verdict: Verdict,
    /// Its judgement as a reader, where readings decide and it gave one.
    pub reading: Option<ModelReading>,
    /// Items of the draft that only the model saw, each word for word in the text.
    pub added_items: Vec<(DraftPart, Span)>,
    /// Criteria of the rubric that it lowered.
    pub lowered: Vec<Lowered>,
    /// The number of findings that it added.
    pub added_findings: usize,
    /// Its questions, which replace those of the rules about the same findings.
    pub questions: Vec<String>,
    /// Its rewrites.
    pub rewrites: Vec<Rewrite>,
    /// Places that rules and model read differently.
    pub disagreements: Vec<Disagreement>,
    /// The discarded statements.
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
