//! The PRD workflow: from one sentence, a ticket or meeting notes to an approved feature brief, requirements and a PRD.

pub mod brief;
pub mod collect;
pub mod critique;
pub mod feature_id;
pub mod gaps;
mod ids;
pub mod in_words;
mod markup;
mod model;
pub mod plan;
pub mod prd_document;
mod prd_input;
pub mod prd_text;
pub mod requirements;
pub mod team;
pub mod trace;
pub mod workflow;

pub use ids::{FeatureId, FeatureIdError, RequirementId, RequirementIdError};
pub use model::{
    Decided, DecidedGap, DocumentStatus, FeatureBrief, Gap, GapCategory, GapChoice, GapSeverity, OpenQuestion,
    OtherSection, Requirement, RequirementPriority, ReviewRecord, SourceQuote, Statement, SuggestedRequirement,
};
pub use prd_input::{PrdInput, PrdStatus, Revision, TraceabilityRow};
