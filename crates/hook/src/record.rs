//! The record of a ticket that was let through with a reason, although the gate rejected it.

use serde::Serialize;

use super::Ticket;
use reqgate_base::clean::short_line;
use reqgate_base::hash::Hash;
use reqgate_base::model::Outcome;

/// The name and version of the format of a record.
const OVERRIDE_SCHEMA: &str = "reqgate/override/v1";

/// One line of the log of overrides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverrideRecord {
    /// The name and version of the format, always `reqgate/override/v1`.
    pub schema: &'static str,
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// The reason, masked and at most 300 characters long.
    pub reason: String,
    /// The command, tool or file that created the ticket.
    pub by: String,
    /// The title of the ticket, masked and at most 120 characters long.
    pub title: String,
    /// The overridden verdict, e.g. `REJECT`.
    pub verdict: &'static str,
    /// The main reason of the verdict in one sentence.
    pub explanation: String,
    /// The SHA-256 of the masked text.
    pub sha256: String,
}

impl OverrideRecord {
    /// The record of an overridden ticket; `masked` hides personal data and secrets.
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
