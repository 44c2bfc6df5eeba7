//! The steps around the PRD: generation, review, update, finalization.

use serde_json::Value;

use super::super::asks::{PrdAsk, PrdReview, PrdReviewAnswer};
use super::super::by_hand::{ChangedByHand, changed_by_hand, record};
use super::super::decisions::{Written, decide, fingerprint};
use super::super::document_files::{BRIEF_FILE, PRD_FILE, PRD_JSON_FILE, REQUIREMENTS_FILE};
use super::super::facts::{GateSummary, JudgedDocument};
use super::super::modification::PrdModification;
use super::super::revision::{
    answered_brief, approved_prd, by_question, changed_prd, final_prd, is_of_notes, open_questions, renamed,
    with_changes_of, with_questions_of,
};
use super::super::state::{DecidedReview, PrdPatch, PrdState};
use super::super::statements::{Carried, carried};
use super::super::taken_out;
use super::super::work::{Assembled, ChangedSections, DraftStep, FileRead, PrdCall, WorkOrder};
use super::super::{PrdLabel, PrdWorkflow};
use super::requirements::requirements_file;
use super::results::{content, is_gone, path_of, replace, sources, value};
use super::utterance;
use crate::collect::BriefFeedback;
use crate::prd_document::PrdDocument;
use crate::prd_text;
use crate::requirements::{parse, render};
use reqgate_base::model::Language;
use reqgate_docs::is_called;
use reqgate_flow::{Answer, NodeError, Outcome, Step, hash};
use reqgate_gate::stages::intake::as_draft;
use reqgate_gate::stages::intake::feature_part::{with_last_word_of_the_prd, without_front_matter};

/// Requests the PRD for these documents.
fn assembly(state: &PrdState, brief: String, requirements: String) -> Step<PrdWorkflow> {
    let (utterance, project, revisions) = (utterance(state), state.project_id.clone(), state.revisions.clone());
    let kept_gaps = if state.should_iterate { Vec::new() } else { state.identified_gaps.clone() };
    let gap_decisions = state.gap_decisions.clone();
    Step::Call(vec![PrdCall::Assemble { utterance, brief, requirements, project, revisions, kept_gaps, gap_decisions }])
}

/// Builds the PRD, with the changes of earlier reviews.
pub(super) fn prd_generation(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let brief = content(state, BRIEF_FILE, results.first())?;
    let requirements = content(state, REQUIREMENTS_FILE, results.get(1))?;
    let sources_hash = hash_of(&brief, &requirements);
    let Some(assembled) = results.get(2) else {
        return Ok(assembly(state, brief, requirements));
    };
    let Assembled { markdown, json } = value(Some(assembled))?;
    let content = with_changes_of(&markdown, state.prd_content.as_deref().unwrap_or_default(), &lasting(state));
    let patch = PrdPatch::Prd { path: path_of(state, PRD_FILE), content, json, sources_hash };
    let outcome = Outcome::go(PrdLabel::Next).patch(patch);
    // The review lists the questions of the file, which may have been edited.
    let approved = state.feature_brief_content.as_deref().unwrap_or_default();
    let asking = with_questions_of(approved, &brief);
    Ok(Step::Done(if asking == approved { outcome } else { outcome.patch(PrdPatch::GapsAsked(asking)) }))
}

/// The changes of earlier reviews that must be repeated when the PRD is rebuilt. Changed questions are already in the
/// brief, and notes are carried over; sections that were added below them are in no other document.
fn lasting(state: &PrdState) -> Vec<PrdModification> {
    let follows = |change: &PrdModification| prd_text::holds_questions(&change.section) || is_of_notes(change);
    let kept = |change: &PrdModification| if follows(change) { change.adding_alone() } else { Some(change.clone()) };
    state.prd_applied_modifications.iter().filter_map(kept).collect()
}

/// The data with the contents of the approved text; data of an older format is unchanged.
fn followed_data(data: &str, text: &str) -> String {
    let data_of_text = serde_json::from_str(data).map(|data| prd_text::followed(data, text));
    let written = data_of_text.and_then(|data| serde_json::to_string_pretty(&data));
    written.map_or_else(|_| data.to_owned(), |written| format!("{written}\n"))
}

/// A hash of the sources of a PRD.
fn hash_of(brief: &str, requirements: &str) -> String {
    hash(format!("{}{}", hash(brief.as_bytes()), hash(requirements.as_bytes())).as_bytes())
}

/// Returns true if the gate has judged the current PRD.
pub(super) fn is_judged(state: &PrdState, content: &str) -> bool {
    let text_hash = hash(content.as_bytes());
    state.gate.iter().any(|summary| summary.document == JudgedDocument::Prd && summary.text_hash == text_hash)
}

/// Writes the approved PRD, unless its sources have changed since, or an edit made it fail the gate.
pub(super) fn prd_finalization(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let FileRead { content: prd } = value(results.first())?;
    let FileRead { content: json } = value(results.get(1))?;
    let brief = content(state, BRIEF_FILE, results.get(2))?;
    let requirements = content(state, REQUIREMENTS_FILE, results.get(3))?;
    if state.prd_sources_hash.as_deref() != Some(hash_of(&brief, &requirements).as_str()) {
        let (either, since) = (
            state.said(" or ", " 或 "),
            state.said(" was changed after the PRD was generated", " 在 PRD 生成之后被改动"),
        );
        let note = format!("{BRIEF_FILE}{either}{REQUIREMENTS_FILE}{since}");
        let outcome = Outcome::go(PrdLabel::Stale).patch(PrdPatch::PrdReopened).note(note);
        let Followed { file, state: remembered } = questions_followed(state, &brief, true);
        return Ok(Step::Done(with_brief(state, outcome, (&brief, file), remembered)));
    }
    let mut outcome = Outcome::go(PrdLabel::Next);
    let judged: Option<GateSummary> = results.get(4).map(|judged| value(Some(judged))).transpose()?;
    let known = state.gate.iter().find(|summary| summary.document == JudgedDocument::Prd);
    if let Some(gate) = judged.clone().or_else(|| known.cloned()) {
        if !gate.verdict.is_pass() && state.gate_override.is_none() {
            let outcome = Outcome::go(PrdLabel::Changed).patch(PrdPatch::PrdReopened);
            return Ok(Step::Done(
                outcome.note(state.said("the gate stops the edited PRD", "编辑后的 PRD 未通过质量门").to_owned()),
            ));
        }
        outcome = outcome.patch(PrdPatch::Judged(gate));
    }
    let Followed { file, state: remembered } = questions_followed(state, &brief, false);
    let document = final_prd(state, judged.as_ref());
    let made = state.prd_json.as_deref().unwrap_or_default();
    let followed = followed_data(made, &document);
    let file = with_changes_of_prd(file, (made, &followed), state.language());
    // The note is in the front matter, which the state does not have.
    let remembered = with_changes_of_prd(remembered, (made, &followed), state.language());
    let remembered = without_front_matter(&remembered).trim_start().to_owned();
    let outcome = with_brief(state, outcome, (&brief, file), remembered);
    let outcome = requirements_in_line(state, &requirements, &document, outcome);
    Ok(Step::Done(outcome.effect(replace(state, PRD_FILE, document, prd.as_deref())).effect(replace(
        state,
        PRD_JSON_FILE,
        approved_prd(&followed),
        json.as_deref(),
    ))))
}

/// The brief with the questions of the PRD.
struct Followed {
    /// The text of the file.
    file: String,
    /// The text in the state, which has no front matter.
    state: String,
}

/// The brief with the questions of the PRD; unless the PRD is stale, including those that the approval sets aside.
fn questions_followed(state: &PrdState, brief: &str, is_stale: bool) -> Followed {
    let prd = state.prd_content.as_deref().unwrap_or_default();
    let approved = state.feature_brief_content.as_deref().unwrap_or_default();
    let (asking, _) = taken_out::in_line(approved, prd);
    let remembered = if is_stale { asking } else { taken_out::with_set_aside(&asking, state) };
    Followed { file: taken_out::carried_over(brief, approved, &remembered), state: remembered }
}

/// The outcome that stores a changed brief in the state and writes its file.
fn with_brief(
    state: &PrdState,
    mut outcome: Outcome<PrdWorkflow>,
    (before, file): (&str, String),
    remembered: String,
) -> Outcome<PrdWorkflow> {
    if state.feature_brief_content.as_deref() != Some(remembered.as_str()) {
        outcome = outcome.patch(PrdPatch::GapsAsked(remembered));
    }
    if file != before { outcome.effect(replace(state, BRIEF_FILE, file, Some(before))) } else { outcome }
}

/// Updates the requirements from the rows of the PRD; if these cannot be read, a note says that the PRD takes precedence.
fn requirements_in_line(
    state: &PrdState,
    requirements: &str,
    prd: &str,
    mut outcome: Outcome<PrdWorkflow>,
) -> Outcome<PrdWorkflow> {
    let language = state.language();
    if let Ok(document) = parse(requirements) {
        let now = match prd_text::in_line_with(&document, prd) {
            Some(now) => {
                outcome = outcome.patch(PrdPatch::Recorded(record(&now)));
                render(&now)
            }
            None => with_last_word_of_the_prd(requirements, language),
        };
        if now != requirements {
            outcome = outcome.effect(replace(state, REQUIREMENTS_FILE, now, Some(requirements)));
        }
    }
    outcome
}

/// The brief with the statements that were edited in the PRD, and with a note if the PRD says more than that. `made` is the data of the
/// generated PRD, `approved` that of its approved text.
fn with_changes_of_prd(brief: String, (made, approved): (&str, &str), language: Language) -> String {
    let data = |text: &str| serde_json::from_str::<PrdDocument>(text).ok();
    let (Some(made), Some(approved)) = (data(made), data(approved)) else { return brief };
    let Carried { brief, made } = carried(&brief, &made, &approved);
    if is_same_brief(made, approved) { brief } else { with_last_word_of_the_prd(&brief, language) }
}

/// Returns true if the data of a PRD and of its approved text have the same content from the brief, except questions,
/// which are already updated in the brief.
fn is_same_brief(made: PrdDocument, approved: PrdDocument) -> bool {
    let bare = |mut data: PrdDocument| {
        data.change_log.clear();
        data.questions.clear();
        data.scope.in_scope.clear();
        data.functional_requirements.clear();
        data.non_functional_requirements.clear();
        data.traceability_table_rows.clear();
        data.requirements_count = 0;
        (data.success_criteria.verification, data.success_criteria.technical) = (Vec::new(), Vec::new());
        data
    };
    bare(made) == bare(approved)
}

/// Asks for a review of the PRD, together with the requirements that can be decided again.
pub(super) fn prd_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    // An unreadable file is reported by the step that writes it, not by this one.
    let document = requirements_file(state, results.get(1)).ok().and_then(|(_, document)| document);
    let recorded = state.recorded_requirements.as_deref();
    let text = state.prd_content.clone().unwrap_or_default();
    let (brief, taken_out) = taken_out::in_line(state.feature_brief_content.as_deref().unwrap_or_default(), &text);
    let gate: GateSummary = value(results.first())?;
    let changed_by_hand: Vec<ChangedByHand> =
        document.iter().flat_map(|document| changed_by_hand(recorded, document)).collect();
    let is_as_decided = gate.verdict.is_pass() && changed_by_hand.is_empty() && taken_out.is_empty();
    if let Some(actor) = state.prd_approval_ahead.clone().filter(|_| is_as_decided) {
        let approved = PrdPatch::PrdApproved { reason: None, actor: Some(actor), set_aside: Vec::new() };
        let told = state.said("approved with the decisions of the last answer", "按上一个答复中的决定批准").to_owned();
        return Ok(Step::Done(
            Outcome::go(PrdLabel::Approved).patch(PrdPatch::Judged(gate)).patch(approved).note(told),
        ));
    }
    Ok(Step::Ask(PrdAsk::PrdReview(PrdReview {
        document: text,
        path: path_of(state, PRD_FILE),
        changed_by_hand,
        open_questions: open_questions(&brief),
        taken_out,
        decided: document.map(|document| document.export().requirements().collect()).unwrap_or_default(),
        gate,
        instructions: state
            .said(
                "Approve it, or say what to change: in words, by section, by answers to its open questions, by verdicts on its \
                 requirements, or by editing it.",
                "批准，或说明要改什么：用文字、按节、回答待解问题、重新决定需求，或直接编辑。",
            )
            .to_owned(),
    })))
}

/// Writes answers into the brief, verdicts and new requirements into their file, and regenerates the PRD.
pub(super) fn prd_update(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let review = state.requirements_review.clone().ok_or_else(|| NodeError::new("there is no review yet"))?;
    let before = content(state, BRIEF_FILE, results.first())?;
    let text_now = state.prd_content.as_deref().unwrap_or_default();
    // Answers refer to the questions that were shown, and are updated by the changes of the same answer to the text.
    let approved = state.feature_brief_content.as_deref().unwrap_or_default();
    let (asked, _) = taken_out::in_line(approved, text_now);
    let (now, gone) = taken_out::in_line(&asked, &changed_prd(text_now, &state.prd_modifications, None));
    let answers = renamed(&review.answers, &asked, &now);
    let answered = |brief: String| if answers.is_empty() { brief } else { answered_brief(&brief, &answers) };
    let brief = answered(taken_out::carried_over(&before, approved, &now));
    let (text, document) = requirements_file(state, results.get(1))?;
    let (Some(text), Some(document)) = (text, document) else { return Err(is_gone(state, REQUIREMENTS_FILE)) };
    let decides = !review.verdicts.is_empty() || !review.added.is_empty();
    let written = decides.then(|| decide(state, &document, &review)).transpose();
    let written = written.map_err(|fault| NodeError::new(fault.to_string()))?;
    let requirements = written.as_ref().map_or_else(|| text.clone(), |written| render(&written.document));
    let sources_hash = hash_of(&brief, &requirements);
    let Some(assembled) = results.get(2) else {
        return Ok(assembly(state, taken_out::without(&brief, &gone), requirements));
    };
    let Assembled { markdown, json } = value(Some(assembled))?;
    let new = state.prd_modifications.iter().filter(|change| !prd_text::holds_questions(&change.section));
    let new: Vec<PrdModification> = new.cloned().collect();
    let wishes = state.prd_user_feedback.as_deref().filter(|words| !words.trim().is_empty());
    // Requests in words are only passed to a writer; the rules cannot follow them.
    let notes = wishes.filter(|_| !state.has_reader());
    let mut content = changed_prd(&with_changes_of(&markdown, text_now, &lasting(state)), &new, notes);
    let mut outcome = Outcome::go(PrdLabel::Next);
    if wishes.is_some() && state.has_reader() {
        let Some(drafted) = results.get(3) else {
            let order = WorkOrder { prd: Some(content), ..prd_order(state) };
            return Ok(Step::Call(vec![PrdCall::Draft(Box::new(order))]));
        };
        let (changed, modifications) = changed_by_author(state, &content, value(Some(drafted))?);
        content = changed;
        outcome = outcome.patch(PrdPatch::PrdFeedback { modifications, feedback: None });
    }
    // This PRD includes edits of its sources since it was shown, which have not been approved.
    let is_as_shown = state.prd_sources_hash.as_deref() == Some(hash_of(&before, &text).as_str());
    if state.prd_approval_ahead.is_some() && !is_as_shown {
        outcome = outcome.patch(PrdPatch::PrdApprovalAhead(None));
    }
    let mut outcome = outcome
        .patch(PrdPatch::ReviewWritten)
        .patch(PrdPatch::Prd { path: path_of(state, PRD_FILE), content: content.clone(), json, sources_hash })
        .patch(PrdPatch::PrdContent(content));
    if brief != before {
        outcome = outcome.patch(PrdPatch::GapsAsked(answered(now.clone()))).effect(replace(
            state,
            BRIEF_FILE,
            brief,
            Some(&before),
        ));
    }
    let Some(Written { record, changed, .. }) = written else { return Ok(Step::Done(outcome)) };
    outcome =
        outcome.patch(PrdPatch::Recorded(record)).effect(replace(state, REQUIREMENTS_FILE, requirements, Some(&text)));
    if !changed.is_empty() {
        let ids: Vec<String> = changed.iter().map(ToString::to_string).collect();
        outcome = outcome.note(format!(
            "{}{}",
            state.said("changed in the file during the review of the PRD: ", "评审 PRD 期间文件被改动："),
            ids.join(", ")
        ));
    }
    Ok(Step::Done(outcome))
}

pub(super) fn prd_reviewed(
    state: &PrdState,
    asked: &PrdReview,
    given: PrdReviewAnswer,
    answer: &Answer<'_>,
) -> Outcome<PrdWorkflow> {
    let judged = PrdPatch::Judged(asked.gate.clone());
    let edited = given.edited_document.filter(|text| !text.trim().is_empty()).map(|text| as_draft(&text));
    // Changes of sections are part of the approved PRD; without an approval, the update step makes them.
    let mut modifications = given.prd_modifications;
    let answers = by_question(&asked.open_questions, &given.answers);
    let decides = !answers.is_empty() || !given.verdicts.is_empty() || !given.added.is_empty();
    let edited = match given.prd_approved && !decides && !modifications.is_empty() {
        true => {
            Some(changed_prd(edited.as_deref().unwrap_or(&asked.document), &std::mem::take(&mut modifications), None))
        }
        false => edited,
    };
    let brief = state.feature_brief_content.as_deref().unwrap_or_default();
    let (_, set_aside) = taken_out::in_line(brief, edited.as_deref().unwrap_or(&asked.document));
    // A question that this edit removes is reported first, so that it is known before an approval.
    let untold: Vec<String> = set_aside.iter().filter(|one| !asked.taken_out.contains(one)).cloned().collect();
    let is_approved = given.prd_approved && !decides && untold.is_empty();
    let label = if is_approved { PrdLabel::Approved } else { PrdLabel::Changes };
    let mut outcome = Outcome::go(label).patch(judged);
    if let Some(text) = edited {
        outcome = outcome.patch(PrdPatch::PrdContent(text));
    }
    if is_approved {
        let actor = Some(answer.actor.to_owned());
        return outcome.patch(PrdPatch::PrdApproved { reason: given.gate_override, actor, set_aside });
    }
    if let Some(told) = taken_out::told(&untold, state.language()) {
        outcome = outcome.note(told);
    }
    // These decisions change the PRD, which is approved when the gate passes the new version.
    let ahead = (given.prd_approved && decides && untold.is_empty()).then(|| answer.actor.to_owned());
    if ahead.is_some() || state.prd_approval_ahead.is_some() {
        outcome = outcome.patch(PrdPatch::PrdApprovalAhead(ahead));
    }
    if decides {
        outcome = outcome.patch(PrdPatch::Reviewed(DecidedReview {
            timestamp: answer.at.to_owned(),
            actor: answer.actor.to_owned(),
            summary: String::new(),
            verdicts: given.verdicts,
            shown: asked
                .decided
                .iter()
                .map(|one| (one.requirement.id.clone(), fingerprint(&one.requirement)))
                .collect(),
            enough: true,
            added: given.added,
            answers,
            by_hand: Vec::new(),
            asked: "prd_review".to_owned(),
        }));
    }
    outcome.patch(PrdPatch::PrdFeedback { modifications, feedback: given.user_feedback })
}

/// The order to change the PRD after a review.
pub(super) fn prd_order(state: &PrdState) -> WorkOrder {
    let feedback = BriefFeedback { user_feedback: state.prd_user_feedback.clone(), ..BriefFeedback::default() };
    WorkOrder {
        sources: sources(state),
        feedback: Some(feedback),
        prd: state.prd_content.as_deref().map(|content| changed_prd(content, &state.prd_modifications, None)),
        ..WorkOrder::of(DraftStep::PrdUpdate)
    }
}

/// The PRD with the changes of a person and of its author, and the list of all these changes. A section that the
/// person wrote is kept as it is.
fn changed_by_author(state: &PrdState, prd: &str, drafted: ChangedSections) -> (String, Vec<PrdModification>) {
    let mut changes = drafted.changes;
    changes.retain(|change| !state.prd_modifications.iter().any(|known| is_called(&known.section, &change.section)));
    let changed = changed_prd(prd, &changes, None);
    (changed, changes.into_iter().chain(state.prd_modifications.iter().cloned()).collect())
}

/// The PRD with the sections that its author has changed.
pub(super) fn prd_changed(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let before = changed_prd(state.prd_content.as_deref().unwrap_or_default(), &state.prd_modifications, None);
    let drafted: ChangedSections = value(results.first())?;
    let is_done = drafted.changes.is_empty();
    let (changed, modifications) = changed_by_author(state, &before, drafted);
    let outcome = Outcome::go(PrdLabel::Next)
        .patch(PrdPatch::PrdFeedback { modifications, feedback: None })
        .patch(PrdPatch::PrdContent(changed));
    let told = state.said("the author finds nothing left to change", "作者认为没有还要改的").to_owned();
    Ok(Step::Done(if is_done { outcome.note(told) } else { outcome }))
}
