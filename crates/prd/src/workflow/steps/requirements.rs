//! The steps around the file of requirements: proposals, review, update, gaps.

use super::super::asks::{PrdAsk, RequirementsReview};
use super::super::by_hand::{HandChange, changed_by_hand, says_the_same};
use super::super::decisions::{Written, decide};
use super::super::document_files::{BRIEF_FILE, REQUIREMENTS_FILE};
use super::super::doubts;
use super::super::facts::JudgedDocument;
use super::super::gap_decision::{GapDecision, improving, undecided};
use super::super::revision::with_questions;
use super::super::state::{PrdPatch, PrdState};
use super::super::work::{DraftStep, DraftedRequirements, FileRead, GapsFound, PrdCall, WorkOrder};
use super::super::{PrdLabel, PrdNode, PrdWorkflow};
use super::THRESHOLD;
use super::results::{content, path_of, replace, sources, value};
use crate::brief::parse_brief;
use crate::collect::BriefFeedback;
use crate::gaps::{GapReading, analysis_of, with_contradictions, with_reading};
use crate::requirements::{ExportedRequirement, RequirementsDocument, parse, parse_anyway, render, without_history};
use crate::{Decided, DecidedGap, DocumentStatus, Gap, GapCategory, Requirement};
use reqgate_flow::{NodeError, Outcome, Step};
use serde_json::Value;

/// The file of requirements, as text and parsed; an error names every invalid line.
pub(super) fn requirements_file(
    state: &PrdState,
    result: Option<&&Value>,
) -> Result<(Option<String>, Option<RequirementsDocument>), NodeError> {
    let FileRead { content } = value(result)?;
    let Some(text) = content else { return Ok((None, None)) };
    let document = parse(&text).map_err(|faults| NodeError {
        messages: faults
            .0
            .iter()
            .map(|fault| format!("{REQUIREMENTS_FILE}: {}", fault.in_words(state.language())))
            .collect(),
    })?;
    Ok((Some(text), Some(document)))
}

/// The requirements of this feature: those in the file, or an empty document.
fn requirements(state: &PrdState, results: &[&Value]) -> Result<(Option<String>, RequirementsDocument), NodeError> {
    let (text, document) = requirements_file(state, results.get(1))?;
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

/// Returns true if requirements in the file were changed after their review.
fn is_changed_by_hand(state: &PrdState, results: &[&Value]) -> Result<bool, NodeError> {
    let (_, document) = requirements_file(state, results.get(1))?;
    let recorded = state.recorded_requirements.as_deref();
    Ok(document.is_some_and(|document| !changed_by_hand(recorded, &document).is_empty()))
}

/// Orders a draft based on the current files, then proposes its requirements.
pub(super) fn proposals(node: PrdNode, state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let initial = node == PrdNode::InitialRequirements;
    // Only changes made by hand need a review: no draft is ordered for the gaps.
    if !initial && !state.should_iterate {
        return Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::Proposed(Vec::new()))));
    }
    let FileRead { content: file } = value(results.get(1))?;
    let order = WorkOrder {
        sources: sources(state),
        brief: Some(content(state, BRIEF_FILE, results.first())?),
        requirements: file.as_deref().map(without_history),
        gaps: if initial { Vec::new() } else { state.identified_gaps.clone() },
        feedback: state
            .gap_feedback
            .clone()
            .filter(|_| !initial)
            .map(|words| BriefFeedback { user_feedback: Some(words), ..BriefFeedback::default() }),
        ..WorkOrder::of(if initial { DraftStep::Requirements } else { DraftStep::GapRequirements })
    };
    let Some(drafted) = results.get(2) else {
        return Ok(Step::Call(vec![PrdCall::Draft(Box::new(order))]));
    };
    let mut drafted: DraftedRequirements = value(Some(drafted))?;
    drafted.functional_requirements = order.placed(drafted.functional_requirements);
    // Decided requirements are not proposed again.
    if let (_, Some(document)) = requirements_file(state, results.get(1))? {
        // From the same text, the rules build the same requirement, which a person may have modified since.
        let is_copy = |known: &Requirement, one: &Requirement| {
            !state.has_reader()
                && !one.sources.is_empty()
                && one.sources.iter().all(|quote| known.sources.contains(quote))
        };
        drafted.functional_requirements.retain(|one| {
            !document
                .requirements()
                .any(|known| says_the_same(&known.requirement, one) || is_copy(&known.requirement, one))
        });
    }
    let note = match drafted.gaps_addressed.as_slice() {
        [] => drafted.summary,
        closed => format!("{} [{}]", drafted.summary, closed.join(", ")),
    };
    // A gap in a requirement is closed by a new decision, so the requirement is shown again.
    let is_in_one = state.identified_gaps.iter().any(|gap| !gap.requirements.is_empty());
    let nothing_new = drafted.functional_requirements.is_empty() && !initial && !is_in_one;
    let nothing_new = nothing_new && !is_changed_by_hand(state, results)?;
    let label = if nothing_new { PrdLabel::Proceed } else { PrdLabel::Next };
    Ok(Step::Done(Outcome::go(label).patch(PrdPatch::Proposed(drafted.functional_requirements)).note(note)))
}

/// Shows all undecided requirements: proposals, pending requirements in the file, and changes made by hand.
pub(super) fn requirements_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let (_, document) = requirements(state, results)?;
    let recorded = state.recorded_requirements.as_deref();
    let by_hand = changed_by_hand(recorded, &document);
    let (document, _) = document.with_proposals(&state.functional_requirements);
    let is_changed = |one: &Requirement| by_hand.iter().any(|change| change.id == one.id);
    let has_gap = |one: &Requirement| {
        state.should_iterate && state.identified_gaps.iter().any(|gap| gap.requirements.contains(&one.id))
    };
    let answered_later = state.answered_later.clone();
    let has_waited = |one: &Requirement| answered_later.iter().any(|question| question.blocks.contains(&one.id));
    let (open, decided): (Vec<_>, Vec<_>) = document.export().requirements().partition(|one| {
        let one_of = &one.requirement;
        one.decision == Decided::Pending || is_changed(one_of) || has_gap(one_of) || has_waited(one_of)
    });
    let gone = recorded.into_iter().flatten().filter(|one| {
        by_hand.iter().any(|change| change.id == one.requirement.id && change.change == HandChange::Deleted)
    });
    let mut open: Vec<Requirement> = open.into_iter().map(|one| one.requirement).collect();
    open.extend(gone.map(|one| one.requirement.clone()));
    let Some(gate) = results.get(2) else {
        let document = PrdCall::Judge { document: JudgedDocument::Requirements, text: render(&document) };
        return Ok(Step::Call(vec![document]));
    };
    let brief = parse_brief(state.feature_brief_content.as_deref().unwrap_or_default());
    let questions = brief.open_questions.iter().filter(|question| question.answer.is_none());
    // A requirement that a person wrote by hand needs no source.
    let drafted = open.iter().filter(|one| !is_changed(one));
    Ok(Step::Ask(PrdAsk::RequirementsReview(RequirementsReview {
        doubts: doubts::in_requirements(drafted, &sources(state)),
        gaps: gaps_in(state, &open),
        requested: state.gap_feedback.clone().filter(|_| state.should_iterate),
        requirements: open,
        changed_by_hand: by_hand,
        answered_later,
        question_ids: Some(questions.filter_map(|question| question.id).collect()),
        decided,
        path: path_of(state, REQUIREMENTS_FILE),
        gate: value(Some(gate))?,
        instructions: state
            .said(
                "Approve, modify, reject or put out of scope; requirements that you leave out stay undecided. You may edit the file \
                 at any time; changes made there are shown again.",
                "逐条批准、修改、驳回或移出范围；没有提到的保持未定。文件随时可以编辑，改动会再次列出供评审。",
            )
            .to_owned(),
    })))
}

/// The gaps of these requirements that this round has to close.
fn gaps_in(state: &PrdState, shown: &[Requirement]) -> Vec<Gap> {
    let is_shown = |gap: &&Gap| gap.requirements.iter().any(|id| shown.iter().any(|one| one.id == *id));
    state.identified_gaps.iter().filter(|_| state.should_iterate).filter(is_shown).cloned().collect()
}

/// Writes the decisions into the current file. Requirements that were changed after they were shown are shown again.
pub(super) fn requirements_update(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let review = state.requirements_review.clone().ok_or_else(|| NodeError::new("there is no review yet"))?;
    let (text, document) = requirements(state, results)?;
    let Written { document, record, changed } =
        decide(state, &document, &review).map_err(|fault| NodeError::new(fault.to_string()))?;
    // After a decision to continue despite the gaps, a review of changes made by hand does not lead to the same question again.
    let goes_on = state.user_iteration_override == Some(false) && !review.by_hand.is_empty();
    let label = match () {
        () if !changed.is_empty() => PrdLabel::Changed,
        () if review.enough || goes_on => PrdLabel::Enough,
        () => PrdLabel::Next,
    };
    let mut outcome = Outcome::go(label).patch(PrdPatch::ReviewWritten).patch(PrdPatch::Recorded(record)).effect(
        replace(state, REQUIREMENTS_FILE, render(&document.with_status(DocumentStatus::Draft)), text.as_deref()),
    );
    if !changed.is_empty() {
        let ids: Vec<String> = changed.iter().map(ToString::to_string).collect();
        outcome = outcome.note(format!(
            "{}{}",
            state.said("changed in the file during the review: ", "评审期间文件被改动："),
            ids.join(", ")
        ));
    }
    Ok(Step::Done(outcome))
}

/// The file with the criteria, texts and requirements of the last answer about gaps; `None` if it has none.
fn improved_document(state: &PrdState, document: &RequirementsDocument) -> Result<Option<Written>, NodeError> {
    let Some(answered) = &state.requirements_review else { return Ok(None) };
    let decided: Vec<DecidedGap> =
        state.gap_decisions.iter().filter(|one| one.timestamp == answered.timestamp).cloned().collect();
    // Criteria are added to the current file; concurrent changes in the file are reviewed anyway.
    let now: Vec<ExportedRequirement> = document.export().requirements().collect();
    let written = improving(&decided, &now, state.language()).map(|review| decide(state, document, &review));
    written.transpose().map_err(|fault| NodeError::new(fault.to_string()))
}

/// Decides about another round, adds the criteria that close gaps to requirements, and adds gaps that became open
/// questions to the brief. Changes made by hand since the last review are reviewed before the workflow continues.
pub(super) fn iteration_control(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let (text, document) = requirements_file(state, results.get(1))?;
    let improved = document.as_ref().map(|document| improved_document(state, document)).transpose()?.flatten();
    let iterate = state.user_iteration_override.unwrap_or_else(|| {
        // Without a decision of a person, a round follows only for undecided gaps that a draft could close.
        let may_be_closed = state.identified_gaps.iter().any(|gap| !gap.suggested_requirements.is_empty());
        let left = || analysis_of(state.identified_gaps.clone(), state.has_reader(), document.as_ref()?).score().into();
        let score: Option<f64> = if state.gap_decisions.is_empty() { state.gap_analysis_score } else { left() };
        score.unwrap_or_default() < THRESHOLD && may_be_closed
    });
    let changed = document.as_ref().map(|document| changed_by_hand(state.recorded_requirements.as_deref(), document));
    let by_hand = changed.unwrap_or_default();
    let label = if iterate || !by_hand.is_empty() { PrdLabel::Iterate } else { PrdLabel::Proceed };
    let mut outcome = Outcome::go(label).patch(PrdPatch::Iterate(iterate));
    if state.requirements_review.is_some() {
        outcome = outcome.patch(PrdPatch::ReviewWritten);
    }
    let recorded = state.recorded_requirements.clone().unwrap_or_default();
    let written = match improved {
        Some(Written { document, record, .. }) => Some((document, record)),
        None => document.filter(|_| !state.proposed_criteria.is_empty()).map(|document| (document, recorded)),
    };
    if let Some((document, mut record)) = written {
        let document = document.with_criteria(&state.proposed_criteria);
        for (id, criterion) in &state.proposed_criteria {
            let known = record.iter_mut().find(|one| one.requirement.id == *id).map(|one| &mut one.requirement);
            let criteria = known.map(|known| &mut known.acceptance_criteria).filter(|known| !known.contains(criterion));
            criteria.into_iter().for_each(|known| known.push(criterion.clone()));
        }
        let effect = replace(state, REQUIREMENTS_FILE, render(&document), text.as_deref());
        outcome = outcome.patch(PrdPatch::Recorded(record)).effect(effect);
        if !state.proposed_criteria.is_empty() {
            outcome = outcome.patch(PrdPatch::CriteriaProposed(Vec::new()));
        }
    }
    if !state.gap_questions.is_empty() {
        let brief = content(state, BRIEF_FILE, results.first())?;
        let asking = with_questions(&brief, &state.gap_questions);
        // Changes to the file after its approval are not part of the approved brief.
        let approved = state.feature_brief_content.as_deref().unwrap_or_default();
        let approved = PrdPatch::GapsAsked(with_questions(approved, &state.gap_questions));
        outcome = outcome.patch(approved).effect(replace(state, BRIEF_FILE, asking, Some(&brief)));
    }
    if !by_hand.is_empty() {
        let ids: Vec<String> = by_hand.iter().map(|one| one.id.to_string()).collect();
        outcome = outcome.note(format!(
            "{REQUIREMENTS_FILE}{}{}",
            state.said(" was changed by hand: ", " 被手工改动："),
            ids.join(", ")
        ));
    }
    Ok(Step::Done(outcome))
}

/// The readings of requirements by a reader.
enum GapReadings {
    /// The next order.
    Ordered(Box<WorkOrder>),
    /// The result of all readings, with the undecided gaps.
    Read(GapReading),
}

/// Orders a reading for gaps, then one for contradictions between the statements that have words in common.
fn gap_readings(
    state: &PrdState,
    results: &[&Value],
    document: &RequirementsDocument,
) -> Result<GapReadings, NodeError> {
    let brief = content(state, BRIEF_FILE, results.first())?;
    let requirements = without_history(&content(state, REQUIREMENTS_FILE, results.get(1))?);
    let decided = state.gap_decisions.iter().filter(|one| !one.choice.needs_round()).map(|one| one.gap.clone());
    let mut known: Vec<Gap> = decided.collect();
    let order = WorkOrder { gaps: known.clone(), ..WorkOrder::gaps(brief.clone(), requirements.clone()) };
    let Some(read) = results.get(3) else { return Ok(GapReadings::Ordered(Box::new(order))) };
    let mut read = order.documents().reading(&value(Some(read))?, document);
    read.gaps = undecided(read.gaps, &state.gap_decisions);
    known.extend(read.gaps.iter().filter(|gap| gap.category == GapCategory::Contradiction).cloned());
    let Some(order) = WorkOrder::conflicts(brief, requirements, document, known) else {
        return Ok(GapReadings::Read(read));
    };
    let Some(contradictions) = results.get(4) else { return Ok(GapReadings::Ordered(Box::new(order))) };
    let found = order.documents().contradictions(&value(Some(contradictions))?, &order.gaps, &[document]);
    Ok(GapReadings::Read(with_contradictions(read, undecided(found, &state.gap_decisions))))
}

/// Asks about the gaps, unless there are none.
pub(super) fn gap_analysis(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let Some(found) = results.get(2) else {
        let (brief, requirements) =
            (content(state, BRIEF_FILE, results.first())?, content(state, REQUIREMENTS_FILE, results.get(1))?);
        return Ok(Step::Call(vec![PrdCall::AnalyseGaps { brief, requirements }]));
    };
    let GapsFound { mut score, gaps: found, mut summary } = value(Some(found))?;
    let (mut strengths, mut recommendations) = (Vec::new(), Vec::new());
    let count = found.len();
    let mut gaps = undecided(found, &state.gap_decisions);
    let reads = state.has_reader();
    // Gaps that were dismissed or made an open question are not reported again.
    if !reads && gaps.len() < count {
        let requirements = content(state, REQUIREMENTS_FILE, results.get(1))?;
        let left = analysis_of(gaps, false, &parse_anyway(&requirements).0);
        (score, gaps, summary) = (left.score(), left.gaps, left.summary);
    }
    if reads {
        let requirements = content(state, REQUIREMENTS_FILE, results.get(1))?;
        let (document, _) = parse_anyway(&requirements);
        let read = match gap_readings(state, results, &document)? {
            GapReadings::Ordered(order) => return Ok(Step::Call(vec![PrdCall::Draft(order)])),
            GapReadings::Read(gaps) => gaps,
        };
        let both = with_reading(gaps, read, true, &document);
        (score, gaps, summary) = (both.score(), both.gaps, both.summary);
        (strengths, recommendations) = (both.strengths, both.recommendations);
    }
    if gaps.is_empty() {
        return Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::Gaps {
            score,
            gaps,
            strengths,
            recommendations,
            summary,
            decision: None,
            feedback: None,
        })));
    }
    let requirements = content(state, REQUIREMENTS_FILE, results.get(1))?;
    let holds = |one: &ExportedRequirement| matches!(one.decision, Decided::Approved | Decided::Modified { .. });
    let requirements =
        parse_anyway(&requirements).0.export().requirements().filter(holds).map(|one| one.requirement.id);
    Ok(Step::Ask(PrdAsk::GapDecision(GapDecision {
        gap_analysis_score: score,
        threshold: THRESHOLD,
        identified_gaps: gaps,
        requirements: requirements.collect(),
        requirement_strengths: strengths,
        recommendations,
        summary,
        read_for_meaning: reads,
        instructions: state
            .said(
                "true: another round; false: continue in spite of the gaps; null: another round only if more than one in five \
                 requirements has a gap that a draft can close. In gaps, decide on single ones by id: dismiss with a reason, ask as an open \
                 question, or fix, at once if you give a criterion or new words of the requirement, or requirements to add.",
                "true：再来一轮；false：保留缺口继续；null：只有超过五分之一的需求有草稿能补的缺口时才再来一轮。也可在 gaps 中按编号逐条决定：dismiss（附理由）、ask（列为待解问题）或 fix（补上；写出验收标准、需求的新文字或要新增的需求，即当场补上，不再来一轮）。",
            )
            .to_owned(),
    })))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::by_hand;
    use super::*;
    use crate::GapChoice;
    use crate::workflow::{DraftSettings, Writer};

    #[test]
    fn the_score_of_what_is_left_decides_about_another_round() {
        let one = |number: u32| {
            format!(
                "### FR-00{number}: Export {number}\n\nExport file {number}.\n\nAcceptance criteria:\n- A file of 3 rows.\n\n"
            )
        };
        let file = format!("# Requirements: X\n\n## Pending Review\n\n{}", (1..=6).map(one).collect::<String>());
        let suggested = json!([{ "title": "t", "description": "d", "priority": "high", "category": "functional" }]);
        let gap = |id: &str| {
            json!({
                "id": "GAP-001", "title": id, "description": id, "severity": "high", "category": "missing-limit",
                "impact": "i", "requirements": [id], "suggestedRequirements": suggested,
            })
        };
        let gap = |id: &str| serde_json::from_value::<Gap>(gap(id)).expect("a gap");
        let dismissed = DecidedGap {
            gap: gap("FR-001"),
            choice: GapChoice::Dismiss { reason: "known".to_owned() },
            actor: String::new(),
            timestamp: String::new(),
        };
        let label = |identified_gaps: Vec<Gap>, gap_decisions: Vec<DecidedGap>| {
            let recorded = by_hand::record(&parse_anyway(&file).0);
            let state = PrdState {
                identified_gaps,
                gap_decisions,
                gap_analysis_score: Some(0.5),
                recorded_requirements: Some(recorded),
                ..PrdState::default()
            };
            let read = json!({ "content": file });
            match iteration_control(&state, &[&json!({ "content": "# X" }), &read]).expect("a step") {
                Step::Done(outcome) => outcome.label,
                _ => panic!("it only decides"),
            }
        };
        assert_eq!(label(vec![gap("FR-002")], Vec::new()), PrdLabel::Iterate, "the score that was shown");
        assert_eq!(label(vec![gap("FR-002")], vec![dismissed.clone()]), PrdLabel::Proceed, "5 of 6 are left");
        assert_eq!(label(vec![gap("FR-002"), gap("FR-003")], vec![dismissed]), PrdLabel::Iterate, "4 of 6");
    }
    /// A thread of a version with one order may wait after its reading: it goes on with the second order.
    #[test]
    fn a_reading_for_gaps_is_followed_by_the_order_for_contradictions() {
        let drafts = DraftSettings { author: Writer::Agent, ..DraftSettings::default() };
        let mut state = PrdState { drafts: Some(drafts), ..PrdState::default() };
        let brief = json!({ "content": "# X\n\n## Constraints\n\n- A submitted sheet is locked for every role.\n" });
        let file = "# Requirements: X\n\n## Approved\n\n### FR-001: Submit\n\nThe guide changes a submitted sheet later.\n\n\
                    Acceptance criteria:\n- A value is added on day 2.\n";
        let (file, form) = (json!({ "content": file }), json!({ "score": 1.0, "gaps": [], "summary": "" }));
        let one = json!({ "quote": "sheet is locked for every role", "other": "changes a submitted sheet later",
            "requirements": ["FR-001"], "title": "t", "what": "w", "impact": "i", "fix": "A sheet is […]." });
        let with = |key: &str, value: &str, severity: Option<&str>| {
            let mut one = one.clone();
            one[key] = json!(value);
            severity.into_iter().for_each(|severity| one["severity"] = json!(severity));
            one
        };
        let (no_gap, gap) =
            (json!({ "gaps": [] }), json!({ "gaps": [with("category", "contradiction", Some("high"))] }));
        let found = json!({ "conflicts": [with("kind", "cannot-both-hold", None)] });
        let step = |state: &PrdState, results: &[&Value]| gap_analysis(state, results).expect("a step");
        let order = |state: &PrdState, results: &[&Value]| match step(state, results) {
            Step::Call(calls) => match calls.as_slice() {
                [PrdCall::Draft(order)] => (order.step, order.gaps.len()),
                other => panic!("{other:?}"),
            },
            _ => panic!("it orders a reading"),
        };
        assert_eq!(order(&state, &[&brief, &file, &form]), (DraftStep::Gaps, 0));
        assert_eq!(order(&state, &[&brief, &file, &form, &no_gap]), (DraftStep::Conflicts, 0));
        assert_eq!(order(&state, &[&brief, &file, &form, &gap]), (DraftStep::Conflicts, 1), "it is known");
        let asked = |state: &PrdState, read: &Value| match step(state, &[&brief, &file, &form, read, &found]) {
            Step::Ask(PrdAsk::GapDecision(asked)) => asked.identified_gaps,
            _ => panic!("it asks a person"),
        };
        let [found_now] = <[Gap; 1]>::try_from(asked(&state, &no_gap)).expect("one gap");
        assert_eq!(asked(&state, &gap).len(), 1, "both readings have the same contradiction");
        let choice = GapChoice::Dismiss { reason: "known".to_owned() };
        let gap = Gap { title: "another title".to_owned(), ..found_now };
        state.gap_decisions = vec![DecidedGap { gap, choice, actor: String::new(), timestamp: String::new() }];
        assert!(matches!(step(&state, &[&brief, &file, &form, &no_gap, &found]), Step::Done(_)), "it was dismissed");
    }
}
