//! The questions to a person about a team's work: the outline, the first draft, a revision, the final document.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Gap;
use crate::critique::{Conflict, Grade};
use crate::team::document::{Fault, parse_anyway};
use crate::workflow::GateSummary;
use crate::workflow::edited::edited;
use reqgate_base::model::Language;
use reqgate_flow::{Problem, read_reply};
use reqgate_messages as messages;

/// A point at which a person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Checkpoint {
    /// The outline, before the research.
    OutlineApproval,
    /// The first draft, before the critics read it.
    DraftApproval,
    /// A revision, before the critics read it.
    RevisionApproval,
    /// A round whose critics want a revision, before the draft is revised.
    OverrideDecision,
    /// The final document, before it is written.
    FinalApproval,
}

impl Checkpoint {
    /// The kind of the question.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::OutlineApproval => "outline_approval",
            Self::DraftApproval => "draft_approval",
            Self::RevisionApproval => "revision_approval",
            Self::OverrideDecision => "override_decision",
            Self::FinalApproval => "final_approval",
        }
    }
}

/// The result of a critic in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CriticLine {
    /// The name of the critic.
    pub critic: String,
    /// The grade of the critic.
    pub grade: Grade,
    /// The score from 0 to 100; absent if the document was not read.
    pub score: Option<u8>,
    /// After two readings: their scores, and their disagreements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_opinion: Vec<String>,
    /// The issues with their suggestions, the most severe first, one sentence each.
    pub issues: Vec<String>,
    /// The advice besides the issues: alternatives, the timeline, tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
}

/// The question about a team's work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TeamReview {
    /// The decision to make.
    pub checkpoint: Checkpoint,
    /// The language of the document.
    pub language: Language,
    /// The document, as Markdown.
    pub document: String,
    /// The file that the document will be written to.
    pub path: String,
    /// The number of the draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The changes since the previous draft, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<String>,
    /// Sections that the revision changed without a request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<String>,
    /// The results of the critics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub critics: Vec<CriticLine>,
    /// Suggestions that contradict each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Contradictions between requirements, for a person to decide: each is an open question of the document. The lines are
    /// those of the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Gap>,
    /// The issues of earlier rounds that are resolved in this draft.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved: Vec<String>,
    /// The issues of earlier rounds that no critic names again, although their section is unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<String>,
    /// Statements with a figure, a forecast or a competitor but without a citation, each with its line. Each is shown once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncited: Vec<String>,
    /// Disagreements of two readings of the sources: another figure, another source, or a statement of only one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub research_disagreements: Vec<String>,
    /// The sources that were added after the researchers had read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub research_misses: Vec<String>,
    /// The searches without an answer, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_searches: Vec<String>,
    /// The number of searches.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub searches: usize,
    /// The reason why the rounds ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A summary of the rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The subject of the next revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_steps: Option<String>,
    /// The reason of a person who ended the rounds although the critics wanted a revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_reason: Option<String>,
    /// The critics approve the document.
    #[serde(default)]
    pub critics_approve: bool,
    /// No person may accept a document that critics have read and do not approve.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_override: bool,
    /// The result of the gate for the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateSummary>,
    /// Instructions for the answer.
    pub instructions: String,
}

/// The answer to a question about a team's work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TeamReviewAnswer {
    /// The document is accepted; false to have it changed.
    pub approved: bool,
    /// The requested changes. For the final document they are optional: without them the critics' suggestions are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// The document as edited by the person.
    #[serde(default, deserialize_with = "edited", skip_serializing_if = "Option::is_none")]
    pub edited_document: Option<String>,
    /// The reason for accepting it although critics or gate do not approve, or it was not read; recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// By the id of a contradiction, the reason why both statements can hold: it is not shown again. The final document is
    /// then shown without its question before it can be accepted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dismiss: BTreeMap<String, String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde needs")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Returns true for a text that is not empty.
fn says(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| !text.trim().is_empty())
}

impl TeamReview {
    /// Returns true if accepting the document needs a reason.
    pub fn needs_reason(&self) -> bool {
        let is_stopped = self.gate.as_ref().is_some_and(|gate| !gate.verdict.is_pass());
        match self.checkpoint {
            Checkpoint::OverrideDecision => true,
            Checkpoint::FinalApproval => is_stopped || !self.critics_approve && self.override_reason.is_none(),
            _ => false,
        }
    }

    /// Returns true if the document cannot be accepted, because critics refuse it and the thread allows no override.
    pub(crate) fn is_refused(&self) -> bool {
        let is_read = self.critics.iter().any(|critic| critic.score.is_some());
        let decides = matches!(self.checkpoint, Checkpoint::OverrideDecision | Checkpoint::FinalApproval);
        self.no_override && decides && is_read && !self.critics_approve
    }

    /// The listed statements without a citation, without their lines.
    pub(super) fn uncited_words(&self) -> Vec<String> {
        self.uncited.iter().filter_map(|one| one.split_once(": ")).map(|(_, words)| words.to_owned()).collect()
    }

    /// The question in one line.
    pub(crate) fn title_in(&self, language: Language) -> String {
        let version = self.version.map(|version| version.to_string()).unwrap_or_default();
        let said = messages::Prd::of(language);
        match self.checkpoint {
            Checkpoint::OutlineApproval => said.review_outline.to_owned(),
            Checkpoint::DraftApproval => said.review_first_draft(&version),
            Checkpoint::RevisionApproval => said.review_revision(&version),
            Checkpoint::OverrideDecision => said.review_round(&version),
            Checkpoint::FinalApproval => said.review_final.to_owned(),
        }
    }

    /// Checks an answer.
    ///
    /// # Errors
    /// Fails with all problems, each with its path.
    pub(crate) fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        let answer: TeamReviewAnswer = read_reply(answer)?;
        let said = messages::Prd::of(self.language);
        let problem =
            |path: &str, message: &str| Err(vec![Problem { path: path.to_owned(), message: message.to_owned() }]);
        if answer.approved && says(&answer.user_feedback) {
            return problem("approved", said.changes_wanted);
        }
        for (id, reason) in &answer.dismiss {
            let path = format!("dismiss.{id}");
            if !self.contradictions.iter().any(|gap| gap.id == *id) {
                return problem(&path, said.no_such_contradiction);
            }
            if reason.trim().is_empty() {
                return problem(&path, said.dismissal_needs_reason);
            }
        }
        let dismisses = !answer.dismiss.is_empty();
        if answer.approved && dismisses && self.checkpoint == Checkpoint::FinalApproval {
            return problem("dismiss", said.dismiss_first);
        }
        let edited = answer.edited_document.as_deref().map(str::trim).filter(|text| *text != self.document.trim());
        let is_edited = edited.is_some_and(|text| !text.is_empty());
        // Unreadable parts would be lost when the document is written.
        let (_, faults) = parse_anyway(edited.unwrap_or_default());
        if is_edited && !faults.is_empty() {
            let fault =
                |fault: &Fault| Problem { path: "editedDocument".to_owned(), message: fault.in_words(self.language) };
            return Err(faults.iter().map(fault).collect());
        }
        if is_edited && self.checkpoint == Checkpoint::OutlineApproval {
            return problem("editedDocument", said.say_outline_change);
        }
        if is_edited && self.checkpoint == Checkpoint::OverrideDecision && says(&answer.because) {
            return problem("editedDocument", said.reason_with_edit);
        }
        if answer.approved && self.is_refused() && !is_edited {
            return problem("approved", said.no_override);
        }
        if answer.approved && self.needs_reason() && !says(&answer.because) && !is_edited {
            return problem("because", said.team_reason_missing);
        }
        // For the final document, the critics have already suggested changes.
        let has_round = matches!(self.checkpoint, Checkpoint::OverrideDecision | Checkpoint::FinalApproval);
        let can_go_on = has_round && (dismisses || !self.critics.is_empty());
        if !answer.approved && !says(&answer.user_feedback) && !is_edited && !can_go_on {
            return problem("userFeedback", said.say_what_to_change);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::TeamReview;
    use reqgate_base::model::Language;
    use serde_json::{Value, json};

    fn asked(checkpoint: &str, more: &Value) -> TeamReview {
        let mut review = json!({
            "checkpoint": checkpoint, "language": "en", "document": "# PRD: X\n", "path": "prd.md", "version": 2,
            "instructions": "Decide.",
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            review[name] = value.clone();
        }
        serde_json::from_value(review).expect("a question")
    }

    #[test]
    fn every_point_of_approval_has_its_title_in_both_languages() {
        for (checkpoint, en, zh) in [
            ("outline_approval", "Please review the PRD outline", "请评审 PRD 大纲"),
            ("draft_approval", "Please review the initial PRD draft (version 2)", "请评审 PRD 初稿（第 2 版）"),
            ("revision_approval", "Please review the revised PRD draft (version 2)", "请评审修改后的 PRD（第 2 版）"),
            ("override_decision", "The critics want a revision of version 2.", "评审人要求修改第 2 版"),
            ("final_approval", "Please review the final PRD for approval", "请终审 PRD"),
        ] {
            let asked = asked(checkpoint, &json!({}));
            let (own_en, own_zh) = (asked.title_in(Language::En), asked.title_in(Language::Zh));
            assert!(own_en.starts_with(en) && own_zh.starts_with(zh), "{checkpoint}: {own_en} / {own_zh}");
        }
    }

    /// Without the right to overrule, a person cannot accept a draft that critics refuse.
    #[test]
    fn critics_cannot_be_overruled_where_the_thread_forbids_it() {
        let critic =
            |score: &Value| json!([{ "critic": "Director", "grade": "needs_revision", "score": score, "issues": [] }]);
        let accepted = |checkpoint: &str, forbids: bool, approve: bool, score: &Value| {
            let more = json!({ "noOverride": forbids, "criticsApprove": approve, "critics": critic(score) });
            asked(checkpoint, &more).check(&json!({ "approved": true, "because": "It is late." })).is_ok()
        };
        for checkpoint in ["override_decision", "final_approval"] {
            assert!(accepted(checkpoint, false, false, &json!(60)), "{checkpoint}");
            assert!(!accepted(checkpoint, true, false, &json!(60)), "{checkpoint}");
            assert!(accepted(checkpoint, true, true, &json!(80)), "{checkpoint}");
            assert!(accepted(checkpoint, true, false, &Value::Null), "{checkpoint}: no critic has read it");
        }
        let goes_on = asked("final_approval", &json!({ "noOverride": true, "critics": critic(&json!(60)) }));
        assert!(goes_on.check(&json!({ "approved": false })).is_ok());
    }
}
