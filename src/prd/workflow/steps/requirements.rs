//! The steps around the file of requirements: proposals, review, update, gaps.

use super::super::asks::{GapDecision, PrdAsk, RequirementsReview};
use super::super::facts::JudgedDocument;
use super::super::state::{PrdPatch, PrdState};
use super::super::work::{DraftStep, DraftedRequirements, FileRead, GapsFound, PrdCall, WorkOrder};
use super::super::{PrdLabel, PrdNode, PrdWorkflow};
use super::THRESHOLD;
use super::results::{BRIEF_FILE, REQUIREMENTS_FILE, content, path_of, replace, sources, value};
use crate::prd::brief::parse_brief;
use crate::prd::requirements::{RequirementsDocument, Review, VerdictKind, parse, render};
use crate::prd::{Decided, Requirement, RequirementId};
use crate::workflow::{NodeError, Outcome, Step, hash};
use serde_json::Value;

/// The file of requirements, as text and as what it says; an error that names every line that does not read.
pub(super) fn requirements_file(
    result: Option<&&Value>,
) -> Result<(Option<String>, Option<RequirementsDocument>), NodeError> {
    let FileRead { content } = value(result)?;
    let Some(text) = content else { return Ok((None, None)) };
    let document = parse(&text).map_err(|faults| NodeError {
        messages: faults.to_string().lines().map(|line| format!("{REQUIREMENTS_FILE}: {line}")).collect(),
    })?;
    Ok((Some(text), Some(document)))
}

/// The requirements of this feature: what the file says, or an empty document.
fn requirements(state: &PrdState, results: &[&Value]) -> Result<(Option<String>, RequirementsDocument), NodeError> {
    let (text, document) = requirements_file(results.get(1))?;
    let feature = state.feature_id.as_ref().ok_or_else(|| NodeError::new("the feature has no id"))?;
    let document = match document {
        Some(document) => document,
        None => {
            let brief = parse_brief(&content(state, BRIEF_FILE, results.first())?);
            RequirementsDocument::new(feature, &brief.title, brief.language)
        }
    };
    Ok((text, document))
}

/// First the draft is ordered, from what the files say now; then its requirements are proposed.
pub(super) fn proposals(node: PrdNode, state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let initial = node == PrdNode::InitialRequirements;
    let Some(drafted) = results.get(2) else {
        let FileRead { content: file } = value(results.get(1))?;
        return Ok(Step::Call(vec![PrdCall::Draft(Box::new(WorkOrder {
            step: if initial { DraftStep::Requirements } else { DraftStep::GapRequirements },
            sources: sources(state),
            brief: Some(content(state, BRIEF_FILE, results.first())?),
            requirements: file,
            gaps: if initial { Vec::new() } else { state.identified_gaps.clone() },
            feedback: None,
        }))]));
    };
    let drafted: DraftedRequirements = value(Some(drafted))?;
    let note = match drafted.gaps_addressed.as_slice() {
        [] => drafted.summary,
        closed => format!("{} [{}]", drafted.summary, closed.join(", ")),
    };
    let nothing_new = drafted.functional_requirements.is_empty() && !initial;
    let label = if nothing_new { PrdLabel::Proceed } else { PrdLabel::Next };
    Ok(Step::Done(Outcome::go(label).patch(PrdPatch::Proposed(drafted.functional_requirements)).note(note)))
}

/// Shows what nobody has decided on: proposals, and what is pending in the file.
pub(super) fn requirements_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let (_, document) = requirements(state, results)?;
    let (document, _) = document.with_proposals(&state.functional_requirements);
    let pending: Vec<Requirement> = document
        .requirements()
        .filter(|one| one.decided == Decided::Pending)
        .map(|one| one.requirement.clone())
        .collect();
    let Some(gate) = results.get(2) else {
        let document = PrdCall::Judge { document: JudgedDocument::Requirements, text: render(&document) };
        return Ok(Step::Call(vec![document]));
    };
    Ok(Step::Ask(PrdAsk::RequirementsReview(RequirementsReview {
        requirements: pending,
        path: path_of(state, REQUIREMENTS_FILE),
        gate: value(Some(gate))?,
        instructions: "Approve, modify, reject or put out of scope; what is not named stays undecided. \
                       The file may be edited at any time."
            .to_owned(),
    })))
}

/// What a requirement says, as a hash.
pub(super) fn fingerprint(requirement: &Requirement) -> String {
    hash(&serde_json::to_vec(requirement).unwrap_or_default())
}

/// Puts the decisions into the file as it is now. What somebody changed after it was shown is shown again.
pub(super) fn requirements_update(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let review = state.requirements_review.clone().ok_or_else(|| NodeError::new("there is no review"))?;
    let (text, document) = requirements(state, results)?;
    let (document, _) = document.with_proposals(&state.functional_requirements);
    let as_shown = |id: &RequirementId| {
        let now = document.requirement(id).map(|one| fingerprint(&one.requirement));
        review.shown.iter().any(|(shown, hash)| shown == id && Some(hash) == now.as_ref())
    };
    let (verdicts, changed): (Vec<_>, Vec<_>) = review
        .verdicts
        .iter()
        .filter(|verdict| verdict.kind != VerdictKind::Defer)
        .cloned()
        .partition(|verdict| as_shown(&verdict.id));
    let decisions = Review {
        timestamp: review.timestamp.clone(),
        actor: review.actor.clone(),
        summary: review.summary.clone(),
        verdicts,
    };
    let document = document.reviewed(&decisions).map_err(|fault| NodeError::new(fault.to_string()))?;
    let label = match () {
        () if !changed.is_empty() => PrdLabel::Changed,
        () if review.enough => PrdLabel::Enough,
        () => PrdLabel::Next,
    };
    let mut outcome = Outcome::go(label).patch(PrdPatch::ReviewWritten).effect(replace(
        state,
        REQUIREMENTS_FILE,
        render(&document),
        text.as_deref(),
    ));
    if !changed.is_empty() {
        let ids: Vec<String> = changed.iter().map(|verdict| verdict.id.to_string()).collect();
        outcome = outcome.note(format!("changed in the file while it was reviewed: {}", ids.join(", ")));
    }
    Ok(Step::Done(outcome))
}

/// Asks about the gaps; where there are none, or they are few, nobody is asked.
pub(super) fn gap_analysis(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let Some(found) = results.get(2) else {
        let (brief, requirements) =
            (content(state, BRIEF_FILE, results.first())?, content(state, REQUIREMENTS_FILE, results.get(1))?);
        return Ok(Step::Call(vec![PrdCall::AnalyseGaps { brief, requirements }]));
    };
    let GapsFound { score, gaps, summary } = value(Some(found))?;
    if gaps.is_empty() {
        return Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::Gaps { score, gaps, decision: None })));
    }
    Ok(Step::Ask(PrdAsk::GapDecision(GapDecision {
        gap_analysis_score: score,
        threshold: THRESHOLD,
        identified_gaps: gaps,
        summary,
        instructions: "true: another round; false: on in spite of the gaps; null: the score decides.".to_owned(),
    })))
}
