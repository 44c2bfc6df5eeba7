//! What a coding agent is about to do, seen from a hook: a ticket or a PRD that it creates, and what to write instead.
//!
//! Reads the call of a tool as agents describe it to their hooks, finds the text of the ticket in it, and says in a few
//! lines why the gate stops it. Nothing of the call is executed; files that it names are read by the caller's reader.

mod call;
mod reasons;
mod record;
mod shell;
mod shell_text;
mod shown;
mod ticket;

pub use call::{Call, CallError};
pub use reasons::reasons;
pub use record::{OVERRIDE_SCHEMA, OverrideRecord};
pub use ticket::{Channel, Found, Ticket, tickets};

/// The variable whose value, a reason, lets a ticket through: in the environment of the hook, or before the command.
pub const OVERRIDE: &str = "REQGATE_OVERRIDE";

#[cfg(test)]
mod tests;
