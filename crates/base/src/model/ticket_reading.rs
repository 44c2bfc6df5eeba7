//! A reader's judgement of a ticket: its kind, how ready it is, and the questions to its author.
//!
//! The local reader, a model, a coding agent and a person all give the same type.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Span, TicketType};

/// The subject of a question to the author of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionCode {
    /// How to reproduce it: steps, input, an example.
    Reproduce,
    /// The exact symptom: message, log, value.
    Actual,
    /// The behaviour that should be seen instead.
    Expected,
    /// Version, platform or setup.
    Environment,
    /// Page, component, endpoint or file.
    Where,
    /// The thing to be built or changed.
    What,
    /// Who needs it, and for what.
    Why,
    /// How to see that it is done: values, criteria, limits.
    Done,
    /// An open choice, or a contradiction in the text.
    Decide,
    /// The boundaries of the work, or too much in one ticket.
    Scope,
    /// Something outside the text on which it depends.
    Context,
    /// Anything else.
    Other,
}

impl QuestionCode {
    /// Every code, in the order of the readers' guide.
    pub const ALL: [Self; 12] = [
        Self::Reproduce,
        Self::Actual,
        Self::Expected,
        Self::Environment,
        Self::Where,
        Self::What,
        Self::Why,
        Self::Done,
        Self::Decide,
        Self::Scope,
        Self::Context,
        Self::Other,
    ];

    /// The wire name, e.g. `reproduce`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduce => "reproduce",
            Self::Actual => "actual",
            Self::Expected => "expected",
            Self::Environment => "environment",
            Self::Where => "where",
            Self::What => "what",
            Self::Why => "why",
            Self::Done => "done",
            Self::Decide => "decide",
            Self::Scope => "scope",
            Self::Context => "context",
            Self::Other => "other",
        }
    }
}

/// A question to the author.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReaderQuestion {
    /// Its subject.
    pub code: QuestionCode,
    /// The question in one sentence, in the language of the report.
    pub ask: String,
    /// True if work cannot start without the answer.
    pub must: bool,
    /// The words that raise it; `None` if the text says nothing about it.
    pub span: Option<Span>,
    /// Probability that a careful reader asks about this subject, 0 to 1; 1 where only a model asks.
    pub probability: f64,
}

/// One reader's judgement of one ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TicketReading {
    /// Kind of ticket.
    pub kind: TicketType,
    /// 4: start now. 3: start with a small assumption. 2: one answer is needed before the end. 1: one is needed before
    /// the start. 0: nobody can tell what is wanted.
    pub ready: u8,
    /// Probability that a careful reader needs an answer before the work can be finished (readiness 2 or below), 0 to 1.
    pub not_ready: f64,
    /// Probability that a careful reader cannot start (readiness 1 or below), 0 to 1.
    pub not_actionable: f64,
    /// At most three questions, the most probable first; empty where a reader would ask nothing.
    pub questions: Vec<ReaderQuestion>,
    /// The elements of a ticket, each with the probability that the text has it; empty for a reader who does not say.
    #[serde(default)]
    pub found: Vec<FoundElement>,
    /// The weights of the user's own team that took part, if any did.
    pub team: Option<TeamReference>,
}

/// Which weights of a team were used, so that a verdict can be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TeamReference {
    /// The repository or the files that they were learned from.
    pub from: String,
    /// From how many tickets.
    pub tickets: usize,
    /// First 16 hexadecimal digits of the SHA-256 of their content.
    pub hash: String,
}

/// The names of the elements of a ticket, in the order of a report.
pub const ELEMENT_NAMES: [&str; 9] =
    ["need", "actual", "expected", "steps", "environment", "where", "criterion", "why", "who"];

/// An element that a ticket may have, such as steps or a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundElement {
    /// Its name, one of [`ELEMENT_NAMES`].
    pub element: String,
    /// Probability that the text has it, 0 to 1.
    pub probability: f64,
    /// The words, where they were found.
    pub span: Option<Span>,
}
