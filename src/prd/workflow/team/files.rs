//! The files of a team's work, written when a person has approved it.

use serde_json::{Value, json};

use super::state::TeamState;
use crate::model::Language;
use crate::prd::DocumentStatus;
use crate::prd::critique::{CritiqueReport, LoopDecision, markdown};
use crate::prd::team::citations::{CitationStyle, inject, references};
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
    files.extend(team.drafts.iter().map(|draft| (draft.entry.file_name(), draft.markdown.clone())));
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

/// Writes everything.
pub(super) fn export(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let team = state.team();
    let language = state.team_language();
    let approved = team.approved_version.and_then(|version| team.draft(version));
    let draft = approved.or_else(|| team.delivered()).ok_or_else(|| NodeError::new("there is no draft"))?;
    let (document, _) = parse_anyway(&draft.markdown);
    let mut document = document;
    document.metadata.status = Some(DocumentStatus::Approved);
    let text = document.to_markdown();
    // A text that somebody has edited may cite what does not exist: then it stays as it is, and says so itself.
    let prd = match (
        inject(&text, &team.research_sources, CitationStyle::Markdown),
        references(&text, &team.research_sources, CitationStyle::Markdown, language),
    ) {
        (Ok(text), Ok(list)) if list.is_empty() => text,
        (Ok(text), Ok(list)) => format!("{}\n\n{list}", text.trim_end()),
        _ => text,
    };
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
