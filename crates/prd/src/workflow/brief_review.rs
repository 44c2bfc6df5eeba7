//! The review of a brief: the question to a person, its answer, and the checks of the answer.

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

/// The question for the review of a brief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefReview {
    /// The brief, as Markdown.
    pub document: String,
    /// The file that is written on approval.
    pub path: String,
    /// The open questions of the brief; each can be answered here.
    #[serde(default)]
    pub open_questions: Vec<Question>,
    /// The sentences of the sources that the brief does not quote; each can be adopted here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_used: Vec<NotUsed>,
    /// Parts of statements that no source supports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubted>,
    /// The result of the gate for the brief.
    pub gate: GateSummary,
    /// Instructions for the answer.
    pub instructions: String,
}

/// The answer to the review of a brief.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BriefReviewAnswer {
    /// The brief is approved; false to have it changed.
    #[serde(alias = "featureBriefApproved")]
    pub approved: bool,
    /// Answers to open questions, by id. A question that is left out stays open.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Reply>,
    /// Unused sentences to adopt: the section for each, by the id of the sentence.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub adopt: BTreeMap<String, String>,
    /// Requested changes, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// The brief is written again from the sources and `userFeedback`; everything else in it is given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub start_over: bool,
    /// A summary of the review, for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_summary: Option<String>,
    /// Requested changes by section; with an approval, they are applied to the approved brief.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifications: Vec<BriefModification>,
    /// The brief as edited by the reviewer.
    #[serde(default, deserialize_with = "edited", skip_serializing_if = "Option::is_none")]
    pub edited_document: Option<String>,
}

impl BriefReview {
    /// Checks that an answer refers to the question, and that no part of it would be lost.
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
        let answers = answer.answers.values().any(|reply| !reply.is_empty());
        let keeps_words = !answer.adopt.is_empty() || says(&answer.edited_document) || !answer.modifications.is_empty();
        if answer.start_over && (answer.approved || keeps_words || answers) {
            return Err(vec![problem("startOver", said.start_over_alone)]);
        }
        // With an approval, changes by section are applied by code, but requests in words would be lost.
        if answer.approved && says(&answer.user_feedback) {
            return Err(vec![problem("approved", said.order_for_writer)]);
        }
        let changes = says(&answer.user_feedback) || !answer.modifications.is_empty() || answers;
        let changes = changes || !answer.adopt.is_empty() || answer.start_over;
        if answer.approved || changes || says(&answer.edited_document) {
            return Ok(());
        }
        Err(vec![problem("userFeedback", said.say_what_to_change_in_brief)])
    }
}
