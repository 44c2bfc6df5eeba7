//! Creates the row of a disputed or confirmed finding.

use reqgate_base::clean::short_line;
use reqgate_base::model::{Outcome, ReviewIssue};
use reqgate_gate::pipeline::Pipeline;
use reqgate_rules::dispute::{DISPUTE_SCHEMA, Dispute, Judgement};

/// The finding with this fingerprint in an outcome.
pub fn find<'o>(outcome: &'o Outcome, fingerprint: &str) -> Option<&'o ReviewIssue> {
    let report = outcome.score_report.as_ref()?;
    let mut issues = report.blocking_issues.iter().chain(&report.non_blocking_issues);
    issues.find(|issue| issue.fingerprint.0 == fingerprint)
}

/// The row of a finding; all text written by people is screened.
pub fn row(pipeline: &Pipeline, outcome: &Outcome, issue: &ReviewIssue, label: Judgement, because: &str) -> Dispute {
    let masked = |text: &str| {
        // A row is one line, so control characters are removed.
        let text = short_line(text, 500);
        pipeline.screen(&text).text
    };
    Dispute {
        schema: DISPUTE_SCHEMA.to_owned(),
        fingerprint: issue.fingerprint.clone(),
        rule: issue.rule_id.clone(),
        severity: issue.severity,
        label,
        because: masked(because),
        // The quote was cut from a masked text; screening it again is cheap.
        quote: issue.quote.as_deref().map(masked),
        input: masked(&outcome.input),
        language: outcome.packet.language.value,
        rubric: outcome.decision.rubric.as_ref().map(|rubric| format!("{} {}", rubric.id, rubric.version)),
    }
}
