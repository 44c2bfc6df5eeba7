//! The names of the files that the workflow writes into the folder of the feature.

pub(super) const BRIEF_FILE: &str = "feature-brief.md";
pub(super) const REQUIREMENTS_FILE: &str = "requirements.md";
pub(super) const PRD_FILE: &str = "prd.md";
pub(super) const PRD_JSON_FILE: &str = "prd.json";

pub(super) const DOCUMENTS: [&str; 4] = [BRIEF_FILE, REQUIREMENTS_FILE, PRD_JSON_FILE, PRD_FILE];
