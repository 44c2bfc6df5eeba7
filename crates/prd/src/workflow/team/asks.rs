//! What a person is asked about a team's work: the outline, the first draft, a revision, the end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// The outline, before anybody researches.
    OutlineApproval,
    /// The first draft, before the critics read it.
    DraftApproval,
    /// A revision, before the critics read it.
    RevisionApproval,
    /// The document, before it is written.
    FinalApproval,
}

impl Checkpoint {
    /// The kind of the question.
    pub fn kind(self) -> &'static str {
        match self {
            Self::OutlineApproval => "outline_approval",
            Self::DraftApproval => "draft_approval",
            Self::RevisionApproval => "revision_approval",
            Self::FinalApproval => "final_approval",
        }
    }
}

/// A critic in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CriticLine {
    /// The critic.
    pub critic: String,
    /// The result.
    pub grade: Grade,
    /// 0 to 100; none if nobody has read the document.
    pub score: Option<u8>,
    /// Where there were two readings: their scores, and where they disagree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_opinion: Vec<String>,
    /// What is wrong, the worst first, each with its severity, in a sentence with what to write.
    pub issues: Vec<String>,
}

/// The question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TeamReview {
    /// What is decided.
    pub checkpoint: Checkpoint,
    /// The language of the document.
    pub language: Language,
    /// The document, as Markdown.
    pub document: String,
    /// The file that it will be written to.
    pub path: String,
    /// The number of the draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// What changed since the draft before, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<String>,
    /// Sections that the revision has changed although nobody asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<String>,
    /// The critics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub critics: Vec<CriticLine>,
    /// Suggestions that cannot both be followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Statements with a figure, a forecast or a competitor and without a citation, each with its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncited: Vec<String>,
    /// Where two readings of the sources disagree: another figure, another source, what only one of them says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub research_disagreements: Vec<String>,
    /// Why the rounds ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rounds in a few lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What the next revision would be about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_steps: Option<String>,
    /// True if the critics approve.
    #[serde(default)]
    pub critics_approve: bool,
    /// The result of the gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateSummary>,
    /// How to answer.
    pub instructions: String,
}

/// The answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TeamReviewAnswer {
    /// True to accept it, false to have it changed.
    pub approved: bool,
    /// What to change. At the end it may be left out: then the critics' suggestions are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// The document as the person has edited it.
    #[serde(default, deserialize_with = "edited", skip_serializing_if = "Option::is_none")]
    pub edited_document: Option<String>,
    /// Why it is accepted although critics or gate do not approve, or nobody has read it; recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Whether a text is not empty.
fn says(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| !text.trim().is_empty())
}

impl TeamReview {
    /// True if accepting it needs a reason.
    pub fn needs_reason(&self) -> bool {
        let is_stopped = self.gate.as_ref().is_some_and(|gate| !gate.verdict.is_pass());
        self.checkpoint == Checkpoint::FinalApproval && (!self.critics_approve || is_stopped)
    }

    /// The question in one line.
    pub fn title_in(&self, language: Language) -> String {
        let version = self.version.map(|version| version.to_string()).unwrap_or_default();
        let said = messages::Prd::of(language);
        match self.checkpoint {
            Checkpoint::OutlineApproval => said.review_outline.to_owned(),
            Checkpoint::DraftApproval => said.review_first_draft(&version),
            Checkpoint::RevisionApproval => said.review_revision(&version),
            Checkpoint::FinalApproval => said.review_final.to_owned(),
        }
    }

    /// Checks an answer.
    ///
    /// # Errors
    /// Every problem, with its place.
    pub fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        let answer: TeamReviewAnswer = read_reply(answer)?;
        let said = messages::Prd::of(self.language);
        let problem =
            |path: &str, message: &str| Err(vec![Problem { path: path.to_owned(), message: message.to_owned() }]);
        if answer.approved && says(&answer.user_feedback) {
            return problem("approved", said.changes_wanted);
        }
        let edited = answer.edited_document.as_deref().map(str::trim).filter(|text| *text != self.document.trim());
        let is_edited = edited.is_some_and(|text| !text.is_empty());
        // What cannot be read would be lost when the document is written.
        let (_, faults) = parse_anyway(edited.unwrap_or_default());
        if is_edited && !faults.is_empty() {
            let fault =
                |fault: &Fault| Problem { path: "editedDocument".to_owned(), message: fault.in_words(self.language) };
            return Err(faults.iter().map(fault).collect());
        }
        if is_edited && self.checkpoint == Checkpoint::OutlineApproval {
            return problem("editedDocument", said.say_outline_change);
        }
        if answer.approved && self.needs_reason() && !says(&answer.because) && !is_edited {
            return problem("because", said.team_reason_missing);
        }
        // At the end the critics have said what to change.
        let can_go_on = self.checkpoint == Checkpoint::FinalApproval && !self.critics.is_empty();
        if !answer.approved && !says(&answer.user_feedback) && !is_edited && !can_go_on {
            return problem("userFeedback", said.say_what_to_change);
        }
        Ok(())
    }
}
