//! The PRD of a team of agents: its outline, document, citations, versions and exports.

pub mod citations;
pub mod document;
pub mod export;
mod links;
pub mod outline;
pub(crate) mod requirement_texts;
pub mod revised;
pub mod sections;
pub mod versions;

pub use document::ProductRequirementsDocument;
pub use outline::{PrdOutline, PrdSection};
pub use sections::{ResearchArea, SectionId, StandardSection};
