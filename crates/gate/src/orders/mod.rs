//! The order to read a ticket, as data, and the checks of the returned reading.
//!
//! An order is a file under `prompts/`: the perspective, the instructions and inputs, the shape of the result, and its
//! checks. It is filled with the text of a ticket; a chat model, a coding agent or a person carries it out. A new kind
//! of result is one variant of [`ResultKind`].

mod caution;
mod order;
mod own;
mod reading;

pub use caution::{Inputs, caution};
pub use order::{Check, DOCUMENT_ORDERS, Order, OrderError, Orders, ResultKind};
pub use own::OwnOrders;
pub use reading::{
    CheckedQuestion, CheckedReading, KINDS, MOST_EVIDENCE, MOST_QUESTIONS, NOWHERE, QuestionAnswer, ReadingAnswer,
    Source, check, is_in,
};
pub use reading::{EvidenceAnswer, Reader};
