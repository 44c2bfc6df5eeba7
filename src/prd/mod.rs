//! The PRD workflow: from one sentence, a ticket or meeting notes to an approved feature brief, requirements and a PRD.

pub mod brief;
pub mod collect;
pub mod critique;
pub mod feature_id;
pub mod gaps;
mod markup;
mod model;
pub mod prd_document;
mod prd_input;
pub mod prd_text;
pub mod requirements;
pub mod workflow;

pub use model::{
    Decided, DocumentStatus, FeatureBrief, FeatureId, FeatureIdError, Gap, GapCategory, GapSeverity, OpenQuestion,
    OtherSection, Requirement, RequirementId, RequirementIdError, RequirementPriority, ReviewRecord, SourceQuote,
    Statement, SuggestedRequirement,
};
pub use prd_input::{PrdInput, PrdStatus, Revision, TraceabilityRow};
