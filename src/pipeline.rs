//! START HERE: intake → guardrail → structuring → structure check → scoring → gate, in straight lines.
//!
//! The seven nodes of C-004 are all here. A poor requirement is an `Outcome`; only a broken input or world is an `Err`.

use std::collections::BTreeMap;
use std::time::Instant;

use garde::Validate;

use crate::model::{
    BlockReason, Category, Detected, Edit, ExecutionTimes, Finding, GateDecision, GuardrailReport, GuardrailStatus, LineIndex,
    Outcome, RequirementPacket, ReviewIssue, RuleId, Severity, SourceType, Stage, Structured, TicketScoreReport, TicketType, Verdict,
};
use crate::report;
use crate::rules::{Detect, Evidence, Facet, Profile, Rubric, RuleBook};
use crate::stages::gate::{self, Repair, Waivers};
use crate::stages::intake::{RawInput, detect};
use crate::stages::scoring::findings::{self, Context};
use crate::stages::scoring::issues;
use crate::stages::scoring::score::{self, Counted, Evidenced};
use crate::stages::structure_check;
use crate::stages::structuring;
use crate::text::Reading;

/// How a run judges, apart from the rules themselves.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Severities that the installation sets; `None` switches a rule off.
    pub severities: BTreeMap<RuleId, Option<Severity>>,
    /// Thresholds per rubric id that the installation sets.
    pub thresholds: BTreeMap<String, f64>,
    /// One threshold for every rubric; beats `thresholds`.
    pub threshold: Option<f64>,
    /// Rubric to apply whatever the kind of document.
    pub rubric: Option<String>,
    /// Findings that are set aside.
    pub waivers: Waivers,
    /// False skips structuring.
    pub enable_structuring: bool,
    /// What the command line says of every input.
    pub stated: Stated,
}

/// What the user states about every input of a run; it beats what a source states.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stated {
    /// Kind of document.
    pub source_type: Option<SourceType>,
    /// What the ticket asks for.
    pub ticket_type: Option<TicketType>,
    /// Language.
    pub language: Option<crate::model::Language>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            severities: BTreeMap::new(),
            thresholds: BTreeMap::new(),
            threshold: None,
            rubric: None,
            waivers: Waivers::default(),
            enable_structuring: true,
            stated: Stated::default(),
        }
    }
}

/// A pipeline ready to judge.
pub struct Pipeline {
    /// The rules, rubrics and vocabulary in force.
    pub book: RuleBook,
    guardrail: Option<Guardrail>,
    settings: Settings,
}

/// An input that cannot be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The packet does not validate (C-036: illegal input is refused at the schema).
    #[error("{input}: {message}")]
    InvalidPacket {
        /// Name of the input.
        input: String,
        /// What is wrong with it.
        message: String,
    },
    /// No rubric fits the document.
    #[error("{input}: no rubric for a {profile}; name one with --rubric or add one to the rules folder")]
    NoRubric {
        /// Name of the input.
        input: String,
        /// The kind of document.
        profile: String,
    },
}
