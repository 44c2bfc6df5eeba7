//! The questions of the PRD workflow to people: the reviews of the brief, of the requirements, of the gaps and of the
//! PRD.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer_checks::{document_id, is_empty, problem, says, unfit_answers};
use super::brief_review::{BriefReview, BriefReviewAnswer};
use super::by_hand::ChangedByHand;
use super::doubts::Doubted;
use super::edited::edited;
use super::facts::GateSummary;
use super::gap_decision::{GapDecision, GapDecisionAnswer};
use super::modification::PrdModification;
use super::team::{TeamReview, TeamReviewAnswer};
use crate::prd_document::PrdQuestion;
use crate::requirements::{AddedRequirement, ExportedRequirement, Verdict, VerdictKind};
use crate::{Gap, QuestionId, Requirement, gaps};
use reqgate_base::model::Language;
use reqgate_flow::{AskModel, Clarification, ClarificationAnswer, Problem, Question, Reply, read_reply, schema_of};
use reqgate_messages as messages;
use reqgate_text::language::language_of;

/// A question of the PRD workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PrdAsk {
    /// The questions that the gate would ask about the sources.
    Clarification(Clarification),
    /// Is the brief right?
    BriefReview(BriefReview),
    /// Which requirements are right?
    RequirementsReview(RequirementsReview),
    /// Another round, or on in spite of the gaps?
    GapDecision(GapDecision),
    /// Is the PRD right?
    PrdReview(PrdReview),
    /// A team's outline, draft or document.
    Team(Box<TeamReview>),
}

/// The undecided requirements, for review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementsReview {
    /// The requirements to decide on.
    pub requirements: Vec<Requirement>,
    /// The parts of them that no source proves, as they were proposed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubted>,
    /// The requirements that were edited in the file since the last review, with their former text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_by_hand: Vec<ChangedByHand>,
    /// Questions that were answered after the approval of the PRD; the requirements that waited are shown again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered_later: Vec<PrdQuestion>,
    /// Gaps in these requirements that are to be fixed: a modification closes them, no proposal does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// The request of the person who ordered this round, which rules cannot carry out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested: Option<String>,
    /// The open questions that a requirement can wait for; absent in reviews of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_ids: Option<Vec<QuestionId>>,
    /// Requirements decided earlier; a verdict on one of them replaces the decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<ExportedRequirement>,
    /// The file that the decisions go into. It may be edited at any time.
    pub path: String,
    /// The result of the gate for the requirements as a whole.
    pub gate: GateSummary,
    /// How to answer.
    pub instructions: String,
}

/// The review of requirements. Those that are not named stay undecided.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementsReviewAnswer {
    /// The decisions.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    /// Additional requirements, in the words of the person who answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<AddedRequirement>,
    /// A comment on the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// A summary of the review, for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_summary: Option<String>,
    /// True to finish the requirements after this review, without a look at the gaps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_iteration_preference: Option<bool>,
    /// The decision on every undecided requirement that `verdicts` does not name and that has no blanks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
}

/// A decision on all requirements that are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Others {
    /// They are approved.
    Approve,
    /// They stay undecided.
    Defer,
}

impl RequirementsReviewAnswer {
    /// Returns true if it decides on no requirement, adds none and has no comment on the whole.
    pub(crate) fn decides_nothing(&self) -> bool {
        self.verdicts.is_empty()
            && self.added.is_empty()
            && self.others.is_none()
            && self.user_iteration_preference.is_none()
            && !says(&self.user_feedback)
    }

    /// The verdicts, with one for each requirement that is approved without being named.
    pub(super) fn all_verdicts(&self, shown: &[Requirement]) -> Vec<Verdict> {
        let named = |one: &&Requirement| self.verdicts.iter().any(|verdict| verdict.id == one.id);
        let others = shown.iter().filter(|one| self.others == Some(Others::Approve) && !named(one) && !has_blanks(one));
        let approved = others.map(|one| Verdict { id: one.id.clone(), kind: VerdictKind::Approve });
        self.verdicts.iter().cloned().chain(approved).collect()
    }
}

/// The PRD, for review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdReview {
    /// The PRD, as Markdown.
    pub document: String,
    /// The file that will be written on approval.
    pub path: String,
    /// Requirements that were edited in their file since they were reviewed, with their former text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_by_hand: Vec<ChangedByHand>,
    /// The open questions; each can be answered here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<Question>,
    /// Those of them that the document does not ask any more, in their words: an approval sets them aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_out: Vec<String>,
    /// The requirements and the decision on each; a verdict on one of them replaces the decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<ExportedRequirement>,
    /// The result of the gate.
    pub gate: GateSummary,
    /// How to answer.
    pub instructions: String,
}

/// The review of a PRD.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdReviewAnswer {
    /// Whether it is approved. With answers, verdicts or requirements to add it is, as soon as it has been put together with them, if
    /// the gate passes it then; else it is shown again.
    #[serde(alias = "approved")]
    pub prd_approved: bool,
    /// Answers to its open questions, by id; the PRD is then regenerated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Reply>,
    /// Requirements to decide again; the PRD is then regenerated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Verdict>,
    /// Requirements to add, in the words of the person who answers; the PRD is then regenerated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<AddedRequirement>,
    /// The changes wanted, by section.
    #[serde(alias = "modifications", default, skip_serializing_if = "Vec::is_empty")]
    pub prd_modifications: Vec<PrdModification>,
    /// The changes wanted, in words: an order for whoever writes; kept in the PRD as a note where rules do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// A summary of the review, for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_summary: Option<String>,
    /// The reason for approving the PRD although the gate stops it; recorded with the name of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_override: Option<String>,
    /// The PRD as the reviewer has edited it.
    #[serde(default, deserialize_with = "edited", skip_serializing_if = "Option::is_none")]
    pub edited_document: Option<String>,
}

impl PrdAsk {
    /// The language of the subject.
    pub(crate) fn language(&self) -> Language {
        match self {
            Self::Clarification(ask) => {
                language_of(&ask.questions.iter().map(|one| one.question.as_str()).collect::<Vec<_>>().join("\n"))
            }
            Self::BriefReview(ask) => language_of(&ask.document),
            Self::RequirementsReview(ask) => {
                let said = |one: &Requirement| format!("{}\n{}", one.title, one.description);
                let all = ask.requirements.iter().chain(ask.decided.iter().map(|one| &one.requirement));
                language_of(&all.map(said).collect::<Vec<_>>().join("\n"))
            }
            Self::GapDecision(ask) => language_of(&ask.summary),
            Self::PrdReview(ask) => language_of(&ask.document),
            Self::Team(ask) => ask.language,
        }
    }
}

impl AskModel for PrdAsk {
    fn kind(&self) -> &'static str {
        match self {
            Self::Clarification(_) => "clarification",
            Self::BriefReview(_) => "brief_review",
            Self::RequirementsReview(_) => "requirements_review",
            Self::GapDecision(_) => "gap_decision",
            Self::PrdReview(_) => "prd_review",
            Self::Team(ask) => ask.checkpoint.kind(),
        }
    }

    fn title(&self) -> String {
        self.title_in(self.language())
    }

    fn title_in(&self, language: Language) -> String {
        let said = messages::Prd::of(language);
        match self {
            Self::Clarification(ask) => match ask.questions.as_slice() {
                [one] => one.question.clone(),
                many => said.questions_about_sources(&many.len()),
            },
            Self::BriefReview(_) => said.ask_brief.to_owned(),
            Self::RequirementsReview(ask) => match ask.requirements.len() {
                0 => said.ask_requirements_change.to_owned(),
                count => said.review_requirements(count),
            },
            Self::GapDecision(ask) => said.gaps_left(ask.identified_gaps.len()),
            Self::PrdReview(_) => said.ask_prd.to_owned(),
            Self::Team(ask) => ask.title_in(language),
        }
    }

    fn answer_schema(&self) -> Value {
        match self {
            Self::Clarification(_) => schema_of::<ClarificationAnswer>(),
            Self::BriefReview(_) => schema_of::<BriefReviewAnswer>(),
            Self::RequirementsReview(_) => schema_of::<RequirementsReviewAnswer>(),
            Self::GapDecision(_) => schema_of::<GapDecisionAnswer>(),
            Self::PrdReview(_) => schema_of::<PrdReviewAnswer>(),
            Self::Team(_) => schema_of::<TeamReviewAnswer>(),
        }
    }

    fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        let language = self.language();
        let said = messages::Prd::of(language);
        if is_empty(answer) {
            let message = said.answer_decides_nothing;
            return Err(vec![problem("", message)]);
        }
        match self {
            Self::Clarification(ask) => {
                ask.check(answer)?;
                let given: ClarificationAnswer = read_reply(answer)?;
                let problems = unfit_answers(language, &ask.questions, &given.answers);
                if problems.is_empty() { Ok(()) } else { Err(problems) }
            }
            Self::BriefReview(ask) => ask.check(language, &read_reply(answer)?),
            Self::RequirementsReview(ask) => {
                let answer: RequirementsReviewAnswer = read_reply(answer)?;
                let mut problems = checked(language, &ask.requirements, &ask.decided, &answer.verdicts, &answer.added);
                problems.extend(unknown_questions(language, ask.question_ids.as_deref(), &answer.verdicts));
                if answer.decides_nothing() && !ask.requirements.is_empty() {
                    let message = said.decide_one;
                    problems.push(problem("verdicts", message));
                }
                if problems.is_empty() { Ok(()) } else { Err(problems) }
            }
            Self::GapDecision(ask) => ask.check(language, &read_reply(answer)?),
            Self::Team(ask) => ask.check(answer),
            Self::PrdReview(ask) => {
                let answer: PrdReviewAnswer = read_reply(answer)?;
                let replies = answer.answers.values().any(|reply| !reply.is_empty());
                let decides = replies || !answer.verdicts.is_empty() || !answer.added.is_empty();
                let changes = says(&answer.user_feedback)
                    || !answer.prd_modifications.is_empty()
                    || says(&answer.edited_document)
                    || decides;
                let mut problems = unfit_answers(language, &ask.open_questions, &answer.answers);
                problems.extend(checked(language, &[], &ask.decided, &answer.verdicts, &answer.added));
                let ids: Vec<QuestionId> = ask.open_questions.iter().filter_map(document_id).collect();
                let known = Some(ids.as_slice()).filter(|ids| !ids.is_empty());
                problems.extend(unknown_questions(language, known, &answer.verdicts));
                problems.extend(misplaced(language, ask, &answer));
                if !problems.is_empty() {
                    return Err(problems);
                }
                if !answer.prd_approved && !changes {
                    let message = said.say_what_to_change_in_prd;
                    return Err(vec![problem("userFeedback", message)]);
                }
                if answer.prd_approved && says(&answer.user_feedback) {
                    return Err(vec![problem("prdApproved", said.changes_wanted)]);
                }
                // A text that was edited is judged again before it is written.
                let is_edited = !answer.prd_modifications.is_empty()
                    || says(&answer.edited_document)
                        && answer.edited_document.as_deref().is_some_and(|text| text.trim() != ask.document.trim());
                let excused = says(&answer.gate_override) || is_edited || decides;
                if answer.prd_approved && !ask.gate.verdict.is_pass() && !excused {
                    let message = said.gate_stops;
                    return Err(vec![problem("gateOverride", message)]);
                }
                Ok(())
            }
        }
    }
}

/// The changes whose original words are missing from their section, and those of sections that the approved text does not have.
fn misplaced(language: Language, ask: &PrdReview, answer: &PrdReviewAnswer) -> Vec<Problem> {
    let document = answer.edited_document.as_deref().unwrap_or(&ask.document);
    let found = (0..).zip(&answer.prd_modifications).filter_map(|(index, change): (usize, _)| {
        let (field, message) = if change.is_misplaced(document) {
            ("originalContent", messages::Prd::of(language).words_not_in_section)
        } else if change.applied(document).or_else(|| change.asked_in(document)).is_none() {
            ("section", messages::Prd::of(language).section_unknown)
        } else {
            return None;
        };
        Some(problem(&format!("prdModifications.{index}.{field}"), message))
    });
    found.collect()
}

/// Checks that every decision is about a known requirement, once, that a rejection has a reason, and that an addition
/// has a text.
fn checked(
    language: Language,
    shown: &[Requirement],
    decided: &[ExportedRequirement],
    verdicts: &[Verdict],
    added: &[AddedRequirement],
) -> Vec<Problem> {
    let said = messages::Prd::of(language);
    let known = || shown.iter().chain(decided.iter().map(|one| &one.requirement));
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for (index, verdict) in verdicts.iter().enumerate() {
        let place = |field: &str| format!("verdicts[{index}].{field}");
        let requirement = known().find(|one| one.id == verdict.id);
        if requirement.is_none() {
            problems.push(problem(&place("id"), said.requirement_unknown));
        }
        if !seen.insert(&verdict.id) {
            problems.push(problem(&place("id"), said.decided_twice));
        }
        if verdict.kind == VerdictKind::Approve && requirement.is_some_and(has_blanks) {
            let message = said.still_blank;
            problems.push(problem(&place("verdict"), message));
        }
        let reason = match &verdict.kind {
            VerdictKind::Reject { reason }
            | VerdictKind::OutOfScope { reason }
            | VerdictKind::Modify { reason, .. } => Some(reason),
            VerdictKind::Approve | VerdictKind::Defer => None,
        };
        if reason.is_some_and(|reason| reason.trim().is_empty()) {
            problems.push(problem(&place("reason"), said.reason_missing));
        }
    }
    for (index, _) in added.iter().enumerate().filter(|(_, one)| one.description.trim().is_empty()) {
        problems.push(problem(&format!("added[{index}].description"), said.describe_it));
    }
    for (index, _) in added.iter().enumerate().filter(|(_, one)| gaps::has_blank(&one.description)) {
        let message = said.fill_blanks;
        problems.push(problem(&format!("added[{index}].description"), message));
    }
    problems
}

/// The ids in the changes of requirements that are not those of open questions; `known` is absent if these are not known.
fn unknown_questions(language: Language, known: Option<&[QuestionId]>, verdicts: &[Verdict]) -> Vec<Problem> {
    let unknown = messages::Prd::of(language).question_unknown;
    let is_unknown = |id: &QuestionId| known.is_some_and(|known| !known.contains(id));
    let of = |(index, verdict): (usize, &Verdict)| match &verdict.kind {
        VerdictKind::Modify { changes, .. } if changes.waits_for.iter().flatten().any(is_unknown) => {
            Some(problem(&format!("verdicts[{index}].changes.waitsFor"), unknown))
        }
        _ => None,
    };
    verdicts.iter().enumerate().filter_map(of).collect()
}

/// Returns true if a requirement still has blanks: `____`, `TBD`, and, if it was proposed for a gap, `Only [role] may [do this]`.
pub fn has_blanks(requirement: &Requirement) -> bool {
    let proposed = requirement.sources.iter().any(|source| source.source.starts_with("gap:"));
    let blank = |text: &str| {
        text.split('[').skip(1).any(|rest| {
            rest.split_once(']').is_some_and(|(words, after)| !words.trim().is_empty() && !after.starts_with('('))
        })
    };
    let texts = || [&requirement.title, &requirement.description].into_iter().chain(&requirement.acceptance_criteria);
    proposed && texts().any(|text| blank(text)) || texts().any(|text| gaps::has_blank(text))
}
