//! The task about PRDs as a suite says it.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The three questions about a planted fault that a reader answers, which are the classes of the task: are the issues in its category
/// more or worse, does the category fall, does the score?
pub const RANKED: [&str; 3] = ["issues-rise", "category-falls", "score-falls"];
/// The question about a PRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrdAsks {
    /// How many findings of form does the text get? It is sound, so that each is a false alarm.
    Sound,
    /// Which share has it of summary, problem, requirements, metrics and timeline? 0 to 100.
    Completeness,
    /// Which share of its sentences is clear: no rule finds an ambiguity in it, a metric has a target figure, and a quality no degree
    /// without a figure? 0 to 100.
    Clarity,
    /// The mean of three shares: risks with owner and mitigation, milestones with a date, and whether dependencies are named. 0 to 100.
    Feasibility,
    /// Does the critic of the row find the planted fault by form, and nobody anything else?
    Form,
    /// Does a reader in the critic's place find more or worse issues in the category of the planted fault, grade it lower, and with
    /// it the document?
    Reading,
}

/// A task about PRDs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdTask {
    /// The question.
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
