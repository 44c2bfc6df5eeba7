//! reqgate, the quality gate for requirements.
pub mod config;
pub mod model;
pub mod stages;
