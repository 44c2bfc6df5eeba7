//! The parts of the program that the fuzz targets reach, under the names that the tests use; the program itself takes much longer to build.

pub use reqgate_base::{hash, model};
pub use reqgate_gate::pipeline;
#[cfg(feature = "prd")]
pub use reqgate_prd as prd;
pub use reqgate_report as report;
pub use reqgate_rules as rules;
pub use reqgate_rules::config;
pub use reqgate_text as text;

/// The stages of a verdict.
pub mod stages {
    pub use reqgate_gate::stages::{gate, intake, scoring, structure_check, structuring};
    pub use reqgate_guardrail as guardrail;
}
