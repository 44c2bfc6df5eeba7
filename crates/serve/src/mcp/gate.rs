//! The tools of the gate: check, review with the agent as reader, explain.

use serde_json::{Value, json};

use super::arguments::{Check, Explain, Review, read};
use super::documents::file_below;
use super::error::ToolError;
use super::site::Site;
use crate::Gate;
use crate::reading::{OpenOrder, Reviewed, because, reviewed};
use reqgate_base::clean;
use reqgate_base::model::{Language, Outcome, ReviewIssue, Stamp, StampState};
use reqgate_flow::schema_of;
use reqgate_gate::pipeline::{Pipeline, PipelineError};
use reqgate_gate::stages::intake::{RawInput, read_bytes};
use reqgate_orders::ReadingAnswer;

/// The maximum size of a ticket that is read from a file, in bytes.
const LONGEST_FILE: u64 = 4 * 1024 * 1024;
/// The maximum number of issues of each severity in a result.
const MOST_ISSUES: usize = 20;
/// The maximum number of questions to the author in a result.
const MOST_QUESTIONS: usize = 5;
/// The name of a ticket that was given as text.
const TEXT: &str = "text";

/// Judges a ticket by rules.
pub(super) fn check(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Check { text, path, policy } = read(&arguments)?;
    let gate = opened(site, policy.as_deref())?;
    let ticket = ticket(site, &gate.pipeline, text, path)?;
    let outcome = judged(&gate.pipeline, ticket)?;
    Ok(verdict(&outcome))
}

/// Judges a ticket with the agent as reader: returns an order first, and the verdict once the reading is sent.
pub(super) fn review(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Review { text, path, policy, order_id, reading } = read(&arguments)?;
    let gate = opened(site, policy.as_deref())?;
    let ticket = ticket(site, &gate.pipeline, text, path)?;
    let reviewed = reviewed(gate, ticket, order_id.as_deref(), reading);
    Ok(match reviewed.map_err(|(error, words)| not_judged(&error, words))? {
        Reviewed::ByRules(outcome) => {
            let mut done = verdict(&outcome);
            done["status"] = "judged".into();
            done["note"] = "no reading is needed or possible for this text; this is the verdict of the rules".into();
            done
        }
        Reviewed::Order(order) => ordered("read", &order),
        Reviewed::Stale(order) => {
            let mut stale = ordered("stale", &order);
            stale["note"] = "the order_id is missing or that of another text: read this one".into();
            stale
        }
        Reviewed::Rejected { id, problems } => {
            json!({ "status": "rejected", "order_id": id, "problems": problems, "result_schema": schema_of::<ReadingAnswer>() })
        }
        Reviewed::Judged(outcome) => {
            let mut done = verdict(&outcome);
            done["status"] = "judged".into();
            let set_aside = outcome.model.iter().flat_map(|report| &report.discarded);
            let set_aside: Vec<Value> = set_aside
                .map(|one| json!({ "said": clean::one_line(&one.said), "because": because(one.reason) }))
                .collect();
            done["set_aside"] = set_aside.into();
            done
        }
    })
}

/// Opens a new gate under a policy, so that changed files take effect. An error with a policy is reported as an unknown
/// policy.
fn opened(site: &Site<'_>, policy: Option<&str>) -> Result<Gate, ToolError> {
    site.installation.gate(policy).map_err(|error| match policy {
        Some(_) => ToolError::new("bad_arguments", error, "call again with a known policy"),
        None => ToolError::installation(error),
    })
}

pub(crate) fn explain(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Explain { rule, language } = read(&arguments)?;
    let explained = site.installation.explanation(&rule, language.unwrap_or(Language::En));
    let text = explained.map_err(|error| ToolError::new("unknown_rule", error, "take the rule from a result"))?;
    Ok(json!({ "rule": rule, "explanation": text }))
}

/// The ticket, from one of the two arguments.
fn ticket(
    site: &Site<'_>,
    pipeline: &Pipeline,
    text: Option<String>,
    path: Option<String>,
) -> Result<RawInput, ToolError> {
    let (name, bytes) = match (text, path) {
        (Some(text), None) => (TEXT.to_owned(), text.into_bytes()),
        (None, Some(path)) => file_below(site, &path, LONGEST_FILE)?,
        _ => {
            return Err(ToolError::new("bad_arguments", "give either `text` or `path`", "call again with one of them"));
        }
    };
    let unreadable = |error: String| ToolError::new("unreadable", pipeline.masked(&error), "send the ticket as text");
    let mut inputs = read_bytes(&name, &bytes).into_iter();
    match (inputs.next(), inputs.next()) {
        (Some(Ok(input)), None) => Ok(input),
        (Some(Err(error)), _) => Err(unreadable(error.to_string())),
        (None, _) => Err(unreadable("the file holds no ticket".to_owned())),
        (Some(Ok(_)), Some(_)) => {
            Err(ToolError::new("several_tickets", "the file holds several tickets", "send one of them as text"))
        }
    }
}

fn judged(pipeline: &Pipeline, ticket: RawInput) -> Result<Outcome, ToolError> {
    pipeline.run(ticket).map_err(|error| not_judged(&error, pipeline.masked(&error.to_string())))
}

fn not_judged(error: &PipelineError, words: String) -> ToolError {
    match error {
        PipelineError::NoPolicy { .. } => ToolError::new("bad_arguments", words, "call again with a known policy"),
        _ => ToolError::new("not_judged", words, "correct it and call again"),
    }
}

/// The order as data. Untrusted text is only in the field `ticket`.
fn ordered(status: &str, order: &OpenOrder) -> Value {
    json!({
        "status": status,
        "order_id": order.id,
        "instructions": order.filled.instructions,
        "ticket": clean::lines(&order.filled.data),
        "result_schema": schema_of::<ReadingAnswer>(),
        "submit_with": "review_requirement with the same text or path and policy, this order_id, and your reading",
    })
}

/// The verdict on a ticket.
fn verdict(outcome: &Outcome) -> Value {
    let report = outcome.score_report.as_ref();
    let is_standing = |issue: &&ReviewIssue| !issue.disposition.is_waived();
    let blocking: Vec<&ReviewIssue> =
        report.iter().flat_map(|report| &report.blocking_issues).filter(is_standing).collect();
    let others: Vec<&ReviewIssue> =
        report.iter().flat_map(|report| &report.non_blocking_issues).filter(is_standing).collect();
    let mut questions: Vec<&str> = Vec::new();
    for question in blocking.iter().chain(&others).filter_map(|issue| issue.question.as_deref()) {
        if questions.len() < MOST_QUESTIONS && !questions.contains(&question) {
            questions.push(question);
        }
    }
    let path = outcome.decision.path_to_pass.as_ref();
    let stamp = Stamp::find(&outcome.packet.raw_text);
    let mut json = json!({
        "verdict": outcome.decision.verdict.name(),
        "passes": outcome.decision.verdict.is_pass(),
        "explanation": clean::one_line(&outcome.decision.explanation),
        "score": report.map(|report| report.total_score),
        "needs": outcome.decision.threshold,
        "policy": outcome.decision.policy.as_ref().map(|policy| policy.id.as_str()),
        "blockers": blocking.iter().take(MOST_ISSUES).map(|issue| issue_json(issue)).collect::<Vec<_>>(),
        "warnings": others.iter().take(MOST_ISSUES).map(|issue| issue_json(issue)).collect::<Vec<_>>(),
        "questions": questions.iter().map(|question| clean::one_line(question)).collect::<Vec<_>>(),
        "score_after_all_edits": path.map(|path| path.score_after),
        "stamp": Stamp::of(outcome),
        "stamp_in_text": stamp.as_ref().map(|stamp| StampState::of(Some(stamp), outcome)),
    });
    if let Some(fields) = json.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    let left_out = blocking.len().saturating_sub(MOST_ISSUES) + others.len().saturating_sub(MOST_ISSUES);
    if left_out > 0 {
        json["left_out"] = left_out.into();
    }
    json
}

fn issue_json(issue: &ReviewIssue) -> Value {
    let mut json = json!({
        "rule": issue.rule_id.as_str(),
        "problem": clean::one_line(&issue.description),
        "write": clean::one_line(&issue.suggestion),
    });
    match issue.position {
        Some(position) => {
            json["line"] = position.line.into();
            json["column"] = position.column.into();
        }
        None if issue.is_estimate() => json["place"] = "not found in the text; is it there?".into(),
        None => json["place"] = "missing from the whole text".into(),
    }
    if let Some(quote) = &issue.quote {
        json["quote"] = clean::one_line(quote).into();
    }
    json
}
