//! Finds the tickets and PRDs that a tool call of a coding agent would create, and explains why the gate stops them.
//!
//! Reads the description of a tool call that agents send to their hooks, finds the text of the ticket in it, and lists
//! the reasons of the gate with suggestions in a few lines. The call is not executed; files that it names are read by a
//! function of the caller.

mod call;
mod reasons;
mod record;
mod shell;
mod shell_text;
mod shown;
mod ticket;

pub use call::{Call, CallError};
pub use reasons::{is_stopped, reasons};
pub use record::OverrideRecord;
pub use ticket::{Channel, Ticket, TicketsOfCall, tickets};

/// The variable with a reason that lets a ticket through. It is set in the environment of the hook or before the
/// command.
pub const OVERRIDE: &str = "REQGATE_OVERRIDE";

#[cfg(test)]
mod tests;
