//! Outcomes of texts that are not scored: stopped by the guardrail, no requirement, or no draft and no fallback; and the sentence that explains a verdict.

use super::Clock;
use crate::model::{
    BlockReason, GateDecision, GuardrailAction, GuardrailReport, Outcome, RequirementPacket, Stage, Structured,
    TicketType, Verdict,
};
use crate::rules::Profile;
use crate::stages::gate::Ruling;
use crate::stages::structure_check::StructureCheck;

/// The sentence that explains what the gate decided.
pub fn explanation(ruling: &Ruling, score: f64, threshold: f64) -> String {
    let first = |description: &str, more: usize| match more {
        0 => description.to_string(),
        1 => format!("{description} (and 1 more blocker)"),
        n => format!("{description} (and {n} more blockers)"),
    };
    let reasons = &ruling.reasons;
    let blockers = reasons.iter().filter(|reason| matches!(reason, BlockReason::Blocker { .. })).count();
    match reasons.first() {
        None if ruling.questions == 1 => format!("Probably ready: {score}/100, {threshold} needed; one question."),
        None if ruling.questions > 1 => {
            format!("Probably ready: {score}/100, {threshold} needed; {} questions.", ruling.questions)
        }
        None => format!("Ready: {score}/100, {threshold} needed, nothing blocks."),
        Some(BlockReason::Blocker { description, .. }) => {
            format!("Not ready: {}.", first(description, blockers - 1))
        }
        _ => format!("Not ready: {score}/100, but {threshold} needed."),
    }
}

fn stopped(reasons: &[BlockReason]) -> String {
    let description = reasons.iter().find_map(|reason| match reason {
        BlockReason::Guardrail { description } => Some(description.as_str()),
        _ => None,
    });
    format!("Stopped by the guardrail: {}", description.unwrap_or("the input is not fit to be judged"))
}

/// What is added to the explanation of a ticket that reads like a question, but not surely, and was judged nevertheless.
pub fn doubt(profile: Profile) -> &'static str {
    match profile {
        Profile::Bug => {
            " It reads like a question, but may report a bug and was judged as one; if it only asks, state its type."
        }
        _ => {
            " It reads like a question, but may ask for a change and was judged as that; if it only asks, state its type."
        }
    }
}

pub fn guardrail_rejected(
    input: String,
    packet: RequirementPacket,
    guardrail: GuardrailReport,
    clock: Clock,
) -> Outcome {
    let rejecting = guardrail.findings.iter().filter(|finding| finding.action == GuardrailAction::Reject);
    let reasons: Vec<BlockReason> =
        rejecting.map(|finding| BlockReason::Guardrail { description: finding.message.clone() }).collect();
    let decision = GateDecision {
        verdict: Verdict::GuardrailRejected,
        explanation: stopped(&reasons),
        reasons,
        threshold: None,
        rubric: None,
        policy: None,
        certainty: None,
        questions_only: false,
        waivers: Vec::new(),
        path_to_pass: None,
    };
    unjudged(input, packet, guardrail, decision, clock)
}

pub fn not_applicable(input: String, packet: RequirementPacket, guardrail: GuardrailReport, clock: Clock) -> Outcome {
    let what = match packet.ticket_type.value {
        TicketType::Question => "a question, not a requirement",
        TicketType::Discussion => "a discussion, not one requirement; write a ticket for each wish that was agreed",
        _ => "a task, not a requirement",
    };
    let decision = GateDecision {
        verdict: Verdict::NotApplicable,
        reasons: Vec::new(),
        explanation: format!("Not applicable: this is {what}."),
        threshold: None,
        rubric: None,
        policy: None,
        certainty: None,
        questions_only: false,
        waivers: Vec::new(),
        path_to_pass: None,
    };
    unjudged(input, packet, guardrail, decision, clock)
}

/// A text of which no draft can be made, where the installation wants no score of raw text (C-071).
pub fn structuring_failed(
    input: String,
    packet: RequirementPacket,
    guardrail: GuardrailReport,
    structured: Structured,
    check: Option<StructureCheck>,
    clock: Clock,
) -> Outcome {
    let description = structured.failures.join("; ");
    let error_logs = vec![format!("Structuring failed, no fallback: {description}")];
    let explanation = format!(
        "Not ready: no draft can be made of it ({description}), and the fallback to the raw text is switched off."
    );
    let reasons = vec![BlockReason::StructuringFailed { description }];
    let decision = GateDecision {
        verdict: Verdict::Reject,
        explanation,
        reasons,
        threshold: None,
        rubric: None,
        policy: None,
        certainty: None,
        questions_only: false,
        waivers: Vec::new(),
        path_to_pass: None,
    };
    Outcome {
        structured: Some(structured),
        structuring_skipped: false,
        structure_check_passed: check.as_ref().map(StructureCheck::passed),
        structure_errors: check.map(|check| check.errors).unwrap_or_default(),
        error_logs,
        ..unjudged(input, packet, guardrail, decision, clock)
    }
}

/// An outcome without structuring, check and score: shown as skipped, never as passed.
fn unjudged(
    input: String,
    packet: RequirementPacket,
    guardrail: GuardrailReport,
    decision: GateDecision,
    clock: Clock,
) -> Outcome {
    Outcome {
        input,
        packet,
        guardrail,
        structured: None,
        structuring_skipped: true,
        fallback_activated: false,
        structure_check_passed: None,
        structure_errors: Vec::new(),
        structure_warnings: Vec::new(),
        score_report: None,
        decision,
        retry_count: 0,
        error_logs: Vec::new(),
        current_stage: Stage::Gate,
        execution_times: clock.times,
        model: None,
    }
}
