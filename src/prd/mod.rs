//! The PRD workflow: from one sentence, a ticket or meeting notes to an approved feature brief, requirements and a PRD.

pub mod brief;
pub mod feature_id;
mod model;

pub use model::{
    Decided, DocumentStatus, FeatureBrief, FeatureId, FeatureIdError, Gap, GapCategory, GapSeverity, OpenQuestion,
    OtherSection, Requirement, RequirementId, RequirementIdError, RequirementPriority, ReviewRecord, SourceQuote,
    Statement, SuggestedRequirement,
};
