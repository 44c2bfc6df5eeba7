//! A reader's judgement of a ticket: its kind, how ready it is, and the questions to its author.
//!
//! The local reader, a model, a coding agent and a person all give the same type.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Span, TicketType};

crate::named! {
    /// The subject of a question to the author of a ticket.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum QuestionCode {
        /// The way to reproduce it: steps, input, an example.
        Reproduce => "reproduce",
        /// The exact symptom: message, log, value.
        Actual => "actual",
        /// The behaviour that should be seen instead.
        Expected => "expected",
        /// Version, platform or setup.
        Environment => "environment",
        /// Page, component, endpoint or file.
        Where => "where",
        /// The thing to be built or changed.
        What => "what",
        /// The person who needs it, and the purpose.
        Why => "why",
        /// The test that shows that it is done: values, criteria, limits.
        Done => "done",
        /// An open choice, or a contradiction in the text.
        Decide => "decide",
        /// The boundaries of the work, or too much in one ticket.
        Scope => "scope",
        /// Information outside the text on which the work depends.
        Context => "context",
        /// A subject without its own code.
        Other => "other",
    }
}

/// A question to the author.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReaderQuestion {
    /// Subject of the question.
    pub code: QuestionCode,
    /// The question in one sentence, in the language of the report.
    pub ask: String,
    /// Work cannot start without the answer.
    pub must: bool,
    /// The words that raise the question; `None` if the text does not mention its subject.
    pub span: Option<Span>,
    /// Probability that a careful reader asks about this subject, 0 to 1; 1 if only a model asks.
    pub probability: f64,
}

/// One reader's judgement of one ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TicketReading {
    /// Kind of the ticket.
    pub kind: TicketType,
    /// 4: start now. 3: start with a small assumption. 2: one answer is needed before the end. 1: one is needed before
    /// the start. 0: the ticket does not show the wanted result.
    pub ready: u8,
    /// Probability that a careful reader needs an answer before the work can be finished (readiness 2 or below), 0 to 1.
    pub not_ready: f64,
    /// Probability that a careful reader cannot start (readiness 1 or below), 0 to 1.
    pub not_actionable: f64,
    /// At most three questions, the most probable first; empty if a reader would not ask.
    pub questions: Vec<ReaderQuestion>,
    /// The elements of a ticket, each with the probability that the text has it; empty for a reader that does not give them.
    #[serde(default)]
    pub found: Vec<FoundElement>,
    /// The weights of the user's own team that took part, if any did.
    pub team: Option<TeamReference>,
}

/// The team weights that were used, so that a verdict can be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TeamReference {
    /// The repository or the files from which they were learned.
    pub from: String,
    /// The number of tickets from which they were learned.
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
    /// The words, if they were found.
    pub span: Option<Span>,
}
