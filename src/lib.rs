//! reqgate, the quality gate for requirements.
pub mod model;
