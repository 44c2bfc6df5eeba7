//! The files that the workflow writes, in the folder of the feature.

/// The approved brief.
pub(super) const BRIEF_FILE: &str = "feature-brief.md";
/// The requirements.
pub(super) const REQUIREMENTS_FILE: &str = "requirements.md";
/// The PRD.
pub(super) const PRD_FILE: &str = "prd.md";
/// The PRD as data.
pub(super) const PRD_JSON_FILE: &str = "prd.json";

/// Every one of them.
pub(super) const DOCUMENTS: [&str; 4] = [BRIEF_FILE, REQUIREMENTS_FILE, PRD_JSON_FILE, PRD_FILE];
