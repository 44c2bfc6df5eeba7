//! reqgate, the quality gate for requirements.
pub mod model;
pub mod report;
pub mod rules;
pub mod stages;
pub mod text;
