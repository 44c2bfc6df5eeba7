//! The steps of the PRD workflow: pure functions from the state to the changes and the next edge.

mod brief;
mod requirements;
mod results;

use serde_json::Value;

use brief::{brief_approved, brief_reviewed, brief_written, order};
use requirements::{
    gap_analysis, iteration_control, proposals, requirements_file, requirements_review, requirements_update,
};
use results::{content, done, is_gone, path_of, read, replace, shaped, sources, value};

use super::asks::{BriefReview, GapDecisionAnswer, PrdAsk, PrdReview, PrdReviewAnswer, RequirementsReviewAnswer};
use super::by_hand::changed_by_hand;
use super::claims;
use super::decisions::{Written, decide, fingerprint};
use super::document_files::{BRIEF_FILE, PRD_FILE, PRD_JSON_FILE, REQUIREMENTS_FILE};
use super::doubts;
use super::facts::{GateSummary, JudgedDocument, SourceText};
use super::revision::{approved_prd, changed_prd, open_questions};
use super::state::{self, DecidedReview, PrdPatch, PrdState};
use super::work::{self, Assembled, DraftStep, FileRead, PrdCall};
use super::{EDGES, PrdLabel, PrdNode, PrdWorkflow};
use crate::prd::DocumentStatus;
use crate::prd::brief::render_brief;
use crate::prd::requirements::render;
use crate::workflow::{
    Answer, AskModel, CallResult, Clarification, ClarificationAnswer, Edge, Effect, Enter, NodeError, Outcome, Problem,
    Question, Step, Workflow, hash,
};

/// From this score on no further round is made.
pub(super) const THRESHOLD: f64 = 0.8;

impl Workflow for PrdWorkflow {
    const NAME: &'static str = "prd";
    const VERSION: u32 = 1;
    const START: PrdNode = PrdNode::Initialization;
    const FAILURE: PrdNode = PrdNode::Failure;
    const EDGES: &'static [Edge<PrdNode, PrdLabel>] = EDGES;

    type Node = PrdNode;
    type Label = PrdLabel;
    type State = PrdState;
    type Patch = PrdPatch;
    type Call = PrdCall;
    type Ask = PrdAsk;

    fn apply(state: &mut PrdState, patch: &PrdPatch) {
        state::apply(state, patch);
    }

    fn enter(&self, node: PrdNode, state: &PrdState) -> Enter<Self> {
        let next = || Enter::Done(Outcome::go(PrdLabel::Next));
        match node {
            PrdNode::Initialization => initialization(state),
            PrdNode::Clarification => {
                let calls: Vec<PrdCall> = state.user_input.iter().map(judge_source).collect();
                if calls.is_empty() { next() } else { Enter::Call(calls) }
            }
            PrdNode::BriefGeneration => Enter::Call(vec![draft(DraftStep::Brief, state)]),
            PrdNode::BriefReview => {
                let brief = state.feature_brief_content.clone().unwrap_or_default();
                let judged = PrdCall::Judge { document: JudgedDocument::Brief, text: brief.clone() };
                Enter::Call(vec![judged, PrdCall::NotUsed { sources: sources(state), brief }])
            }
            PrdNode::BriefUpdate => Enter::Call(vec![draft(DraftStep::BriefUpdate, state)]),
            // A brief that was approved before is replaced.
            PrdNode::BriefFinalization if !state.revisions.is_empty() || state.recorded_requirements.is_some() => {
                Enter::Call(vec![read(state, BRIEF_FILE)])
            }
            PrdNode::BriefFinalization => Enter::Done(brief_approved(state, None)),
            PrdNode::InitialRequirements
            | PrdNode::RequirementsReview
            | PrdNode::RequirementsUpdate
            | PrdNode::GapAnalysis
            | PrdNode::IterationControl
            | PrdNode::GapRequirements
            | PrdNode::RequirementsFinalization
            | PrdNode::PrdGeneration => Enter::Call(vec![read(state, BRIEF_FILE), read(state, REQUIREMENTS_FILE)]),
            PrdNode::PrdReview => {
                let text = state.prd_content.clone().unwrap_or_default();
                let judged = PrdCall::Judge { document: JudgedDocument::Prd, text };
                Enter::Call(vec![judged, read(state, REQUIREMENTS_FILE)])
            }
            // Requirements were decided again, so the PRD is regenerated from them.
            PrdNode::PrdUpdate if state.requirements_review.is_some() => {
                Enter::Call(vec![read(state, BRIEF_FILE), read(state, REQUIREMENTS_FILE)])
            }
            PrdNode::PrdUpdate => {
                let content = state.prd_content.clone().unwrap_or_default();
                let changed = changed_prd(&content, &state.prd_modifications, state.prd_user_feedback.as_deref());
                Enter::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::PrdContent(changed)))
            }
            PrdNode::PrdFinalization => {
                let files = [PRD_FILE, PRD_JSON_FILE, BRIEF_FILE, REQUIREMENTS_FILE];
                let mut calls: Vec<PrdCall> = files.into_iter().map(|file| read(state, file)).collect();
                // If a person edits a text while approving it, the gate has not seen the result.
                let content = state.prd_content.clone().unwrap_or_default();
                if !is_judged(state, &content) {
                    calls.push(PrdCall::Judge { document: JudgedDocument::Prd, text: content });
                }
                Enter::Call(calls)
            }
            PrdNode::Finalization | PrdNode::Failure => next(),
        }
    }

    fn fold(&self, node: PrdNode, state: &PrdState, results: &[CallResult]) -> Result<Step<Self>, NodeError> {
        let results = done(results)?;
        match node {
            PrdNode::Initialization => {
                let directory = Effect::Directory { path: state.prd_workspace_path.clone().into() };
                let features = PrdPatch::Features(value(results.first())?);
                Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(features).effect(directory)))
            }
            PrdNode::Clarification => clarification(state, &results),
            PrdNode::BriefGeneration => brief_written(state, &results),
            PrdNode::BriefUpdate => {
                let brief = order(DraftStep::BriefUpdate, state).placed_brief(value(results.first())?);
                let content = render_brief(&brief);
                Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::BriefContent(content))))
            }
            PrdNode::BriefReview => Ok(Step::Ask(PrdAsk::BriefReview(BriefReview {
                document: state.feature_brief_content.clone().unwrap_or_default(),
                path: path_of(state, BRIEF_FILE),
                open_questions: open_questions(state.feature_brief_content.as_deref().unwrap_or_default()),
                gate: value(results.first())?,
                not_used: value(results.get(1))?,
                doubts: doubts::in_brief(state.feature_brief_content.as_deref().unwrap_or_default(), &sources(state)),
                instructions: state
                    .said(
                        "Approve it, or say what to change: in words, by section, or by editing it.",
                        "批准，或说明要改什么：用文字、按节，或直接编辑。",
                    )
                    .to_owned(),
            }))),
            PrdNode::InitialRequirements | PrdNode::GapRequirements => proposals(node, state, &results),
            PrdNode::RequirementsReview => requirements_review(state, &results),
            PrdNode::RequirementsUpdate => requirements_update(state, &results),
            PrdNode::GapAnalysis => gap_analysis(state, &results),
            PrdNode::IterationControl => iteration_control(state, &results),
            PrdNode::RequirementsFinalization => {
                let (text, document) = requirements_file(state, results.get(1))?;
                let (Some(text), Some(document)) = (text, document) else {
                    return Err(is_gone(state, REQUIREMENTS_FILE));
                };
                let content = render(&document.with_status(DocumentStatus::Approved));
                let file = replace(state, REQUIREMENTS_FILE, content, Some(&text));
                Ok(Step::Done(Outcome::go(PrdLabel::Next).effect(file)))
            }
            PrdNode::PrdGeneration => prd_generation(state, &results),
            PrdNode::PrdReview => prd_review(state, &results),
            PrdNode::PrdUpdate => prd_update(state, &results),
            PrdNode::PrdFinalization => prd_finalization(state, &results),
            PrdNode::BriefFinalization => {
                let FileRead { content } = value(results.first())?;
                Ok(Step::Done(brief_approved(state, content.as_deref())))
            }
            PrdNode::Finalization | PrdNode::Failure => Ok(Step::Done(Outcome::go(PrdLabel::Next))),
        }
    }

    fn answered(
        &self,
        _node: PrdNode,
        _state: &PrdState,
        ask: &PrdAsk,
        answer: &Answer<'_>,
    ) -> Result<Outcome<Self>, NodeError> {
        match ask {
            PrdAsk::Clarification(asked) => {
                let given: ClarificationAnswer = shaped(answer)?;
                let answers = asked.questions.iter().filter_map(|question| {
                    let text = given.answers.get(&question.id).filter(|text| !text.trim().is_empty())?;
                    let text = format!("{}\n\n{}", question.question, text.trim());
                    Some(SourceText { name: format!("ask:{}", question.id), text })
                });
                Ok(Outcome::go(PrdLabel::Next).patch(PrdPatch::Answered(answers.collect())))
            }
            PrdAsk::BriefReview(asked) => Ok(brief_reviewed(asked, shaped(answer)?)),
            PrdAsk::RequirementsReview(asked) => {
                let given: RequirementsReviewAnswer = shaped(answer)?;
                let decided = asked.decided.iter().map(|one| &one.requirement);
                let shown = asked.requirements.iter().chain(decided);
                let review = DecidedReview {
                    timestamp: answer.at.to_owned(),
                    actor: answer.actor.to_owned(),
                    summary: given.user_feedback.unwrap_or_default(),
                    verdicts: given.verdicts,
                    shown: shown.map(|one| (one.id.clone(), fingerprint(one))).collect(),
                    enough: given.user_iteration_preference == Some(true),
                    added: given.added,
                    by_hand: asked.changed_by_hand.iter().map(|one| one.id.clone()).collect(),
                    asked: ask.kind().to_owned(),
                };
                Ok(Outcome::go(PrdLabel::Next)
                    .patch(PrdPatch::Judged(asked.gate.clone()))
                    .patch(PrdPatch::Reviewed(review)))
            }
            PrdAsk::GapDecision(asked) => {
                let given: GapDecisionAnswer = shaped(answer)?;
                Ok(Outcome::go(PrdLabel::Next).patch(PrdPatch::Gaps {
                    score: asked.gap_analysis_score,
                    gaps: asked.identified_gaps.clone(),
                    decision: given.user_iteration_override,
                }))
            }
            PrdAsk::PrdReview(asked) => Ok(prd_reviewed(asked, shaped(answer)?, answer)),
        }
    }

    fn check(&self, call: &PrdCall, result: &Value) -> Result<(), Vec<Problem>> {
        work::check(call, result)
    }

    fn permits(state: &PrdState, effect: &Effect) -> Result<(), String> {
        claims::permits(state, effect)
    }

    fn imported(state: &mut PrdState) {
        claims::mark_imported(state);
    }

    fn failed(messages: &[String]) -> Option<PrdPatch> {
        Some(PrdPatch::Failed(messages.to_vec()))
    }
}

fn judge_source(source: &SourceText) -> PrdCall {
    PrdCall::Judge { document: JudgedDocument::Source(source.name.clone()), text: source.text.clone() }
}

fn draft(step: DraftStep, state: &PrdState) -> PrdCall {
    PrdCall::Draft(Box::new(order(step, state)))
}

/// The request of the user, or the names of the given files.
fn utterance(state: &PrdState) -> String {
    let said = state.user_utterance.trim();
    if !said.is_empty() {
        return said.to_owned();
    }
    let given = state.user_input.iter().map(|source| source.name.as_str()).filter(|name| !name.starts_with("ask:"));
    given.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Never fails: it records the errors, and the table of edges leads to the failure node.
fn initialization(state: &PrdState) -> Enter<PrdWorkflow> {
    let mut messages = Vec::new();
    if state.project_path.trim().is_empty() {
        messages.push("no project folder given: set projectPath".to_owned());
    }
    if sources(state).is_empty() {
        messages.push("no feature given: write a sentence (userUtterance), or name a file".to_owned());
    }
    if !messages.is_empty() {
        return Enter::Done(Outcome::go(PrdLabel::Failed).patch(PrdPatch::Failed(messages)));
    }
    Enter::Call(vec![PrdCall::ListFeatures { directory: state.prd_workspace_path.clone() }])
}

/// Asks the questions of the gate about the sources.
fn clarification(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let mut questions = Vec::new();
    for result in results {
        let gate: GateSummary = value(Some(result))?;
        let about = match &gate.document {
            JudgedDocument::Source(name) => Some(name.clone()),
            _ => None,
        };
        for question in gate.questions {
            let id = format!("q{}", questions.len() + 1);
            questions.push(Question { id, question, about: about.clone() });
        }
    }
    if questions.is_empty() {
        return Ok(Step::Done(Outcome::go(PrdLabel::Next)));
    }
    Ok(Step::Ask(PrdAsk::Clarification(Clarification {
        questions,
        context: None,
        instructions: state
            .said(
                "Answer what you can. Questions left empty become open questions of the brief.",
                "请回答已知的问题；留空的作为简报的待定问题保留。",
            )
            .to_owned(),
    })))
}

/// Asks for the PRD that these documents make.
fn assembly(state: &PrdState, brief: String, requirements: String) -> Step<PrdWorkflow> {
    let (utterance, project, revisions) = (utterance(state), state.project_id.clone(), state.revisions.clone());
    Step::Call(vec![PrdCall::Assemble { utterance, brief, requirements, project, revisions }])
}

/// Puts the PRD together, with what earlier reviews changed in it.
fn prd_generation(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
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

/// A hash of the sources of a PRD.
fn hash_of(brief: &str, requirements: &str) -> String {
    hash(format!("{}{}", hash(brief.as_bytes()), hash(requirements.as_bytes())).as_bytes())
}

/// Whether the gate has judged the current PRD.
fn is_judged(state: &PrdState, content: &str) -> bool {
    let text_hash = hash(content.as_bytes());
    state.gate.iter().any(|summary| summary.document == JudgedDocument::Prd && summary.text_hash == text_hash)
}

/// Writes the approved PRD, unless its sources have changed since, or it was edited into one that the gate stops.
fn prd_finalization(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
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
    if let Some(judged) = results.get(4) {
        let gate: GateSummary = value(Some(judged))?;
        if !gate.verdict.is_pass() && state.gate_override.is_none() {
            let outcome = Outcome::go(PrdLabel::Changed).patch(PrdPatch::PrdReopened);
            return Ok(Step::Done(
                outcome.note(state.said("the gate stops the edited PRD", "编辑后的 PRD 未通过质量门").to_owned()),
            ));
        }
        outcome = outcome.patch(PrdPatch::Judged(gate));
    }
    let document = approved_prd(state.prd_content.as_deref().unwrap_or_default());
    let data = approved_prd(state.prd_json.as_deref().unwrap_or_default());
    Ok(Step::Done(outcome.effect(replace(state, PRD_FILE, document, prd.as_deref())).effect(replace(
        state,
        PRD_JSON_FILE,
        data,
        json.as_deref(),
    ))))
}

/// Shows the PRD, and the requirements that it can be changed by.
fn prd_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    // A file that does not read is a question at the step that writes, not at one that looks.
    let document = requirements_file(state, results.get(1)).ok().and_then(|(_, document)| document);
    let recorded = state.recorded_requirements.as_deref();
    Ok(Step::Ask(PrdAsk::PrdReview(PrdReview {
        document: state.prd_content.clone().unwrap_or_default(),
        path: path_of(state, PRD_FILE),
        changed_by_hand: document.iter().flat_map(|document| changed_by_hand(recorded, document)).collect(),
        decided: document.map(|document| document.export().requirements().collect()).unwrap_or_default(),
        gate: value(results.first())?,
        instructions: state
            .said(
                "Approve it, or say what to change: in words, by section, by verdicts on its requirements, or by editing it.",
                "批准，或说明要改什么：用文字、按节、重新决定需求，或直接编辑。",
            )
            .to_owned(),
    })))
}

/// Writes verdicts and new requirements into their file, and regenerates the PRD from the result.
fn prd_update(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let review = state.requirements_review.clone().ok_or_else(|| NodeError::new("there is no review yet"))?;
    let brief = content(state, BRIEF_FILE, results.first())?;
    let (text, document) = requirements_file(state, results.get(1))?;
    let document = document.ok_or_else(|| is_gone(state, REQUIREMENTS_FILE))?;
    let Written { document, record, changed } =
        decide(state, &document, &review).map_err(|fault| NodeError::new(fault.to_string()))?;
    let requirements = render(&document);
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
        .patch(PrdPatch::Recorded(record))
        .patch(PrdPatch::Prd { path: path_of(state, PRD_FILE), content: content.clone(), json, sources_hash })
        .patch(PrdPatch::PrdContent(content))
        .effect(replace(state, REQUIREMENTS_FILE, requirements, text.as_deref()));
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

fn prd_reviewed(asked: &PrdReview, given: PrdReviewAnswer, answer: &Answer<'_>) -> Outcome<PrdWorkflow> {
    let judged = PrdPatch::Judged(asked.gate.clone());
    let label = if given.prd_approved { PrdLabel::Approved } else { PrdLabel::Changes };
    let mut outcome = Outcome::go(label).patch(judged);
    if let Some(text) = given.edited_document.filter(|text| !text.trim().is_empty()) {
        outcome = outcome.patch(PrdPatch::PrdContent(text));
    }
    if given.prd_approved {
        return outcome.patch(PrdPatch::PrdApproved { reason: given.gate_override });
    }
    if !given.verdicts.is_empty() || !given.added.is_empty() {
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
            by_hand: Vec::new(),
            asked: "prd_review".to_owned(),
        }));
    }
    outcome.patch(PrdPatch::PrdFeedback { modifications: given.prd_modifications, feedback: given.user_feedback })
}
