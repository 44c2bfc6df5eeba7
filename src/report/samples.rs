//! Outcomes made by hand, for the tests of every format.

use super::{Format, InputError, ReportOptions, Summary, reporter};
use crate::model::{
    Attachment, BlockReason, Category, CriterionScore, Deduction, Detected, DimensionScore, Edit, Fingerprint,
    GateDecision, Grounding, GuardrailAction, GuardrailFinding, GuardrailKind, GuardrailReport, GuardrailStatus,
    Language, LineIndex, Outcome, PathToPass, Penalty, PrdDraft, Priority, RequirementPacket, ReviewIssue,
    RubricReference, RuleCard, RuleId, Severity, SourceType, Span, Stage, Structured, TicketScoreReport, TicketType,
    Verdict, Waiver, WaiverUse,
};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

const TICKET: &str = "\
# Export of the monthly statement

As an accountant I want to export the monthly statement as a PDF,
so that I can send it to the tax office.

The export should be fast and easy to use.
It must work for large statements, etc.

Contact: ████████████████████
";

const TICKET_ZH: &str = "\
# 导出月度对账单

作为会计，我希望导出月度对账单，以便发送给税务局。
页面要快，界面要友好。
";

/// A rule id that is known to be well formed.
pub(super) fn rule(id: &str) -> RuleId {
    RuleId::new(id).expect("the id is well formed")
}

/// The public faces of two rules.
pub(super) fn cards() -> Vec<RuleCard> {
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

/// An issue at the first place where `words` stand in `text`, or one about the whole text.
fn issue(text: &str, id: &str, severity: Severity, words: Option<&str>, points: f64) -> ReviewIssue {
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
        position,
        quote: words.map(str::to_owned),
        fingerprint: Fingerprint(format!("{:016x}", id.len() * 7919 + span.map_or(0, |span| span.start))),
        points,
        severity_note: None,
    }
}

fn packet(text: &str, language: Language) -> RequirementPacket {
    RequirementPacket {
        raw_text: text.to_owned(),
        title_span: Some(Span::new(2, text.find('\n').unwrap_or(2))),
        source_type: Detected::stated(SourceType::GitHubIssue),
        ticket_type: Detected::detected(TicketType::Feature),
        language: Detected::detected(language),
        project_key: Some("FIN".to_owned()),
        priority: Some(Priority::P1),
        labels: vec!["export".to_owned()],
        attachments: vec![Attachment { name: "sample.pdf".to_owned() }],
    }
}

fn decision(verdict: Verdict, explanation: &str) -> GateDecision {
    GateDecision {
        verdict,
        reasons: Vec::new(),
        explanation: explanation.to_owned(),
        threshold: Some(60.0),
        rubric: Some(RubricReference {
            id: "feature".to_owned(),
            version: "1.0.0".to_owned(),
            hash: "3f2a90c417bd55e8".to_owned(),
        }),
        waivers: Vec::new(),
        path_to_pass: None,
    }
}

fn score(total: f64, blocking: Vec<ReviewIssue>, other: Vec<ReviewIssue>) -> TicketScoreReport {
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
        summary_markdown: String::new(),
    }
}

fn outcome(input: &str, packet: RequirementPacket, decision: GateDecision) -> Outcome {
    Outcome {
        input: input.to_owned(),
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
    }
}

fn guardrail_finding(kind: GuardrailKind, action: GuardrailAction, span: Span) -> GuardrailFinding {
    GuardrailFinding {
        kind,
        pattern: "sample-pattern".to_owned(),
        span: Some(span),
        action,
        message: "A value was found.".to_owned(),
    }
}

/// A feature with blockers, warnings, questions and a path to pass.
pub(super) fn rejected() -> Outcome {
    let missing = issue(TICKET, "missing-acceptance-criteria", Severity::Blocker, None, 0.0);
    let vague = issue(TICKET, "vague-term", Severity::Blocker, Some("large statements, etc."), 4.0);
    let warnings = ["fast", "easy to use", "large", "should", "export", "send it"]
        .map(|words| issue(TICKET, "vague-term", Severity::Warning, Some(words), 2.5));
    let mut decision = decision(Verdict::Reject, "2 things block it; the first: the ticket has no acceptance criteria");
    decision.reasons = [&missing, &vague]
        .map(|issue| BlockReason::Blocker {
            rule_id: issue.rule_id.clone(),
            fingerprint: issue.fingerprint.clone(),
            description: issue.description.clone(),
        })
        .to_vec();
    decision.path_to_pass = Some(PathToPass {
        edits: vec![
            Edit {
                instruction: "Add two conditions of acceptance.".to_owned(),
                rule_id: Some(missing.rule_id.clone()),
                criterion: Some("has-criteria".to_owned()),
                span: None,
                points: 18.0,
                removes_blocker: true,
            },
            Edit {
                instruction: "Replace “large statements, etc.” by a number of lines.".to_owned(),
                rule_id: Some(vague.rule_id.clone()),
                criterion: None,
                span: vague.span,
                points: 4.25,
                removes_blocker: true,
            },
        ],
        score_after: 63.25,
    });
    let mut outcome = outcome("tickets/export statement.md", packet(TICKET, Language::En), decision);
    let title = outcome.packet.title_span.expect("the sample has a title");
    outcome.structured = Some(Structured {
        draft: Some(PrdDraft {
            title: title.slice(TICKET).to_owned(),
            user_story: "As an accountant I want to export the monthly statement as a PDF".to_owned(),
            acceptance_criteria: vec!["It must work for large statements, etc.".to_owned()],
            edge_cases: Vec::new(),
            resources: Vec::new(),
            missing_info: vec!["The layout of the PDF.".to_owned()],
            clarification_questions: vec![
                "How many lines does a large statement have?".to_owned(),
                "May a statement be exported twice?".to_owned(),
            ],
        }),
        grounding: Grounding { title: Some(title), user_story: vec![Span::new(35, 100)], ..Grounding::default() },
        ..Structured::default()
    });
    let mut report = score(41.0, vec![missing, vague], warnings.to_vec());
    report.penalties = vec![Penalty { reason: "the structure check failed".to_owned(), points: 10.0 }];
    outcome.score_report = Some(report);
    outcome.structure_check_passed = Some(false);
    outcome.structure_errors = vec!["Too few acceptance criteria: at least 2 needed, only 1 present".to_owned()];
    outcome.structure_warnings = vec!["The title does not begin with a verb".to_owned()];
    let mail = TICKET.find('█').expect("the sample has a masked value");
    outcome.guardrail.findings =
        vec![guardrail_finding(GuardrailKind::Email, GuardrailAction::Redact, Span::new(mail, mail + 60))];
    outcome
}

/// A Chinese feature refused for its score alone, structured by fallback.
pub(super) fn rejected_zh() -> Outcome {
    let warning = issue(TICKET_ZH, "vague-term", Severity::Warning, Some("要快"), 2.5);
    let blocker = issue(TICKET_ZH, "vague-term", Severity::Blocker, Some("界面要友好"), 2.5);
    let mut decision = decision(Verdict::Reject, "one thing blocks it: “界面要友好” cannot be tested");
    decision.reasons = vec![
        BlockReason::Blocker {
            rule_id: blocker.rule_id.clone(),
            fingerprint: blocker.fingerprint.clone(),
            description: blocker.description.clone(),
        },
        BlockReason::BelowThreshold { score: 52.5, threshold: 60.0 },
    ];
    let mut outcome = outcome("需求/导出.md", packet(TICKET_ZH, Language::Zh), decision);
    outcome.score_report = Some(score(52.5, vec![blocker], vec![warning]));
    outcome.fallback_activated = true;
    outcome.structured =
        Some(Structured { failures: vec!["there is no acceptance criterion".to_owned()], ..Structured::default() });
    outcome.error_logs = vec!["Structuring failed, using fallback mode".to_owned()];
    outcome
}

/// A feature refused only because its score is too low.
pub(super) fn below_threshold() -> Outcome {
    let mut outcome = rejected();
    outcome.input = "-".to_owned();
    let report = outcome.score_report.as_mut().expect("the sample is scored");
    report.blocking_issues.clear();
    report.non_blocking_issues.truncate(1);
    outcome.decision.reasons = vec![BlockReason::BelowThreshold { score: 41.0, threshold: 60.0 }];
    outcome.decision.explanation = "the score of 41 is below 60".to_owned();
    outcome
}

/// A feature that is ready, with one warning left.
pub(super) fn passed() -> Outcome {
    let warning = issue(TICKET, "vague-term", Severity::Warning, Some("fast"), 2.5);
    let mut outcome = outcome(
        "backlog.jsonl:12",
        packet(TICKET, Language::En),
        decision(Verdict::Pass, "nothing blocks it and 84 points are enough"),
    );
    outcome.score_report = Some(score(84.0, Vec::new(), vec![warning]));
    outcome
}

/// A pass by the grace of a waiver.
pub(super) fn waived() -> Outcome {
    let mut outcome = passed();
    outcome.input = "tickets/waived.md".to_owned();
    let blocker = issue(TICKET, "missing-acceptance-criteria", Severity::Blocker, None, 0.0);
    let waiver = |rule_id: &str, expires: Option<&str>| Waiver {
        rule: rule(rule_id),
        reason: "legal has agreed".to_owned(),
        fingerprint: None,
        input: None,
        expires: expires.map(str::to_owned),
    };
    outcome.decision.waivers = vec![
        (waiver("missing-acceptance-criteria", Some("2027-01-31")), WaiverUse::Used(1)),
        (waiver("vague-term", Some("2026-01-31")), WaiverUse::Expired),
    ];
    outcome.score_report.as_mut().expect("the sample is scored").blocking_issues = vec![blocker];
    outcome
}

/// A chore, which is not judged.
pub(super) fn not_applicable() -> Outcome {
    let mut decision = decision(Verdict::NotApplicable, "a task is no requirement and is not judged");
    decision.threshold = None;
    decision.rubric = None;
    let mut outcome = outcome("chore.md", packet(TICKET, Language::En), decision);
    outcome.packet.ticket_type = Detected::stated(TicketType::Task);
    outcome
}

/// A ticket that the guardrail stopped.
pub(super) fn guardrail_rejected() -> Outcome {
    let mut decision = decision(Verdict::GuardrailRejected, "the guardrail found 2 secrets");
    decision.reasons = vec![BlockReason::Guardrail { description: "2 secrets".to_owned() }];
    decision.threshold = None;
    decision.rubric = None;
    let mut outcome = outcome("leak.md", packet(TICKET, Language::En), decision);
    outcome.guardrail.status = GuardrailStatus::Rejected;
    outcome.guardrail.findings = vec![
        guardrail_finding(GuardrailKind::Secret, GuardrailAction::Reject, Span::new(2, 8)),
        guardrail_finding(GuardrailKind::Secret, GuardrailAction::Reject, Span::new(9, 11)),
        guardrail_finding(GuardrailKind::Email, GuardrailAction::Redact, Span::new(12, 15)),
    ];
    outcome.structure_check_passed = None;
    outcome.current_stage = Stage::InputGuardrail;
    outcome
}

/// A ticket whose author means harm to whoever reads the report.
pub(super) fn hostile() -> Outcome {
    let text = "Fix \u{1b}[31mred\u{1b}[0m <script>alert(1)</script> | @octocat #1 ```\n::error::x %0A \u{202e}evil\u{7} ]]>\n";
    let words =
        "\u{1b}[31mred\u{1b}[0m <script>alert(1)</script> | @octocat #1 ```\n::error::x %0A \u{202e}evil\u{7} ]]>";
    let mut blocker = issue(text, "vague-term", Severity::Blocker, Some(words), 1.0);
    blocker.description = format!("“{words}” cannot be tested.");
    let mut decision = decision(Verdict::Reject, &format!("one thing blocks it: {words}"));
    decision.reasons = vec![BlockReason::Blocker {
        rule_id: blocker.rule_id.clone(),
        fingerprint: blocker.fingerprint.clone(),
        description: blocker.description.clone(),
    }];
    let mut outcome = outcome("od\u{1b}[1md,na:me|<b>.md", packet(text, Language::En), decision);
    outcome.score_report = Some(score(20.0, vec![blocker], Vec::new()));
    outcome
}

/// An input that could not be read.
pub(super) fn unreadable() -> InputError {
    InputError { input: "missing.md".to_owned(), message: "reading missing.md: no such file\u{1b}[2J".to_owned() }
}

/// One outcome of each kind.
pub(super) fn all() -> Vec<Outcome> {
    vec![
        rejected(),
        rejected_zh(),
        below_threshold(),
        passed(),
        waived(),
        not_applicable(),
        guardrail_rejected(),
        hostile(),
    ]
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics while writing").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The report of some outcomes and errors in a format.
pub(super) fn render(format: Format, options: ReportOptions, outcomes: &[Outcome], errors: &[InputError]) -> String {
    let sink = Sink::default();
    let cards = cards();
    let mut summary = Summary::default();
    let mut report = reporter(format, &cards, options, Box::new(sink.clone())).expect("memory can be written");
    for outcome in outcomes {
        summary.add(outcome);
        report.outcome(outcome).expect("memory can be written");
    }
    for error in errors {
        summary.add_error(error);
        report.input_error(error).expect("memory can be written");
    }
    report.finish(&summary).expect("memory can be written");
    drop(report);
    let bytes = sink.0.lock().expect("nobody panics while writing").clone();
    String::from_utf8(bytes).expect("reports are UTF-8")
}

#[test]
fn tmp_write() {
    let mut outcomes = all();
    for i in 0..30 {
        let mut o = passed();
        o.input = format!("backlog.jsonl:{i}");
        o.score_report.as_mut().expect("x").total_score = 60.0 + ((i * 7) % 40) as f64;
        outcomes.push(o);
    }
    for i in 0..9 {
        let mut o = below_threshold();
        o.input = format!("backlog.jsonl:{}", 40 + i);
        o.score_report.as_mut().expect("x").total_score = 20.0 + ((i * 7) % 40) as f64;
        outcomes.push(o);
    }
    for f in Format::ALL {
        std::fs::write(format!("/tmp/out.{f}"), render(f, ReportOptions::default(), &outcomes, &[unreadable()]))
            .expect("w");
    }
    std::fs::write("/tmp/out.one.html", render(Format::Html, ReportOptions::default(), &[rejected()], &[])).expect("w");
    std::fs::write(
        "/tmp/out.colour",
        render(Format::Human, ReportOptions { colour: true, ..ReportOptions::default() }, &[rejected()], &[]),
    )
    .expect("w");
}
