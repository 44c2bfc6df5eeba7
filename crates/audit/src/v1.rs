//! The wire form of an audit, schema `reqgate/audit/v1`. It is frozen: fields may be added, but none changed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// The name and version of this schema.
pub const SCHEMA: &str = "reqgate/audit/v1";

/// An audit of many tickets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The name of the schema, always `reqgate/audit/v1`.
    pub schema: String,
    /// The version of reqgate that wrote the audit.
    pub version: String,
    /// The audited source: a repository as `owner/name`, or the names of the files.
    pub source: String,
    /// The day of the audit, `YYYY-MM-DD`.
    pub day: String,
    /// Tickets created before this day are counted but would not be blocked, `YYYY-MM-DD`.
    pub since: Option<String>,
    /// There were more tickets than the limit allowed.
    pub is_cut: bool,
    /// The number of tickets by result.
    pub totals: Totals,
    /// The distribution of the scores.
    pub scores: Scores,
    /// The most frequent findings, the most frequent first; at most twenty.
    pub gaps: Vec<Gap>,
    /// Age and quality, the youngest first.
    pub ages: Vec<Age>,
    /// The open tickets that are most worth fixing, the best first; at most ten.
    pub worst: Vec<Worst>,
    /// The rubrics that were applied.
    pub rubrics: Vec<Rubric>,
    /// The policies under which the tickets were judged.
    #[serde(default)]
    pub policies: Vec<Policy>,
    /// The changes since an earlier audit, if one was given.
    pub change: Option<Change>,
    /// The expected number of tickets at each readiness; absent if the policy does not use readings.
    #[serde(default)]
    pub readiness: Option<Readiness>,
    /// The questions to the authors, the most frequent first.
    #[serde(default)]
    pub questions: Vec<Question>,
    /// The open tickets that are most worth opening, regardless of their verdict; at most ten.
    #[serde(default)]
    pub open_first: Vec<OpenFirst>,
}

/// The expected number of tickets at each readiness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Readiness {
    /// The number of tickets with an estimate.
    pub tickets: usize,
    /// The levels, from 4 (work can start) to 0 (the wish is unclear).
    pub levels: Vec<ReadinessLevel>,
}

/// One level of readiness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadinessLevel {
    /// The readiness, 0 to 4.
    pub ready: u64,
    /// The meaning of the level.
    pub label: String,
    /// The expected number of tickets at this level: the sum of their probabilities, one decimal.
    pub expected: f64,
    /// The share of the tickets with an estimate, 0 to 1, three decimals.
    pub share: f64,
}

/// A question to authors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The subject of the question, e.g. `reproduce`.
    pub code: String,
    /// The missing information, in one line.
    pub summary: String,
    /// The number of tickets with this question.
    pub tickets: usize,
    /// The tickets for which it is most probable; at most five.
    pub examples: Vec<QuestionTicket>,
}

/// A ticket with the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionTicket {
    /// The number or key of the ticket.
    pub id: String,
    /// The title, with personal data and secrets masked.
    pub title: String,
    /// The address of the ticket.
    pub url: Option<String>,
}

/// A ticket that is worth opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenFirst {
    /// The number or key of the ticket.
    pub id: String,
    /// The title, with personal data and secrets masked.
    pub title: String,
    /// The address of the ticket.
    pub url: Option<String>,
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// The most probable readiness, 0 to 4.
    pub ready: u64,
    /// The most probable question.
    pub question: String,
    /// The number of questions.
    pub questions: usize,
    /// The number of comments and reactions.
    pub interest: u64,
    /// Days since the last change, if known.
    pub idle_days: Option<i64>,
    /// A value for ordering only: probability of a question × interest × freshness.
    pub worth: f64,
}

/// The number of tickets by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// All tickets, including those that could not be read, without pull requests.
    pub tickets: usize,
    /// Tickets that are ready.
    pub ready: usize,
    /// Tickets that are not ready.
    pub not_ready: usize,
    /// Tickets that the guardrail stopped.
    pub stopped: usize,
    /// Tasks and questions, which are not requirements.
    pub not_applicable: usize,
    /// Tickets that could not be read or judged.
    pub unreadable: usize,
    /// Pull requests among the issues, which are left out.
    pub pull_requests: usize,
    /// Tickets that are not ready or were stopped, and were created on or after `since`: the gate would block them.
    pub would_block: usize,
}

/// The distribution of the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// The number of tickets with a score.
    pub count: usize,
    /// The mean, 0 to 100, one decimal; absent without scores.
    pub mean: Option<f64>,
    /// The median, 0 to 100, one decimal; absent without scores.
    pub median: Option<f64>,
    /// The number of scores in each ten points: from 0, from 10, … from 90 (100 belongs to the last).
    pub bins: Vec<usize>,
}

/// A rule with findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The rule that found it.
    pub rule_id: String,
    /// The fault, in one line.
    pub summary: String,
    /// The number of tickets with a finding.
    pub tickets: usize,
    /// The number of those that it blocks.
    pub blocking: usize,
    /// The share of the scored tickets with a finding, 0 to 1, three decimals.
    pub share: f64,
    /// Tickets with a finding, blocked ones first, then the latest; at most three.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// An example of a ticket with a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// The number or key of the ticket.
    pub id: String,
    /// The address of the ticket.
    pub url: Option<String>,
}

/// The tickets of one age.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Age {
    /// The age in words.
    pub label: String,
    /// The minimum age in days; absent if the age is not known.
    pub from_days: Option<i64>,
    /// The maximum age in days; absent for the oldest tickets and if the age is not known.
    pub to_days: Option<i64>,
    /// The number of tickets of this age with a score.
    pub tickets: usize,
    /// The number of those that are ready.
    pub ready: usize,
    /// Their mean score, 0 to 100, one decimal; absent without scores.
    pub mean: Option<f64>,
}

/// A ticket that is worth fixing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Worst {
    /// The number or key of the ticket.
    pub id: String,
    /// The title, with personal data and secrets masked.
    pub title: String,
    /// The address of the ticket.
    pub url: Option<String>,
    /// The score, 0 to 100.
    pub score: f64,
    /// The number of comments and reactions.
    pub interest: u64,
    /// Days since the last change, if known.
    pub idle_days: Option<i64>,
    /// The number of edits to a pass, if a path was found.
    pub edits: Option<usize>,
    /// The first edit on the path.
    pub first_edit: Option<String>,
    /// The rules that block it.
    pub blocking: Vec<String>,
    /// A value for ordering only: points missing × interest × freshness ÷ edits.
    pub worth: f64,
}

/// A rubric that was applied.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Rubric {
    /// Id of the rubric.
    pub id: String,
    /// The version of the rubric.
    pub version: String,
    /// The hash of the rubric.
    pub hash: String,
}

/// A policy under which tickets were judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Policy {
    /// Id of the policy.
    pub id: String,
    /// The version of the policy.
    pub version: String,
}

/// The changes since an earlier audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The day of the earlier audit.
    pub day: String,
    /// The number of its tickets.
    pub tickets: usize,
    /// The share of ready tickets among those with a verdict in the earlier audit, 0 to 1, three decimals.
    pub ready_share_then: Option<f64>,
    /// The same share in this audit.
    pub ready_share_now: Option<f64>,
    /// The mean score of the earlier audit.
    pub mean_then: Option<f64>,
    /// Both audits used the same rubrics; otherwise the figures are only roughly comparable.
    pub is_same_rubric: bool,
}

/// The JSON Schema (2020-12) of an audit.
pub fn schema() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Report>()
}
