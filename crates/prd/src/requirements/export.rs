//! Exports the requirements as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RequirementsDocument;
use crate::{Decided, DocumentStatus, FeatureId, Requirement, ReviewRecord};

/// The requirements of a feature, grouped by decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementsExport {
    /// The id of the feature; `null` if the document does not have one.
    pub feature_id: Option<FeatureId>,
    /// The title of the document.
    pub title: String,
    /// The status of the document.
    pub status: DocumentStatus,
    /// The requirements approved as they are.
    pub approved_requirements: Vec<ExportedRequirement>,
    /// The requirements that were rejected or put out of scope, each with the reason.
    pub rejected_requirements: Vec<ExportedRequirement>,
    /// The requirements approved with changes, each with its notes.
    pub modified_requirements: Vec<ExportedRequirement>,
    /// The requirements without a decision.
    pub pending_requirements: Vec<ExportedRequirement>,
    /// The reviews, in order.
    pub review_history: Vec<ReviewRecord>,
}

/// A requirement and the decision on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRequirement {
    /// The requirement with its text and sources.
    #[serde(flatten)]
    pub requirement: Requirement,
    /// The decision on the requirement.
    pub decision: Decided,
}

impl RequirementsExport {
    /// Returns all requirements, the accepted ones first.
    pub fn requirements(self) -> impl Iterator<Item = ExportedRequirement> {
        let decided = self.approved_requirements.into_iter().chain(self.modified_requirements);
        decided.chain(self.pending_requirements).chain(self.rejected_requirements)
    }
}

impl RequirementsDocument {
    /// Exports the document as data.
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
