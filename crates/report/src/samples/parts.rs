//! The parts of the sample outcomes.

use reqgate_base::model::{
    AnswerOrigin, Attachment, Basis, Category, CriterionScore, Deduction, Detected, DimensionScore, Disposition,
    FallbackLevel, Fingerprint, GateDecision, GuardrailAction, GuardrailFinding, GuardrailKind, GuardrailReport,
    GuardrailStatus, Language, LineIndex, ModelReport, ModelStep, ModelStepEnd, ModelTask, ModelUsage, Outcome,
    Priority, PromptReference, RequirementPacket, ReviewIssue, RubricReference, RuleCard, RuleId, Severity, SourceType,
    Span, Stage, TicketScoreReport, TicketType, Verdict,
};
use reqgate_base::project::rule_page;

/// A rule id; panics if it is malformed.
pub fn rule(id: &str) -> RuleId {
    RuleId::new(id).expect("the id is well formed")
}

/// The public descriptions of two rules.
pub fn cards() -> Vec<RuleCard> {
    let card = |id, category, severity, summary: &str, fix: &str| RuleCard {
        id: rule(id),
        category,
        severity,
        summary: summary.to_owned(),
        why: "Two readers will build two different things.".to_owned(),
        question: "What figure would satisfy you?".to_owned(),
        fix: fix.to_owned(),
        source: Some("INCOSE R7".to_owned()),
        bad_example: Some("The page loads fast.".to_owned()),
        good_example: Some("The page loads in 2 s.".to_owned()),
        precision: None,
        page: Some(rule_page(&rule(id))),
    };
    vec![
        card(
            "missing-acceptance-criteria",
            Category::MissingAc,
            Severity::Blocker,
            "No condition of acceptance is given.",
            "Add at least two conditions that a tester can check.",
        ),
        card("vague-term", Category::Ambiguity, Severity::Warning, "A word that cannot be tested.", "Give a figure."),
    ]
}

/// An issue at the first occurrence of `words` in `text`, or one about the whole text.
pub(super) fn issue(text: &str, id: &str, severity: Severity, words: Option<&str>, points: f64) -> ReviewIssue {
    let span = words.map(|words| {
        let start = text.find(words).expect("the words stand in the text");
        Span::new(start, start + words.len())
    });
    let position = span.map(|span| LineIndex::new(text).position(text, span.start));
    let (category, description, suggestion, question) = match id {
        "missing-acceptance-criteria" => (
            Category::MissingAc,
            "The ticket has no acceptance criteria.".to_owned(),
            "Add at least two conditions that a tester can check, e.g. “Given a statement of 500 lines, when I press \
             Export, then a PDF is downloaded within 5 s”."
                .to_owned(),
            "How will a tester know that it works?",
        ),
        _ => (
            Category::Ambiguity,
            format!("“{}” cannot be tested.", words.unwrap_or("it")),
            "Give a figure or an example.".to_owned(),
            "What figure would satisfy you?",
        ),
    };
    ReviewIssue {
        rule_id: rule(id),
        severity,
        category,
        description,
        suggestion,
        question: Some(question.to_owned()),
        span,
        against: None,
        position,
        quote: words.map(str::to_owned),
        fingerprint: Fingerprint(format!("{:016x}", id.len() * 7919 + span.map_or(0, |span| span.start))),
        points,
        disposition: Disposition::Rule,
        basis: Basis::Fact,
    }
}

pub(super) fn packet(text: &str, language: Language) -> RequirementPacket {
    RequirementPacket {
        raw_text: text.to_owned(),
        id: None,
        url: None,
        title_span: Some(Span::new(2, text.find('\n').unwrap_or(2))),
        source_type: Detected::stated(SourceType::GitHubIssue),
        ticket_type: Detected::read_off(TicketType::Feature),
        language: Detected::read_off(language),
        other_language: None,
        project_key: Some("FIN".to_owned()),
        priority: Some(Priority::P1),
        labels: vec!["export".to_owned()],
        attachments: vec![Attachment { name: "sample.pdf".to_owned() }],
    }
}

pub(super) fn decision(verdict: Verdict, explanation: &str) -> GateDecision {
    GateDecision {
        verdict,
        reasons: Vec::new(),
        explanation: explanation.to_owned(),
        not_judged: None,
        threshold: Some(60.0),
        policy: None,
        certainty: None,
        questions_only: false,
        rubric: Some(RubricReference {
            id: "feature".to_owned(),
            version: "1.0.0".to_owned(),
            hash: "3f2a90c417bd55e8".to_owned(),
        }),
        waivers: Vec::new(),
        accepted: Vec::new(),
        path_to_pass: None,
    }
}

pub(super) fn score(total: f64, blocking: Vec<ReviewIssue>, other: Vec<ReviewIssue>) -> TicketScoreReport {
    let dimension = |id: &str, score| DimensionScore {
        id: id.to_owned(),
        weight: 0.5,
        score,
        criteria: vec![CriterionScore { id: "names-the-actor".to_owned(), earned: 20.0, points: 20.0 }],
        deductions: vec![Deduction { rule_id: rule("vague-term"), count: 2, points: 8.0 }],
    };
    TicketScoreReport {
        total_score: total,
        ready_for_review: blocking.is_empty(),
        dimension_scores: vec![dimension("completeness", total - 10.0), dimension("clarity", total + 10.0)],
        penalties: Vec::new(),
        blocking_issues: blocking,
        non_blocking_issues: other,
    }
}

pub(super) fn outcome(input: &str, packet: RequirementPacket, decision: GateDecision) -> Outcome {
    Outcome {
        input: input.to_owned(),
        language: packet.language.value,
        guardrail: GuardrailReport {
            status: GuardrailStatus::Passed,
            counted_characters: packet.raw_text.chars().count(),
            findings: Vec::new(),
        },
        packet,
        structured: None,
        structuring_skipped: false,
        fallback_activated: false,
        structure_check_passed: Some(true),
        structure_errors: Vec::new(),
        structure_warnings: Vec::new(),
        score_report: None,
        decision,
        retry_count: 0,
        error_logs: Vec::new(),
        current_stage: Stage::Formatter,
        execution_times: vec![(Stage::InputGuardrail, 0.000_25), (Stage::Normalize, 0.000_5)],
        model: None,
        reading: None,
    }
}

/// A model that answered one question.
pub fn model_that_was_asked() -> ModelReport {
    ModelReport {
        model: "openai/small-1`".to_owned(),
        host: Some("llm.example".to_owned()),
        questions_hash: None,
        structuring: FallbackLevel::RulesAndModel,
        scoring: FallbackLevel::Rules,
        steps: vec![ModelStep {
            task: ModelTask::Structuring,
            prompt: PromptReference { id: "structuring_v1".to_owned(), hash: "3f2a90c417bd55e8".to_owned() },
            end: ModelStepEnd::Answered,
            attempts: 1,
            origin: Some(AnswerOrigin::Provider),
            usage: ModelUsage { input_tokens: 900, output_tokens: 100, cost: None },
        }],
        rules_score: 40.0,
        reading: None,
        rules_verdict: Verdict::Reject,
        added_items: Vec::new(),
        lowered: Vec::new(),
        added_findings: 0,
        questions: Vec::new(),
        rewrites: Vec::new(),
        unrecorded: None,
        disagreements: Vec::new(),
        discarded: Vec::new(),
    }
}

pub(super) fn guardrail_finding(kind: GuardrailKind, action: GuardrailAction, span: Span) -> GuardrailFinding {
    GuardrailFinding {
        kind,
        pattern: "sample-pattern".to_owned(),
        span: Some(span),
        action,
        message: "A value was found.".to_owned(),
    }
}
