//! reqgate, the quality gate for requirements.
pub mod model;
pub mod report;
