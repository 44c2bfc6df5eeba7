//! A reader at hand instead of a model: a coding agent or a person takes the order to read a ticket and hands the reading back.
//!
//! The order and the checks are those of a model. No key is needed: who reads has a model of their own, or is a person.

use std::sync::Mutex;

use crate::orders::ReadingAnswer;
use reqgate_rules::prompts::Filled;

/// The name under which the reading is reported and counted: nobody has measured the reader, so that the calibration for every
/// model holds.
pub(super) const NAME: &str = "reader/at-hand";

/// A reader at hand, with the reading if there is one.
#[derive(Debug, Default)]
pub struct AtHand {
    reading: Option<ReadingAnswer>,
    order: Mutex<Option<Filled>>,
}

impl AtHand {
    /// A reader who hands back this reading; `None` if they are still to get the order.
    pub fn new(reading: Option<ReadingAnswer>) -> Self {
        Self { reading, order: Mutex::default() }
    }

    /// Takes the order of the last ticket that was judged; `None` if its verdict needs no reading.
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
