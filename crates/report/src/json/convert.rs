//! Copies an outcome into the frozen shape of version 1.

mod model;

use super::v1;
use crate::digest::Digest;
use crate::summary_markdown;
use crate::ticket_name::title;
use reqgate_base::model::{
    Edit, FacetEvidence, FoundElement, GateDecision, Grounding, GuardrailReport, LineIndex, Outcome, ReaderQuestion,
    ReviewIssue, SignSeen, Span, Stamp, TicketReading, TicketScoreReport, Waiver, WaiverUse,
};

/// The outcome in the shape of version 1; its text and the evidence of its facets are included on request.
pub(super) fn outcome(outcome: &Outcome, shown: Shown) -> v1::Outcome {
    let places = Places { text: &outcome.packet.raw_text, index: LineIndex::new(&outcome.packet.raw_text) };
    let draft = outcome.structured.as_ref().and_then(|structured| structured.draft.as_ref());
    v1::Outcome {
        input: outcome.input.clone(),
        packet: packet(outcome, &places, shown.text),
        guardrail: guardrail(&outcome.guardrail, &places),
        structured_prd: draft.cloned(),
        grounding: outcome.structured.as_ref().map(|structured| grounding(&structured.grounding, &places)),
        structure_check_passed: outcome.structure_check_passed,
        structure_errors: outcome.structure_errors.clone(),
        structure_warnings: outcome.structure_warnings.clone(),
        score_report: outcome
            .score_report
            .as_ref()
            .map(|report| score_report(outcome, report, &Digest::new(outcome), &places)),
        gate_decision: outcome.decision.verdict.is_pass(),
        decision: decision(&outcome.decision, &places),
        fallback_activated: outcome.fallback_activated,
        structuring_skipped: outcome.structuring_skipped,
        retry_count: outcome.retry_count,
        error_logs: outcome.error_logs.clone(),
        current_stage: outcome.current_stage,
        execution_times: outcome.execution_times.iter().map(|(stage, time)| (stage.name(), finite(*time))).collect(),
        model: outcome.model.as_ref().map(|report| model::model(report, &places)),
        reading: outcome.reading.as_ref().map(|it| reading(it, &places)),
        stamp: Stamp::of(outcome).map(Into::into),
        facets: outcome.structured.as_ref().filter(|_| shown.facets).map(|it| evidence(&it.facets.evidence, &places)),
    }
}

fn reading(reading: &TicketReading, places: &Places<'_>) -> v1::Reading {
    let question = |question: &ReaderQuestion| v1::ReadingQuestion {
        code: question.code,
        ask: question.ask.clone(),
        must: question.must,
        quote: question.span.map(|span| span.slice(places.text).to_owned()),
        place: question.span.map(|span| places.at(span)),
        probability: finite(question.probability),
    };
    let element = |found: &FoundElement| v1::FoundElement {
        element: found.element.clone(),
        probability: finite(found.probability),
        quote: found.span.map(|span| span.slice(places.text).to_owned()),
        place: found.span.map(|span| places.at(span)),
    };
    v1::Reading {
        kind: reading.kind,
        ready: reading.ready,
        not_ready: finite(reading.not_ready),
        not_actionable: finite(reading.not_actionable),
        questions: reading.questions.iter().map(question).collect(),
        found: reading.found.iter().map(element).collect(),
        team_weights: reading.team.clone(),
    }
}

/// The optional parts of a report.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub text: bool,
    /// The signs for and against each facet.
    pub facets: bool,
}

fn evidence(all: &[FacetEvidence], places: &Places<'_>) -> Vec<v1::FacetEvidence> {
    let sign = |sign: &SignSeen| v1::FacetSign {
        id: sign.id.clone(),
        says: sign.says.clone(),
        weight: finite(sign.weight),
        place: sign.span.map(|span| places.at(span)),
    };
    let one = |evidence: &FacetEvidence| v1::FacetEvidence {
        facet: evidence.facet.clone(),
        probability: (finite(evidence.probability()) * 1000.0).round() / 1000.0,
        signs: evidence.signs.iter().map(sign).collect(),
    };
    all.iter().map(one).collect()
}

struct Places<'a> {
    text: &'a str,
    index: LineIndex,
}

impl Places<'_> {
    fn at(&self, span: Span) -> v1::Place {
        let position = self.index.position(self.text, span.start);
        v1::Place { start: span.start, end: span.end, line: position.line, column: position.column }
    }

    fn all(&self, spans: &[Span]) -> Vec<v1::Place> {
        spans.iter().map(|span| self.at(*span)).collect()
    }
}

/// Replaces infinity and NaN by 0: JSON cannot express them, and the report must stay valid.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

fn packet(outcome: &Outcome, places: &Places<'_>, include_text: bool) -> v1::Packet {
    let packet = &outcome.packet;
    v1::Packet {
        raw_text: include_text.then(|| packet.raw_text.clone()),
        id: packet.id.clone(),
        title: title(outcome),
        url: packet.url.clone(),
        title_span: packet.title_span.map(|span| places.at(span)),
        source_type: packet.source_type.value,
        source_type_origin: packet.source_type.origin,
        ticket_type: packet.ticket_type.value,
        ticket_type_origin: packet.ticket_type.origin,
        language: packet.language.value,
        language_origin: packet.language.origin,
        other_language: packet.other_language.map(|other| other.value.code()),
        project_key: packet.project_key.clone(),
        priority: packet.priority,
        labels: packet.labels.clone(),
        attachments: packet.attachments.iter().map(|attachment| attachment.name.clone()).collect(),
    }
}

fn guardrail(report: &GuardrailReport, places: &Places<'_>) -> v1::Guardrail {
    let findings = report.findings.iter().map(|finding| v1::GuardrailFinding {
        kind: finding.kind,
        pattern: finding.pattern.clone(),
        place: finding.span.map(|span| places.at(span)),
        action: finding.action,
        message: finding.message.clone(),
    });
    v1::Guardrail { status: report.status, counted_characters: report.counted_characters, findings: findings.collect() }
}

fn grounding(grounding: &Grounding, places: &Places<'_>) -> v1::Grounding {
    v1::Grounding {
        title: grounding.title.map(|span| places.at(span)),
        user_story: places.all(&grounding.user_story),
        acceptance_criteria: places.all(&grounding.acceptance_criteria),
        edge_cases: places.all(&grounding.edge_cases),
        resources: places.all(&grounding.resources),
    }
}

fn score_report(
    outcome: &Outcome,
    report: &TicketScoreReport,
    digest: &Digest<'_>,
    places: &Places<'_>,
) -> v1::ScoreReport {
    let penalties = (report.penalties.iter()).map(|penalty| v1::Penalty {
        reason: penalty.reason.words(digest.language).to_owned(),
        points: finite(penalty.points),
    });
    let issues = |issues: &[ReviewIssue]| issues.iter().map(|it| issue(it, digest, places)).collect();
    v1::ScoreReport {
        total_score: finite(report.total_score),
        ready_for_review: report.ready_for_review,
        dimension_scores: report.dimension_scores.clone(),
        penalties: penalties.collect(),
        blocking_issues: issues(&report.blocking_issues),
        non_blocking_issues: issues(&report.non_blocking_issues),
        summary_markdown: summary_markdown(outcome),
    }
}

fn issue(issue: &ReviewIssue, digest: &Digest<'_>, places: &Places<'_>) -> v1::Issue {
    v1::Issue {
        rule_id: issue.rule_id.to_string(),
        severity: issue.severity,
        category: issue.category,
        description: issue.description.clone(),
        suggestion: issue.suggestion.clone(),
        question: issue.question.clone(),
        place: issue.span.map(|span| places.at(span)),
        quote: issue.quote.clone(),
        fingerprint: issue.fingerprint.0.clone(),
        points: finite(issue.points),
        severity_note: issue.disposition.note(digest.language),
        waived: digest.waived.iter().any(|(waived, _)| std::ptr::eq(*waived, issue)),
        basis: issue.basis,
    }
}

fn decision(decision: &GateDecision, places: &Places<'_>) -> v1::Decision {
    v1::Decision {
        verdict: decision.verdict,
        reasons: decision.reasons.clone(),
        explanation: decision.explanation.clone(),
        not_judged: decision.not_judged,
        threshold: decision.threshold.map(finite),
        rubric: decision.rubric.clone(),
        policy: decision.policy.as_ref().map(|policy| v1::Policy {
            id: policy.id.clone(),
            version: policy.version.clone(),
            hash: policy.hash.clone(),
        }),
        certainty: decision.certainty.map(finite),
        questions_only: decision.questions_only,
        waivers: decision.waivers.iter().map(|(it, used)| waiver(it, used)).collect(),
        path_to_pass: decision.path_to_pass.as_ref().map(|path| v1::PathToPass {
            edits: path.edits.iter().map(|it| edit(it, places)).collect(),
            score_after: finite(path.score_after),
        }),
    }
}

fn waiver(waiver: &Waiver, used: &WaiverUse) -> v1::Waiver {
    let (status, count) = match used {
        WaiverUse::Used(count) => (v1::WaiverStatus::Used, *count),
        WaiverUse::Unused => (v1::WaiverStatus::Unused, 0),
        WaiverUse::Expired => (v1::WaiverStatus::Expired, 0),
    };
    v1::Waiver {
        rule: waiver.rule.to_string(),
        reason: waiver.reason.clone(),
        fingerprint: waiver.fingerprint.as_ref().map(|fingerprint| fingerprint.0.clone()),
        input: waiver.input.clone(),
        expires: waiver.expires.clone(),
        status,
        count,
    }
}

fn edit(edit: &Edit, places: &Places<'_>) -> v1::Edit {
    v1::Edit {
        instruction: edit.instruction.clone(),
        rule_id: edit.rule_id.as_ref().map(ToString::to_string),
        criterion: edit.criterion.clone(),
        place: edit.span.map(|span| places.at(span)),
        points: finite(edit.points),
        removes_blocker: edit.removes_blocker,
    }
}
