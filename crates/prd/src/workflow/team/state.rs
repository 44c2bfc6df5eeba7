//! The state of a team's work, with the field names of its source, and its changes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asks::Checkpoint;
use super::findings::{CompetitiveAnalysis, MarketResearch, SecondFindings, UserResearch};
use crate::critique::{
    ConsolidatedFeedback, Critique, Issue, LoopDecision, LoopSettings, LoopState, Role, consolidate, control,
};
use crate::team::PrdOutline;
use crate::team::citations::{CitationStyle, ResearchSources};
use crate::team::sections::ResearchArea;
use crate::team::versions::{RequestedChanges, RevisionEntry, RevisionHistory, SectionStatus, section_status};
use crate::workflow::SourceText;
use crate::{DecidedGap, Gap};
use reqgate_base::model::Language;

/// The settings of approvals and revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TeamSettings {
    /// The settings of the rounds of critiques and revisions.
    pub rounds: LoopSettings,
    /// A person approves the outline.
    pub require_outline_approval: bool,
    /// A person approves the first draft before the critics read it. Without a reader, a person always writes it.
    pub require_draft_approval: bool,
    /// A person approves every revision.
    pub require_revision_approval: bool,
    /// A person decides after every round whether the critics get another one.
    pub require_round_decision: bool,
    /// A person approves the final document even if critics and gate do.
    pub require_final_approval: bool,
    /// The style of the citations in the final document.
    pub citation_style: CitationStyle,
    /// The critics with a second, independent reading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second_opinions: Vec<Role>,
    /// The researchers with a second, independent reading of the sources.
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
            require_round_decision: false,
            require_final_approval: true,
            citation_style: CitationStyle::Id,
            second_opinions: Vec::new(),
            second_researchers: Vec::new(),
        }
    }
}

/// A draft of the PRD.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The number, author, day and changes of the draft.
    pub entry: RevisionEntry,
    /// The text of the draft.
    pub markdown: String,
    /// The sections that a revision changed without a request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<String>,
}

/// The critiques of one draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedbackRound {
    /// The number of the draft.
    pub draft_version: u32,
    /// The critiques of the single critics.
    pub critiques: Vec<Critique>,
    /// The critiques of all critics, combined.
    pub consolidated: ConsolidatedFeedback,
    /// The issues of earlier rounds that no critic names any more and whose passage has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved_issues: Vec<Issue>,
    /// The issues of this round, and those of earlier rounds that are not resolved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_issues: Vec<Issue>,
    /// The contradictions between requirements of the draft that were open in this round; absent if no reader has compared
    /// them. A place has the id of its requirement as source, and its line counts from the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradictions: Option<Vec<Gap>>,
}

/// A decision of a person, with the state of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// The kind of decision.
    #[serde(rename = "type")]
    pub kind: Checkpoint,
    /// The name of the person.
    #[serde(default)]
    pub actor: String,
    /// The time, by RFC 3339 in UTC.
    pub timestamp: String,
    /// The state of the document at that time.
    pub state_snapshot: StateSnapshot,
}

/// The state of a document at a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateSnapshot {
    /// The number of the draft; absent before the first one.
    pub draft_version: Option<u32>,
    /// The state of each section.
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
    /// The settings of the thread.
    pub settings: TeamSettings,
    /// The outline of the PRD.
    pub prd_outline: Option<PrdOutline>,
    /// The log of all searches, with their results.
    pub research_searches: Vec<Value>,
    /// The results of searches as quotable texts, named by their ids.
    pub research_texts: Vec<SourceText>,
    /// The sources that may be cited.
    pub research_sources: ResearchSources,
    /// The failed searches, in words.
    pub research_failures: Vec<String>,
    /// The sources of people that the researchers have read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub research_read: Vec<String>,
    /// The findings about the market.
    pub market_research: Option<MarketResearch>,
    /// The findings about competitors.
    pub competitive_analysis: Option<CompetitiveAnalysis>,
    /// The findings about users.
    pub user_research: Option<UserResearch>,
    /// The findings of second readings.
    #[serde(skip_serializing_if = "SecondFindings::is_empty")]
    pub second_findings: SecondFindings,
    /// All drafts, the oldest first.
    pub drafts: Vec<Draft>,
    /// All rounds of critiques.
    pub feedback_rounds: Vec<FeedbackRound>,
    /// The state of the revision loop.
    pub refinement: LoopState,
    /// The request of a person for the next outline or draft.
    pub guidance: Option<String>,
    /// The decisions of people.
    pub human_checkpoints: Vec<CheckpointRecord>,
    /// The draft that the next revision starts from, if it is not the latest.
    pub revised_version: Option<u32>,
    /// The number of the approved draft.
    pub approved_version: Option<u32>,
    /// The SHA-256 of each document as it was written when a draft was approved.
    pub exported: BTreeMap<String, String>,
    /// The reason for an approval although critics or gate did not approve, or the draft was not read.
    pub human_override: Option<String>,
    /// The reason of a person who ended the rounds although the critics wanted a revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds_ended_because: Option<String>,
    /// The statements without a citation that a person was shown; each is shown once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncited_shown: Vec<String>,
    /// The contradictions that a person has dismissed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dismissed_contradictions: Vec<DecidedGap>,
    /// The last day on which the thread is known to have worked, as YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
}

/// A change of the state of a team's work.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamPatch {
    /// The settings, which make the thread one of a team.
    Settings(TeamSettings),
    /// A new outline of the PRD.
    Outlined(Box<PrdOutline>),
    /// The request of a person; `None` once it was followed.
    Guided(Option<String>),
    /// The results of searches.
    Searched {
        /// The log of all searches.
        searches: Vec<Value>,
        /// The results as quotable texts.
        texts: Vec<SourceText>,
        /// The sources that may be cited.
        sources: ResearchSources,
        /// The failed searches, in words.
        failures: Vec<String>,
        /// The sources of people that the researchers read with them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        read: Vec<String>,
    },
    /// The findings of the researchers.
    Found(Box<(MarketResearch, CompetitiveAnalysis, UserResearch)>),
    /// The findings of second readings.
    FoundAgain(Box<SecondFindings>),
    /// A new draft of the PRD.
    Drafted {
        /// The text of the draft.
        markdown: String,
        /// The name of the author.
        author: String,
        /// The day of the draft, `YYYY-MM-DD`.
        day: String,
        /// The draft follows the critique of the previous one.
        revises: bool,
        /// The sections that were changed without a request.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unasked: Vec<String>,
    },
    /// The critiques of the latest draft.
    Critiqued(Vec<Critique>),
    /// The issues of the latest critiques and of earlier ones.
    Tracked {
        /// The issues that are resolved.
        resolved: Vec<Issue>,
        /// The issues that are open.
        pending: Vec<Issue>,
    },
    /// The open contradictions of the latest draft.
    Compared(Vec<Gap>),
    /// The contradictions that a person has dismissed.
    Dismissed(Vec<DecidedGap>),
    /// The day, as YYYY-MM-DD.
    Dated(String),
    /// A decision of a person.
    Decided {
        /// The kind of decision.
        kind: Checkpoint,
        /// The name of the person.
        actor: String,
        /// The time, by RFC 3339 in UTC.
        at: String,
        /// The decision in a word.
        status: String,
        /// The number of the draft.
        version: Option<u32>,
        /// The statements without a citation that were shown.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        uncited: Vec<String>,
    },
    /// The decision of a person to end the rounds with the current draft.
    Overridden {
        /// The reason.
        because: String,
    },
    /// The SHA-256 of the approved documents, by name.
    Exported(BTreeMap<String, String>),
    /// The approval of a draft.
    Approved {
        /// The number of the draft.
        version: u32,
        /// The reason, if critics or gate do not approve.
        because: Option<String>,
    },
}

impl TeamState {
    pub(crate) fn current_draft(&self) -> Option<&Draft> {
        self.drafts.last()
    }

    /// The draft that the next revision starts from.
    pub(crate) fn revised_draft(&self) -> Option<&Draft> {
        self.revised_version.and_then(|version| self.draft(version)).or_else(|| self.current_draft())
    }

    /// The average score of every round, in order.
    pub(crate) fn score_history(&self) -> Vec<f64> {
        self.feedback_rounds.iter().filter_map(|round| round.consolidated.average_score).collect()
    }

    /// All rounds of the thread. A request of a person starts new rounds for the decision, but not for a summary.
    pub(crate) fn all_rounds(&self) -> LoopState {
        let next = |rounds: LoopState, round: &FeedbackRound| {
            rounds.with_round(&self.settings.rounds, round.draft_version, &round.consolidated)
        };
        self.feedback_rounds.iter().fold(LoopState::default(), next)
    }

    /// Returns true if a person has to decide whether the draft is revised as its critics want.
    pub(crate) fn awaits_round_decision(&self) -> bool {
        let version = self.current_draft().map(|draft| draft.entry.version);
        let is_decided = self.human_checkpoints.last().is_some_and(|last| {
            last.kind == Checkpoint::OverrideDecision && last.state_snapshot.draft_version == version
        });
        let goes_on = matches!(self.decision(), Some(LoopDecision::GoOn { .. }));
        let is_read = version.is_some_and(|version| self.round_of(version).is_some());
        self.settings.require_round_decision && self.guidance.is_none() && is_read && goes_on && !is_decided
    }

    /// The draft with this number.
    pub(crate) fn draft(&self, version: u32) -> Option<&Draft> {
        self.drafts.iter().find(|draft| draft.entry.version == version)
    }

    /// The latest critiques of a draft.
    pub(crate) fn round_of(&self, version: u32) -> Option<&FeedbackRound> {
        self.feedback_rounds.iter().rev().find(|round| round.draft_version == version)
    }

    /// The decision after the latest round; `None` if the draft was not read, so that a person decides.
    pub(crate) fn decision(&self) -> Option<LoopDecision> {
        self.refinement.rounds.last()?.average_score?;
        Some(control(&self.settings.rounds, &self.refinement))
    }

    /// The draft to deliver: the one that the revision loop chose, or the latest.
    pub(crate) fn delivered(&self) -> Option<&Draft> {
        match self.decision() {
            Some(LoopDecision::Stop { deliver, .. }) => self.draft(deliver),
            _ => self.current_draft(),
        }
    }

    /// The history of the drafts, without their texts.
    pub(crate) fn revision_history(&self) -> RevisionHistory {
        RevisionHistory(self.drafts.iter().map(|draft| draft.entry.clone()).collect())
    }

    /// The changes that the critics of the latest draft request.
    fn requested(&self) -> Option<RequestedChanges> {
        let feedback = &self.round_of(self.revised_draft()?.entry.version)?.consolidated;
        Some(RequestedChanges {
            strategic: feedback.strategic_changes.clone(),
            design: feedback.design_changes.clone(),
            technical: feedback.technical_changes.clone(),
        })
    }

    /// Begins new rounds, which no earlier decision ends.
    fn begin_rounds(&mut self) {
        self.refinement = LoopState::default();
        self.rounds_ended_because = None;
    }

    /// Adds a round with these critiques of the current draft.
    fn add_round(&mut self, critiques: Vec<Critique>) {
        let Some(draft_version) = self.current_draft().map(|draft| draft.entry.version) else { return };
        let consolidated = consolidate(&critiques);
        let rounds = std::mem::take(&mut self.refinement);
        self.refinement = rounds.with_round(&self.settings.rounds, draft_version, &consolidated);
        self.feedback_rounds.push(FeedbackRound {
            draft_version,
            critiques,
            consolidated,
            resolved_issues: Vec::new(),
            pending_issues: Vec::new(),
            contradictions: None,
        });
    }

    pub(super) fn language(&self) -> Language {
        self.prd_outline.as_ref().map_or(Language::En, |outline| outline.language)
    }
}

/// Applies a change to the state.
pub(in crate::workflow) fn apply(state: &mut TeamState, patch: TeamPatch) {
    match patch {
        TeamPatch::Settings(settings) => state.settings = settings,
        TeamPatch::Outlined(outline) => {
            state.prd_outline = Some(*outline);
            state.guidance = None;
        }
        TeamPatch::Guided(words) => {
            // A request of a person starts new rounds, because no earlier draft follows it.
            if words.is_some() {
                state.begin_rounds();
                state.approved_version = None;
            }
            state.guidance = words;
        }
        TeamPatch::Searched { searches, texts, sources, failures, read } => {
            state.research_read = read;
            state.research_searches = searches;
            state.research_texts = texts;
            state.research_sources = sources;
            state.research_failures = failures;
        }
        TeamPatch::Found(found) => {
            let (market, competitors, users) = *found;
            (state.market_research, state.competitive_analysis) = (Some(market), Some(competitors));
            (state.user_research, state.second_findings) = (Some(users), SecondFindings::default());
        }
        TeamPatch::FoundAgain(found) => state.second_findings = *found,
        TeamPatch::Drafted { markdown, author, day, revises, unasked } => {
            state.today = Some(day.clone());
            let feedback = if revises { state.requested() } else { None };
            let language = state.language();
            let request = state.guidance.take();
            let followed = (feedback, request.as_deref());
            let entry = state.revision_history().add(&day, &author, followed, language);
            state.drafts.push(Draft { entry, markdown, unasked });
            state.revised_version = None;
        }
        TeamPatch::Critiqued(critiques) => state.add_round(critiques),
        TeamPatch::Tracked { resolved, pending } => {
            if let Some(round) = state.feedback_rounds.last_mut() {
                (round.resolved_issues, round.pending_issues) = (resolved, pending);
            }
        }
        TeamPatch::Compared(contradictions) => {
            if let Some(round) = state.feedback_rounds.last_mut() {
                round.contradictions = Some(contradictions);
            }
        }
        TeamPatch::Dismissed(dismissed) => state.dismissed_contradictions.extend(dismissed),
        TeamPatch::Dated(day) => state.today = Some(day),
        TeamPatch::Exported(written) => state.exported = written,
        TeamPatch::Overridden { because } => {
            state.refinement.human_override = true;
            state.rounds_ended_because = Some(because);
        }
        TeamPatch::Decided { kind, actor, at, status, version, uncited } => {
            state.uncited_shown.extend(uncited);
            state.today = at.get(..10).map(str::to_owned);
            // A change or request at the final approval starts new rounds, because earlier drafts do not have it.
            if kind == Checkpoint::FinalApproval && status != APPROVED {
                state.begin_rounds();
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
