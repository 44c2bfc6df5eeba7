//! A reader at hand instead of a model: a coding agent or a person takes the order to read a ticket and returns the reading.
//!
//! The order and the checks are those of a model. No key is needed, because the reader is a person or has a model.

use std::sync::Mutex;

use crate::orders::ReadingAnswer;
use reqgate_rules::prompts::Filled;

/// The name under which the reading is reported and counted. The reader is not measured, so the calibration for every
/// model applies.
pub(super) const NAME: &str = "reader/at-hand";

/// A reader at hand, with the reading if it was returned.
#[derive(Debug, Default)]
pub struct AtHand {
    reading: Option<ReadingAnswer>,
    order: Mutex<Option<Filled>>,
}

impl AtHand {
    /// Makes a reader who returns this reading; `None` if the reader has not had the order yet.
    pub fn new(reading: Option<ReadingAnswer>) -> Self {
        Self { reading, order: Mutex::default() }
    }

    /// Takes the order of the last judged ticket; `None` if its verdict needs no reading.
    pub fn order(&self) -> Option<Filled> {
        self.order.lock().ok()?.take()
    }

    pub(super) fn keep(&self, order: Filled) {
        if let Ok(mut kept) = self.order.lock() {
            *kept = Some(order);
        }
    }

    pub(super) fn reading(&self) -> Option<&ReadingAnswer> {
        self.reading.as_ref()
    }
}
