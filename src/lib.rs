//! reqgate, the quality gate for requirements.
pub mod catalog;
pub mod config;
pub mod model;
pub mod pipeline;
pub mod report;
pub mod rules;
pub mod stages;
pub mod text;
