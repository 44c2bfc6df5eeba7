//! The state of the PRD workflow, with the field names of its original specification, and its changes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::facts::{GateSummary, SourceText};
use super::modification::PrdModification;
use super::settings::{DraftSettings, Writer};
use super::team::{self, TeamPatch, TeamState};
use crate::brief::parse_brief;
use crate::collect::BriefFeedback;
use crate::prd_document::PrdQuestion;
use crate::requirements::{AddedRequirement, ExportedRequirement, Verdict};
use crate::{DecidedGap, FeatureId, Gap, OpenQuestion, Requirement, RequirementId, Revision, Strength};
use reqgate_base::model::Language;
use reqgate_flow::Reply;
use reqgate_text::language::language_of;

/// The state of a thread. Decided requirements are not part of it: their file is the source of truth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PrdState {
    /// The project of the documents; paths are relative to it.
    pub project_path: String,
    /// The request of the user.
    #[serde(alias = "originalUserUtterance")]
    pub user_utterance: String,
    /// Further sources: tickets, minutes, notes, and answers to questions.
    pub user_input: Vec<SourceText>,
    /// The unanswered questions about the sources; the brief will contain them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_open: Vec<OpenQuestion>,
    /// The directory of all features, relative to the project.
    #[serde(alias = "magiSddPath")]
    pub prd_workspace_path: String,
    /// The requested slug of the feature.
    pub requested_slug: Option<String>,
    /// The title of the feature as given by a person; by default it comes from the sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_title: Option<String>,
    /// The language of the documents as chosen by a person; by default that of the sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_language: Option<Language>,
    /// The key of the project, if one was given: `MSM-008`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// The ids of the existing features.
    pub current_feature_ids: Vec<String>,
    /// The id of this feature, which never changes.
    pub feature_id: Option<FeatureId>,
    /// The path of the brief, once it is approved.
    #[serde(alias = "featureBrief")]
    pub feature_brief_path: Option<String>,
    /// The text of the current brief.
    pub feature_brief_content: Option<String>,
    /// The brief is approved.
    #[serde(alias = "featureBriefApproved")]
    pub is_feature_brief_approved: bool,
    /// The changes to the brief that the last review requested.
    pub feature_brief_user_feedback: Option<BriefFeedback>,
    /// The undecided proposals; a new list replaces the old one.
    pub functional_requirements: Vec<Requirement>,
    /// The decisions of the last review of requirements, until they are in the file.
    pub requirements_review: Option<DecidedReview>,
    /// The requirements in their file after the last review, for detecting later changes by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_requirements: Option<Vec<ExportedRequirement>>,
    /// The coverage of the brief by the requirements, 0 to 1.
    pub gap_analysis_score: Option<f64>,
    /// The gaps of the last analysis.
    pub identified_gaps: Vec<Gap>,
    /// The strengths that the reader of the last analysis found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirement_strengths: Vec<Strength>,
    /// The advice of that reader on the requirements as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gap_analysis_recommendations: Vec<String>,
    /// The summary of the last analysis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_analysis_summary: Option<String>,
    /// The decisions on single gaps, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gap_decisions: Vec<DecidedGap>,
    /// The open questions that gaps became, until they are in the brief.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gap_questions: Vec<OpenQuestion>,
    /// Criteria that a person gave for undecided requirements because of gaps, until they are in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposed_criteria: Vec<(RequirementId, String)>,
    /// A person's decision about another round, which overrides the score.
    #[serde(alias = "userWantsToContinueDespiteGaps")]
    pub user_iteration_override: Option<bool>,
    /// The request for the next round about the gaps, in the words of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_feedback: Option<String>,
    /// Another round of requirements follows.
    #[serde(alias = "shouldContinueIteration")]
    pub should_iterate: bool,
    /// The text of the current PRD.
    pub prd_content: Option<String>,
    /// The current PRD as JSON.
    pub prd_json: Option<String>,
    /// The SHA-256 of the brief and the requirements that the PRD was built from.
    pub prd_sources_hash: Option<String>,
    /// The changes of earlier reviews to sections of the PRD, applied again when it is regenerated.
    pub prd_applied_modifications: Vec<PrdModification>,
    /// The path of the PRD, once it is approved.
    #[serde(alias = "prdFilePath")]
    pub prd_path: Option<String>,
    /// The PRD is approved.
    #[serde(alias = "prdApproved")]
    pub is_prd_approved: bool,
    /// The changes to the PRD that the last review requested.
    pub prd_modifications: Vec<PrdModification>,
    /// The comment of the last review on the PRD as a whole.
    pub prd_user_feedback: Option<String>,
    /// The result of the gate for each document, the most recently judged last.
    pub gate: Vec<GateSummary>,
    /// The reason for approving a PRD that the gate does not pass.
    pub gate_override: Option<String>,
    /// The person whose approval takes effect when the PRD is rebuilt with the decisions of the same answer, if the gate passes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prd_approval_ahead: Option<String>,
    /// The person who approved a PRD that the gate does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_override_by: Option<String>,
    /// Open questions of the brief that the approved PRD no longer contains, in their words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<String>,
    /// The person who approved the PRD without these questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside_by: Option<String>,
    /// The questions that were answered after the approval of the PRD, until the requirements that waited for them are reviewed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered_later: Vec<PrdQuestion>,
    /// The errors of a failed thread.
    pub prd_workflow_fatal_error_messages: Vec<String>,
    /// The author of the drafts; threads of older versions do not have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drafts: Option<DraftSettings>,
    /// The reasons for reopening the approved PRD, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<Revision>,
    /// The state of a team's work, in a thread of the team flow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamState>,
}

impl PrdState {
    /// The language of the feature: that of its brief or, before the first brief, of the request.
    pub fn language(&self) -> Language {
        if let Some(brief) = &self.feature_brief_content {
            return parse_brief(brief).language;
        }
        if let Some(language) = self.requested_language {
            return language;
        }
        let texts = self.user_input.iter().map(|source| source.text.as_str());
        language_of(&std::iter::once(self.user_utterance.as_str()).chain(texts).collect::<Vec<_>>().join("\n"))
    }

    /// The state of a team's work; empty in a thread of the standard flow.
    pub(super) fn team(&self) -> &TeamState {
        static NONE: LazyLock<TeamState> = LazyLock::new(TeamState::default);
        self.team.as_ref().unwrap_or(&NONE)
    }

    /// The language of a team's document: that of its outline or, before the first outline, of the request.
    pub(super) fn team_language(&self) -> Language {
        self.team().prd_outline.as_ref().map_or_else(|| self.language(), |outline| outline.language)
    }

    /// Returns true if a model, an agent or a person writes the drafts, and not the rules.
    pub fn has_reader(&self) -> bool {
        self.drafts.as_ref().is_some_and(|drafts| drafts.author != Writer::Rules)
    }

    /// The wording in the language of the feature.
    pub(super) fn said<'w>(&self, english: &'w str, chinese: &'w str) -> &'w str {
        match self.language() {
            Language::En => english,
            Language::Zh => chinese,
        }
    }
}

/// The changes of more than one field.
impl PrdState {
    fn write_brief(&mut self, id: FeatureId, path: String, content: String) {
        // The id and the path are set only once.
        self.feature_id.get_or_insert(id);
        self.feature_brief_path.get_or_insert(path);
        self.feature_brief_content = Some(content);
    }

    /// The brief is approved, or goes back with a person's words.
    fn decide_brief(&mut self, feedback: Option<BriefFeedback>) {
        self.is_feature_brief_approved = feedback.is_none();
        self.feature_brief_user_feedback = feedback;
    }

    fn decide_gaps(&mut self, decided: Vec<DecidedGap>) {
        let language = self.language();
        self.gap_questions.extend(decided.iter().filter_map(|one| one.question(language)));
        self.gap_decisions.extend(decided);
    }

    fn write_prd(&mut self, path: String, content: String, json: String, sources_hash: String) {
        self.prd_sources_hash = Some(sources_hash);
        self.prd_path = Some(path);
        self.prd_content = Some(content);
        self.prd_json = Some(json);
        self.is_prd_approved = false;
    }

    fn change_prd(&mut self, content: String) {
        let mut applied = std::mem::take(&mut self.prd_modifications);
        // Edits by hand are in no other document; comments on the whole become notes.
        if applied.is_empty() && self.prd_user_feedback.is_none() {
            applied = PrdModification::between(self.prd_content.as_deref().unwrap_or_default(), &content);
        }
        self.prd_content = Some(content);
        self.prd_applied_modifications.extend(applied);
        self.prd_user_feedback = None;
    }

    fn approve_prd(&mut self, reason: Option<String>, actor: Option<String>, set_aside: Vec<String>) {
        self.is_prd_approved = true;
        self.prd_approval_ahead = None;
        self.gate_override_by = actor.clone().filter(|_| reason.is_some());
        self.gate_override = reason;
        self.set_aside_by = actor.filter(|_| !set_aside.is_empty());
        self.set_aside = set_aside;
    }

    fn withdraw_approval(&mut self) {
        self.is_prd_approved = false;
        (self.set_aside, self.set_aside_by) = (Vec::new(), None);
    }

    /// Keeps the last result of the gate for each document.
    fn keep_result(&mut self, summary: GateSummary) {
        self.gate.retain(|other| other.document != summary.document);
        self.gate.push(summary);
    }
}

/// The decisions of one review, and the hashes of the texts that were shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DecidedReview {
    /// The time, by RFC 3339 in UTC.
    pub timestamp: String,
    /// The name of the reviewer.
    pub actor: String,
    /// The comment on the whole.
    pub summary: String,
    /// The verdicts on single requirements.
    pub verdicts: Vec<Verdict>,
    /// The hash of each requirement as it was shown.
    pub shown: Vec<(RequirementId, String)>,
    /// The reviewer wants no more rounds.
    pub enough: bool,
    /// The requirements that the reviewer added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<AddedRequirement>,
    /// The ids of the requirements that were shown as changed by hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_hand: Vec<RequirementId>,
    /// Answers to open questions of the brief, by the text of the question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Reply>,
    /// The kind of the answered question.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub asked: String,
}

/// A typed change of the state.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrdPatch {
    /// The input of the run.
    Given {
        /// The path of the project.
        project_path: String,
        /// The directory of all features, relative to the project.
        workspace: String,
        /// The request of the user.
        utterance: String,
        /// Further sources of the feature.
        sources: Vec<SourceText>,
        /// The requested slug of the feature.
        slug: Option<String>,
        /// The project key; older threads have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project: Option<String>,
        /// The title of the feature as given by a person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The language of the documents as chosen by a person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<Language>,
    },
    /// The ids of the existing features.
    Features(Vec<String>),
    /// Answers to questions about the sources, as further sources.
    Answered(Vec<SourceText>),
    /// The unanswered questions about the sources.
    LeftOpen(Vec<OpenQuestion>),
    /// The feature has its id and its brief.
    Brief {
        /// The id of the feature.
        id: FeatureId,
        /// The path of the brief.
        path: String,
        /// The text of the brief.
        content: String,
    },
    /// The brief was changed, and its review is complete.
    BriefContent(String),
    /// The brief was approved.
    BriefApproved,
    /// A review requests changes to the brief.
    BriefFeedback(BriefFeedback),
    /// Proposed requirements for review.
    Proposed(Vec<Requirement>),
    /// The decisions of a review of requirements.
    Reviewed(DecidedReview),
    /// The decisions have been written into the file.
    ReviewWritten,
    /// The requirements in the file after a review.
    Recorded(Vec<ExportedRequirement>),
    /// The result of a gap analysis, and the decision about another round.
    Gaps {
        /// The coverage of the brief, 0 to 1.
        score: f64,
        /// The gaps that were found.
        gaps: Vec<Gap>,
        /// The strengths that a reader found.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        strengths: Vec<Strength>,
        /// The advice of a reader on the requirements as a whole.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        recommendations: Vec<String>,
        /// A summary in one sentence.
        #[serde(default)]
        summary: String,
        /// The decision of a person, if there is one.
        decision: Option<bool>,
        /// The request for the next round, in the words of the person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        feedback: Option<String>,
    },
    /// Decisions on single gaps.
    GapsDecided(Vec<DecidedGap>),
    /// Criteria for undecided requirements; empty once they are in the file.
    CriteriaProposed(Vec<(RequirementId, String)>),
    /// The brief with the questions that gaps became, or with answers and corrected questions from the review of the
    /// PRD; it stays approved.
    GapsAsked(String),
    /// The decision about another round.
    Iterate(bool),
    /// A new PRD, built from the documents.
    Prd {
        /// The path of the PRD.
        path: String,
        /// The text of the PRD.
        content: String,
        /// The PRD as JSON.
        json: String,
        /// The SHA-256 of its sources.
        sources_hash: String,
    },
    /// The PRD was changed, and its review is complete.
    PrdContent(String),
    /// The PRD was approved.
    PrdApproved {
        /// The reason, if the gate does not pass the PRD.
        reason: Option<String>,
        /// The person who approved it; threads of older versions do not have one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actor: Option<String>,
        /// The open questions that the PRD was approved without.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set_aside: Vec<String>,
    },
    /// The approval of the PRD is withdrawn, because its text or its sources have changed.
    PrdReopened,
    /// The name of a person whose approval takes effect with the decisions of this answer; `None` withdraws it.
    PrdApprovalAhead(Option<String>),
    /// A review requests changes to the PRD.
    PrdFeedback {
        /// The changes by section.
        modifications: Vec<PrdModification>,
        /// The comment on the whole.
        feedback: Option<String>,
    },
    /// The result of the gate for a document.
    Judged(GateSummary),
    /// The author of the drafts from now on.
    Drafts(DraftSettings),
    /// The approved PRD is reopened.
    Revised(Revision),
    /// Open questions of the approved PRD were answered: the requirements that waited for them are reviewed again.
    AnsweredLater(Vec<PrdQuestion>),
    /// The id of a feature without a brief.
    Named(FeatureId),
    /// A change of the state of a team's work.
    Team(Box<TeamPatch>),
    /// The errors of a failed thread.
    Failed(Vec<String>),
}

/// Applies a change to the state.
pub(super) fn apply(state: &mut PrdState, patch: &PrdPatch) {
    match patch.clone() {
        PrdPatch::Given { project_path, workspace, utterance, sources, slug, project, title, language } => {
            state.project_path = project_path;
            state.prd_workspace_path = workspace;
            state.user_utterance = utterance;
            state.user_input = sources;
            state.requested_slug = slug;
            state.project_id = project;
            state.requested_title = title;
            state.requested_language = language;
        }
        PrdPatch::Features(ids) => state.current_feature_ids = ids,
        PrdPatch::Answered(answers) => state.user_input.extend(answers),
        PrdPatch::LeftOpen(questions) => state.left_open = questions,
        PrdPatch::Brief { id, path, content } => state.write_brief(id, path, content),
        PrdPatch::BriefContent(content) => {
            state.feature_brief_content = Some(content);
            state.is_feature_brief_approved = false;
            state.feature_brief_user_feedback = None;
        }
        PrdPatch::BriefApproved => state.decide_brief(None),
        PrdPatch::BriefFeedback(feedback) => state.decide_brief(Some(feedback)),
        PrdPatch::Proposed(requirements) => state.functional_requirements = requirements,
        PrdPatch::Reviewed(review) => state.requirements_review = Some(review),
        PrdPatch::ReviewWritten => {
            state.requirements_review = None;
            state.functional_requirements.clear();
            state.answered_later.clear();
        }
        PrdPatch::Recorded(requirements) => state.recorded_requirements = Some(requirements),
        PrdPatch::Gaps { score, gaps, strengths, recommendations, summary, decision, feedback } => {
            state.requirement_strengths = strengths;
            state.gap_analysis_recommendations = recommendations;
            state.gap_analysis_summary = Some(summary).filter(|words| !words.is_empty());
            state.gap_feedback = feedback;
            state.gap_analysis_score = Some(score);
            state.identified_gaps = gaps;
            // The decision of an earlier round does not apply to this one.
            state.user_iteration_override = decision;
            state.should_iterate = false;
        }
        PrdPatch::GapsDecided(decided) => state.decide_gaps(decided),
        PrdPatch::CriteriaProposed(criteria) => state.proposed_criteria = criteria,
        PrdPatch::GapsAsked(brief) => {
            state.feature_brief_content = Some(brief);
            state.gap_questions.clear();
        }
        PrdPatch::Iterate(iterate) => state.should_iterate = iterate,
        PrdPatch::Prd { path, content, json, sources_hash } => state.write_prd(path, content, json, sources_hash),
        PrdPatch::PrdContent(content) => state.change_prd(content),
        PrdPatch::PrdApproved { reason, actor, set_aside } => state.approve_prd(reason, actor, set_aside),
        PrdPatch::PrdApprovalAhead(actor) => state.prd_approval_ahead = actor,
        PrdPatch::PrdReopened => {
            state.withdraw_approval();
            state.prd_approval_ahead = None;
        }
        PrdPatch::PrdFeedback { modifications, feedback } => {
            state.is_prd_approved = false;
            state.prd_modifications = modifications;
            state.prd_user_feedback = feedback;
        }
        PrdPatch::Judged(summary) => state.keep_result(summary),
        PrdPatch::Drafts(settings) => state.drafts = Some(settings),
        PrdPatch::Revised(revision) => {
            state.revisions.push(revision);
            state.withdraw_approval();
            state.gate_override = None;
            state.user_iteration_override = None;
        }
        PrdPatch::AnsweredLater(questions) => state.answered_later = questions,
        PrdPatch::Named(id) => drop(state.feature_id.get_or_insert(id)),
        PrdPatch::Team(patch) => team::state::apply(state.team.get_or_insert_default(), *patch),
        PrdPatch::Failed(messages) => state.prd_workflow_fatal_error_messages.extend(messages),
    }
}
