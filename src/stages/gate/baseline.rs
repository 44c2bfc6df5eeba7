//! Lets through what was known before: findings in a baseline do not block, new ones do.
//!
//! Knows no files; a rejection by the guardrail is never old news.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{BlockReason, Fingerprint, Outcome, RuleId, Severity, Verdict};

/// Name and version of the file format.
pub const BASELINE_SCHEMA: &str = "reqgate/baseline/v1";

/// What was known, per input; everything in it is sorted, so that equal findings give equal files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Always `reqgate/baseline/v1`.
    pub schema: String,
    /// Known findings by name of the input.
    pub inputs: BTreeMap<String, Known>,
}

/// What was known of one input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Blocking findings: the fingerprint and, for people, the rule.
    #[serde(default)]
    pub findings: BTreeMap<Fingerprint, RuleId>,
    /// The score, if it was below the threshold; as long as it does not fall further it does not block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

impl Default for Baseline {
    fn default() -> Self {
        Self { schema: BASELINE_SCHEMA.to_owned(), inputs: BTreeMap::new() }
    }
}

impl Known {
    /// What blocks an outcome.
    pub fn of(outcome: &Outcome) -> Self {
        let mut known = Self::default();
        for reason in &outcome.decision.reasons {
            match reason {
                BlockReason::Blocker { rule_id, fingerprint, .. } => {
                    known.findings.insert(fingerprint.clone(), rule_id.clone());
                }
                BlockReason::BelowThreshold { score, .. } => known.score = Some(*score),
                BlockReason::Guardrail { .. } | BlockReason::StructuringFailed { .. } => {}
            }
        }
        known
    }

    fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.score.is_none()
    }
}

impl Baseline {
    /// Replaces what is known of an outcome's input by what blocks it now.
    pub fn record(&mut self, outcome: &Outcome) {
        let known = Known::of(outcome);
        if known.is_empty() {
            self.inputs.remove(&outcome.input);
        } else {
            self.inputs.insert(outcome.input.clone(), known);
        }
    }

    /// Takes what is known out of the reasons of a rejection; where none is left the verdict becomes a pass.
    ///
    /// Returns how many entries of this input nothing needs any more.
    pub fn apply(&self, outcome: &mut Outcome) -> usize {
        let Some(known) = self.inputs.get(&outcome.input) else { return 0 };
        let met = met(outcome);
        let stale = known.findings.keys().filter(|fingerprint| !met.contains(*fingerprint)).count();
        if outcome.decision.verdict != Verdict::Reject {
            return stale + usize::from(known.score.is_some());
        }
        let set_aside = known.set_aside(outcome);
        let decision = &mut outcome.decision;
        let is_below = |reason: &BlockReason| matches!(reason, BlockReason::BelowThreshold { .. });
        let had_low_score = decision.reasons.iter().any(is_below);
        decision.reasons.retain(|reason| match reason {
            BlockReason::Blocker { fingerprint, .. } => !known.findings.contains_key(fingerprint),
            BlockReason::BelowThreshold { score, .. } => known.score.is_none_or(|before| *score < before),
            BlockReason::Guardrail { .. } | BlockReason::StructuringFailed { .. } => true,
        });
        let kept_low_score = decision.reasons.iter().any(is_below);
        decision.explanation = match decision.reasons.first() {
            None => {
                decision.verdict = Verdict::Pass;
                decision.path_to_pass = None;
                let low = if had_low_score { " and the low score" } else { "" };
                match set_aside {
                    0 => "Nothing new: the low score is in the baseline.".to_owned(),
                    1 => format!("Nothing new: 1 finding{low} in the baseline."),
                    count => format!("Nothing new: {count} findings{low} in the baseline."),
                }
            }
            Some(BlockReason::Blocker { description, .. }) => format!("Not ready: {description}"),
            Some(_) if kept_low_score && known.score.is_some() => "Not ready: the score has fallen since.".to_owned(),
            Some(_) => std::mem::take(&mut decision.explanation),
        };
        stale + usize::from(known.score.is_some() && !had_low_score)
    }
}

impl Known {
    /// Makes warnings of the known blockers; returns how many.
    fn set_aside(&self, outcome: &mut Outcome) -> usize {
        let Some(report) = &mut outcome.score_report else { return 0 };
        let (old, new): (Vec<_>, Vec<_>) = std::mem::take(&mut report.blocking_issues)
            .into_iter()
            .partition(|issue| self.findings.contains_key(&issue.fingerprint));
        report.blocking_issues = new;
        let count = old.len();
        report.non_blocking_issues.extend(old.into_iter().map(|mut issue| {
            issue.severity = Severity::Warning;
            issue.severity_note = Some("known: it is in the baseline".to_owned());
            issue
        }));
        count
    }
}

fn met(outcome: &Outcome) -> BTreeSet<Fingerprint> {
    let issues = outcome.score_report.iter().flat_map(|report| report.blocking_issues.iter());
    issues.map(|issue| issue.fingerprint.clone()).collect()
}
