//! Judges one story with the gate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::story::Story;
use crate::prd_document::PrdQuestion;
use crate::prd_text::question_shown;
use reqgate_base::model::{Acceptance, AcceptedFinding, BlockReason, Language, TicketType, Verdict};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::RawInput;
use reqgate_messages as messages;

/// The code of the question about an unclear demand, which does not count for stories.
const UNCLEAR_DEMAND: &str = "asks-what";

/// The verdict of the gate on a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoryVerdict {
    /// The verdict of the gate.
    pub verdict: Verdict,
    /// The score from 0 to 100; `null` if the story was not scored.
    pub score: Option<f64>,
    /// The required score from 0 to 100; `null` if the story was not scored.
    pub threshold: Option<f64>,
    /// The reasons against the story, one sentence each; empty for a pass.
    pub reasons: Vec<String>,
}

/// Judges a story as a ticket, with the open questions that it waits for; returns `None` if it cannot be judged.
pub fn judged(pipeline: &Pipeline, story: &Story, open: &[&PrdQuestion], language: Language) -> Option<StoryVerdict> {
    let body = body(story, open, language);
    let ticket = RawInput { name: story.story_id.clone(), ..RawInput::titled(&story.title, &body) };
    // Approved requirements already define the demand.
    let accepted = Acceptance {
        findings: vec![AcceptedFinding { rule: UNCLEAR_DEMAND.to_owned(), words: String::new() }],
        ..Acceptance::default()
    };
    let accepted = Some(accepted).filter(|_| !story.requirements.is_empty());
    let ticket = RawInput { ticket_type: Some(TicketType::Feature), language: Some(language), accepted, ..ticket };
    let outcome = pipeline.run(ticket).ok()?;
    let reason = |reason: &BlockReason| match reason {
        BlockReason::Blocker { description, .. }
        | BlockReason::Guardrail { description }
        | BlockReason::StructuringFailed { description }
        | BlockReason::OtherLanguage { description } => description.clone(),
        BlockReason::BelowThreshold { score, threshold } => messages::Plan::of(language)
            .points_needed(&format_args!("{:.0}", score.floor()), &format_args!("{threshold:.0}")),
    };
    Some(StoryVerdict {
        verdict: outcome.decision.verdict,
        score: outcome.score_report.map(|report| report.total_score),
        threshold: outcome.decision.threshold,
        reasons: outcome.decision.reasons.iter().map(reason).collect(),
    })
}

/// The story as one sentence; empty if the requirement has none.
pub(super) fn sentence(story: &Story, language: Language) -> String {
    let Some(wording) = &story.user_story else { return String::new() };
    let (role, wish, reason) = (wording.as_a.trim(), wording.i_want.trim(), wording.so_that.trim());
    let words = messages::Plan::of(language);
    let role = language.of(format!("{} {role}", article(role)), role.to_owned());
    match reason.is_empty() {
        true => words.wish(&role, &wish),
        false => words.wish_with_reason(&reason, &role, &wish),
    }
}

fn article(role: &str) -> &'static str {
    if role.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// The story as the text of a ticket.
fn body(story: &Story, open: &[&PrdQuestion], language: Language) -> String {
    let mut out = format!("{}\n", sentence(story, language));
    if let Some(notes) = &story.implementation_notes {
        out.push_str(&format!("\n{notes}\n"));
    }
    let mut list = |heading: &str, items: &[String]| {
        if !items.is_empty() {
            out.push_str(&format!("\n## {heading}\n\n"));
            out.extend(items.iter().map(|item| format!("- {item}\n")));
        }
    };
    list(messages::Plan::of(language).acceptance_criteria, &story.acceptance_criteria);
    list(messages::Plan::of(language).definition_of_done, &story.definition_of_done);
    let open: Vec<String> = open.iter().map(|question| question_shown(question, language)).collect();
    list(messages::Plan::of(language).waits_for_questions, &open);
    out
}
