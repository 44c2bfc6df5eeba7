//! What each step of the PRD workflow does: pure functions from what is known to what changes and where it goes.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::asks::{
    BriefReview, BriefReviewAnswer, GapDecision, GapDecisionAnswer, PrdAsk, PrdModification, PrdReview,
    PrdReviewAnswer, RequirementsReview, RequirementsReviewAnswer,
};
use super::state::{self, DecidedReview, PrdPatch, PrdState, SourceText};
use super::work::{
    self, Assembled, DraftStep, DraftedRequirements, FileRead, GapsFound, GateSummary, JudgedDocument, PrdCall,
    WorkOrder,
};
use super::{EDGES, PrdLabel, PrdNode, PrdWorkflow};
use crate::prd::author::BriefFeedback;
use crate::prd::requirements::{RequirementsDocument, Review, VerdictKind, parse, render};
use crate::prd::{
    Decided, DocumentStatus, FeatureBrief, FeatureId, Requirement, RequirementId, new_feature_id, parse_brief,
    render_brief,
};
use crate::workflow::{
    Answer, Before, CallResult, Clarification, ClarificationAnswer, Edge, Effect, Enter, NodeError, Outcome, Problem,
    Question, Step, Workflow, hash, read_answer,
};

/// From this score on no further round is made.
const THRESHOLD: f64 = 0.8;

const BRIEF_FILE: &str = "feature-brief.md";
const REQUIREMENTS_FILE: &str = "requirements.md";
const PRD_FILE: &str = "prd.md";
const PRD_JSON_FILE: &str = "prd.json";

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
            PrdNode::BriefReview => Enter::Call(vec![PrdCall::Judge {
                document: JudgedDocument::Brief,
                text: state.feature_brief_content.clone().unwrap_or_default(),
            }]),
            PrdNode::BriefUpdate => Enter::Call(vec![draft(DraftStep::BriefUpdate, state)]),
            PrdNode::BriefFinalization => {
                let content = state.feature_brief_content.clone().unwrap_or_default();
                let file = Effect::File { path: path_of(state, BRIEF_FILE).into(), content, before: Before::Absent };
                Enter::Done(Outcome::go(PrdLabel::Next).effect(file))
            }
            PrdNode::InitialRequirements
            | PrdNode::RequirementsReview
            | PrdNode::RequirementsUpdate
            | PrdNode::GapAnalysis
            | PrdNode::GapRequirements
            | PrdNode::RequirementsFinalization
            | PrdNode::PrdGeneration => Enter::Call(vec![read(state, BRIEF_FILE), read(state, REQUIREMENTS_FILE)]),
            PrdNode::IterationControl => {
                let iterate = state.user_iteration_override.unwrap_or_else(|| {
                    state.gap_analysis_score.unwrap_or_default() < THRESHOLD && !state.identified_gaps.is_empty()
                });
                let label = if iterate { PrdLabel::Iterate } else { PrdLabel::Proceed };
                Enter::Done(Outcome::go(label).patch(PrdPatch::Iterate(iterate)))
            }
            PrdNode::PrdReview => Enter::Call(vec![PrdCall::Judge {
                document: JudgedDocument::Prd,
                text: state.prd_content.clone().unwrap_or_default(),
            }]),
            PrdNode::PrdUpdate => {
                let content = state.prd_content.clone().unwrap_or_default();
                let changed = changed_prd(&content, &state.prd_modifications, state.prd_user_feedback.as_deref());
                Enter::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::PrdContent(changed)))
            }
            PrdNode::PrdFinalization => Enter::Call(vec![read(state, PRD_FILE), read(state, PRD_JSON_FILE)]),
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
            PrdNode::Clarification => clarification(&results),
            PrdNode::BriefGeneration => brief_written(state, &results),
            PrdNode::BriefUpdate => {
                let brief: FeatureBrief = value(results.first())?;
                let content = render_brief(&brief);
                Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(PrdPatch::BriefContent(content))))
            }
            PrdNode::BriefReview => Ok(Step::Ask(PrdAsk::BriefReview(BriefReview {
                document: state.feature_brief_content.clone().unwrap_or_default(),
                path: path_of(state, BRIEF_FILE),
                gate: value(results.first())?,
                instructions: "Approve it, or say what to change: in words, by section, or by editing it.".to_owned(),
            }))),
            PrdNode::InitialRequirements | PrdNode::GapRequirements => proposals(node, state, &results),
            PrdNode::RequirementsReview => requirements_review(state, &results),
            PrdNode::RequirementsUpdate => requirements_update(state, &results),
            PrdNode::GapAnalysis => gap_analysis(&results),
            PrdNode::RequirementsFinalization => {
                let (text, document) = requirements_file(results.get(1))?;
                let (Some(text), Some(document)) = (text, document) else {
                    return Err(NodeError::new(format!("{} is gone", path_of(state, REQUIREMENTS_FILE))));
                };
                let content = render(&document.with_status(DocumentStatus::Approved));
                let file = replace(state, REQUIREMENTS_FILE, content, Some(&text));
                Ok(Step::Done(Outcome::go(PrdLabel::Next).effect(file)))
            }
            PrdNode::PrdGeneration => {
                if let Some(assembled) = results.get(2) {
                    let Assembled { markdown, json } = value(Some(assembled))?;
                    let patch = PrdPatch::Prd { path: path_of(state, PRD_FILE), content: markdown, json };
                    return Ok(Step::Done(Outcome::go(PrdLabel::Next).patch(patch)));
                }
                let utterance = state.user_utterance.clone();
                let (brief, requirements) = (content(results.first())?, content(results.get(1))?);
                Ok(Step::Call(vec![PrdCall::Assemble { utterance, brief, requirements }]))
            }
            PrdNode::PrdReview => Ok(Step::Ask(PrdAsk::PrdReview(PrdReview {
                document: state.prd_content.clone().unwrap_or_default(),
                path: path_of(state, PRD_FILE),
                gate: value(results.first())?,
                instructions: "Approve it, or say what to change: in words, by section, or by editing it.".to_owned(),
            }))),
            PrdNode::PrdFinalization => {
                let FileRead { content: prd } = value(results.first())?;
                let FileRead { content: json } = value(results.get(1))?;
                let document = approved_prd(state.prd_content.as_deref().unwrap_or_default());
                let data = approved_prd(state.prd_json.as_deref().unwrap_or_default());
                Ok(Step::Done(
                    Outcome::go(PrdLabel::Next)
                        .effect(replace(state, PRD_FILE, document, prd.as_deref()))
                        .effect(replace(state, PRD_JSON_FILE, data, json.as_deref())),
                ))
            }
            PrdNode::BriefFinalization | PrdNode::IterationControl | PrdNode::PrdUpdate => {
                Err(NodeError::new("this step makes no calls"))
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
                let shown = asked.requirements.iter().map(|one| (one.id, fingerprint(one))).collect();
                let review = DecidedReview {
                    timestamp: answer.at.to_owned(),
                    actor: answer.actor.to_owned(),
                    summary: given.user_feedback.unwrap_or_default(),
                    verdicts: given.verdicts,
                    shown,
                    enough: given.user_iteration_preference == Some(true),
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
            PrdAsk::PrdReview(asked) => Ok(prd_reviewed(asked, shaped(answer)?)),
        }
    }

    fn check(&self, call: &PrdCall, result: &Value) -> Result<(), Vec<Problem>> {
        work::check(call, result)
    }

    fn failed(messages: &[String]) -> Option<PrdPatch> {
        Some(PrdPatch::Failed(messages.to_vec()))
    }
}

/// The results, all of which must be there.
fn done(results: &[CallResult]) -> Result<Vec<&Value>, NodeError> {
    results
        .iter()
        .map(|result| match result {
            CallResult::Done(value) => Ok(value),
            CallResult::Failed(problems) => {
                Err(NodeError { messages: problems.iter().map(ToString::to_string).collect() })
            }
        })
        .collect()
}

/// A result as what it was checked to be.
fn value<T: DeserializeOwned>(result: Option<&&Value>) -> Result<T, NodeError> {
    let result = result.ok_or_else(|| NodeError::new("a result is missing"))?;
    serde_json::from_value((*result).clone()).map_err(|error| NodeError::new(error.to_string()))
}

/// An answer as what it was checked to be.
fn shaped<T: DeserializeOwned>(answer: &Answer<'_>) -> Result<T, NodeError> {
    read_answer(answer.value)
        .map_err(|problems| NodeError { messages: problems.iter().map(ToString::to_string).collect() })
}

/// The path of a document of this feature, relative to the project.
fn path_of(state: &PrdState, file: &str) -> String {
    let feature = state.feature_id.as_ref().map(FeatureId::as_str).unwrap_or_default();
    format!("{}/{feature}/{file}", state.prd_workspace_path)
}

fn read(state: &PrdState, file: &str) -> PrdCall {
    PrdCall::ReadFile { path: path_of(state, file) }
}

/// A file that was read, as text; an error if it is not there.
fn content(result: Option<&&Value>) -> Result<String, NodeError> {
    let FileRead { content } = value(result)?;
    content.ok_or_else(|| NodeError::new("a document of this feature is gone: put it back, then continue"))
}

/// A file that takes the place of what was read.
fn replace(state: &PrdState, file: &str, content: String, read: Option<&str>) -> Effect {
    let before = read.map_or(Before::Absent, |text| Before::Hash(hash(text.as_bytes())));
    Effect::File { path: path_of(state, file).into(), content, before }
}

fn judge_source(source: &SourceText) -> PrdCall {
    PrdCall::Judge { document: JudgedDocument::Source(source.name.clone()), text: source.text.clone() }
}

/// Everything that was said, the utterance first.
fn sources(state: &PrdState) -> Vec<SourceText> {
    let utterance = SourceText { name: "utterance".to_owned(), text: state.user_utterance.clone() };
    let said = (!utterance.text.trim().is_empty()).then_some(utterance);
    said.into_iter().chain(state.user_input.iter().cloned()).collect()
}

fn draft(step: DraftStep, state: &PrdState) -> PrdCall {
    let updates = step == DraftStep::BriefUpdate;
    PrdCall::Draft(Box::new(WorkOrder {
        step,
        sources: sources(state),
        brief: state.feature_brief_content.clone().filter(|_| updates),
        requirements: None,
        gaps: Vec::new(),
        feedback: state.feature_brief_user_feedback.clone().filter(|_| updates),
    }))
}

/// Never fails: it fills in what is wrong, and the table of edges leads to the failure node.
fn initialization(state: &PrdState) -> Enter<PrdWorkflow> {
    let mut messages = Vec::new();
    if state.project_path.trim().is_empty() {
        messages.push("no project is named: say where the documents go (projectPath)".to_owned());
    }
    if sources(state).is_empty() {
        messages.push("nothing was said: write a sentence, or name a file (userUtterance)".to_owned());
    }
    if !messages.is_empty() {
        return Enter::Done(Outcome::go(PrdLabel::Failed).patch(PrdPatch::Failed(messages)));
    }
    Enter::Call(vec![PrdCall::ListFeatures { directory: state.prd_workspace_path.clone() }])
}

/// Asks what the gate would ask back on the sources.
fn clarification(results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
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
        instructions: "Answer what you know. What is left empty becomes an open question of the brief.".to_owned(),
    })))
}

/// Gives the feature its id, once, and keeps the brief in memory until it is approved.
fn brief_written(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let brief: FeatureBrief = value(results.first())?;
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

fn brief_reviewed(asked: &BriefReview, given: BriefReviewAnswer) -> Outcome<PrdWorkflow> {
    let judged = PrdPatch::Judged(asked.gate.clone());
    let edited = given.edited_document.filter(|text| !text.trim().is_empty());
    if given.approved {
        let mut outcome = Outcome::go(PrdLabel::Approved).patch(judged);
        if let Some(text) = edited {
            outcome = outcome.patch(PrdPatch::BriefContent(text));
        }
        return outcome.patch(PrdPatch::BriefApproved);
    }
    let mut outcome = Outcome::go(PrdLabel::Changes).patch(judged);
    if let Some(text) = edited {
        outcome = outcome.patch(PrdPatch::BriefContent(text));
    }
    let feedback = BriefFeedback { user_feedback: given.user_feedback, modifications: given.modifications };
    outcome.patch(PrdPatch::BriefFeedback(feedback))
}

/// The file of requirements, as text and as what it says; an error that names every line that does not read.
fn requirements_file(result: Option<&&Value>) -> Result<(Option<String>, Option<RequirementsDocument>), NodeError> {
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
            let brief = parse_brief(&content(results.first())?);
            RequirementsDocument::new(feature, &brief.title, brief.language)
        }
    };
    Ok((text, document))
}

/// First the draft is ordered, from what the files say now; then its requirements are proposed.
fn proposals(node: PrdNode, state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let initial = node == PrdNode::InitialRequirements;
    let Some(drafted) = results.get(2) else {
        let FileRead { content: file } = value(results.get(1))?;
        return Ok(Step::Call(vec![PrdCall::Draft(Box::new(WorkOrder {
            step: if initial { DraftStep::Requirements } else { DraftStep::GapRequirements },
            sources: sources(state),
            brief: Some(content(results.first())?),
            requirements: file,
            gaps: if initial { Vec::new() } else { state.identified_gaps.clone() },
            feedback: None,
        }))]));
    };
    let drafted: DraftedRequirements = value(Some(drafted))?;
    let nothing_new = drafted.functional_requirements.is_empty() && !initial;
    let label = if nothing_new { PrdLabel::Proceed } else { PrdLabel::Next };
    Ok(Step::Done(Outcome::go(label).patch(PrdPatch::Proposed(drafted.functional_requirements)).note(drafted.summary)))
}

/// Shows what nobody has decided on: proposals, and what is pending in the file.
fn requirements_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
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
fn fingerprint(requirement: &Requirement) -> String {
    hash(&serde_json::to_vec(requirement).unwrap_or_default())
}

/// Puts the decisions into the file as it is now. What somebody changed after it was shown is shown again.
fn requirements_update(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
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
fn gap_analysis(results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let Some(found) = results.get(2) else {
        let (brief, requirements) = (content(results.first())?, content(results.get(1))?);
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

fn prd_reviewed(asked: &PrdReview, given: PrdReviewAnswer) -> Outcome<PrdWorkflow> {
    let judged = PrdPatch::Judged(asked.gate.clone());
    let label = if given.prd_approved { PrdLabel::Approved } else { PrdLabel::Changes };
    let mut outcome = Outcome::go(label).patch(judged);
    if let Some(text) = given.edited_document.filter(|text| !text.trim().is_empty()) {
        outcome = outcome.patch(PrdPatch::PrdContent(text));
    }
    if given.prd_approved {
        return outcome.patch(PrdPatch::PrdApproved { reason: given.gate_override });
    }
    outcome.patch(PrdPatch::PrdFeedback { modifications: given.prd_modifications, feedback: given.user_feedback })
}

/// The PRD with the changes that a review asks for: sections replaced, words about the whole added as notes.
fn changed_prd(content: &str, changes: &[PrdModification], feedback: Option<&str>) -> String {
    let mut out = content.to_owned();
    let mut notes: Vec<String> = feedback.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect();
    for change in changes {
        match replaced_section(&out, &change.section, &change.modified_content) {
            Some(changed) => out = changed,
            None => notes.push(format!("{}: {}", change.section, change.modified_content.trim())),
        }
    }
    if !notes.is_empty() {
        let zh = content.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        let heading = if zh { "## 评审意见" } else { "## Review notes" };
        if !out.contains(heading) {
            out = format!("{}\n\n{heading}\n", out.trim_end());
        }
        let bullets: Vec<String> = notes.iter().map(|note| format!("- {}", note.replace('\n', "\n  "))).collect();
        out = format!("{}\n{}\n", out.trim_end(), bullets.join("\n"));
    }
    out
}

/// The document with another text under this heading; `None` if there is no such heading.
fn replaced_section(content: &str, section: &str, text: &str) -> Option<String> {
    let level = |line: &str| {
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        (marks > 0 && line[marks..].starts_with(' ')).then_some(marks)
    };
    let wanted = section.trim_start_matches('#').trim();
    let lines: Vec<&str> = content.lines().collect();
    let start = lines.iter().position(|line| {
        level(line).is_some_and(|marks| line[marks..].trim().eq_ignore_ascii_case(wanted))
    })?;
    let marks = level(lines[start])?;
    let end = lines[start + 1..]
        .iter()
        .position(|line| level(line).is_some_and(|other| other <= marks))
        .map_or(lines.len(), |offset| start + 1 + offset);
    let before = lines[..=start].join("\n");
    let after = lines[end..].join("\n");
    let tail = if after.is_empty() { String::new() } else { format!("\n\n{after}") };
    Some(format!("{before}\n\n{}{tail}\n", text.trim()))
}

/// The PRD with its status set to approved, in its front matter or as JSON.
fn approved_prd(content: &str) -> String {
    let statuses = [("status: draft", "status: approved"), ("\"status\": \"draft\"", "\"status\": \"approved\"")];
    statuses.into_iter().fold(content.to_owned(), |text, (draft, approved)| text.replacen(draft, approved, 1))
}
