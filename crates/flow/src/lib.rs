//! The workflow engine: deterministic control flow over typed state. Every step is recorded before the next one, so
//! that a thread can be resumed after any crash. The engine does not depend on requirements.
//!
//! An author writes a [`Workflow`]: a table of [`Edge`]s and pure functions for every node. A [`Run`] advances a thread
//! as far as possible without a person. Its history is a log of [`Event`]s in a [`Store`], and its current position is
//! the fold of its log ([`Position`]).
//!
//! Guarantees: State changes happen exactly once. A call is made at least once; it is repeated only if the process
//! crashed between the answer and its record. Effects are described as the wanted state, so that repeating them is
//! harmless. Ambiguous situations become questions to a person. Protection against power loss is that of SQLite's
//! `synchronous=FULL` and of `fsync`, or of the `appendfsync` of a Redis server.

mod archive;
mod ask;
mod ask_view;
mod crash;
mod definition;
pub mod effects;
mod event;
mod graph;
mod history;
mod position;
mod problem;
mod registry;
mod reply;
mod run;
pub mod store;
mod thread;
pub mod trace;
pub mod view;
mod words;
mod workplace;

pub use archive::{Archive, ArchiveError, Incoming, export, imported_until};
pub use ask::{
    AddInstructions, AddInstructionsAnswer, Approval, ApprovalAnswer, Ask, AskModel, Clarification,
    ClarificationAnswer, Interrupt, InterruptAction, InterruptAnswer, Question, read_answer, read_reply, read_value,
    schema_of,
};
pub use ask_view::{AskView, Choice, Field, FieldKind, Input, Note, ShownText};
pub use definition::{Answer, Before, CallResult, Effect, Enter, NodeError, Outcome, Step, Workflow};
pub use event::{Because, Body, ENGINE, Event};
pub use graph::{Edge, Graph, GraphFault, Name, To, edge, end, loop_edge};
pub use history::{Difference, difference, fork, position_at, prune, verify};
pub use position::{Asking, Impossible, Open, Pending, Position, Progress};
pub use problem::Problem;
pub use registry::{AnyQuestion, Hosted, Registry, Resumption, Served, ShownThread, ThreadView};
pub use reply::{Reply, ReplyFields};
pub use run::{
    AnswerError, Begin, Durability, Executor, HandsOut, Order, Performed, Receipt, Run, RunError, Stop, World, current,
    decode, interrupt_answer, look,
};
#[cfg(feature = "redis")]
pub use store::RedisStore;
pub use store::{MemoryStore, SqliteStore, StatePlace, StateStore, Store, StoreError};
pub use thread::{AskId, OrderId, Phase, Snapshot, Status, ThreadId, ThreadRecord};
pub use words::channel_in;
pub use workplace::{Changes, Workplace};

/// The SHA-256 of the bytes, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    reqgate_base::hash::Hash::of(bytes).hex()
}
