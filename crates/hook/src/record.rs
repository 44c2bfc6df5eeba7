//! The record of a ticket that was let through against the gate, for a reason that somebody gave.

use serde::Serialize;

use super::Ticket;
use reqgate_base::clean::short_line;
use reqgate_base::hash::Hash;
use reqgate_base::model::Outcome;

/// The name of the format of a record.
pub const OVERRIDE_SCHEMA: &str = "reqgate/override/v1";

/// One line of the log of overrides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverrideRecord {
    /// [`OVERRIDE_SCHEMA`].
    pub schema: &'static str,
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// The reason, masked, at most 300 characters.
    pub reason: String,
    /// How the ticket was created: a command, a tool, a file.
    pub by: String,
    /// Its title, masked, at most 120 characters.
    pub title: String,
    /// The verdict that was set aside, e.g. `REJECT`.
    pub verdict: &'static str,
    /// The main reason of the verdict, one sentence.
    pub explanation: String,
    /// The SHA-256 of its masked text.
    pub sha256: String,
}

impl OverrideRecord {
    /// The record of a ticket; `masked` hides personal data and secrets.
    pub fn new(day: &str, reason: &str, ticket: &Ticket, outcome: &Outcome, masked: &dyn Fn(&str) -> String) -> Self {
        Self {
            schema: OVERRIDE_SCHEMA,
            day: day.to_owned(),
            reason: short_line(&masked(reason), 300),
            by: short_line(&masked(&ticket.by), 200),
            title: short_line(&masked(&ticket.title), 120),
            verdict: outcome.decision.verdict.name(),
            explanation: short_line(&outcome.decision.explanation, 300),
            sha256: Hash::of(&outcome.packet.raw_text).hex(),
        }
    }
}
