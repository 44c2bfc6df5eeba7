//! The files of a team's work, written when a person has approved it.

use serde_json::{Value, json};

use super::asks::Checkpoint;
use super::marks::with_marks;
use super::state::TeamState;
use crate::clean;
use crate::model::Language;
use crate::prd::DocumentStatus;
use crate::prd::critique::{CritiqueReport, LoopDecision, markdown};
use crate::prd::markup::escaped;
use crate::prd::team::citations::cited;
use crate::prd::team::document::parse_anyway;
use crate::prd::workflow::state::PrdState;
use crate::prd::workflow::steps::results::{replace, value};
use crate::prd::workflow::work::FileRead;
use crate::prd::workflow::{PrdLabel, PrdWorkflow};
use crate::workflow::{NodeError, Outcome, Step, hash};

/// The outline.
pub(super) const OUTLINE: &str = "outline.md";
/// What every critic said of every draft.
const CRITIQUES: &str = "critiques.md";
pub(super) const FINAL: &str = "prd.md";
const DATA: &str = "prd.json";

/// The files of a team's work and what stands in them.
pub(super) fn files(team: &TeamState) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    if let Some(outline) = &team.prd_outline {
        files.push((OUTLINE.to_owned(), outline.to_markdown()));
    }
    files.extend(team.drafts.iter().map(|draft| (draft.entry.file_name(), with_marks(&draft.markdown))));
    let language = team.prd_outline.as_ref().map_or(Language::En, |outline| outline.language);
    let rounds: Vec<String> = team
        .feedback_rounds
        .iter()
        .map(|round| {
            let name = format!("prd_v{}.md", round.draft_version);
            markdown(&CritiqueReport::new(&name, language, round.critiques.clone()))
        })
        .collect();
    files.push((CRITIQUES.to_owned(), rounds.join("\n")));
    files.push((DATA.to_owned(), String::new()));
    files.push((FINAL.to_owned(), String::new()));
    files
}

/// The names of those files.
pub(in crate::prd::workflow) fn file_names(team: &TeamState) -> Vec<String> {
    files(team).into_iter().map(|(name, _)| name).collect()
}

/// The sources that a text cites, by their marks. A text that somebody has edited may cite what does not exist: then it has none.
fn cited_sources(text: &str, team: &TeamState, language: Language) -> String {
    let mut ids = cited(text, &team.research_sources).unwrap_or_default();
    ids.sort();
    let mut lines = String::new();
    for id in ids {
        let known = team.research_sources.0.iter().find(|source| source.id == id);
        let Some(source) = known else { continue };
        let title = escaped(&clean::words(&source.title));
        let place = match source.url == source.title {
            true => String::new(),
            false => format!(", {}", escaped(&clean::words(&source.url))),
        };
        lines.push_str(&format!("- [{id}] {title}{place}\n"));
    }
    if lines.is_empty() { lines } else { format!("\n## {}\n\n{lines}", language.of("References", "参考资料")) }
}

/// Who has approved the document, and why, where critics or gate have not.
fn approval(team: &TeamState, language: Language) -> String {
    let last = team.human_checkpoints.iter().rev().find(|one| one.kind == Checkpoint::FinalApproval);
    let Some(last) = last.filter(|last| last.state_snapshot.approval_status == "approved") else {
        return String::new();
    };
    let day = last.timestamp.get(..10).unwrap_or_default();
    let actor = escaped(&clean::words(&last.actor));
    let heading = language.of("Approval", "批准记录");
    let mut text = match language {
        Language::En => format!("\n## {heading}\n\n- Approved by {actor} on {day}\n"),
        Language::Zh => format!("\n## {heading}\n\n- {actor} 于 {day} 批准\n"),
    };
    if let Some(because) = &team.human_override {
        let because = escaped(&clean::words(because));
        let said = language.of("Critics or gate do not approve; the reason: ", "评审或质量门未通过，理由：");
        text.push_str(&format!("- {said}{because}\n"));
    }
    let scores: Vec<String> = team.refinement.score_history().iter().map(|score| format!("{score:.1}")).collect();
    if !scores.is_empty() {
        text.push_str(&format!("- {}{}\n", language.of("Critics: ", "评审得分："), scores.join(" → ")));
    }
    text
}

/// Writes everything.
pub(super) fn export(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let team = state.team();
    let language = state.team_language();
    let approved = team.approved_version.and_then(|version| team.draft(version));
    let draft = approved.or_else(|| team.delivered()).ok_or_else(|| NodeError::new("there is no draft"))?;
    let (mut document, _) = parse_anyway(&draft.markdown);
    document.metadata.status = Some(DocumentStatus::Approved);
    // The sections that code writes replace those of an earlier version.
    let ours = [language.of("References", "参考资料"), language.of("Approval", "批准记录")];
    document.other_sections.retain(|section| !ours.contains(&section.heading.as_str()));
    let text = document.to_markdown();
    let prd = format!("{}{}{}", with_marks(&text), cited_sources(&text, team, language), approval(team, language));
    let decision = team.decision();
    let reason = match decision {
        Some(LoopDecision::Stop { reason, .. }) => Some(reason.words(language)),
        _ => None,
    };
    let data = json!({
        "schema": "reqgate/team-prd/v1",
        "document": document,
        "approved_version": draft.entry.version,
        "approval_status": "complete",
        "human_override": team.human_override,
        "reason": reason,
        "total_iterations": team.refinement.revisions(),
        "score_history": team.refinement.score_history(),
        "revision_history": team.revision_history(),
        "feedback_rounds": team.feedback_rounds,
        "research_sources": team.research_sources,
        "research_searches": team.research_searches,
        "market_research": team.market_research,
        "competitive_analysis": team.competitive_analysis,
        "user_research": team.user_research,
        "human_checkpoints": team.human_checkpoints,
        "text_sha256": hash(prd.as_bytes()),
    });
    let mut outcome = Outcome::go(PrdLabel::Next);
    for ((name, content), read) in files(team).into_iter().zip(results) {
        let FileRead { content: before } = value(Some(read))?;
        let content = match name.as_str() {
            FINAL => prd.clone(),
            DATA => format!("{data:#}\n"),
            _ => content,
        };
        outcome = outcome.effect(replace(state, &name, content, before.as_deref()));
    }
    Ok(Step::Done(outcome))
}
