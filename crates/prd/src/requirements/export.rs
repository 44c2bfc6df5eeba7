//! The requirements as JSON for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RequirementsDocument;
use crate::{Decided, DocumentStatus, FeatureId, Requirement, ReviewRecord};

/// The requirements of a feature, grouped by decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementsExport {
    /// The feature; `null` if the document does not name it.
    pub feature_id: Option<FeatureId>,
    /// Its name.
    pub title: String,
    /// The status of the document.
    pub status: DocumentStatus,
    /// Approved as they are.
    pub approved_requirements: Vec<ExportedRequirement>,
    /// Rejected or out of scope; each with the reason.
    pub rejected_requirements: Vec<ExportedRequirement>,
    /// Approved with changes, each with its notes.
    pub modified_requirements: Vec<ExportedRequirement>,
    /// Not decided yet.
    pub pending_requirements: Vec<ExportedRequirement>,
    /// The reviews.
    pub review_history: Vec<ReviewRecord>,
}

/// A requirement and the decision on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRequirement {
    /// The requirement.
    #[serde(flatten)]
    pub requirement: Requirement,
    /// The decision.
    pub decision: Decided,
}

impl RequirementsExport {
    /// All requirements, those that count first.
    pub fn requirements(self) -> impl Iterator<Item = ExportedRequirement> {
        let decided = self.approved_requirements.into_iter().chain(self.modified_requirements);
        decided.chain(self.pending_requirements).chain(self.rejected_requirements)
    }
}

impl RequirementsDocument {
    /// The document for programs.
    pub fn export(&self) -> RequirementsExport {
        let of = |wanted: fn(&Decided) -> bool| {
            let entries = self.requirements().filter(|entry| wanted(&entry.decided));
            let exported = |entry: &super::ReviewedRequirement| ExportedRequirement {
                requirement: entry.requirement.clone(),
                decision: entry.decided.clone(),
            };
            entries.map(exported).collect()
        };
        RequirementsExport {
            feature_id: self.feature().cloned(),
            title: self.title().to_owned(),
            status: self.status(),
            approved_requirements: of(|decided| matches!(decided, Decided::Approved)),
            rejected_requirements: of(|decided| {
                matches!(decided, Decided::Rejected { .. } | Decided::OutOfScope { .. })
            }),
            modified_requirements: of(|decided| matches!(decided, Decided::Modified { .. })),
            pending_requirements: of(|decided| matches!(decided, Decided::Pending)),
            review_history: self.history().to_vec(),
        }
    }
}
