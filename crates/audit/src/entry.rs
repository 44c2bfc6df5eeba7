//! The data that an audit keeps of a judged ticket.

use serde::{Deserialize, Serialize};

use super::EntryReading;
use reqgate_base::clean::short_words;
use reqgate_base::model::{Outcome, PolicyReference, RubricReference, RuleId, Verdict};
use reqgate_gate::stages::intake::TicketFacts;

/// The maximum length of a stored title, in characters.
const LONGEST_TITLE: usize = 160;

/// One ticket of an audit, small enough that a backlog of many thousands fits into memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name for people: `#12`, `PAY-3`, or the position in the file.
    pub id: String,
    /// The title, with personal data and secrets masked; empty if the guardrail stopped the run.
    pub title: String,
    /// The address of its page.
    pub url: Option<String>,
    /// The time of its creation, in the form of its source.
    pub created_at: Option<String>,
    /// The time of its last change, in the form of its source.
    pub updated_at: Option<String>,
    /// The ticket is open; also true if the source has no such field.
    pub is_open: bool,
    /// The number of comments and reactions.
    pub interest: u64,
    /// The verdict of the gate.
    pub verdict: Verdict,
    /// The score, 0 to 100, if it was scored.
    pub score: Option<f64>,
    /// The score that was needed for a pass.
    pub threshold: Option<f64>,
    /// The rubric that was applied.
    pub rubric: Option<RubricReference>,
    /// The policy that was applied.
    #[serde(default)]
    pub policy: Option<PolicyReference>,
    /// The rules that block it, without repetitions.
    pub blocking: Vec<RuleId>,
    /// The rules that only cost points, without repetitions.
    pub costing: Vec<RuleId>,
    /// The number of edits that lead to a pass, if a path was found.
    pub edits: Option<usize>,
    /// The first of these edits.
    pub first_edit: Option<String>,
    /// The estimated reading, if the policy uses readings.
    pub reading: Option<EntryReading>,
}

impl Entry {
    /// The entry for an outcome.
    pub fn of(facts: &TicketFacts, outcome: &Outcome) -> Self {
        let packet = &outcome.packet;
        let is_shown = outcome.decision.verdict != Verdict::GuardrailRejected;
        let title = packet.title_span.map_or_else(
            || packet.raw_text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default(),
            |span| span.slice(&packet.raw_text),
        );
        let title = if is_shown {
            short_words(title.trim().trim_start_matches('#').trim(), LONGEST_TITLE)
        } else {
            String::new()
        };
        let report = outcome.score_report.as_ref();
        let path = outcome.decision.path_to_pass.as_ref();
        Self {
            id: facts.id.clone().unwrap_or_else(|| outcome.input.clone()),
            title,
            url: facts.url.clone(),
            created_at: facts.created_at.clone(),
            updated_at: facts.updated_at.clone(),
            is_open: facts.is_open.unwrap_or(true),
            interest: facts.comments.unwrap_or(0).saturating_add(facts.reactions.unwrap_or(0)),
            verdict: outcome.decision.verdict,
            score: report.map(|report| report.total_score),
            threshold: outcome.decision.threshold,
            rubric: outcome.decision.rubric.clone(),
            policy: outcome.decision.policy.clone(),
            blocking: report.map(|report| rules(&report.blocking_issues)).unwrap_or_default(),
            costing: report.map(|report| rules(&report.non_blocking_issues)).unwrap_or_default(),
            edits: path.map(|path| path.edits.len()),
            first_edit: path.and_then(|path| path.edits.first()).map(|edit| edit.instruction.clone()),
            reading: outcome.reading.as_ref().map(EntryReading::of),
        }
    }
}

fn rules(issues: &[reqgate_base::model::ReviewIssue]) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = Vec::new();
    for issue in issues {
        if !rules.contains(&issue.rule_id) {
            rules.push(issue.rule_id.clone());
        }
    }
    rules
}
