//! The review of a brief: what is asked, what an answer may say, and whether it fits.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer_checks::{NOT_IN_SECTION, problem, says, unfit_answers};
use super::doubts::Doubted;
use super::edited::edited;
use super::facts::GateSummary;
use crate::brief::{BriefSection, parse_brief};
use crate::collect::{BriefModification, NotUsed};
use reqgate_base::model::Language;
use reqgate_flow::{Problem, Question, Reply};

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
        let said = |english, chinese| language.of(english, chinese);
        let unfit = unfit_answers(language, &self.open_questions, &answer.answers);
        let not_adopted = answer.adopt.iter().filter_map(|(id, section)| {
            let message = if !self.not_used.iter().any(|one| one.id == *id) {
                said("there is no such sentence", "没有这个句子")
            } else if BriefSection::named(section).is_none() {
                said(
                    "no section of a brief has this name: problem, goals, users, flows, success measures, \
                     constraints, out of scope, open questions",
                    "简介没有这一节：问题、目标、用户、流程、成功指标、约束、范围之外、待解问题",
                )
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
                language.of(NOT_IN_SECTION[0], NOT_IN_SECTION[1]),
            )
        });
        let unknown: Vec<Problem> = unfit.into_iter().chain(not_adopted).chain(misplaced).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        // What code can carry out is carried out; words for a writer would be lost after an approval.
        if answer.approved && says(&answer.user_feedback) {
            return Err(vec![problem(
                "approved",
                said(
                    "words about the whole are an order for whoever writes, so the brief must be shown again: say false, \
                     or say them as modifications of sections, which an approval may carry",
                    "针对全文的意见要由执笔者落实，简介须再次评审：请写 false，或写成按节的修改，批准时可以一并提交",
                ),
            )]);
        }
        let answers = answer.answers.values().any(|reply| !reply.is_empty());
        let changes = says(&answer.user_feedback) || !answer.modifications.is_empty() || answers;
        let changes = changes || !answer.adopt.is_empty();
        if answer.approved || changes || says(&answer.edited_document) {
            return Ok(());
        }
        Err(vec![problem(
            "userFeedback",
            said(
                "say what to change: feedback, modifications, answers or an edited document",
                "请说明要改什么：意见、按节修改、回答或改好的文档",
            ),
        )])
    }
}
