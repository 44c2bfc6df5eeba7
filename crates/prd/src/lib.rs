//! The PRD workflow: from one sentence, a ticket or meeting notes to an approved feature brief, requirements and a PRD.

pub mod ask;
pub mod brief;
pub mod collect;
pub mod critique;
mod feature_document;
pub mod feature_id;
mod gap;
pub mod gaps;
mod ids;
pub mod in_words;
pub mod layouts;
mod model;
mod names;
mod open_questions;
mod own_orders;
pub mod plan;
pub mod prd_document;
mod prd_input;
pub mod prd_text;
pub mod requirements;
pub mod team;
pub mod trace;
mod waiting;
pub mod workflow;

pub use feature_document::FeatureDocument;
pub use gap::{DecidedGap, Gap, GapCategory, GapChoice, GapSeverity, Strength, SuggestedRequirement};
pub use ids::{FeatureId, FeatureIdError, QuestionId, QuestionIdError, RequirementId, RequirementIdError};
pub use model::{
    Decided, DocumentStatus, FeatureBrief, OpenQuestion, OtherSection, Requirement, RequirementPriority, ReviewRecord,
    SourceQuote, Statement,
};
pub use open_questions::open_questions;
pub use own_orders::own_orders;
pub use prd_input::{PrdInput, PrdStatus, Revision, TraceabilityRow};
pub use reqgate_docs::unescaped;
