//! The steps of the PRD workflow: pure functions from the state to the changes and the next edge.

mod brief;
mod clarification;
mod prd;
mod requirements;
pub(super) mod results;

use std::collections::BTreeMap;

use serde_json::Value;

pub(crate) use brief::filled_brief;
use brief::{brief_approved, brief_reviewed, brief_updated, brief_written, order};
use clarification::{clarification, clarified};
use prd::{is_judged, prd_changed, prd_finalization, prd_generation, prd_order, prd_review, prd_reviewed, prd_update};
use requirements::{
    gap_analysis, iteration_control, proposals, requirements_file, requirements_review, requirements_update,
};
use results::{done, is_gone, path_of, read, replace, shaped, sources, value};

use super::asks::{PrdAsk, RequirementsReviewAnswer};
use super::brief_review::BriefReview;
use super::claims;
use super::decisions::fingerprint;
use super::document_files::{BRIEF_FILE, PRD_FILE, PRD_JSON_FILE, REQUIREMENTS_FILE};
use super::doubts;
use super::facts::{JudgedDocument, SourceText};
use super::gap_decision::{GapDecisionAnswer, GapsDecided, improving};
use super::revision::{changed_prd, open_questions};
use super::state::{self, DecidedReview, PrdPatch, PrdState};
use super::team;
use super::team::TeamPatch;
use super::vision::{self, vision_in};
use super::work::{self, DraftStep, FileRead, PrdCall, Today};
use super::{EDGES, PrdLabel, PrdNode, PrdWorkflow};
use crate::DocumentStatus;
use crate::brief::render_brief;
use crate::requirements::render;
use reqgate_docs::front_matter;
use reqgate_flow::{Answer, AskModel, CallResult, Edge, Effect, Enter, NodeError, Outcome, Problem, Step, Workflow};

/// The score from which no further round is made.
pub(super) const THRESHOLD: f64 = 0.8;

impl Workflow for PrdWorkflow {
    const NAME: &'static str = "prd";
    const VERSION: u32 = 1;
    // The hashes of earlier graphs: without the team flow, with the former name of a step, without decisions about rounds, without the
    // question for a vision.
    const EXTENDS: &'static [&'static str] = &[
        "d88e5cafbda9b5d060b68e6b21e9c45dbfe91b24561d83d1c54c70d6eda335ee",
        "a9e6a92b9ccd634a2e801e66784d9b345769be1e130a46dc3763ebd4537a24a5",
        "a4f897434a9dd8b0b019a7eef7ba662d09150b7f99cd794aa662feea39695d4f",
        "6eb646d6d563ac60201b4327a02d0c90b8611b87a8f5c0848af2b78510801a64",
    ];
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
            node if team::steps::is_ours(node) => team::steps::enter(node, state),
            PrdNode::Initialization => initialization(state),
            PrdNode::Clarification if state.team.is_some() => {
                Enter::Ask(PrdAsk::Clarification(vision::question(state)))
            }
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
            PrdNode::BriefFinalization => Enter::Call(vec![read(state, BRIEF_FILE)]),
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
            // After new decisions on requirements or answers to questions, the PRD is regenerated.
            PrdNode::PrdUpdate if state.requirements_review.is_some() => {
                Enter::Call(vec![read(state, BRIEF_FILE), read(state, REQUIREMENTS_FILE)])
            }
            // Requests in words are only passed to a writer; the rules cannot follow them.
            PrdNode::PrdUpdate if state.has_reader() && says(state.prd_user_feedback.as_deref()) => {
                Enter::Call(vec![PrdCall::Draft(Box::new(prd_order(state)))])
            }
            PrdNode::PrdUpdate => {
                let content = state.prd_content.clone().unwrap_or_default();
                let changed = changed_prd(&content, &state.prd_modifications, state.prd_user_feedback.as_deref());
                Enter::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::PrdContent(changed)))
            }
            PrdNode::PrdFinalization => {
                let files = [PRD_FILE, PRD_JSON_FILE, BRIEF_FILE, REQUIREMENTS_FILE];
                let mut calls: Vec<PrdCall> = files.into_iter().map(|file| read(state, file)).collect();
                // If a person edits a text while approving it, the gate has not judged the result.
                let content = state.prd_content.clone().unwrap_or_default();
                if !is_judged(state, &content) {
                    calls.push(PrdCall::Judge { document: JudgedDocument::Prd, text: content });
                }
                Enter::Call(calls)
            }
            _ => next(),
        }
    }

    fn fold(&self, node: PrdNode, state: &PrdState, results: &[CallResult]) -> Result<Step<Self>, NodeError> {
        let results = done(results)?;
        match node {
            node if team::steps::is_ours(node) => team::steps::fold(node, state, &results),
            PrdNode::Initialization => {
                let directory = Effect::Directory { path: state.prd_workspace_path.clone().into() };
                let features = PrdPatch::Features(value(results.first())?);
                if state.team().current_draft().is_some() {
                    return Ok(Step::Done(team::steps::brought(state, value(results.first())?).patch(features)));
                }
                let plans = state.team.is_some() && !vision::is_missing(state);
                let label = if plans { PrdLabel::Team } else { PrdLabel::Next };
                let outcome = Outcome::go(label).patch(features).effect(directory);
                let Some(today) = results.get(1) else { return Ok(Step::Done(outcome)) };
                let Today { day, .. } = value(Some(today))?;
                Ok(Step::Done(outcome.patch(PrdPatch::Team(Box::new(TeamPatch::Dated(day))))))
            }
            PrdNode::Clarification => clarification(state, &results),
            PrdNode::BriefGeneration => brief_written(state, &results),
            PrdNode::BriefUpdate => {
                let content = render_brief(&brief_updated(state, value(results.first())?));
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
            PrdNode::PrdUpdate if state.requirements_review.is_some() => prd_update(state, &results),
            PrdNode::PrdUpdate => prd_changed(state, &results),
            PrdNode::PrdFinalization => prd_finalization(state, &results),
            PrdNode::BriefFinalization => {
                let FileRead { content } = value(results.first())?;
                Ok(Step::Done(brief_approved(state, content.as_deref())))
            }
            _ => Ok(Step::Done(Outcome::go(PrdLabel::Next))),
        }
    }

    fn answered(
        &self,
        _node: PrdNode,
        state: &PrdState,
        ask: &PrdAsk,
        answer: &Answer<'_>,
    ) -> Result<Outcome<Self>, NodeError> {
        match ask {
            PrdAsk::Clarification(asked) => Ok(clarified(state, asked, shaped(answer)?, answer.at)),
            PrdAsk::BriefReview(asked) => Ok(brief_reviewed(asked, shaped(answer)?)),
            PrdAsk::RequirementsReview(asked) => {
                let given: RequirementsReviewAnswer = shaped(answer)?;
                let decided = asked.decided.iter().map(|one| &one.requirement);
                let shown = asked.requirements.iter().chain(decided);
                let review = DecidedReview {
                    timestamp: answer.at.to_owned(),
                    actor: answer.actor.to_owned(),
                    verdicts: given.all_verdicts(&asked.requirements),
                    summary: [given.user_feedback, given.review_summary]
                        .into_iter()
                        .flatten()
                        .filter(|words| !words.trim().is_empty())
                        .collect::<Vec<_>>()
                        .join("\n"),
                    shown: shown.map(|one| (one.id.clone(), fingerprint(one))).collect(),
                    enough: given.user_iteration_preference == Some(true),
                    added: given.added,
                    answers: BTreeMap::new(),
                    by_hand: asked.changed_by_hand.iter().map(|one| one.id.clone()).collect(),
                    asked: ask.kind().to_owned(),
                };
                Ok(Outcome::go(PrdLabel::Next)
                    .patch(PrdPatch::Judged(asked.gate.clone()))
                    .patch(PrdPatch::Reviewed(review)))
            }
            PrdAsk::GapDecision(asked) => {
                let recorded = state.recorded_requirements.as_deref().unwrap_or_default();
                let given = shaped::<GapDecisionAnswer>(answer)?;
                let proposed = given.proposed_criteria(recorded);
                let given = given.for_those_that_hold(asked, recorded);
                let decision = asked.decided(given, answer.actor, answer.at);
                let note = decision.note(state.language());
                let GapsDecided { decided, left, iterate, feedback } = decision;
                let score = asked.gap_analysis_score;
                let rest = PrdPatch::Gaps {
                    score,
                    gaps: left,
                    strengths: asked.requirement_strengths.clone(),
                    recommendations: asked.recommendations.clone(),
                    summary: asked.summary.clone(),
                    decision: iterate,
                    feedback,
                };
                let mut outcome = Outcome::go(PrdLabel::Next);
                if !proposed.is_empty() {
                    outcome = outcome.patch(PrdPatch::CriteriaProposed(proposed));
                }
                if let Some(review) = improving(&decided, recorded, state.language()) {
                    outcome = outcome.patch(PrdPatch::Reviewed(review));
                }
                let decides = !decided.is_empty();
                let outcome = if decides { outcome.patch(PrdPatch::GapsDecided(decided)).note(note) } else { outcome };
                Ok(outcome.patch(rest))
            }
            PrdAsk::PrdReview(asked) => Ok(prd_reviewed(state, asked, shaped(answer)?, answer)),
            PrdAsk::Team(asked) => Ok(team::steps::answered(state, asked, shaped(answer)?, answer)),
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

fn says(words: Option<&str>) -> bool {
    words.is_some_and(|words| !words.trim().is_empty())
}

fn judge_source(source: &SourceText) -> PrdCall {
    PrdCall::Judge { document: JudgedDocument::Source(source.name.clone()), text: source.text.clone() }
}

fn draft(step: DraftStep, state: &PrdState) -> PrdCall {
    PrdCall::Draft(Box::new(order(step, state)))
}

/// The request of the user, otherwise the vision or goal in the first given file that has one, otherwise the first line of the only
/// file. Of several files only the names are used, because their first lines do not describe the feature.
fn utterance(state: &PrdState) -> String {
    let said = state.user_utterance.trim();
    if !said.is_empty() {
        return said.to_owned();
    }
    let given = || state.user_input.iter().filter(|source| !source.name.starts_with("ask:"));
    if let Some((words, name)) = given().find_map(|source| Some((vision_in(&source.text)?, &source.name))) {
        return format!("{words} (`{name}`)");
    }
    match given().collect::<Vec<_>>().as_slice() {
        [only] => format!("{} (`{}`)", first_line(&only.text), only.name),
        several => several.iter().map(|source| format!("`{}`", source.name)).collect::<Vec<_>>().join("\n"),
    }
}

/// The first line with letters or digits, without the marks of a heading.
fn first_line(text: &str) -> &str {
    let says = |line: &&str| line.contains(char::is_alphanumeric);
    front_matter::body(text).lines().find(says).unwrap_or_default().trim().trim_start_matches('#').trim()
}

/// Records errors of the input and continues at the failure node, or lists the existing features.
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
    let today = state.team.as_ref().map(|_| PrdCall::Today);
    let features = PrdCall::ListFeatures { directory: state.prd_workspace_path.clone() };
    Enter::Call(std::iter::once(features).chain(today).collect())
}
