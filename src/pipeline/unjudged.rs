//! Outcomes of texts that are not scored: stopped by the guardrail, or no requirement; and the sentence that explains a verdict.

use super::Clock;
use crate::model::{
    BlockReason, GateDecision, GuardrailAction, GuardrailReport, Outcome, RequirementPacket, Stage, TicketType, Verdict,
};

pub fn explanation(verdict: Verdict, reasons: &[BlockReason], score: f64, threshold: f64) -> String {
    let first = |description: &str, more: usize| match more {
        0 => description.to_string(),
        1 => format!("{description} (and 1 more blocker)"),
        n => format!("{description} (and {n} more blockers)"),
    };
    let blockers = reasons.iter().filter(|reason| matches!(reason, BlockReason::Blocker { .. })).count();
    match (verdict, reasons.first()) {
        (Verdict::Pass, _) => format!("Ready: {score}/100, {threshold} needed, nothing blocks."),
        (_, Some(BlockReason::Blocker { description, .. })) => {
            format!("Not ready: {}.", first(description, blockers - 1))
        }
        (_, Some(BlockReason::Guardrail { description })) => format!("Stopped by the guardrail: {description}"),
        _ => format!("Not ready: {score}/100, but {threshold} needed."),
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
        explanation: explanation(Verdict::GuardrailRejected, &reasons, 0.0, 0.0),
        reasons,
        threshold: None,
        rubric: None,
        waivers: Vec::new(),
        path_to_pass: None,
    };
    unjudged(input, packet, guardrail, decision, clock)
}

pub fn not_applicable(input: String, packet: RequirementPacket, guardrail: GuardrailReport, clock: Clock) -> Outcome {
    let what = match packet.ticket_type.value {
        TicketType::Question => "a question",
        _ => "a task",
    };
    let decision = GateDecision {
        verdict: Verdict::NotApplicable,
        reasons: Vec::new(),
        explanation: format!("Not applicable: this is {what}, not a requirement."),
        threshold: None,
        rubric: None,
        waivers: Vec::new(),
        path_to_pass: None,
    };
    unjudged(input, packet, guardrail, decision, clock)
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
