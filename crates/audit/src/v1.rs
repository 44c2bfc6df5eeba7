//! The wire form of an audit, schema `reqgate/audit/v1`. It is frozen: fields may be added, but none changed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// The name and version of this schema.
pub const SCHEMA: &str = "reqgate/audit/v1";

/// An audit of many tickets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Always `reqgate/audit/v1`.
    pub schema: String,
    /// The version of reqgate that made it.
    pub version: String,
    /// What was audited: a repository as `owner/name`, or the names of the files.
    pub source: String,
    /// The day on which it was made, `YYYY-MM-DD`.
    pub day: String,
    /// Tickets made before this day count for the picture but would block nothing, `YYYY-MM-DD`.
    pub since: Option<String>,
    /// True if there were more tickets than were to be read.
    pub is_cut: bool,
    /// How many tickets ended in which way.
    pub totals: Totals,
    /// How the scores are spread.
    pub scores: Scores,
    /// What is missing or wrong most often, the commonest first; at most twenty.
    pub gaps: Vec<Gap>,
    /// Age against quality, the youngest first.
    pub ages: Vec<Age>,
    /// The open tickets that it pays most to mend, the most worthwhile first; at most ten.
    pub worst: Vec<Worst>,
    /// The rubrics that were applied.
    pub rubrics: Vec<Rubric>,
    /// The policies under which the tickets were judged.
    #[serde(default)]
    pub policies: Vec<Policy>,
    /// What has changed since an earlier audit, if one was given.
    pub change: Option<Change>,
    /// How many tickets are expected at each readiness; absent where the policy does not go by readings.
    #[serde(default)]
    pub readiness: Option<Readiness>,
    /// What authors would be asked, the most frequent first.
    #[serde(default)]
    pub questions: Vec<Question>,
    /// The open tickets that it pays most to open, whether or not they pass; at most ten.
    #[serde(default)]
    pub open_first: Vec<OpenFirst>,
}

/// How many tickets are expected at each readiness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Readiness {
    /// How many tickets have an estimate.
    pub tickets: usize,
    /// The levels, from 4 (can start as it is) to 0 (nobody can tell what is wanted).
    pub levels: Vec<ReadinessLevel>,
}

/// One level of readiness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadinessLevel {
    /// The readiness, 0 to 4.
    pub ready: u64,
    /// What it means.
    pub label: String,
    /// How many tickets are expected at it: the sum of their probabilities, one decimal.
    pub expected: f64,
    /// Its share of the tickets with an estimate, 0 to 1, three decimals.
    pub share: f64,
}

/// A question that authors would be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Its subject, e.g. `reproduce`.
    pub code: String,
    /// What is missing where it is asked, in one line.
    pub summary: String,
    /// About how many tickets it would be asked.
    pub tickets: usize,
    /// The tickets where it is most probable; at most five.
    pub examples: Vec<QuestionTicket>,
}

/// A ticket about which a question would be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionTicket {
    /// What people call it.
    pub id: String,
    /// Its title, personal data and secrets masked.
    pub title: String,
    /// Its address.
    pub url: Option<String>,
}

/// A ticket that it pays to open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenFirst {
    /// What people call it.
    pub id: String,
    /// Its title, personal data and secrets masked.
    pub title: String,
    /// Its address.
    pub url: Option<String>,
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// The most probable readiness, 0 to 4.
    pub ready: u64,
    /// The most probable question.
    pub question: String,
    /// How many questions there are.
    pub questions: usize,
    /// Comments and reactions.
    pub interest: u64,
    /// Days since it changed last, where known.
    pub idle_days: Option<i64>,
    /// How much it pays to open it, for ordering only: probability of a question × interest × freshness.
    pub worth: f64,
}

/// How many tickets ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// All tickets, those that could not be read among them; pull requests are not.
    pub tickets: usize,
    /// Ready.
    pub ready: usize,
    /// Not ready.
    pub not_ready: usize,
    /// Stopped by the guardrail.
    pub stopped: usize,
    /// Tasks and questions, which are no requirements.
    pub not_applicable: usize,
    /// Could not be read or judged.
    pub unreadable: usize,
    /// Pull requests among the issues, left out.
    pub pull_requests: usize,
    /// Not ready or stopped, and made on or after `since`: what the gate would block if it were in force.
    pub would_block: usize,
}

/// How the scores are spread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// How many tickets have a score.
    pub count: usize,
    /// The mean, 0 to 100, one decimal; absent without scores.
    pub mean: Option<f64>,
    /// The median, 0 to 100, one decimal; absent without scores.
    pub median: Option<f64>,
    /// How many scores lie in each ten points: from 0, from 10, … from 90 (100 belongs to the last).
    pub bins: Vec<usize>,
}

/// A rule that speaks often.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The rule.
    pub rule_id: String,
    /// What is wrong, in one line.
    pub summary: String,
    /// In how many tickets it speaks.
    pub tickets: usize,
    /// In how many of them it blocks.
    pub blocking: usize,
    /// Share of the scored tickets in which it speaks, 0 to 1, three decimals.
    pub share: f64,
    /// Tickets in which it speaks, those that it blocks first, then the latest; at most three.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// A ticket that shows a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// What people call it.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
}

/// Tickets of one age.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Age {
    /// The age in words.
    pub label: String,
    /// Days at least; absent where the age is not known.
    pub from_days: Option<i64>,
    /// Days at most; absent for the oldest and where the age is not known.
    pub to_days: Option<i64>,
    /// How many of this age have a score.
    pub tickets: usize,
    /// How many of them are ready.
    pub ready: usize,
    /// Their mean score, 0 to 100, one decimal; absent without scores.
    pub mean: Option<f64>,
}

/// A ticket that it pays to mend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Worst {
    /// What people call it.
    pub id: String,
    /// Its title, personal data and secrets masked.
    pub title: String,
    /// Its address.
    pub url: Option<String>,
    /// Its score, 0 to 100.
    pub score: f64,
    /// Comments and reactions.
    pub interest: u64,
    /// Days since it changed last, where known.
    pub idle_days: Option<i64>,
    /// How many edits lead to a pass, as far as a path was found.
    pub edits: Option<usize>,
    /// The first edit.
    pub first_edit: Option<String>,
    /// The rules that block it.
    pub blocking: Vec<String>,
    /// How much it pays to mend it, for ordering only: points missing × interest × freshness ÷ edits.
    pub worth: f64,
}

/// A rubric that was applied.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Rubric {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Its hash.
    pub hash: String,
}

/// A policy under which tickets were judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Policy {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
}

/// What has changed since an earlier audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The day of the earlier audit.
    pub day: String,
    /// How many tickets it had.
    pub tickets: usize,
    /// Share of tickets that were ready among those that could be, then; 0 to 1, three decimals.
    pub ready_share_then: Option<f64>,
    /// The same now.
    pub ready_share_now: Option<f64>,
    /// The mean score then.
    pub mean_then: Option<f64>,
    /// True if both were judged by the same rubrics; otherwise the figures are not quite alike.
    pub is_same_rubric: bool,
}

/// The JSON Schema (2020-12) of an audit.
pub fn schema() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Report>()
}
