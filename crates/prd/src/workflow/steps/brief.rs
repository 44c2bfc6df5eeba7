//! The steps around the brief: draft, review, approval.

use serde_json::Value;

use super::super::brief_review::{BriefReview, BriefReviewAnswer};
use super::super::document_files::BRIEF_FILE;
use super::super::revision::{add_left_open, adopted, answered_brief, by_question, modified};
use super::super::state::{PrdPatch, PrdState};
use super::super::work::{DraftStep, WorkOrder};
use super::super::{PrdLabel, PrdWorkflow};
use super::clarification;
use super::results::{replace, sources, value};
use crate::brief::{parse_brief, render_brief};
use crate::collect::BriefFeedback;
use crate::feature_id::new_feature_id;
use crate::{FeatureBrief, FeatureId, OpenQuestion};
use reqgate_docs::write::one_line;
use reqgate_flow::{Effect, NodeError, Outcome, Step};
use reqgate_gate::stages::intake::feature_part::{self, front_matter, without_front_matter};

/// The order for a brief, or for its update.
pub(super) fn order(step: DraftStep, state: &PrdState) -> WorkOrder {
    let updates = step == DraftStep::BriefUpdate;
    let feedback = state.feature_brief_user_feedback.clone().filter(|_| updates);
    let starts_over = feedback.as_ref().is_some_and(|feedback| feedback.start_over);
    WorkOrder {
        sources: sources(state),
        brief: state.feature_brief_content.clone().filter(|_| updates && !starts_over),
        feedback,
        language: state.requested_language.filter(|_| step == DraftStep::Brief),
        documents: clarification::for_reader(state).filter(|_| step == DraftStep::Brief).into_iter().collect(),
        ..WorkOrder::of(step)
    }
}

/// The brief of a writer after a review. Only people answer questions: their answers stay, a question keeps its id, and an answer of the
/// writer counts only in the words of the review.
pub(super) fn brief_updated(state: &PrdState, draft: FeatureBrief) -> FeatureBrief {
    let order = order(DraftStep::BriefUpdate, state);
    let mut brief = order.placed_brief(draft);
    let feedback = order.feedback.and_then(|feedback| feedback.user_feedback).unwrap_or_default();
    let before = order.brief.as_deref().map(parse_brief).map_or_else(Vec::new, |brief| brief.open_questions);
    keep_questions(&mut brief.open_questions, before, &feedback);
    if state.feature_brief_user_feedback.as_ref().is_some_and(|feedback| feedback.start_over) {
        add_left_open(&mut brief, &state.left_open);
        brief.title = state.requested_title.clone().unwrap_or(brief.title);
        brief.language = state.requested_language.unwrap_or(brief.language);
    }
    brief
}

/// Gives the questions of a draft the ids and answers that they had, and adds answered ones that the draft lost.
fn keep_questions(questions: &mut Vec<OpenQuestion>, mut before: Vec<OpenQuestion>, feedback: &str) {
    let said = one_line(feedback).to_lowercase();
    for question in &mut *questions {
        let by_id = |known: &OpenQuestion| question.id.is_some() && known.id == question.id;
        let by_words = |known: &OpenQuestion| one_line(&known.question) == one_line(&question.question);
        let by_source = |known: &OpenQuestion| question.source.is_some() && known.source == question.source;
        let known = before.iter().position(by_words).or_else(|| before.iter().position(by_id));
        let known = known.or_else(|| before.iter().position(by_source)).map(|at| before.remove(at));
        let (id, answer) = known.map_or((None, None), |known| (known.id, known.answer));
        let is_said = |answer: &String| !answer.trim().is_empty() && said.contains(&one_line(answer).to_lowercase());
        question.id = id;
        question.answer = answer.or_else(|| question.answer.take().filter(is_said));
    }
    questions.extend(before.into_iter().filter(|known| known.answer.is_some()));
}

/// Assigns the id of the feature, once, and keeps the brief in the state until it is approved.
pub(super) fn brief_written(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let mut brief = order(DraftStep::Brief, state).placed_brief(value(results.first())?);
    // The author of a draft may ask questions, but only people answer them.
    for question in &mut brief.open_questions {
        question.answer = None;
    }
    add_left_open(&mut brief, &state.left_open);
    brief.title = state.requested_title.clone().unwrap_or(brief.title);
    brief.language = state.requested_language.unwrap_or(brief.language);
    let id = match &state.feature_id {
        Some(id) => id.clone(),
        None => new_feature_id(state.requested_slug.as_deref().unwrap_or(&brief.title), &state.current_feature_ids),
    };
    let directory = format!("{}/{id}", state.prd_workspace_path);
    let path = format!("{directory}/{BRIEF_FILE}");
    let patch = PrdPatch::Brief { id, path, content: render_brief(&brief) };
    let effect = Effect::Directory { path: directory.into() };
    Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(patch).effect(effect)))
}

/// Returns the brief with the edits, answers and adopted sentences of a review; `None` if it stays the same.
pub(crate) fn filled_brief(asked: &BriefReview, given: &BriefReviewAnswer) -> Option<String> {
    let mut text = given.edited_document.clone().filter(|text| !text.trim().is_empty());
    if !given.adopt.is_empty() {
        let document = text.as_deref().unwrap_or(&asked.document);
        text = Some(adopted(document, &asked.not_used, &given.adopt));
    }
    if given.answers.values().any(|reply| !reply.is_empty()) {
        let document = text.as_deref().unwrap_or(&asked.document);
        text = Some(answered_brief(document, &by_question(&asked.open_questions, &given.answers)));
    }
    if given.approved && !given.modifications.is_empty() {
        let document = text.as_deref().unwrap_or(&asked.document);
        text = Some(modified(document, &given.modifications));
    }
    text
}

pub(super) fn brief_reviewed(asked: &BriefReview, given: BriefReviewAnswer) -> Outcome<PrdWorkflow> {
    let label = if given.approved { PrdLabel::Approved } else { PrdLabel::Changes };
    let mut outcome = Outcome::go(label).patch(PrdPatch::Judged(asked.gate.clone()));
    if let Some(text) = filled_brief(asked, &given) {
        outcome = outcome.patch(PrdPatch::BriefContent(text));
    }
    if given.approved {
        return outcome.patch(PrdPatch::BriefApproved);
    }
    let BriefReviewAnswer { user_feedback, modifications, start_over, .. } = given;
    let feedback = BriefFeedback { user_feedback, modifications, start_over };
    outcome.patch(PrdPatch::BriefFeedback(feedback))
}

/// Writes the approved brief, replacing an existing one.
pub(super) fn brief_approved(state: &PrdState, before: Option<&str>) -> Outcome<PrdWorkflow> {
    let brief = state.feature_brief_content.as_deref().map(without_front_matter).unwrap_or_default();
    // By this front matter, `check` recognises the document of a feature.
    let feature = state.feature_id.as_ref().map(FeatureId::as_str).unwrap_or_default();
    let front = front_matter(feature_part::BRIEF, feature);
    // An earlier approved brief is replaced; a foreign file with this name is not.
    let before = before.filter(|text| text.starts_with(front.trim_end_matches("---\n")));
    Outcome::go(PrdLabel::Next).effect(replace(state, BRIEF_FILE, format!("{front}\n{brief}"), before))
}
