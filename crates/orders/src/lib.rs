//! Orders: reading and writing tasks as data, and the checks of their results.
//!
//! An order is a file under `prompts/`: the role of the reader, instructions and inputs, the shape of the result, and
//! its checks. A chat model, a coding agent or a person carries it out, and all results go through the same checks.
//! There are two forms:
//!
//! - [`Orders`]: an order that is filled with the text of a ticket, for `review`. A new kind of result is one variant of
//!   [`ResultKind`].
//! - [`Kind`]: an order about documents. Its result is a type that implements [`OrderResult`]; a new kind is that type, one file
//!   under `prompts/`, and one line that names both. [`ModelAuthor`] has a model carry out any of them.
//!
//! [`Sources`] checks the quotes of results that have several source texts, regardless of the order.

mod answered;
mod figures;
mod kind;
mod model_author;
mod shape;
mod sources;
mod words;

pub use answered::{Unwritten, Written};
pub use kind::{Kind, OrderResult};
pub use model_author::ModelAuthor;
pub use reqgate_gate::orders::*;
pub use shape::{of as shape_of, skeleton as skeleton_of};
pub use sources::{Cited, Doubt, Misquoted, Sources};
pub use words::words;
