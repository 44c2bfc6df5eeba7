//! What a careful reader would say of a ticket, in `reqgate/outcome/v1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Place, QuestionCode, TicketType};

/// What a careful reader would say of a ticket.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Reading {
    /// Kind of ticket.
    pub kind: TicketType,
    /// The most probable readiness. 4: start now. 3: with a small assumption. 2: one answer is needed before the end. 1: one
    /// is needed before the start. 0: nobody can tell what is wanted.
    pub ready: u8,
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// Probability that a reader cannot start, 0 to 1.
    pub not_actionable: f64,
    /// At most three questions, the most probable first.
    pub questions: Vec<ReadingQuestion>,
    /// What speaks most for or against an answer being needed, the strongest first; only where the report was asked to explain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReadingReason>>,
}

/// Something in a ticket that speaks for or against an answer being needed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReadingReason {
    /// What it is, in the language of the report.
    pub says: String,
    /// What it adds to the log-odds that an answer is needed, beside what a usual ticket has of it.
    pub log_odds: f64,
}

/// A question that a careful reader would put to the author.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReadingQuestion {
    /// Its subject.
    pub code: QuestionCode,
    /// The question in one sentence.
    pub ask: String,
    /// True if it has to be answered before the ticket passes.
    pub must: bool,
    /// The words that raise it; absent where the text says nothing about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Where they stand; null where the text says nothing about it.
    pub place: Option<Place>,
    /// Probability that a reader asks about this subject, 0 to 1; 1 where only a model asks.
    pub probability: f64,
}
