//! Orders: reading and writing that is handed to a reader, as data, and the checks that every result passes.
//!
//! An order is a file under `prompts/`: from whose perspective, with which instructions and inputs, the shape of the result, and
//! what is checked in it. Today a chat model carries it out (`review`); a coding agent or a person gets the same words, and what
//! they hand back goes through the same [`check`]. A new kind of result is one file here and one variant of [`ResultKind`].
//! [`Sources`] checks the quotes of results that have several texts, whoever ordered them.

mod order;
mod reading;
mod sources;

pub use order::{Check, Order, OrderError, Orders, ResultKind};
pub use reading::{
    Asked, CheckedReading, KINDS, MOST_EVIDENCE, MOST_QUESTIONS, NOWHERE, QuestionAnswer, ReadingAnswer, Source, check,
    is_in,
};
pub use reading::{EvidenceAnswer, Reader};
pub use sources::{Cited, Doubt, Misquoted, Sources};
