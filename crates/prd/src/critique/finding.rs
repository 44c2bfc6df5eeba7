//! The codes of the checks of form, and their findings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Issue;

/// A check of form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCode {
    /// No part states the problem.
    MissingProblem,
    /// No part says how success is measured.
    MissingMetrics,
    /// No part names risks.
    MissingRisks,
    /// No part describes the users.
    MissingUsers,
    /// The document has neither a story nor a use case or flow.
    MissingStories,
    /// No part lists functional requirements.
    MissingRequirements,
    /// No part lists non-functional requirements.
    MissingQualities,
    /// No part has milestones or dates.
    MissingTimeline,
    /// A metric has no target figure.
    MetricWithoutTarget,
    /// A metric has no current value.
    MetricWithoutBaseline,
    /// A metric has no date.
    MetricWithoutDate,
    /// A risk has no owner.
    RiskWithoutOwner,
    /// A risk has no mitigation.
    RiskWithoutMitigation,
    /// The role of a story is not described.
    PersonaUndefined,
    /// A described user does not occur in the rest of the document.
    PersonaUnused,
    /// A non-functional requirement has no figure.
    QualityWithoutFigure,
    /// A milestone has no date.
    MilestoneWithoutDate,
    /// Blanks `[…]` have not been filled in.
    LeftOpen,
}

impl FindingCode {
    /// All checks, in the order of reports.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 18] = [
        Self::MissingProblem,
        Self::MissingMetrics,
        Self::MissingRisks,
        Self::MissingUsers,
        Self::MissingStories,
        Self::MissingRequirements,
        Self::MissingQualities,
        Self::MissingTimeline,
        Self::MetricWithoutTarget,
        Self::MetricWithoutBaseline,
        Self::MetricWithoutDate,
        Self::RiskWithoutOwner,
        Self::RiskWithoutMitigation,
        Self::PersonaUndefined,
        Self::PersonaUnused,
        Self::QualityWithoutFigure,
        Self::MilestoneWithoutDate,
        Self::LeftOpen,
    ];

    /// The code in files and reports: `risk-without-owner`.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The codes of readers for the same subject; none if readers have no code for it.
    fn subjects(self) -> &'static [&'static str] {
        match self {
            Self::MissingProblem => &["problem"],
            Self::MissingMetrics
            | Self::MetricWithoutTarget
            | Self::MetricWithoutBaseline
            | Self::MetricWithoutDate => &["metric"],
            Self::MissingRisks | Self::RiskWithoutOwner | Self::RiskWithoutMitigation => &["risk"],
            Self::MissingUsers | Self::PersonaUndefined | Self::PersonaUnused => &["user"],
            Self::MissingStories => &["story", "user"],
            Self::MissingRequirements => &["requirement"],
            Self::MissingQualities | Self::QualityWithoutFigure => &["performance", "security", "requirement"],
            Self::MissingTimeline | Self::MilestoneWithoutDate => &["timeline"],
            Self::LeftOpen => &[],
        }
    }
}

/// The findings of form without those that a reader repeats. A reader repeats a finding with an issue about the same
/// subject at the same place, or about the absence of the same part; other issues of its category leave the finding.
pub(super) fn not_repeated<'f>(form: &'f [Issue], read: &'f [Issue]) -> impl Iterator<Item = &'f Issue> {
    let line = |issue: &Issue| issue.place.as_ref().map(|place| (place.source.clone(), place.line));
    form.iter().filter(move |found| {
        let subjects = named(&found.code).map_or(&[][..], FindingCode::subjects);
        !read.iter().any(|issue| subjects.contains(&issue.code.as_str()) && line(issue) == line(found))
    })
}

fn named(code: &str) -> Option<FindingCode> {
    serde_json::from_value(serde_json::Value::from(code)).ok()
}

/// A finding of a check.
#[derive(Debug)]
pub(super) struct CheckFinding {
    pub code: FindingCode,
    /// `None` for a missing part.
    pub line: Option<u32>,
    pub section: String,
    /// The names and lines of the records concerned.
    pub names: Vec<(String, u32)>,
    /// The number of records that were checked.
    pub of: usize,
}
