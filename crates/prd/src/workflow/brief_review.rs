//! The review of a brief: what is asked, what an answer may say, and whether it fits.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer_checks::{problem, says, unfit_answers};
use super::doubts::Doubted;
use super::edited::edited;
use super::facts::GateSummary;
use crate::brief::{BriefSection, parse_brief};
use crate::collect::{BriefModification, NotUsed};
use reqgate_base::model::Language;
use reqgate_flow::{Problem, Question, Reply};
use reqgate_messages as messages;

/// The brief, for review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefReview {
    /// The brief, as Markdown.
    pub document: String,
    /// The file that will be written on approval.
    pub path: String,
    /// Open questions; each can be answered here.
    #[serde(default)]
    pub open_questions: Vec<Question>,
    /// The sentences of the sources that no statement quotes; each can be adopted here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_used: Vec<NotUsed>,
    /// What no source proves in its statements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubted>,
    /// The result of the gate.
    pub gate: GateSummary,
    /// How to answer.
    pub instructions: String,
}

/// The review of a brief.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefReviewAnswer {
    /// Whether it is approved.
    #[serde(alias = "featureBriefApproved")]
    pub approved: bool,
    /// Answers to its open questions, by id. A question left out stays open.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Reply>,
    /// Sentences that were not used, by their ids, each with the section that it belongs to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub adopt: BTreeMap<String, String>,
    /// The changes wanted, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// A summary of the review, for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_summary: Option<String>,
    /// The changes wanted, by section; with an approval they are in what is approved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifications: Vec<BriefModification>,
    /// The brief as the reviewer has edited it.
    #[serde(default, deserialize_with = "edited", skip_serializing_if = "Option::is_none")]
    pub edited_document: Option<String>,
}

impl BriefReview {
    /// Checks that an answer is about what was asked, and that nothing in it would be lost.
    pub(super) fn check(&self, language: Language, answer: &BriefReviewAnswer) -> Result<(), Vec<Problem>> {
        let said = messages::Prd::of(language);
        let unfit = unfit_answers(language, &self.open_questions, &answer.answers);
        let not_adopted = answer.adopt.iter().filter_map(|(id, section)| {
            let message = if !self.not_used.iter().any(|one| one.id == *id) {
                said.sentence_unknown
            } else if BriefSection::named(section).is_none() {
                said.brief_section_unknown
            } else {
                return None;
            };
            Some(problem(&format!("adopt.{id}"), message))
        });
        let brief = parse_brief(answer.edited_document.as_deref().unwrap_or(&self.document));
        let misplaced = answer.modifications.iter().enumerate().filter(|(_, one)| one.is_misplaced(&brief));
        let misplaced = misplaced.map(|(index, _)| {
            problem(
                &format!("modifications[{index}].originalContent"),
                messages::Prd::of(language).words_not_in_section,
            )
        });
        let unknown: Vec<Problem> = unfit.into_iter().chain(not_adopted).chain(misplaced).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        // What code can carry out is carried out; words for a writer would be lost after an approval.
        if answer.approved && says(&answer.user_feedback) {
            return Err(vec![problem("approved", said.order_for_writer)]);
        }
        let answers = answer.answers.values().any(|reply| !reply.is_empty());
        let changes = says(&answer.user_feedback) || !answer.modifications.is_empty() || answers;
        let changes = changes || !answer.adopt.is_empty();
        if answer.approved || changes || says(&answer.edited_document) {
            return Ok(());
        }
        Err(vec![problem("userFeedback", said.say_what_to_change_in_brief)])
    }
}
