//! The estimated reading of a ticket, in `reqgate/outcome/v1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Place;
use reqgate_base::model::{QuestionCode, TeamReference, TicketType};

/// The estimated judgement of a careful reader about a ticket.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Reading {
    /// The kind of ticket.
    pub kind: TicketType,
    /// The most probable readiness. 4: work can start. 3: work can start with a small assumption. 2: one answer is
    /// needed before the end. 1: one answer is needed before the start. 0: the wish is unclear.
    pub ready: u8,
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// Probability that a reader cannot start, 0 to 1.
    pub not_actionable: f64,
    /// At most three questions, the most probable first.
    pub questions: Vec<ReadingQuestion>,
    /// The elements of a ticket, each with the probability that the text has it.
    pub found: Vec<FoundElement>,
    /// The weights of the user's own team that took part; absent if only the shipped ones did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_weights: Option<TeamReference>,
}

/// An element that a ticket may have.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoundElement {
    /// The name: need, actual, expected, steps, environment, where, criterion, why or who.
    pub element: String,
    /// Probability that the text has it, 0 to 1.
    pub probability: f64,
    /// The words of the text; absent if they were not found, however probable the element is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The place of the words; absent if they were not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// A question that a careful reader would ask the author.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReadingQuestion {
    /// The subject of the question.
    pub code: QuestionCode,
    /// The question in one sentence.
    pub ask: String,
    /// It has to be answered before the ticket passes.
    pub must: bool,
    /// The words that raise it; absent if the text does not mention the subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The place; null if the text does not mention the subject.
    pub place: Option<Place>,
    /// Probability that a reader asks about this subject, 0 to 1; 1 if only a model asks.
    pub probability: f64,
}
