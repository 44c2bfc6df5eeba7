//! Judges a text with the caller as the reader: an order first, the verdict once the reading is sent.

use garde::Validate;
use serde_json::{Map, Value};

use super::Gate;
use reqgate_base::hash::Hash;
use reqgate_base::model::{DiscardReason, Outcome};
use reqgate_flow::{Problem, read_answer};
use reqgate_gate::pipeline::PipelineError;
use reqgate_gate::review::{AtHand, ModelReviewer};
use reqgate_gate::stages::intake::RawInput;
use reqgate_orders::ReadingAnswer;
use reqgate_rules::prompts::Filled;

/// The state of a review.
#[derive(Debug)]
pub(crate) enum Reviewed {
    /// The verdict of the rules, if no reading is needed or possible for this text.
    ByRules(Box<Outcome>),
    /// The order to read the text.
    Order(OpenOrder),
    /// The order to read the text; the reading that was sent is for another order.
    Stale(OpenOrder),
    /// The reading has another shape.
    Rejected {
        /// The id of the order.
        id: String,
        /// The problems of the reading.
        problems: Vec<Problem>,
    },
    /// The verdict with the reading.
    Judged(Box<Outcome>),
}

/// An order to read a text.
#[derive(Debug)]
pub(crate) struct OpenOrder {
    /// The id; it changes with the text, the perspective and the wording of the order.
    pub id: String,
    /// The instructions, and the text as data.
    pub filled: Filled,
}

/// Judges a ticket; a reading counts if it carries out the order.
///
/// # Errors
/// Returns the error of the pipeline, masked.
pub(crate) fn reviewed(
    gate: Gate,
    ticket: RawInput,
    order: Option<&str>,
    reading: Option<Map<String, Value>>,
) -> Result<Reviewed, (PipelineError, String)> {
    let Gate { pipeline, screen, prompts, orders } = gate;
    let reading = reading.map(|reading| checked_shape(&Value::Object(reading)));
    let answer = reading.as_ref().and_then(|reading| reading.as_ref().ok().cloned());
    let reader = ModelReviewer::at_hand(AtHand::new(answer), prompts, orders, screen);
    let pipeline = pipeline.with_reviewer(reader);
    let outcome = pipeline.run(ticket).map_err(|error| {
        let words = pipeline.masked(&error.to_string());
        (error, words)
    })?;
    let filled = pipeline.reviewer().and_then(ModelReviewer::reader).and_then(AtHand::order);
    let Some(filled) = filled else { return Ok(Reviewed::ByRules(Box::new(outcome))) };
    let open = OpenOrder { id: Hash::of_parts([&filled.instructions, &filled.data]).short(), filled };
    Ok(match reading {
        None => Reviewed::Order(open),
        Some(_) if order != Some(open.id.as_str()) => Reviewed::Stale(open),
        Some(Err(problems)) => Reviewed::Rejected { id: open.id, problems },
        Some(Ok(_)) => Reviewed::Judged(Box::new(outcome)),
    })
}

/// Checks the shape of a reading and returns it, or its problems.
fn checked_shape(reading: &Value) -> Result<ReadingAnswer, Vec<Problem>> {
    let reading: ReadingAnswer = read_answer(reading)?;
    match reading.validate() {
        Ok(()) => Ok(reading),
        Err(report) => Err(report
            .iter()
            .map(|(path, error)| Problem { path: path.to_string(), message: error.to_string() })
            .collect()),
    }
}

/// The reason why a part of a reading was set aside, in words for its author.
pub(crate) fn because(reason: DiscardReason) -> &'static str {
    match reason {
        DiscardReason::NotInText => "the quote is not in the ticket: copy it letter for letter",
        DiscardReason::Contradicted => "it contradicts another part of the reading",
        DiscardReason::NotAsked => "it was not asked for",
        DiscardReason::NoEvidence => "a grade without a question or quote that holds",
        DiscardReason::ChangesFacts => "it changes facts of the ticket",
        DiscardReason::Unsafe => "it holds an address, an order or personal data",
        DiscardReason::Unusable => "empty, too long, in another language, or it points at nothing",
        DiscardReason::TooMany => "there were already enough, or it says the same as another",
    }
}
