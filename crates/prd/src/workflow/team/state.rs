//! The state of a team's work, with the field names of its source, and its changes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asks::Checkpoint;
use super::findings::{CompetitiveAnalysis, MarketResearch, SecondFindings, UserResearch};
use crate::critique::{
    ConsolidatedFeedback, Critique, LoopDecision, LoopSettings, LoopState, Role, consolidate, control,
};
use crate::team::PrdOutline;
use crate::team::citations::ResearchSources;
use crate::team::sections::ResearchArea;
use crate::team::versions::{RequestedChanges, RevisionEntry, RevisionHistory, SectionStatus, section_status};
use crate::workflow::SourceText;
use reqgate_base::model::Language;

/// Who approves what, and when revising ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TeamSettings {
    /// The rounds of critics and revisions.
    pub rounds: LoopSettings,
    /// True if a person approves the outline.
    pub require_outline_approval: bool,
    /// True if a person approves the first draft before the critics read it. Without a reader a person writes it in any case.
    pub require_draft_approval: bool,
    /// True if a person approves every revision.
    pub require_revision_approval: bool,
    /// True if a person approves the end even where critics and gate do.
    pub require_final_approval: bool,
    /// The critics of whom a second reading is wanted, which does not know of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second_opinions: Vec<Role>,
    /// The researchers of whom a second reading of the sources is wanted, which does not know of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second_researchers: Vec<ResearchArea>,
}

impl Default for TeamSettings {
    fn default() -> Self {
        Self {
            rounds: LoopSettings::default(),
            require_outline_approval: true,
            require_draft_approval: false,
            require_revision_approval: false,
            require_final_approval: true,
            second_opinions: Vec::new(),
            second_researchers: Vec::new(),
        }
    }
}

/// A draft that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Its number, author, day and changes.
    pub entry: RevisionEntry,
    /// Its text.
    pub markdown: String,
    /// The sections that a revision has changed although nobody asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<String>,
}

/// What the critics say of one draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedbackRound {
    /// The number of the draft.
    pub draft_version: u32,
    /// Each critic.
    pub critiques: Vec<Critique>,
    /// All of them as one.
    pub consolidated: ConsolidatedFeedback,
}

/// A decision of a person, and how far the document was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// What was decided.
    #[serde(rename = "type")]
    pub kind: Checkpoint,
    /// Who.
    #[serde(default)]
    pub actor: String,
    /// When, by RFC 3339 in UTC.
    pub timestamp: String,
    /// The document at that time.
    pub state_snapshot: StateSnapshot,
}

/// How far a document was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateSnapshot {
    /// The number of the draft; none before the first.
    pub draft_version: Option<u32>,
    /// Its sections.
    pub section_status: Vec<SectionStatus>,
    /// The decision in a word.
    pub approval_status: String,
}

/// The word for a decision that approves.
pub(super) const APPROVED: &str = "approved";

/// The state of a team's work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TeamState {
    /// The settings.
    pub settings: TeamSettings,
    /// The outline.
    pub prd_outline: Option<PrdOutline>,
    /// Every search, as it was logged, with its results.
    pub research_searches: Vec<Value>,
    /// The results of searches as texts that may be quoted, named by their ids.
    pub research_texts: Vec<SourceText>,
    /// The sources that may be cited.
    pub research_sources: ResearchSources,
    /// Searches that failed, in words.
    pub research_failures: Vec<String>,
    /// The findings about the market.
    pub market_research: Option<MarketResearch>,
    /// The findings about competitors.
    pub competitive_analysis: Option<CompetitiveAnalysis>,
    /// The findings about users.
    pub user_research: Option<UserResearch>,
    /// What researchers found who read a second time.
    #[serde(skip_serializing_if = "SecondFindings::is_empty")]
    pub second_findings: SecondFindings,
    /// Every draft, oldest first.
    pub drafts: Vec<Draft>,
    /// Every round of critics.
    pub feedback_rounds: Vec<FeedbackRound>,
    /// The rounds as the control sees them.
    pub refinement: LoopState,
    /// What a person wants of the next outline or draft.
    pub guidance: Option<String>,
    /// The decisions of people.
    pub human_checkpoints: Vec<CheckpointRecord>,
    /// The draft that the next revision starts from, where it is not the latest.
    pub revised_version: Option<u32>,
    /// The number of the draft that was approved.
    pub approved_version: Option<u32>,
    /// SHA-256 of each document as it was written when a draft was approved.
    pub exported: BTreeMap<String, String>,
    /// Why it was approved although critics or gate did not approve, or nobody read it.
    pub human_override: Option<String>,
}

/// A change of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamPatch {
    /// The thread is one of a team.
    Settings(TeamSettings),
    /// There is an outline.
    Outlined(Box<PrdOutline>),
    /// What a person wants; `None` once it was heeded.
    Guided(Option<String>),
    /// Sources were looked for.
    Searched {
        /// Every search.
        searches: Vec<Value>,
        /// Its results as texts.
        texts: Vec<SourceText>,
        /// The sources.
        sources: ResearchSources,
        /// What failed.
        failures: Vec<String>,
    },
    /// The findings.
    Found(Box<(MarketResearch, CompetitiveAnalysis, UserResearch)>),
    /// The findings of second readings.
    FoundAgain(Box<SecondFindings>),
    /// There is another draft.
    Drafted {
        /// Its text.
        markdown: String,
        /// The author.
        author: String,
        /// The day.
        day: String,
        /// Whether it takes up what the critics of the draft before wanted.
        revises: bool,
        /// The sections that were changed although nobody asked for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unasked: Vec<String>,
    },
    /// The latest draft was read by its critics.
    Critiqued(Vec<Critique>),
    /// A person decided.
    Decided {
        /// What.
        kind: Checkpoint,
        /// Who.
        actor: String,
        /// When.
        at: String,
        /// The decision in a word.
        status: String,
        /// The draft that it is about.
        version: Option<u32>,
    },
    /// The approved documents were written: SHA-256 by name.
    Exported(BTreeMap<String, String>),
    /// A draft is approved.
    Approved {
        /// Its number.
        version: u32,
        /// Why, although critics or gate do not approve.
        because: Option<String>,
    },
}

impl TeamState {
    /// The latest draft.
    pub fn current_draft(&self) -> Option<&Draft> {
        self.drafts.last()
    }

    /// The draft that the next revision starts from.
    pub fn revised_draft(&self) -> Option<&Draft> {
        self.revised_version.and_then(|version| self.draft(version)).or_else(|| self.current_draft())
    }

    /// The average of the critics in every round, in order.
    pub fn score_history(&self) -> Vec<f64> {
        self.feedback_rounds.iter().filter_map(|round| round.consolidated.average_score).collect()
    }

    /// A draft by its number.
    pub fn draft(&self, version: u32) -> Option<&Draft> {
        self.drafts.iter().find(|draft| draft.entry.version == version)
    }

    /// What the critics said of a draft last.
    pub fn round_of(&self, version: u32) -> Option<&FeedbackRound> {
        self.feedback_rounds.iter().rev().find(|round| round.draft_version == version)
    }

    /// The decision after the latest round; `None` where nobody has read the draft, so that a person decides.
    pub fn decision(&self) -> Option<LoopDecision> {
        self.refinement.rounds.last()?.average_score?;
        Some(control(&self.settings.rounds, &self.refinement))
    }

    /// The draft that is delivered: the one that the control names, or the latest.
    pub fn delivered(&self) -> Option<&Draft> {
        match self.decision() {
            Some(LoopDecision::Stop { deliver, .. }) => self.draft(deliver),
            _ => self.current_draft(),
        }
    }

    /// The drafts without their texts.
    pub fn revision_history(&self) -> RevisionHistory {
        RevisionHistory(self.drafts.iter().map(|draft| draft.entry.clone()).collect())
    }

    /// What the critics of the latest draft want.
    fn requested(&self) -> Option<RequestedChanges> {
        let feedback = &self.round_of(self.revised_draft()?.entry.version)?.consolidated;
        Some(RequestedChanges {
            strategic: feedback.strategic_changes.clone(),
            design: feedback.design_changes.clone(),
            technical: feedback.technical_changes.clone(),
        })
    }

    fn language(&self) -> Language {
        self.prd_outline.as_ref().map_or(Language::En, |outline| outline.language)
    }
}

/// Changes the state.
pub(in crate::workflow) fn apply(state: &mut TeamState, patch: TeamPatch) {
    match patch {
        TeamPatch::Settings(settings) => state.settings = settings,
        TeamPatch::Outlined(outline) => {
            state.prd_outline = Some(*outline);
            state.guidance = None;
        }
        TeamPatch::Guided(words) => {
            // What a person wants is the beginning of new rounds: no earlier draft has it.
            if words.is_some() {
                state.refinement = LoopState::default();
                state.approved_version = None;
            }
            state.guidance = words;
        }
        TeamPatch::Searched { searches, texts, sources, failures } => {
            state.research_searches = searches;
            state.research_texts = texts;
            state.research_sources = sources;
            state.research_failures = failures;
        }
        TeamPatch::Found(found) => {
            let (market, competitors, users) = *found;
            state.market_research = Some(market);
            state.competitive_analysis = Some(competitors);
            state.user_research = Some(users);
            state.second_findings = SecondFindings::default();
        }
        TeamPatch::FoundAgain(found) => state.second_findings = *found,
        TeamPatch::Drafted { markdown, author, day, revises, unasked } => {
            let feedback = if revises { state.requested() } else { None };
            let language = state.language();
            let entry = state.revision_history().add(&day, &author, feedback, language);
            state.drafts.push(Draft { entry, markdown, unasked });
            state.guidance = None;
            state.revised_version = None;
        }
        TeamPatch::Critiqued(critiques) => {
            let Some(draft_version) = state.current_draft().map(|draft| draft.entry.version) else { return };
            let consolidated = consolidate(&critiques);
            let rounds = std::mem::take(&mut state.refinement);
            state.refinement = rounds.with_round(&state.settings.rounds, draft_version, &consolidated);
            state.feedback_rounds.push(FeedbackRound { draft_version, critiques, consolidated });
        }
        TeamPatch::Exported(written) => state.exported = written,
        TeamPatch::Decided { kind, actor, at, status, version } => {
            // What a person changes or wants changed at the end is the beginning of new rounds: no earlier draft is better than it.
            if kind == Checkpoint::FinalApproval && status != APPROVED {
                state.refinement = LoopState::default();
                state.revised_version = version;
            }
            let draft = state.current_draft();
            let state_snapshot = StateSnapshot {
                draft_version: draft.map(|draft| draft.entry.version),
                section_status: draft.map(|draft| section_status(&draft.markdown)).unwrap_or_default(),
                approval_status: status,
            };
            state.human_checkpoints.push(CheckpointRecord { kind, actor, timestamp: at, state_snapshot });
        }
        TeamPatch::Approved { version, because } => {
            state.approved_version = Some(version);
            state.refinement.human_override = because.is_some();
            state.human_override = because;
        }
    }
}
