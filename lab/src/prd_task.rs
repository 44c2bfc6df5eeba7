//! The PRD task of a suite.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The three questions about a planted fault that a reader answers, which are the classes of the task: do the issues in
/// its category become more or worse, does the category's score fall, does the total score fall?
pub(crate) const RANKED: [&str; 3] = ["issues-rise", "category-falls", "score-falls"];
/// The question about a PRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrdAsks {
    /// The number of findings of form. The text is sound, so each is a false alarm.
    Sound,
    /// The share of summary, problem, requirements, metrics and timeline that the document has, 0 to 100.
    Completeness,
    /// The share of clear sentences, 0 to 100. A sentence is clear if no rule finds an ambiguity in it, a metric has a
    /// target figure, and a quality has no degree without a figure.
    Clarity,
    /// The mean of three shares, 0 to 100: risks with owner and mitigation, milestones with a date, and whether
    /// dependencies are named.
    Feasibility,
    /// The critic of the row finds the planted fault by form, and no critic finds another one.
    Form,
    /// A reader in the role of the critic finds more or worse issues in the category of the planted fault, and lowers
    /// the scores of the category and the document.
    Reading,
}

/// A task about PRDs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdTask {
    /// The question to answer.
    pub asks: PrdAsks,
    /// For planted faults: the folder of the sound documents, relative to the data folder.
    #[serde(default)]
    pub documents: PathBuf,
    /// Recorded readings, used unless a model reads: `ID.sound.json` and `ID.faulty.json` for the row `ID`, relative to the data folder.
    #[serde(default)]
    pub readings: Option<PathBuf>,
}

impl PrdAsks {
    /// The classes of the question.
    pub fn classes(self) -> &'static [&'static str] {
        if self == Self::Reading { &RANKED } else { &["yes"] }
    }
}
