//! The PRD that a team of agents writes: its outline, its document, citations, versions and exports.

pub mod citations;
pub mod document;
pub mod export;
mod links;
pub mod outline;
pub mod revised;
pub mod sections;
pub mod versions;

pub use document::ProductRequirementsDocument;
pub use outline::{PrdOutline, PrdSection};
pub use sections::{ResearchArea, SectionId, StandardSection};
