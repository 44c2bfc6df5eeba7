//! The approvals that an archive claims, and the files that its thread writes.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PrdWorkflow;
use super::asks::{PrdAsk, PrdReviewAnswer, RequirementsReviewAnswer};
use super::brief_review::BriefReviewAnswer;
use super::document_files::DOCUMENTS;
use super::gap_decision::GapDecisionAnswer;
use super::state::PrdState;
use super::team::{self, Checkpoint, TeamReviewAnswer};
use crate::GapChoice;
use crate::requirements::{AddedRequirement, Verdict, VerdictKind};
use reqgate_flow::{Asking, Body, Effect, Event, Position, RunError, ThreadId, decode, read_reply};

/// An approval that a log contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Claim {
    /// The item that was approved.
    pub approved: Approved,
    /// The number of the event; absent if only the state of the thread implies the approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The name of the person, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The recorded time of the approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// The things that can be approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Approved {
    /// The feature brief of the thread.
    Brief,
    /// Requirements in a review or with an added criterion.
    Requirements,
    /// Continuing despite gaps: all of them, or single ones that are dismissed or made open questions.
    Gaps,
    /// A PRD that the gate passes.
    Prd,
    /// A PRD that the gate does not pass.
    PrdAgainstGate,
    /// The outline of a team's PRD.
    Outline,
    /// A draft of a team, before its critics read it.
    Draft,
}

/// Returns the approvals of a log in order, followed by approvals that the state has without a recorded person.
///
/// # Errors
/// Fails on an invalid log.
pub fn claims(thread: &ThreadId, events: &[Event]) -> Result<Vec<Claim>, RunError> {
    let mut position = Position::<PrdWorkflow>::default();
    let mut claims: Vec<Claim> = Vec::new();
    for event in events {
        let body = decode::<PrdWorkflow>(thread, event)?;
        if let (Body::Answered { answer, .. }, Some(open)) = (&body, &position.open)
            && let Asking::Workflow(ask) = &open.question
        {
            claims.extend(approved(ask, answer).into_iter().map(|approved| {
                let (actor, at) = (Some(event.actor.clone()), Some(event.at.clone()));
                Claim { approved, event: Some(event.seq), actor, at }
            }));
        }
        position.apply(event.seq, &body)?;
    }
    let state = &position.state;
    let is_named = |wanted: &[Approved]| claims.iter().any(|claim| wanted.contains(&claim.approved));
    let standing = [
        (state.is_feature_brief_approved && !is_named(&[Approved::Brief]), Approved::Brief),
        (state.requirements_review.is_some() && !is_named(&[Approved::Requirements]), Approved::Requirements),
        (puts_gaps_aside(state) && !is_named(&[Approved::Gaps]), Approved::Gaps),
        (state.is_prd_approved && !is_named(&[Approved::Prd, Approved::PrdAgainstGate]), Approved::Prd),
    ];
    let unnamed = standing.into_iter().filter(|(stands, _)| *stands);
    let unnamed: Vec<Claim> =
        unnamed.map(|(_, approved)| Claim { approved, event: None, actor: None, at: None }).collect();
    claims.extend(unnamed);
    Ok(claims)
}

/// Returns true if gaps no longer block because they are dismissed, made open questions or closed by a criterion.
fn puts_gaps_aside(state: &PrdState) -> bool {
    state.gap_decisions.iter().any(|one| !one.choice.needs_round())
}

/// The items that an answer approves; empty for an invalid answer.
fn approved(ask: &PrdAsk, answer: &serde_json::Value) -> Vec<Approved> {
    let approves = |verdicts: &[Verdict], added: &[AddedRequirement]| {
        let is_wanted = |kind: &VerdictKind| matches!(kind, VerdictKind::Approve | VerdictKind::Modify { .. });
        verdicts.iter().any(|verdict| is_wanted(&verdict.kind)) || !added.is_empty()
    };
    let all = match ask {
        PrdAsk::Clarification(_) => Vec::new(),
        PrdAsk::BriefReview(_) => {
            let given: BriefReviewAnswer = read_reply(answer).unwrap_or_default();
            vec![(given.approved, Approved::Brief)]
        }
        PrdAsk::RequirementsReview(_) => {
            let given: RequirementsReviewAnswer = read_reply(answer).unwrap_or_default();
            vec![(approves(&given.verdicts, &given.added), Approved::Requirements)]
        }
        PrdAsk::GapDecision(_) => {
            let given: GapDecisionAnswer = read_reply(answer).unwrap_or_default();
            let writes = |choice: &GapChoice| matches!(choice, GapChoice::Fix { .. }) && !choice.needs_round();
            let is_decided = given.gaps.values().any(|choice| !choice.needs_round());
            vec![
                (given.gaps.values().any(writes), Approved::Requirements),
                (given.user_iteration_override == Some(false) || is_decided, Approved::Gaps),
            ]
        }
        PrdAsk::PrdReview(_) => {
            let given: PrdReviewAnswer = read_reply(answer).unwrap_or_default();
            let prd = if given.gate_override.is_some() { Approved::PrdAgainstGate } else { Approved::Prd };
            vec![(approves(&given.verdicts, &given.added), Approved::Requirements), (given.prd_approved, prd)]
        }
        PrdAsk::Team(asked) => {
            let given: TeamReviewAnswer = read_reply(answer).unwrap_or_default();
            // The critics and a person read an edited document before anything is written.
            let is_edited = given.edited_document.is_some_and(|text| text.trim() != asked.document.trim());
            let document = match asked.checkpoint {
                Checkpoint::OverrideDecision if is_edited => Approved::Draft,
                Checkpoint::OutlineApproval => Approved::Outline,
                Checkpoint::DraftApproval | Checkpoint::RevisionApproval => Approved::Draft,
                Checkpoint::OverrideDecision => Approved::PrdAgainstGate,
                Checkpoint::FinalApproval if given.because.is_some() => Approved::PrdAgainstGate,
                Checkpoint::FinalApproval => Approved::Prd,
            };
            vec![(given.approved, document)]
        }
    };
    all.into_iter().filter_map(|(is_given, approved)| is_given.then_some(approved)).collect()
}

/// Returns the files that a thread with this state may write, relative to the project; empty before its feature has an id.
pub fn documents_of(state: &PrdState) -> Vec<PathBuf> {
    let Some(feature) = &state.feature_id else { return Vec::new() };
    let folder = PathBuf::from(&state.prd_workspace_path).join(feature.as_str());
    match &state.team {
        Some(team) => team::files::file_names(team).iter().map(|file| folder.join(file)).collect(),
        None => DOCUMENTS.iter().map(|file| folder.join(file)).collect(),
    }
}

/// Returns the drafts of a state, each with its name.
pub fn drafts_of(state: &PrdState) -> Vec<(String, String)> {
    let drafts = [("feature-brief.md", &state.feature_brief_content), ("prd.md", &state.prd_content)];
    drafts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text.clone()?))).collect()
}

/// The text of the PRD of a thread, of either flow: the approved draft, otherwise the one under review.
pub fn current_prd(state: &PrdState) -> Option<String> {
    team::files::chosen_text(state).or_else(|| state.prd_content.clone())
}

/// Checks that an effect writes a document of the feature or a folder for it.
///
/// # Errors
/// Fails with the path of any other file.
pub(super) fn permits(state: &PrdState, effect: &Effect) -> Result<(), String> {
    let path = effect.path();
    let is_ours = match effect {
        Effect::File { .. } => documents_of(state).iter().any(|document| document == path),
        Effect::Directory { .. } => {
            let workspace = PathBuf::from(&state.prd_workspace_path);
            let feature = state.feature_id.as_ref().map(|feature| workspace.join(feature.as_str()));
            path == workspace || Some(path) == feature.as_deref()
        }
    };
    if is_ours { Ok(()) } else { Err(format!("{} is not a document of this feature", path.display())) }
}

/// Marks the names of people who decided according to an archive as imported.
pub(super) fn mark_imported(state: &mut PrdState) {
    // The person who continues the thread chooses the author, the model and the key.
    state.drafts = None;
    const MARK: &str = " (imported)";
    if let Some(review) = &mut state.requirements_review
        && !review.actor.ends_with(MARK)
    {
        review.actor.push_str(MARK);
    }
    let revisions = state.revisions.iter_mut().map(|revision| &mut revision.actor);
    let decided = state.gap_decisions.iter_mut().map(|one| &mut one.actor);
    for actor in revisions.chain(decided).filter(|actor| !actor.ends_with(MARK)) {
        actor.push_str(MARK);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::DecidedGap;
    use crate::workflow::{GapDecision, PrdLabel, PrdNode, PrdPatch};

    fn dismissed() -> DecidedGap {
        let gap = json!({
            "id": "GAP-001", "title": "t", "description": "d", "severity": "high", "category": "blank", "impact": "i",
        });
        let choice = json!({ "decision": "dismiss", "reason": "known" });
        let decided = json!({ "gap": gap, "choice": choice, "actor": "alice", "timestamp": "" });
        serde_json::from_value(decided).expect("a decision")
    }

    #[test]
    fn a_dismissed_gap_is_told_and_its_actor_is_marked() {
        let mut state = PrdState { gap_decisions: vec![dismissed()], ..PrdState::default() };
        mark_imported(&mut state);
        assert_eq!(state.gap_decisions[0].actor, "alice (imported)");
        let ask = PrdAsk::GapDecision(GapDecision {
            requirements: Vec::new(),
            gap_analysis_score: 0.5,
            threshold: 0.8,
            identified_gaps: vec![dismissed().gap],
            requirement_strengths: Vec::new(),
            recommendations: Vec::new(),
            summary: String::new(),
            read_for_meaning: false,
            instructions: String::new(),
        });
        let told = |choice: serde_json::Value| approved(&ask, &json!({ "gaps": { "GAP-001": choice } }));
        assert_eq!(told(json!({ "decision": "dismiss", "reason": "known" })), [Approved::Gaps]);
        assert_eq!(told(json!({ "decision": "ask" })), [Approved::Gaps]);
        assert_eq!(told(json!({ "decision": "fix" })), []);
        // A criterion that closes a gap is written into the requirements without another review.
        let added = json!({ "decision": "fix", "added": [{ "description": "Mail is sent." }] });
        assert_eq!(told(added), [Approved::Requirements, Approved::Gaps]);
    }

    #[test]
    fn an_imported_thread_says_nothing_about_who_writes() {
        let drafts = crate::workflow::DraftSettings { model: Some("openai/x".to_owned()), ..Default::default() };
        let mut state = PrdState { drafts: Some(drafts), ..PrdState::default() };
        mark_imported(&mut state);
        assert_eq!(state.drafts, None);
    }

    #[test]
    fn an_approval_that_names_nobody_is_told() {
        let given = PrdPatch::Given {
            project_path: "/p".to_owned(),
            workspace: "docs/prd".to_owned(),
            utterance: "Export orders".to_owned(),
            sources: Vec::new(),
            slug: None,
            project: None,
            title: None,
            language: None,
        };
        let started = Body::<PrdWorkflow>::Started { title: "t".to_owned(), input: vec![given] };
        let stepped = Body::<PrdWorkflow>::Stepped {
            node: PrdNode::Initialization,
            patches: vec![PrdPatch::BriefApproved, PrdPatch::GapsDecided(vec![dismissed()])],
            label: PrdLabel::Next,
            effects: Vec::new(),
            note: None,
        };
        let mut events: Vec<Event> = Vec::new();
        for body in [started, stepped] {
            let body = serde_json::to_value(&body).expect("JSON");
            let previous = events.last().map(|last| last.hash.clone()).unwrap_or_default();
            events.push(Event::new(events.len() as u64 + 1, String::new(), "alice".to_owned(), body, previous));
        }
        let thread = "export".parse().expect("an id");
        let told = claims(&thread, &events).expect("a log");
        let unnamed = |approved| Claim { approved, event: None, actor: None, at: None };
        assert_eq!(told, [unnamed(Approved::Brief), unnamed(Approved::Gaps)]);
    }

    #[test]
    fn only_the_documents_of_the_feature_are_permitted() {
        let state = PrdState {
            prd_workspace_path: "docs/prd".to_owned(),
            feature_id: "001-export".parse().ok(),
            ..PrdState::default()
        };
        let file = |path: &str| Effect::File {
            path: path.into(),
            content: String::new(),
            before: reqgate_flow::Before::Absent,
        };
        assert_eq!(permits(&state, &file("docs/prd/001-export/prd.md")), Ok(()));
        assert_eq!(permits(&state, &Effect::Directory { path: "docs/prd/001-export".into() }), Ok(()));
        for path in ["docs/prd/001-export/Makefile", "docs/prd/002-other/prd.md", "docs/prd/prd.md", "prd.md", ".envrc"]
        {
            assert!(permits(&state, &file(path)).is_err(), "{path}");
        }
        assert!(permits(&state, &Effect::Directory { path: "src".into() }).is_err());
    }
}
