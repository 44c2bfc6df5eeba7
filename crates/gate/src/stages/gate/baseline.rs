//! What was known before: findings in a baseline do not block, new ones do.
//!
//! Knows no files; a rejection by the guardrail is never old news.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::{Disposition, Fingerprint, Outcome, ReviewIssue, RuleId};

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
    /// How often each of them was there, where it was more than once; absent in a file of an older version, which holds any
    /// number of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<BTreeMap<Fingerprint, usize>>,
    /// The score, if it was below the threshold; as long as it does not fall further it does not block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// What a run makes of a baseline.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum BaselineUse {
    /// There is none.
    #[default]
    None,
    /// What it holds does not block.
    Hold(Baseline),
    /// It is written: whatever blocks now goes into it, and so does not block.
    Write,
}

/// What is known of the one input that is decided on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KnownBefore<'k> {
    /// Nothing.
    Nothing,
    /// This.
    These(&'k Known),
    /// Everything that is found.
    Everything,
}

/// What would have blocked and was known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Excused {
    /// The score is below the threshold.
    pub low_score: bool,
    /// So many findings.
    pub findings: usize,
}

impl Excused {
    pub(super) fn anything(self) -> bool {
        self.low_score || self.findings > 0
    }
}

impl BaselineUse {
    /// What is known of an input.
    pub fn of(&self, input: &str) -> KnownBefore<'_> {
        match self {
            Self::None => KnownBefore::Nothing,
            Self::Hold(baseline) => baseline.inputs.get(input).map_or(KnownBefore::Nothing, KnownBefore::These),
            Self::Write => KnownBefore::Everything,
        }
    }
}

/// Takes known findings one by one: a copy of an old finding beyond those that were there is new.
pub(super) struct Allowance<'k> {
    known: KnownBefore<'k>,
    taken: BTreeMap<Fingerprint, usize>,
}

impl Allowance<'_> {
    /// True for a finding that was known, and not more often than it was.
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
    /// True if it is known how often each finding was there, so that more than a report shows must be looked at.
    pub fn counts(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::These(known) => known.copies.is_some(),
            Self::Everything => true,
        }
    }

    /// The known findings, to be taken one by one.
    pub(super) fn allowance(self) -> Allowance<'k> {
        Allowance { known: self, taken: BTreeMap::new() }
    }

    /// True if a score below the threshold was known, and is not lower now.
    pub(super) fn excuses_score(self, score: f64) -> bool {
        match self {
            Self::Nothing => false,
            Self::These(known) => known.score.is_some_and(|before| score >= before),
            Self::Everything => true,
        }
    }

    /// True if a score below the threshold was known.
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
    /// What blocks an outcome, or would if it were not known.
    pub fn of(outcome: &Outcome) -> Self {
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

    /// How often a finding was there; `None` for any number of times.
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
    /// Replaces what is known of an outcome's input by what blocks it now, or would if it were not known.
    pub fn record(&mut self, outcome: &Outcome) {
        let known = Known::of(outcome);
        if known.is_empty() {
            self.inputs.remove(&outcome.input);
        } else {
            self.inputs.insert(outcome.input.clone(), known);
        }
    }

    /// How many entries of an outcome's input nothing needs any more.
    pub fn stale(&self, outcome: &Outcome) -> usize {
        let Some(known) = self.inputs.get(&outcome.input) else { return 0 };
        let now = Known::of(outcome);
        let left = |fingerprint: &Fingerprint| now.most(fingerprint).unwrap_or_default();
        let is_unneeded = |fingerprint: &&Fingerprint| left(fingerprint) < known.most(fingerprint).unwrap_or(1);
        let findings = known.findings.keys().filter(is_unneeded).count();
        findings + usize::from(known.score.is_some() && now.score.is_none())
    }
}

/// The issues that block, and those that would if they were not known.
fn met(outcome: &Outcome) -> impl Iterator<Item = &ReviewIssue> {
    let report = outcome.score_report.iter();
    report.flat_map(|report| {
        let known = report.non_blocking_issues.iter().filter(|issue| issue.disposition == Disposition::Baseline);
        report.blocking_issues.iter().chain(known)
    })
}
