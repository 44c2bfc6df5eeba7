//! The baseline: findings that were known before do not block, new ones do.
//!
//! This module reads no files. A rejection by the guardrail is never excused by a baseline.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::{Disposition, Fingerprint, Outcome, ReviewIssue, RuleId};

/// The name and version of the file format.
pub const BASELINE_SCHEMA: &str = "reqgate/baseline/v1";

/// The known findings per input, sorted so that equal findings give equal files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The format of the file, always `reqgate/baseline/v1`.
    pub schema: String,
    /// The known findings by name of the input.
    pub inputs: BTreeMap<String, Known>,
}

/// The known findings of one input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The blocking findings: the fingerprint and, for human readers, the rule.
    #[serde(default)]
    pub findings: BTreeMap<Fingerprint, RuleId>,
    /// The number of copies of each finding that occurred more than once. Files of an older version lack it and accept
    /// any number of copies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<BTreeMap<Fingerprint, usize>>,
    /// The score, if it was below the threshold; it does not block until it falls further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// The use that a run makes of a baseline.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum BaselineUse {
    /// No baseline.
    #[default]
    None,
    /// The findings in this baseline do not block.
    Hold(Baseline),
    /// A baseline is written: blocking findings go into it and therefore do not block.
    Write,
}

/// The findings of one input that were known before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KnownBefore<'k> {
    /// No finding was known.
    Nothing,
    /// The findings of the baseline were known.
    These(&'k Known),
    /// Every finding counts as known.
    Everything,
}

/// Findings and scores that would have blocked but were known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Excused {
    /// The score is below the threshold.
    pub low_score: bool,
    /// The number of known findings.
    pub findings: usize,
}

impl Excused {
    pub(super) fn anything(self) -> bool {
        self.low_score || self.findings > 0
    }
}

impl BaselineUse {
    /// Returns the known findings of an input.
    pub(crate) fn of(&self, input: &str) -> KnownBefore<'_> {
        match self {
            Self::None => KnownBefore::Nothing,
            Self::Hold(baseline) => baseline.inputs.get(input).map_or(KnownBefore::Nothing, KnownBefore::These),
            Self::Write => KnownBefore::Everything,
        }
    }
}

/// Accepts known findings one by one; more copies of a finding than were known are new.
pub(super) struct Allowance<'k> {
    known: KnownBefore<'k>,
    taken: BTreeMap<Fingerprint, usize>,
}

impl Allowance<'_> {
    /// Returns true if this finding was known and has not yet been counted more often than before.
    pub(super) fn takes(&mut self, fingerprint: &Fingerprint) -> bool {
        let known = match self.known {
            KnownBefore::Nothing => return false,
            KnownBefore::Everything => return true,
            KnownBefore::These(known) => known,
        };
        let taken = self.taken.entry(fingerprint.clone()).or_default();
        *taken += 1;
        known.most(fingerprint).is_none_or(|most| *taken <= most)
    }
}

impl<'k> KnownBefore<'k> {
    /// Returns true if the number of copies of each finding is known. All findings must then be checked, including
    /// those beyond the report's limit.
    pub(crate) fn counts(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::These(known) => known.copies.is_some(),
            Self::Everything => true,
        }
    }

    /// Starts counting the known findings one by one.
    pub(super) fn allowance(self) -> Allowance<'k> {
        Allowance { known: self, taken: BTreeMap::new() }
    }

    /// Returns true if a score below the threshold was known and the score has not fallen since.
    pub(super) fn excuses_score(self, score: f64) -> bool {
        match self {
            Self::Nothing => false,
            Self::These(known) => known.score.is_some_and(|before| score >= before),
            Self::Everything => true,
        }
    }

    /// Returns true if a score below the threshold was known.
    pub(super) fn has_score(self) -> bool {
        matches!(self, Self::These(Known { score: Some(_), .. }))
    }
}

impl Default for Baseline {
    fn default() -> Self {
        Self { schema: BASELINE_SCHEMA.to_owned(), inputs: BTreeMap::new() }
    }
}

impl Known {
    /// Collects the findings that block an outcome, including those that do not block because they were known.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let Some(report) = &outcome.score_report else { return Self::default() };
        let findings = met(outcome).map(|issue| (issue.fingerprint.clone(), issue.rule_id.clone())).collect();
        let mut copies: BTreeMap<Fingerprint, usize> = BTreeMap::new();
        for issue in met(outcome) {
            *copies.entry(issue.fingerprint.clone()).or_default() += 1;
        }
        copies.retain(|_, count| *count > 1);
        let is_below = outcome.decision.threshold.is_some_and(|threshold| report.total_score < threshold);
        Self { findings, copies: Some(copies), score: is_below.then_some(report.total_score) }
    }

    /// The number of known copies of a finding; `None` for any number.
    fn most(&self, fingerprint: &Fingerprint) -> Option<usize> {
        if !self.findings.contains_key(fingerprint) {
            return Some(0);
        }
        self.copies.as_ref().map(|copies| copies.get(fingerprint).copied().unwrap_or(1))
    }

    fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.score.is_none()
    }
}

impl Baseline {
    /// Replaces the entry of an outcome's input by the findings that block it now, known or not.
    pub fn record(&mut self, outcome: &Outcome) {
        let known = Known::of(outcome);
        if known.is_empty() {
            self.inputs.remove(&outcome.input);
        } else {
            self.inputs.insert(outcome.input.clone(), known);
        }
    }

    /// Counts the unneeded entries of an outcome's input.
    pub fn stale(&self, outcome: &Outcome) -> usize {
        let Some(known) = self.inputs.get(&outcome.input) else { return 0 };
        let now = Known::of(outcome);
        let left = |fingerprint: &Fingerprint| now.most(fingerprint).unwrap_or_default();
        let is_unneeded = |fingerprint: &&Fingerprint| left(fingerprint) < known.most(fingerprint).unwrap_or(1);
        let findings = known.findings.keys().filter(is_unneeded).count();
        findings + usize::from(known.score.is_some() && now.score.is_none())
    }
}

/// The issues that block, and those that do not block only because they were known.
fn met(outcome: &Outcome) -> impl Iterator<Item = &ReviewIssue> {
    let report = outcome.score_report.iter();
    report.flat_map(|report| {
        let known = report.non_blocking_issues.iter().filter(|issue| issue.disposition == Disposition::Baseline);
        report.blocking_issues.iter().chain(known)
    })
}
