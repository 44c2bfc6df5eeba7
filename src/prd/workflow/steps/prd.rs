//! The steps around the PRD: put together, reviewed, changed, written.

use serde_json::Value;

use super::super::asks::{PrdAsk, PrdReview, PrdReviewAnswer};
use super::super::by_hand::{changed_by_hand, record};
use super::super::decisions::{Written, decide, fingerprint};
use super::super::document_files::{BRIEF_FILE, PRD_FILE, PRD_JSON_FILE, REQUIREMENTS_FILE};
use super::super::facts::{GateSummary, JudgedDocument};
use super::super::modification::PrdModification;
use super::super::revision::{answered_brief, approved_prd, by_question, changed_prd, final_prd, open_questions};
use super::super::state::{DecidedReview, PrdPatch, PrdState};
use super::super::work::{Assembled, ChangedSections, DraftStep, FileRead, PrdCall, WorkOrder};
use super::super::{PrdLabel, PrdWorkflow};
use super::requirements::requirements_file;
use super::results::{content, is_gone, path_of, replace, sources, value};
use super::utterance;
use crate::prd::collect::BriefFeedback;
use crate::prd::prd_document::PrdDocument;
use crate::prd::prd_text;
use crate::prd::requirements::{parse, render};
use crate::stages::intake::as_draft;
use crate::stages::intake::feature_part::with_last_word_of_the_prd;
use crate::workflow::{Answer, NodeError, Outcome, Step, hash};

/// Asks for the PRD that these documents make.
fn assembly(state: &PrdState, brief: String, requirements: String) -> Step<PrdWorkflow> {
    let (utterance, project, revisions) = (utterance(state), state.project_id.clone(), state.revisions.clone());
    let kept_gaps = if state.should_iterate { Vec::new() } else { state.identified_gaps.clone() };
    let gap_decisions = state.gap_decisions.clone();
    Step::Call(vec![PrdCall::Assemble { utterance, brief, requirements, project, revisions, kept_gaps, gap_decisions }])
}

/// Puts the PRD together, with what earlier reviews changed in it.
pub(super) fn prd_generation(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let brief = content(state, BRIEF_FILE, results.first())?;
    let requirements = content(state, REQUIREMENTS_FILE, results.get(1))?;
    let sources_hash = hash_of(&brief, &requirements);
    let Some(assembled) = results.get(2) else {
        return Ok(assembly(state, brief, requirements));
    };
    let Assembled { markdown, json } = value(Some(assembled))?;
    let content = match state.prd_applied_modifications.as_slice() {
        [] => markdown,
        applied => changed_prd(&markdown, applied, None),
    };
    let patch = PrdPatch::Prd { path: path_of(state, PRD_FILE), content, json, sources_hash };
    Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(patch)))
}

/// The data with the contents of the approved text; that of an older version, which has another shape, stays as it is.
fn followed_data(data: &str, text: &str) -> String {
    let data_of_text = serde_json::from_str(data).map(|data| prd_text::followed(data, text));
    let written = data_of_text.and_then(|data| serde_json::to_string_pretty(&data));
    written.map_or_else(|_| data.to_owned(), |written| format!("{written}\n"))
}

/// A hash of the sources of a PRD.
fn hash_of(brief: &str, requirements: &str) -> String {
    hash(format!("{}{}", hash(brief.as_bytes()), hash(requirements.as_bytes())).as_bytes())
}

/// Whether the gate has judged the current PRD.
pub(super) fn is_judged(state: &PrdState, content: &str) -> bool {
    let text_hash = hash(content.as_bytes());
    state.gate.iter().any(|summary| summary.document == JudgedDocument::Prd && summary.text_hash == text_hash)
}

/// Writes the approved PRD, unless its sources have changed since, or it was edited into one that the gate stops.
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
        return Ok(Step::Done(Outcome::go(PrdLabel::Stale).patch(PrdPatch::PrdReopened).note(note)));
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
    let document = final_prd(state, judged.as_ref());
    let made = state.prd_json.as_deref().unwrap_or_default();
    let followed = followed_data(made, &document);
    let outcome = sources_in_line(state, (&brief, &requirements), &document, is_same_brief(made, &followed), outcome);
    Ok(Step::Done(outcome.effect(replace(state, PRD_FILE, document, prd.as_deref())).effect(replace(
        state,
        PRD_JSON_FILE,
        approved_prd(&followed),
        json.as_deref(),
    ))))
}

/// Brings the documents that the PRD was made of into line with it: the requirements follow its rows; where these cannot be read,
/// and in the brief, a remark says that the PRD has the last word.
fn sources_in_line(
    state: &PrdState,
    (brief, requirements): (&str, &str),
    prd: &str,
    is_same_brief: bool,
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
    let noted = with_last_word_of_the_prd(brief, language);
    if !is_same_brief && noted != brief {
        outcome = outcome.effect(replace(state, BRIEF_FILE, noted, Some(brief)));
    }
    outcome
}

/// True if the data of a PRD and those of its approved text say the same in the parts that come from the brief.
fn is_same_brief(made: &str, approved: &str) -> bool {
    let bare = |data: &str| -> Option<PrdDocument> {
        let mut data: PrdDocument = serde_json::from_str(data).ok()?;
        data.change_log.clear();
        data.scope.in_scope.clear();
        data.functional_requirements.clear();
        data.non_functional_requirements.clear();
        data.traceability_table_rows.clear();
        data.requirements_count = 0;
        (data.success_criteria.verification, data.success_criteria.technical) = (Vec::new(), Vec::new());
        Some(data)
    };
    bare(made) == bare(approved)
}

/// Shows the PRD, and the requirements that it can be changed by.
pub(super) fn prd_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    // A file that does not read is a question at the step that writes, not at one that looks.
    let document = requirements_file(state, results.get(1)).ok().and_then(|(_, document)| document);
    let recorded = state.recorded_requirements.as_deref();
    Ok(Step::Ask(PrdAsk::PrdReview(PrdReview {
        document: state.prd_content.clone().unwrap_or_default(),
        path: path_of(state, PRD_FILE),
        changed_by_hand: document.iter().flat_map(|document| changed_by_hand(recorded, document)).collect(),
        open_questions: open_questions(state.feature_brief_content.as_deref().unwrap_or_default()),
        decided: document.map(|document| document.export().requirements().collect()).unwrap_or_default(),
        gate: value(results.first())?,
        instructions: state
            .said(
                "Approve it, or say what to change: in words, by section, by answers to its open questions, by verdicts on its \
                 requirements, or by editing it.",
                "批准，或说明要改什么：用文字、按节、回答待解问题、重新决定需求，或直接编辑。",
            )
            .to_owned(),
    })))
}

/// Writes answers into the brief, verdicts and new requirements into their file, and regenerates the PRD from the result.
pub(super) fn prd_update(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let review = state.requirements_review.clone().ok_or_else(|| NodeError::new("there is no review yet"))?;
    let before = content(state, BRIEF_FILE, results.first())?;
    let brief = if review.answers.is_empty() { before.clone() } else { answered_brief(&before, &review.answers) };
    let (text, document) = requirements_file(state, results.get(1))?;
    let (Some(text), Some(document)) = (text, document) else { return Err(is_gone(state, REQUIREMENTS_FILE)) };
    let decides = !review.verdicts.is_empty() || !review.added.is_empty();
    let written = decides.then(|| decide(state, &document, &review)).transpose();
    let written = written.map_err(|fault| NodeError::new(fault.to_string()))?;
    let requirements = written.as_ref().map_or_else(|| text.clone(), |written| render(&written.document));
    let sources_hash = hash_of(&brief, &requirements);
    let Some(assembled) = results.get(2) else {
        return Ok(assembly(state, brief, requirements));
    };
    let Assembled { markdown, json } = value(Some(assembled))?;
    let modifications: Vec<_> =
        state.prd_applied_modifications.iter().chain(&state.prd_modifications).cloned().collect();
    let content = changed_prd(&markdown, &modifications, state.prd_user_feedback.as_deref());
    let mut outcome = Outcome::go(PrdLabel::Next)
        .patch(PrdPatch::ReviewWritten)
        .patch(PrdPatch::Prd { path: path_of(state, PRD_FILE), content: content.clone(), json, sources_hash })
        .patch(PrdPatch::PrdContent(content));
    if brief != before {
        let approved = state.feature_brief_content.as_deref().unwrap_or_default();
        outcome = outcome.patch(PrdPatch::GapsAsked(answered_brief(approved, &review.answers))).effect(replace(
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

pub(super) fn prd_reviewed(asked: &PrdReview, given: PrdReviewAnswer, answer: &Answer<'_>) -> Outcome<PrdWorkflow> {
    let judged = PrdPatch::Judged(asked.gate.clone());
    let label = if given.prd_approved { PrdLabel::Approved } else { PrdLabel::Changes };
    let mut outcome = Outcome::go(label).patch(judged);
    if let Some(text) = given.edited_document.filter(|text| !text.trim().is_empty()) {
        outcome = outcome.patch(PrdPatch::PrdContent(as_draft(&text)));
    }
    if given.prd_approved {
        return outcome
            .patch(PrdPatch::PrdApproved { reason: given.gate_override, actor: Some(answer.actor.to_owned()) });
    }
    let answers = by_question(&asked.open_questions, &given.answers);
    if !answers.is_empty() || !given.verdicts.is_empty() || !given.added.is_empty() {
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
    outcome.patch(PrdPatch::PrdFeedback { modifications: given.prd_modifications, feedback: given.user_feedback })
}

/// The order to change the PRD as its review says.
pub(super) fn prd_order(state: &PrdState) -> WorkOrder {
    let feedback = BriefFeedback { user_feedback: state.prd_user_feedback.clone(), modifications: Vec::new() };
    WorkOrder {
        sources: sources(state),
        feedback: Some(feedback),
        prd: state.prd_content.as_deref().map(|content| changed_prd(content, &state.prd_modifications, None)),
        ..WorkOrder::of(DraftStep::PrdUpdate)
    }
}

/// The PRD with the sections that its author has changed.
pub(super) fn prd_changed(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let ChangedSections { changes } = value(results.first())?;
    // A section that the person wrote stays as the person wrote it.
    let modifications: Vec<PrdModification> =
        changes.into_iter().chain(state.prd_modifications.iter().cloned()).collect();
    let changed = changed_prd(state.prd_content.as_deref().unwrap_or_default(), &modifications, None);
    Ok(Step::Done(
        Outcome::go(PrdLabel::Next)
            .patch(PrdPatch::PrdFeedback { modifications, feedback: None })
            .patch(PrdPatch::PrdContent(changed)),
    ))
}
