//! Builds the outcome: the draft with its gaps and questions, the report, the log of failures.

use super::Clock;
use super::judged::Judged;
use crate::orders::MOST_QUESTIONS;
use crate::review;
use crate::stages::gate::Issues;
use crate::stages::structure_check::StructureCheck;
use reqgate_base::model::{
    Category, DraftGap, ExecutionTimes, FoundElement, GateDecision, GuardrailReport, Language, Outcome, QuestionCode,
    ReaderQuestion, RequirementPacket, ReviewIssue, Severity, Stage, Structured, TeamReference, TicketReading,
    TicketScoreReport, TicketType, Verdict,
};
use reqgate_rules::RuleBook;

/// The results of the rules for the text.
pub(super) struct Rules {
    pub structured: Structured,
    pub by_evidence: bool,
    pub on_raw_text: bool,
    pub check: Option<StructureCheck>,
}

/// The parts that every outcome has: an input after guardrail and normalisation.
pub(super) struct Subject {
    /// The name of the input.
    pub input: String,
    pub packet: RequirementPacket,
    /// The language of the report.
    pub language: Language,
    pub guardrail: GuardrailReport,
}

/// All parts of a scored outcome.
pub(super) struct Parts {
    pub subject: Subject,
    pub rules: Rules,
    pub judged: Judged,
    pub reading: Option<TicketReading>,
}

/// The outcome of a scored text. At most `most_questions` questions go to the author, and never more than five (the
/// limit of spec-kit).
pub(super) fn scored(parts: Parts, skipped: bool, most_questions: usize, mut clock: Clock) -> Outcome {
    let Parts { subject, rules, judged, reading } = parts;
    let Subject { input, packet, language, guardrail } = subject;
    let Rules { structured, by_evidence, on_raw_text, check } = rules;
    let Judged { scored, decision, issues, model, assisted, .. } = judged;
    let score = scored.score;
    let failures = DraftGap::list(&structured.failures, Language::En);
    let mut shown = match assisted {
        None => structured,
        Some(assisted) if by_evidence => assisted.structured,
        Some(assisted) => assisted.structured.whole_or_nothing(),
    };
    let fallback_activated = shown.draft.is_none() && !skipped;
    let mut error_logs = Vec::new();
    if fallback_activated {
        error_logs.push(format!("Structuring failed, using fallback mode: {failures}"));
    } else if on_raw_text {
        error_logs.push(format!("Structuring by the rules failed, the raw text was scored: {failures}"));
    }
    if let Some(errors) = check.as_ref().map(|check| check.errors.len()).filter(|count| *count > 0) {
        error_logs.push(format!("Hard Check #1 failed: {errors} issues found"));
    }
    error_logs.extend(model.iter().flat_map(review::failures));
    let is_heard = model.as_ref().is_some_and(|model| model.reading.is_some());
    let asked = reading.as_ref().map(|reading| reading.questions.as_slice());
    clock.time(Stage::Formatter, || complete(&mut shown, &issues, (asked, is_heard), (most_questions, language)));
    Outcome {
        input,
        packet,
        language,
        guardrail,
        structured: (!skipped).then_some(shown),
        structuring_skipped: skipped,
        fallback_activated,
        structure_check_passed: check.as_ref().map(StructureCheck::passed),
        structure_errors: check.as_ref().map(|check| check.errors.clone()).unwrap_or_default(),
        structure_warnings: check.map(|check| check.warnings).unwrap_or_default(),
        score_report: Some(TicketScoreReport {
            total_score: score.total,
            ready_for_review: decision.verdict == Verdict::Pass,
            dimension_scores: score.dimensions,
            penalties: score.penalties,
            blocking_issues: issues.blocking,
            non_blocking_issues: issues.warnings,
        }),
        decision,
        retry_count: model.iter().flat_map(|model| &model.steps).map(|step| step.attempts.saturating_sub(1)).sum(),
        error_logs,
        current_stage: Stage::Formatter,
        execution_times: clock.times,
        model,
        reading,
    }
}

/// The reading of the ticket, if there was an estimate: the questions of a model that read it, then the question of the
/// most important issue on each subject of the estimate.
pub(super) fn reading(
    book: &RuleBook,
    kind: TicketType,
    judged: &Judged,
    found: Vec<FoundElement>,
    team: Option<TeamReference>,
) -> Option<TicketReading> {
    let Judged { issues, estimate, heard_kind, asked, .. } = judged;
    let estimate = estimate.as_ref()?;
    let standing = || issues.blocking.iter().chain(&issues.warnings).filter(|issue| !issue.disposition.is_waived());
    let question = |code: QuestionCode, issue: &ReviewIssue| {
        let likely = estimate.asked.iter().find(|(other, _)| *other == code);
        Some(ReaderQuestion {
            code,
            ask: issue.question.clone()?,
            must: issue.severity == Severity::Blocker,
            span: issue.span,
            probability: hundredths(likely.map_or(1.0, |(_, probability)| *probability)),
        })
    };
    let by_model = asked.iter().filter_map(|own| {
        let issue = standing().find(|issue| issue.question.as_ref() == Some(&own.ask))?;
        question(own.code, issue)
    });
    let others = estimate.asked.iter().filter(|(code, _)| !asked.iter().any(|own| own.code == *code));
    let by_weights = others.filter_map(|(code, _)| {
        let asks = |issue: &&ReviewIssue| book.rule(&issue.rule_id).is_some_and(|rule| rule.file.asks == Some(*code));
        question(*code, standing().filter(asks).find(|issue| issue.question.is_some())?)
    });
    Some(TicketReading {
        kind: heard_kind.unwrap_or(kind),
        ready: estimate.readiness(),
        not_ready: hundredths(estimate.not_ready),
        not_actionable: hundredths(estimate.not_actionable),
        questions: by_model.chain(by_weights).take(MOST_QUESTIONS).collect(),
        found,
        team,
    })
}

/// Rounds to hundredths; no estimate is more exact.
fn hundredths(probability: f64) -> f64 {
    (probability * 100.0).round() / 100.0
}

/// Fills in the draft's gaps and the questions to the author. Estimated questions of a reader follow the questions of
/// blockers; those of a model that read the ticket precede them, with at most three in all.
fn complete(
    structured: &mut Structured,
    issues: &Issues,
    (asked, is_heard): (Option<&[ReaderQuestion]>, bool),
    (most_questions, language): (usize, Language),
) {
    let Some(draft) = &mut structured.draft else { return };
    let counts = |issue: &&ReviewIssue| issue.points > 0.0 || issue.severity == Severity::Blocker;
    let counted = || issues.blocking.iter().chain(&issues.warnings).filter(counts);
    draft.missing_info =
        counted().filter(|issue| issue.span.is_none()).map(|issue| issue.description.clone()).collect();
    // A draft without criteria says so, even if a small change may pass without them.
    let names_criteria = |issue: &ReviewIssue| issue.category == Category::MissingAc && issue.span.is_none();
    if structured.failures.contains(&DraftGap::Criteria) && !counted().any(names_criteria) {
        draft.missing_info.push(DraftGap::list(&[DraftGap::Criteria], language));
    }
    let blocking: Vec<&String> = issues.blocking.iter().filter_map(|issue| issue.question.as_ref()).collect();
    let others: Vec<&String> = match asked {
        Some(asked) => asked.iter().map(|question| &question.ask).collect(),
        None => counted().filter_map(|issue| issue.question.as_ref()).collect(),
    };
    let (first, second, most) = match is_heard {
        true => (others, blocking, most_questions.min(MOST_QUESTIONS)),
        false => (blocking, others, most_questions),
    };
    for question in first.into_iter().chain(second) {
        let questions = &mut draft.clarification_questions;
        if questions.len() < most && !questions.contains(question) {
            questions.push(question.clone());
        }
    }
}

/// An outcome without structuring, check and score, which are shown as skipped, never as passed.
pub(super) fn unscored(subject: Subject, decision: GateDecision, execution_times: ExecutionTimes) -> Outcome {
    let Subject { input, packet, language, guardrail } = subject;
    Outcome {
        input,
        packet,
        language,
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
        execution_times,
        model: None,
        reading: None,
    }
}

/// The same for a text that was structured and checked, but gave no draft.
pub(super) fn with_structure(outcome: Outcome, structured: Structured, check: Option<StructureCheck>) -> Outcome {
    Outcome {
        error_logs: vec![format!(
            "Structuring failed, no fallback: {}",
            DraftGap::list(&structured.failures, Language::En)
        )],
        structured: Some(structured),
        structuring_skipped: false,
        structure_check_passed: check.as_ref().map(StructureCheck::passed),
        structure_errors: check.map(|check| check.errors).unwrap_or_default(),
        ..outcome
    }
}
