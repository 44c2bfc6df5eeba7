//! The questions of the team flow to a person: what each shows about the outline, a draft, a round or the final document.

use serde_json::Value;

use super::asks::{Checkpoint, CriticLine, TeamReview};
use super::citable::research_misses;
use super::contradictions::{in_lines_of, open_in, pair_in_words};
use super::files::{FINAL, OUTLINE};
use super::marks::with_marks;
use super::state::{Draft, FeedbackRound, TeamPatch, TeamState};
use crate::critique::{Critique, Issue, LoopDecision, next_steps, opinion_in_lines, summary};
use crate::team::PrdOutline;
use crate::team::citations::{Names, UncitedAssertion, uncited};
use crate::team::versions::diff;
use crate::workflow::asks::PrdAsk;
use crate::workflow::state::{PrdPatch, PrdState};
use crate::workflow::steps::results::{path_of, value};
use crate::workflow::{GateSummary, PrdLabel, PrdWorkflow};
use reqgate_base::model::Language;
use reqgate_flow::{NodeError, Outcome, Step};
use reqgate_messages as messages;

pub(super) fn outline_review(state: &PrdState) -> TeamReview {
    let outline = state.team().prd_outline.as_ref();
    TeamReview {
        document: outline.map(PrdOutline::to_markdown).unwrap_or_default(),
        path: path_of(state, OUTLINE),
        instructions: state.said("Approve it, or say what to change.", "批准，或说明要改什么。").to_owned(),
        ..question(state, Checkpoint::OutlineApproval, None)
    }
}

/// A question without the fields that only some checkpoints have.
fn question(state: &PrdState, checkpoint: Checkpoint, draft: Option<&Draft>) -> TeamReview {
    let team = state.team();
    let round = draft.and_then(|draft| team.round_of(draft.entry.version));
    let critics = round
        .map(|round| round.critiques.iter().map(|one| in_a_line(one, state.team_language())).collect())
        .unwrap_or_default();
    let before = draft.and_then(|draft| team.draft(draft.entry.version.checked_sub(1)?));
    let text = draft.map(|draft| team.text_of(draft)).unwrap_or_default();
    let document = with_marks(&text);
    TeamReview {
        checkpoint,
        language: state.team_language(),
        contradictions: in_lines_of(&document, open_in(team, &document)),
        document,
        path: path_of(state, FINAL),
        version: draft.map(|draft| draft.entry.version),
        changes: before.map(|before| with_marks(&diff(&before.markdown, &text, state.team_language()))),
        critics,
        conflicts: round.map(|round| round.consolidated.conflicting_feedback.clone()).unwrap_or_default(),
        unasked: draft.map(|draft| draft.unasked.clone()).unwrap_or_default(),
        uncited: uncited_in(team, &text).iter().map(|one| format!("{}: {}", one.line, one.words)).collect(),
        research_disagreements: team.disagreements_in_lines(state.team_language()),
        research_misses: research_misses(state),
        failed_searches: team.research_failures.clone(),
        searches: team.research_searches.len(),
        resolved: round.map(|round| in_lines(&round.resolved_issues, state.team_language())).unwrap_or_default(),
        pending: round.map(|round| in_lines(&older(round), state.team_language())).unwrap_or_default(),
        override_reason: None,
        reason: None,
        summary: None,
        next_steps: None,
        critics_approve: false,
        no_override: !team.settings.rounds.allow_override,
        gate: None,
        instructions: String::new(),
    }
}

fn in_a_line(critique: &Critique, language: Language) -> CriticLine {
    CriticLine {
        critic: critique.critic_role.title(language).to_owned(),
        grade: critique.grade,
        score: critique.score,
        second_opinion: opinion_in_lines(critique, language),
        issues: critique.issues_found.iter().map(|issue| in_words(issue, language)).collect(),
        advice: critique.advice.in_lines(language),
    }
}

fn in_words(issue: &Issue, language: Language) -> String {
    let (severity, colon) = (issue.severity.words(language), messages::Prd::of(language).colon);
    format!("{severity}{colon}{} → {}", issue.what_in_words(language), issue.suggestion)
}

/// The issues in one line each, without their suggestions.
fn in_lines(issues: &[Issue], language: Language) -> Vec<String> {
    let colon = messages::Prd::of(language).colon;
    let line = |issue: &Issue| format!("{}{colon}{}", issue.severity.words(language), issue.what_in_words(language));
    issues.iter().map(line).collect()
}

/// The issues of earlier rounds that no critic of this round names, although their passage is unchanged.
fn older(round: &FeedbackRound) -> Vec<Issue> {
    let is_named = |issue: &&Issue| round.critiques.iter().any(|critique| critique.issues_found.contains(issue));
    round.pending_issues.iter().filter(|issue| !is_named(issue)).cloned().collect()
}

/// The statements that need a citation, have none, and were not shown to a person before.
fn uncited_in(team: &TeamState, text: &str) -> Vec<UncitedAssertion> {
    let analyses = team.competitive_analysis.iter().chain(&team.second_findings.competitive_analysis);
    let found = analyses.flat_map(|found| found.direct.iter().chain(&found.indirect));
    let competitors: Vec<&str> = found.map(|competitor| competitor.name.as_str()).collect();
    let product: Vec<&str> = team.prd_outline.iter().map(|outline| outline.product_name.as_str()).collect();
    let mut all = uncited(text, &Names { product: &product, competitors: &competitors });
    all.retain(|one| !team.uncited_shown.contains(&one.words));
    all
}

pub(super) fn draft_review(state: &PrdState, checkpoint: Checkpoint) -> TeamReview {
    let team = state.team();
    let instructions = match state.has_reader() {
        true => state.said(
            "Approve it, say what to change, or edit it.",
            "批准，说明要改什么，或直接编辑。",
        ),
        false => state.said(
            "Nobody has read the sources for their meaning: write the draft by editing it; [...] marks what is missing.",
            "没有人读过来源：请直接编辑来撰写；[…] 表示缺少的内容。",
        ),
    };
    TeamReview { instructions: instructions.to_owned(), ..question(state, checkpoint, team.current_draft()) }
}

/// The question after a round whose critics want a revision: continue, accept this version, or give guidance.
pub(super) fn round_review(state: &PrdState) -> TeamReview {
    let team = state.team();
    let instructions = state.said(
        "Have it revised further, accept this version with a reason, give guidance, or edit it.",
        "继续修改、说明理由并采用当前版本、给出指示，或直接编辑。",
    );
    let draft = team.current_draft();
    with_refusal(TeamReview {
        instructions: instructions.to_owned(),
        ..with_summary(state, draft, question(state, Checkpoint::OverrideDecision, draft))
    })
}

/// The question with other instructions if the document cannot be accepted.
fn with_refusal(asked: TeamReview) -> TeamReview {
    match asked.is_refused() {
        true => TeamReview { instructions: messages::Prd::of(asked.language).no_override.to_owned(), ..asked },
        false => asked,
    }
}

/// The question with the summary of all rounds and the subjects of the next revision.
fn with_summary(state: &PrdState, draft: Option<&Draft>, asked: TeamReview) -> TeamReview {
    let (team, language) = (state.team(), state.team_language());
    let feedback = draft.and_then(|draft| team.round_of(draft.entry.version)).map(|round| &round.consolidated);
    let mut text = summary(&team.settings.rounds, &team.all_rounds(), feedback, language);
    if !asked.contradictions.is_empty() {
        let pairs = asked.contradictions.iter().map(|gap| format!("\n  - {}", pair_in_words(gap)));
        text.push_str(&format!(
            "\n{}{}\n",
            messages::Prd::of(language).undecided_contradictions,
            pairs.collect::<String>()
        ));
    }
    let has_priorities = feedback.filter(|feedback| !feedback.priority_revisions.is_empty());
    TeamReview {
        summary: Some(text.trim_end().to_owned()),
        next_steps: has_priorities.map(|feedback| next_steps(Some(feedback), language)),
        ..asked
    }
}

/// The question about the draft to deliver, with the arguments for and against it.
pub(super) fn final_review(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let team = state.team();
    let language = state.team_language();
    let Some(draft) = team.delivered() else { return Err(NodeError::new("there is no draft")) };
    let gate: GateSummary = value(results.first())?;
    let (reason, critics_approve) = match team.decision() {
        Some(LoopDecision::Stop { reason, is_approved, .. }) => (Some(reason.words(language)), is_approved),
        _ => (None, false),
    };
    let instructions = state.said(
        "Accept it (with a reason where critics or gate do not approve), have it revised further, give guidance, or edit it.",
        "接受（评审或质量门未通过时说明理由）、继续修改、给出指示，或直接编辑。",
    );
    let review = with_refusal(TeamReview {
        reason,
        critics_approve,
        override_reason: team.rounds_ended_because.clone(),
        gate: Some(gate),
        instructions: instructions.to_owned(),
        ..with_summary(state, Some(draft), question(state, Checkpoint::FinalApproval, Some(draft)))
    });
    if !team.settings.require_final_approval && !review.needs_reason() {
        let patch = TeamPatch::Approved { version: draft.entry.version, because: review.override_reason };
        return Ok(Step::Done(Outcome::go(PrdLabel::Approved).patch(PrdPatch::Team(Box::new(patch)))));
    }
    Ok(Step::Ask(PrdAsk::Team(Box::new(review))))
}
