//! The PRD workflow: from one sentence, a ticket or meeting notes to an approved feature brief, requirements and a PRD.

mod model;

pub use model::{
    Decided, DocumentStatus, FeatureBrief, FeatureId, FeatureIdError, Gap, GapCategory, GapSeverity, OpenQuestion,
    Requirement, RequirementId, RequirementIdError, RequirementPriority, ReviewRecord, SourceQuote, Statement,
    SuggestedRequirement,
};
