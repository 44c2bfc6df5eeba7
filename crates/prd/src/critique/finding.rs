//! The checks of form by their codes, and what one of them finds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A check of form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCode {
    /// No part says why it is built.
    MissingProblem,
    /// No part says how success is measured.
    MissingMetrics,
    /// No part names risks.
    MissingRisks,
    /// No part says whom it is for.
    MissingUsers,
    /// No story, use case or flow.
    MissingStories,
    /// No part says what it does.
    MissingRequirements,
    /// No part says how well it has to do it.
    MissingQualities,
    /// No part says what is finished when.
    MissingTimeline,
    /// A metric has no target figure.
    MetricWithoutTarget,
    /// A metric has no value of today.
    MetricWithoutBaseline,
    /// A metric has no date.
    MetricWithoutDate,
    /// A risk has no owner.
    RiskWithoutOwner,
    /// A risk has no mitigation.
    RiskWithoutMitigation,
    /// A story is told by somebody who is described nowhere.
    PersonaUndefined,
    /// A user is described and never comes up again.
    PersonaUnused,
    /// A non-functional requirement has no figure.
    QualityWithoutFigure,
    /// A milestone has no date.
    MilestoneWithoutDate,
    /// Blanks `[…]` are left for somebody to fill in.
    LeftOpen,
}

impl FindingCode {
    /// Every check.
    pub const ALL: [Self; 18] = [
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
}

/// Something that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub code: FindingCode,
    /// `None` for something that stands nowhere.
    pub line: Option<u32>,
    pub section: String,
    /// The records that it is about, by name.
    pub names: Vec<(String, u32)>,
    /// The number of records that were checked.
    pub of: usize,
}
