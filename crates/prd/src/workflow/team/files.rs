//! The files of a team's work, written after an approval.

use std::collections::BTreeMap;

use serde_json::json;

use super::asks::Checkpoint;
use super::citable::{citable_sources, research_misses};
use super::contradictions::{ids_in_words, in_words, open_in};
use super::marks::with_marks;
use super::state::{APPROVED, Draft, TeamPatch, TeamState};
use crate::critique::{CritiqueReport, LoopDecision, markdown, summary};
use crate::gaps::safe;
use crate::prd_text::number_questions;
use crate::team::ProductRequirementsDocument;
use crate::team::citations::{CitationStyle, ResearchSources, inject, references};
use crate::team::document::parse_anyway;
use crate::workflow::facts::JudgedDocument;
use crate::workflow::revision::with_acceptance;
use crate::workflow::state::{PrdPatch, PrdState};
use crate::workflow::steps::results::path_of;
use crate::workflow::{PrdLabel, PrdWorkflow};
use crate::{DocumentStatus, GapChoice, Revision};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_docs::write::one_line;
use reqgate_docs::{escaped, front_matter};
use reqgate_flow::{Before, Effect, NodeError, Outcome, hash};
use reqgate_gate::stages::intake::as_draft;
use reqgate_messages as messages;

pub(super) const OUTLINE: &str = "outline.md";
const CRITIQUES: &str = "critiques.md";
pub(super) const FINAL: &str = "prd.md";
const DATA: &str = "prd.json";

/// The critiques of all drafts as Markdown, after the summary of the rounds.
fn critiques(team: &TeamState, summary: &str) -> String {
    let language = team.prd_outline.as_ref().map_or(Language::En, |outline| outline.language);
    let rounds = team.feedback_rounds.iter().map(|round| {
        let name = format!("prd_v{}.md", round.draft_version);
        let report = markdown(&CritiqueReport::new(&name, language, round.critiques.clone()));
        let found: String =
            round.contradictions.iter().flatten().map(|gap| format!("- {}\n", safe(&in_words(gap)))).collect();
        let heading = messages::Ask::of(language).contradictions;
        if found.is_empty() { report } else { format!("{report}\n## {heading}\n\n{found}") }
    });
    let rounds = rounds.collect::<Vec<_>>().join("\n");
    if rounds.is_empty() { rounds } else { format!("{summary}\n\n{rounds}") }
}

/// The time at which a person approved the current draft, by RFC 3339 in UTC; `None` if no person was asked.
pub(super) fn approved_at(team: &TeamState) -> Option<&str> {
    let last = team.human_checkpoints.iter().rev().find(|one| one.kind == Checkpoint::FinalApproval)?;
    let snapshot = &last.state_snapshot;
    let is_current = snapshot.draft_version == team.current_draft().map(|draft| draft.entry.version);
    (is_current && snapshot.approval_status == APPROVED).then_some(last.timestamp.as_str())
}

/// The names of the files that a thread may write: the existing ones, and those of the next step.
pub(in crate::workflow) fn file_names(team: &TeamState) -> Vec<String> {
    let next = team.drafts.last().map_or(1, |draft| draft.entry.version + 1);
    let drafts = (1..=next).map(|number| format!("prd_v{number}.md"));
    std::iter::once(OUTLINE.to_owned()).chain(drafts).chain([CRITIQUES, DATA, FINAL].map(str::to_owned)).collect()
}

/// The text with its citations in the style of the thread, and the list of the cited sources. A text with a citation that
/// has no source, as a person may write it, keeps the ids.
fn with_citations(text: &str, sources: &ResearchSources, style: CitationStyle, language: Language) -> String {
    let in_style = || Some((inject(text, sources, style).ok()?, references(text, sources, style, language).ok()?));
    match in_style().filter(|_| style != CitationStyle::Id) {
        Some((text, list)) if list.is_empty() => text,
        Some((text, list)) => format!("{text}\n{list}"),
        None => format!("{}{}", with_marks(text), cited_sources(text, sources, language)),
    }
}

fn cited(text: &str, state: &PrdState) -> String {
    with_citations(text, &citable_sources(state), state.team().settings.citation_style, state.team_language())
}

/// The approved draft, otherwise the one to deliver.
fn chosen(team: &TeamState) -> Option<&Draft> {
    team.approved_version.and_then(|version| team.draft(version)).or_else(|| team.delivered())
}

/// The text of the approved draft, otherwise of the one to deliver, with its citations written out; `None` without a
/// draft.
pub(in crate::workflow) fn chosen_text(state: &PrdState) -> Option<String> {
    chosen(state.team()).map(|draft| cited(&state.team().text_of(draft), state))
}

/// The list of sources that a text cites.
fn cited_sources(text: &str, sources: &ResearchSources, language: Language) -> String {
    let shown = with_marks(text);
    let mut lines = String::new();
    for source in sources.0.iter().filter(|source| shown.contains(&format!("[{}]", source.id))) {
        let title = escaped(&clean::words(&source.title));
        let place = match source.url == source.title {
            true => String::new(),
            false => format!(", {}", escaped(&clean::words(&source.url))),
        };
        lines.push_str(&format!("- [{}] {title}{place}\n", source.id));
    }
    if lines.is_empty() { lines } else { format!("\n## {}\n\n{lines}", messages::Prd::of(language).references) }
}

/// The person who approved the document, and the reason if critics or gate did not approve.
fn approval(team: &TeamState, language: Language) -> String {
    let sentences = messages::Prd::of(language);
    let last = team.human_checkpoints.iter().rev().find(|one| one.kind == Checkpoint::FinalApproval);
    let Some(last) = last.filter(|last| last.state_snapshot.approval_status == APPROVED) else {
        return String::new();
    };
    let day = last.timestamp.get(..10).unwrap_or_default();
    let actor = escaped(&clean::words(&last.actor));
    let heading = sentences.approval;
    let mut text = sentences.approved_by(&actor, &day, &heading);
    let mut line = |said: &str, because: &Option<String>| {
        if let Some(because) = because {
            text.push_str(&format!("- {said}{}\n", escaped(&clean::words(because))));
        }
    };
    if team.rounds_ended_because != team.human_override {
        line(sentences.rounds_ended, &team.rounds_ended_because);
    }
    line(sentences.override_reason, &team.human_override);
    for one in &team.dismissed_contradictions {
        if let GapChoice::Dismiss { reason } = &one.choice {
            text.push_str(&format!(
                "- {}\n",
                sentences.both_hold(&ids_in_words(&one.gap), &escaped(&clean::words(reason)))
            ));
        }
    }
    let scores: Vec<String> = team.score_history().iter().map(|score| format!("{score:.1}")).collect();
    if !scores.is_empty() {
        text.push_str(&format!("- {}{}\n", sentences.critics_before, scores.join(" → ")));
    }
    text
}

/// The reasons for which an approved PRD was taken up again, as a section.
fn revisions(state: &PrdState) -> String {
    if state.revisions.is_empty() {
        return String::new();
    }
    let bare = |words: &str| escaped(&clean::words(words));
    let lines = state.revisions.iter().map(|revision| {
        let Revision { version, reason, actor, on, .. } = revision;
        format!("- {version}.0, {}, {}: {}\n", bare(on), bare(actor), bare(reason))
    });
    format!("\n## {}\n\n{}", messages::Prd::of(state.team_language()).revisions, lines.collect::<String>())
}

/// The PRD with the front matter that the gate reads: the feature, the status, and the points that a person accepted. Front matter of
/// a person is kept.
fn with_head(prd: String, state: &PrdState, document: &ProductRequirementsDocument) -> String {
    let quoted = |words: &str| serde_json::Value::from(one_line(words)).to_string();
    let team = state.team();
    let prd = match front_matter::block(&prd) {
        // The status and an earlier acceptance are of the program, everything else is of a person.
        Some(_) => approved_head(&as_draft(&prd)),
        None => {
            let feature = state.feature_id.as_ref().map(|id| format!("feature_id: {id}\n")).unwrap_or_default();
            let title = quoted(&document.metadata.title);
            let language = state.team_language().name();
            format!(
                "---\n{feature}title: {title}\ntype: feature\nsource: prd\nstatus: approved\nlanguage: {language}\n---\n\n{prd}"
            )
        }
    };
    let gate = state.gate.iter().find(|gate| gate.document == JudgedDocument::Prd && !gate.verdict.is_pass());
    let last = team.human_checkpoints.iter().rev().find(|one| one.kind == Checkpoint::FinalApproval);
    match (gate, last, &team.human_override) {
        (Some(gate), Some(last), Some(because)) => {
            let accepted = (gate.open_questions.as_slice(), gate.findings.as_slice());
            with_acceptance(prd, Some(&last.actor), &one_line(because), accepted)
        }
        _ => prd,
    }
}

/// A text with front matter whose status is approved.
fn approved_head(draft: &str) -> String {
    let Some(block) = front_matter::block(draft) else { return draft.to_owned() };
    let (head, rest) = draft.split_at(block.end);
    if head.contains("\nstatus: draft\n") {
        return format!("{}{rest}", head.replacen("\nstatus: draft\n", "\nstatus: approved\n", 1));
    }
    format!("{head}status: approved\n{rest}")
}

/// Writes all files. `day` is today, for a PRD that no person approved.
///
/// # Errors
///
/// Fails without a draft.
pub(super) fn export(state: &PrdState, day: Option<&str>) -> Result<Outcome<PrdWorkflow>, NodeError> {
    let team = state.team();
    let language = state.team_language();
    let draft = chosen(team).ok_or_else(|| NodeError::new("there is no draft to write documents from"))?;
    let asking = team.text_of(draft);
    let (mut document, faults) = parse_anyway(&asking);
    document.metadata.status = Some(DocumentStatus::Approved);
    number_questions(&mut document.open_questions);
    // Unreadable parts would be lost; then the approved text is used unchanged.
    let text = if faults.is_empty() { document.to_markdown() } else { asking.clone() };
    let cited = cited(&text, state);
    let prd = format!("{cited}{}{}", approval(team, language), revisions(state));
    let prd = with_head(prd, state, &document);
    let decision = team.decision();
    let reason = match decision {
        Some(LoopDecision::Stop { reason, .. }) => Some(reason.words(language)),
        _ => None,
    };
    let last_round = team.round_of(draft.entry.version);
    let feedback = last_round.map(|round| &round.consolidated);
    let summary = summary(&team.settings.rounds, &team.all_rounds(), feedback, language);
    let summary = summary.trim_end();
    let mut data = json!({
        "schema": "reqgate/team-prd/v1",
        "document": document,
        "approved_version": draft.entry.version,
        "approval_status": "complete",
        "completion_time": approved_at(team).or(day),
        "refinement_summary": summary,
        "human_override": team.human_override,
        "rounds_ended_because": team.rounds_ended_because,
        "reason": reason,
        "total_iterations": team.drafts.len().saturating_sub(1),
        "score_history": team.score_history(),
        "citation_style": team.settings.citation_style,
        "resolved_issues": last_round.map(|round| &round.resolved_issues),
        "pending_issues": last_round.map(|round| &round.pending_issues),
        "contradictions": open_in(team, &with_marks(&asking)),
        "dismissed_contradictions": team.dismissed_contradictions,
        "revision_history": team.revision_history(),
        "revisions": state.revisions,
        "feedback_rounds": team.feedback_rounds,
        "research_sources": citable_sources(state),
        "research_searches": team.research_searches,
        "failed_searches": team.research_failures,
        "research_misses": research_misses(state),
        "market_research": team.market_research,
        "competitive_analysis": team.competitive_analysis,
        "user_research": team.user_research,
        "human_checkpoints": team.human_checkpoints,
        "text_sha256": hash(prd.as_bytes()),
    });
    if !team.second_findings.is_empty() {
        data["second_research"] = json!(team.second_findings);
        data["research_disagreements"] = json!(team.disagreements());
    }
    let mut written = BTreeMap::new();
    let mut outcome = Outcome::go(PrdLabel::Next);
    for (name, content) in [(CRITIQUES, critiques(team, summary)), (DATA, format!("{data:#}\n")), (FINAL, prd)] {
        written.insert(name.to_owned(), hash(content.as_bytes()));
        // A file that was changed since is not overwritten.
        let before = team.exported.get(name).map_or(Before::Absent, |known| Before::Hash(known.clone()));
        outcome = outcome.effect(Effect::File { path: path_of(state, name).into(), content, before });
    }
    Ok(outcome.patch(PrdPatch::Team(Box::new(TeamPatch::Exported(written)))))
}

#[cfg(test)]
mod tests {
    use super::{APPROVED, Checkpoint, approved_at, export};
    use crate::workflow::state::PrdState;
    use crate::workflow::team::state::{TeamPatch, TeamState, apply};
    use crate::workflow::{PrdCall, PrdNode, PrdWorkflow};
    use reqgate_flow::{Effect, Enter, Workflow};
    use serde_json::Value;

    #[test]
    fn documents_without_a_draft_are_an_error_and_not_a_silent_end() {
        let state = PrdState::default();
        assert!(export(&state, None).is_err());
        assert!(matches!(PrdWorkflow.enter(PrdNode::Export, &state), Enter::Call(calls) if calls == [PrdCall::Today]));
        let told = PrdWorkflow.fold(PrdNode::Export, &state, &[]).map(|_| ()).expect_err("an error");
        assert_eq!(told.messages, ["there is no draft to write documents from"]);
    }

    /// A PRD that no person approved has the day of its end, and one with an approval has the time of it.
    #[test]
    fn the_data_says_when_the_prd_was_complete() {
        let mut team = TeamState::default();
        let drafted = |markdown: &str| TeamPatch::Drafted {
            markdown: markdown.to_owned(),
            author: "writer".to_owned(),
            day: "2026-11-24".to_owned(),
            revises: false,
            unasked: Vec::new(),
        };
        apply(&mut team, drafted("# PRD: X\n\n## Executive Summary\n\nWords.\n"));
        let completed = |team: &TeamState| {
            let state = PrdState { team: Some(team.clone()), ..PrdState::default() };
            let day = approved_at(team).is_none().then_some("2026-11-29");
            let outcome = export(&state, day).expect("there is a draft");
            let data = outcome.effects.iter().find_map(|effect| match effect {
                Effect::File { path, content, .. } if path.ends_with("prd.json") => Some(content.clone()),
                _ => None,
            });
            let data: Value = serde_json::from_str(&data.expect("the file")).expect("JSON");
            assert_eq!(data["schema"], "reqgate/team-prd/v1");
            assert!(data["refinement_summary"].as_str().is_some_and(|summary| summary.contains("Total iterations: 0")));
            data["completion_time"].clone()
        };
        assert_eq!(completed(&team), "2026-11-29");
        let approved = TeamPatch::Decided {
            kind: Checkpoint::FinalApproval,
            actor: "Mei".to_owned(),
            at: "2026-11-28T10:00:00Z".to_owned(),
            status: APPROVED.to_owned(),
            version: Some(1),
            uncited: Vec::new(),
        };
        apply(&mut team, approved);
        assert_eq!(completed(&team), "2026-11-28T10:00:00Z");
        // A later draft was not approved by that person.
        apply(&mut team, drafted("# PRD: Y\n"));
        assert_eq!(completed(&team), "2026-11-29");
    }
}
