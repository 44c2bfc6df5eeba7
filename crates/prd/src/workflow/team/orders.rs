//! The orders of the team flow for outlines, findings, drafts and revisions, with all texts that they may use.

use serde_json::{Value, json};

use super::citable::{citable_sources, research_misses};
use super::contradictions::open_in;
use super::marks::with_marks;
use super::revision::{asked_sections, issues_of};
use crate::collect::BriefFeedback;
use crate::critique::requests;
use crate::team::PrdOutline;
use crate::team::citations::ResearchSources;
use crate::workflow::state::PrdState;
use crate::workflow::steps::results::sources;
use crate::workflow::{DraftStep, SourceText, WorkOrder};
use reqgate_messages as messages;

/// The order for a draft, with all texts that it may use.
pub(super) fn order(step: DraftStep, state: &PrdState) -> WorkOrder {
    let team = state.team();
    let named = |name: &str, text: String| SourceText { name: name.to_owned(), text };
    let feedback =
        team.guidance.clone().map(|words| BriefFeedback { user_feedback: Some(words), ..BriefFeedback::default() });
    let mut documents = Vec::new();
    let outline = || team.prd_outline.as_ref().map(|outline: &PrdOutline| named("outline", outline.to_markdown()));
    let finding = |name: &str, found: Value| findings_in_lines(&found).map(|lines| named(name, lines));
    let writes = matches!(step, DraftStep::TeamDraft | DraftStep::TeamRevision);
    if matches!(step, DraftStep::Outline | DraftStep::TeamDraft) && !state.left_open.is_empty() {
        let lines: String = state.left_open.iter().map(|one| format!("- {}\n", one.question)).collect();
        documents.push(named("questions", lines));
    }
    if step != DraftStep::Outline || team.guidance.is_some() {
        documents.extend(outline());
    }
    if writes {
        documents.extend(finding("market_research", json!(team.market_research)));
        documents.extend(finding("competitive_analysis", json!(team.competitive_analysis)));
        documents.extend(finding("user_research", json!(team.user_research)));
        let second = &team.second_findings;
        documents.extend(finding("second_market_research", json!(second.market_research)));
        documents.extend(finding("second_competitive_analysis", json!(second.competitive_analysis)));
        documents.extend(finding("second_user_research", json!(second.user_research)));
        documents.extend(
            team.disagreements_for_the_writer(state.team_language()).map(|text| named("research_disagreements", text)),
        );
        let misses = research_misses(state);
        if !misses.is_empty() {
            let note = messages::Prd::of(state.team_language()).research_is_older(&misses.join(", "));
            documents.push(named("research_notes", note));
        }
    }
    let is_revision = step == DraftStep::TeamRevision;
    let revised = team.revised_draft().map(|draft| draft.entry.version).filter(|_| is_revision);
    let round = revised.and_then(|version| team.round_of(version));
    if let Some(round) = round {
        documents.push(named("critiques", requests(&round.critiques, state.team_language())));
    }
    let mut texts = sources(state);
    if step != DraftStep::Outline {
        texts.extend(team.research_texts.iter().cloned());
    }
    let prd = team.revised_draft().map(|draft| with_marks(&draft.markdown)).filter(|_| is_revision);
    let gaps = prd.as_deref().map(|prd| open_in(team, prd)).unwrap_or_default();
    let asked = prd
        .as_deref()
        .map(|prd| asked_sections(prd, &issues_of(round), team.guidance.as_deref(), state.team_language()));
    WorkOrder {
        sources: texts,
        documents,
        feedback,
        gaps,
        today: team.today.clone(),
        references: if writes { citable_sources(state) } else { ResearchSources::default() },
        prd,
        sections: asked.unwrap_or_default(),
        ..WorkOrder::of(step)
    }
}

/// Findings as lines, `path: text (source:line)`, without the fields that are empty; `None` without a finding.
fn findings_in_lines(found: &Value) -> Option<String> {
    let mut lines = Vec::new();
    add_lines(found, "", &mut lines);
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn add_lines(found: &Value, path: &str, lines: &mut Vec<String>) {
    let label = |text: &str| if path.is_empty() { text.to_owned() } else { format!("{path}: {text}") };
    match found {
        Value::Null => {}
        Value::Array(items) => items.iter().for_each(|item| add_lines(item, path, lines)),
        Value::Object(fields) if fields.get("text").is_some_and(Value::is_string) => {
            let text = found["text"].as_str().unwrap_or_default();
            let (source, line) = (found["source"]["source"].as_str().unwrap_or_default(), &found["source"]["line"]);
            lines.push(label(&format!("{text} ({source}:{line})")));
        }
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            let name = fields.get("name").and_then(Value::as_str);
            let own = name.map_or_else(|| path.to_owned(), |name| format!("{path}{dot}{name}"));
            let dot = if own.is_empty() { "" } else { "." };
            fields.iter().filter(|(key, _)| *key != "name").for_each(|(key, field)| {
                add_lines(field, &format!("{own}{dot}{key}"), lines);
            });
        }
        Value::String(text) => lines.push(label(text)),
        other => lines.push(label(&other.to_string())),
    }
}
