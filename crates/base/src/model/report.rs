//! The scored report of a ticket (003: `TicketScoreReport`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ReviewIssue, RuleId};

/// The points for one criterion of the rubric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionScore {
    /// Id of the criterion in the rubric.
    pub id: String,
    /// Points earned, 0 to `points`.
    pub earned: f64,
    /// Points that could be earned.
    pub points: f64,
}

/// Points that findings of one rule took from a dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Deduction {
    /// Id of the rule that made them.
    pub rule_id: RuleId,
    /// The number of findings counted.
    pub count: usize,
    /// Points taken from the dimension, after caps.
    pub points: f64,
}

/// The score of one dimension of the rubric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionScore {
    /// Id of the dimension in the rubric.
    pub id: String,
    /// Share of the total, 0 to 1; the weights of a rubric add up to 1.
    pub weight: f64,
    /// The score of the dimension, 0 to 100.
    pub score: f64,
    /// The criteria that earned points.
    pub criteria: Vec<CriterionScore>,
    /// The points that findings took.
    pub deductions: Vec<Deduction>,
}

/// The reason for a penalty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PenaltyReason {
    /// No draft could be made, so the raw text was scored.
    RawText,
    /// Hard Check #1 failed.
    StructureCheck,
}

/// Points taken from the total for a reason that is not a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Penalty {
    /// The reason for the penalty.
    pub reason: PenaltyReason,
    /// The points, as a positive number.
    pub points: f64,
}

/// The scored report (003).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TicketScoreReport {
    /// The score, 0 to 100, rounded to one decimal.
    pub total_score: f64,
    /// No issue blocks and the threshold is reached.
    pub ready_for_review: bool,
    /// The dimensions in the rubric's order.
    pub dimension_scores: Vec<DimensionScore>,
    /// Points taken from the weighted sum.
    pub penalties: Vec<Penalty>,
    /// Issues that reject the ticket, most important first.
    pub blocking_issues: Vec<ReviewIssue>,
    /// Issues that only cost points, most important first.
    pub non_blocking_issues: Vec<ReviewIssue>,
}
