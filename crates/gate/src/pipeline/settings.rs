//! The settings of a run: severities, thresholds, waivers and the user's statements.

use std::collections::BTreeMap;

use super::Pipeline;
use crate::local_reader::{LocalReader, TeamWeights};
use crate::stages::gate::{BaselineUse, WaiverError, Waivers};
use crate::stages::intake::RawInput;
use reqgate_base::model::{Language, OtherLanguages, RuleId, Severity, SourceType, TicketType};
use reqgate_rules::Tally;
use reqgate_rules::config::{DEFAULT_PRECISION_FLOOR, ValidConfig};

/// The settings of a run, apart from the rules themselves.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Severities that the installation sets; `None` switches a rule off.
    pub severities: BTreeMap<RuleId, Option<Severity>>,
    /// Thresholds per rubric id that the installation sets.
    pub thresholds: BTreeMap<String, f64>,
    /// One threshold for every rubric; takes precedence over `thresholds`.
    pub threshold: Option<f64>,
    /// The rubric for every kind of document.
    pub rubric: Option<String>,
    /// The name of the policy; `None` for the default.
    pub policy: Option<String>,
    /// The certainty that a rejection needs, 0 to 1; `None` for that of the policy.
    pub sure: Option<f64>,
    /// Precision below which a rule may not block, 0 to 1.
    pub precision_floor: f64,
    /// The numbers of right and wrong findings of rules in the user's own records.
    pub recorded: BTreeMap<RuleId, Tally>,
    /// The languages that are judged.
    pub judged_languages: Vec<Language>,
    /// The treatment of texts in other languages.
    pub other_languages: OtherLanguages,
    /// Findings that are set aside.
    pub waivers: Waivers,
    /// The local reader of the run.
    pub reader: LocalReader,
    /// Weights of the user's own team, on top of those of the reader.
    pub team: Option<TeamWeights>,
    /// The findings that were known before.
    pub baseline: BaselineUse,
    /// Structuring runs; otherwise the raw text is scored.
    pub enable_structuring: bool,
    /// False rejects a text that cannot be structured, instead of scoring its raw text.
    pub enable_fallback: bool,
    /// The user's statements about every input.
    pub stated: Stated,
}

/// The user's statements about every input of a run; they take precedence over those of a source.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stated {
    /// The kind of document.
    pub source_type: Option<SourceType>,
    /// The type of the ticket.
    pub ticket_type: Option<TicketType>,
    /// The language of the text.
    pub language: Option<Language>,
    /// The language of the report; that of each input if not stated.
    pub report_language: Option<Language>,
    /// Every input is a requirement: neither its own statements nor its words make it a task or a question.
    pub is_requirement: bool,
}

impl Stated {
    /// Adds the user's statements to an input.
    pub(super) fn put_to(self, mut input: RawInput) -> RawInput {
        if self.is_requirement {
            input.ticket_type = None;
            // Minutes need fewer parts than the requirement that they lead to.
            input.source_type = input.source_type.filter(|source| *source != SourceType::MeetingTranscript);
        }
        input.source_type = self.source_type.or(input.source_type);
        input.ticket_type = self.ticket_type.or(input.ticket_type);
        input.language = self.language.or(input.language);
        input
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            severities: BTreeMap::new(),
            thresholds: BTreeMap::new(),
            threshold: None,
            rubric: None,
            policy: None,
            sure: None,
            precision_floor: DEFAULT_PRECISION_FLOOR,
            recorded: BTreeMap::new(),
            judged_languages: vec![Language::En, Language::Zh],
            other_languages: OtherLanguages::Report,
            waivers: Waivers::default(),
            reader: LocalReader::default(),
            team: None,
            baseline: BaselineUse::None,
            enable_structuring: true,
            enable_fallback: true,
            stated: Stated::default(),
        }
    }
}

impl Settings {
    /// The settings of a configuration. `today` (`YYYY-MM-DD`) decides which waivers have expired.
    ///
    /// # Errors
    /// Fails if a waiver has no reason, a broken date or a broken pattern.
    pub fn from_config(config: &ValidConfig, stated: Stated, today: &str) -> Result<Self, WaiverError> {
        let waivers: Vec<_> = config.waivers.iter().map(|waiver| waiver.value.clone()).collect();
        Ok(Self {
            severities: config.severities.iter().map(|(id, severity)| (id.clone(), severity.value)).collect(),
            thresholds: config.thresholds.iter().map(|(id, threshold)| (id.clone(), threshold.value)).collect(),
            threshold: config.threshold.value,
            rubric: config.rubric.value.clone(),
            policy: config.policy.value.clone(),
            sure: config.sure.value,
            precision_floor: config.precision_floor.value,
            recorded: BTreeMap::new(),
            judged_languages: config.judged_languages.value.clone(),
            other_languages: config.other_languages.value,
            waivers: Waivers::new(&waivers, today)?,
            reader: LocalReader::default(),
            team: None,
            baseline: BaselineUse::None,
            enable_structuring: config.enable_structuring.value,
            enable_fallback: config.enable_fallback.value,
            stated,
        })
    }
}

impl Pipeline {
    /// Judges the following inputs under another policy and certainty; `None` for the default policy and for its certainty.
    pub fn judge_under(&mut self, policy: Option<String>, sure: Option<f64>) {
        self.settings.policy = policy;
        self.settings.sure = sure;
    }
}
