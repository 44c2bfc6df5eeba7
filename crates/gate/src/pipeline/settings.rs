//! How a run judges: severities, thresholds, waivers and what the user states.

use std::collections::BTreeMap;

use super::Pipeline;
use crate::local_reader::{LocalReader, TeamWeights};
use crate::stages::gate::{BaselineUse, WaiverError, Waivers};
use crate::stages::intake::RawInput;
use reqgate_base::model::{Language, OtherLanguages, RuleId, Severity, SourceType, TicketType};
use reqgate_rules::Tally;
use reqgate_rules::config::{DEFAULT_PRECISION_FLOOR, ValidConfig};

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
    /// Name of the policy; `None` for the default.
    pub policy: Option<String>,
    /// How sure a "no" must be to block, 0 to 1; `None` for what the policy says.
    pub sure: Option<f64>,
    /// Precision below which a rule may not block, 0 to 1.
    pub precision_floor: f64,
    /// How often rules were right by the user's own records.
    pub recorded: BTreeMap<RuleId, Tally>,
    /// The languages that are judged.
    pub judged_languages: Vec<Language>,
    /// What becomes of texts in others.
    pub other_languages: OtherLanguages,
    /// Findings that are set aside.
    pub waivers: Waivers,
    /// The local reader.
    pub reader: LocalReader,
    /// Weights of the user's own team, on top of those of the reader.
    pub team: Option<TeamWeights>,
    /// What was known before.
    pub baseline: BaselineUse,
    /// False skips structuring.
    pub enable_structuring: bool,
    /// False rejects what cannot be structured instead of scoring its raw text.
    pub enable_fallback: bool,
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
    pub language: Option<Language>,
    /// Language of the report; that of each input if not stated.
    pub report_language: Option<Language>,
    /// Every input is a requirement: neither what it states of itself nor how it reads makes it a task or a question.
    pub is_requirement: bool,
}

impl Stated {
    /// An input with what the user states about it.
    pub(super) fn put_to(self, mut input: RawInput) -> RawInput {
        if self.is_requirement {
            input.ticket_type = None;
            // Minutes owe less than what they lead to.
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
    /// What a configuration says, `today` (`YYYY-MM-DD`) deciding which waivers have expired.
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
    /// Judges the inputs to come under another policy, with another line between a question and a block; `None` for the
    /// default policy, and for the line that the policy draws.
    pub fn judge_under(&mut self, policy: Option<String>, sure: Option<f64>) {
        self.settings.policy = policy;
        self.settings.sure = sure;
    }
}
