//! Handmade outcomes for the tests of every format.

mod parts;
mod rendering;

pub use parts::{cards, model_that_was_asked, rule};
use parts::{decision, guardrail_finding, issue, outcome, packet, score};
pub use rendering::render;

#[cfg(test)]
use super::InputError;
#[cfg(test)]
use reqgate_base::model::{Basis, Disposition};
use reqgate_base::model::{
    BlockReason, Detected, DraftGap, Edit, Grounding, GuardrailAction, GuardrailKind, GuardrailStatus, Language,
    Outcome, PathToPass, Penalty, PenaltyReason, PrdDraft, ReviewIssue, Severity, Span, Stage, Structured, TicketType,
    Verdict, Waiver, WaiverUse,
};

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

/// A feature with blockers, warnings, questions and a path to pass.
pub fn rejected() -> Outcome {
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
            basis: issue.basis,
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
    report.penalties = vec![Penalty { reason: PenaltyReason::StructureCheck, points: 10.0 }];
    outcome.score_report = Some(report);
    outcome.structure_check_passed = Some(false);
    outcome.structure_errors = vec!["Too few acceptance criteria: at least 2 needed, only 1 present".to_owned()];
    outcome.structure_warnings = vec!["The title does not begin with a verb".to_owned()];
    let mail = TICKET.find('█').expect("the sample has a masked value");
    outcome.guardrail.findings =
        vec![guardrail_finding(GuardrailKind::Email, GuardrailAction::Redact, Span::new(mail, mail + 60))];
    outcome
}

/// A Chinese feature rejected for its score alone, structured by the fallback.
pub(crate) fn rejected_zh() -> Outcome {
    let warning = issue_zh("vague-term", Severity::Warning, "要快");
    let blocker = issue_zh("vague-term", Severity::Blocker, "界面要友好");
    let mut decision = decision(Verdict::Reject, "未就绪：“界面要友好”无法验证。");
    decision.reasons = vec![
        BlockReason::Blocker {
            rule_id: blocker.rule_id.clone(),
            fingerprint: blocker.fingerprint.clone(),
            description: blocker.description.clone(),
            basis: blocker.basis,
        },
        BlockReason::BelowThreshold { score: 52.5, threshold: 60.0 },
    ];
    let mut outcome = outcome("需求/导出.md", packet(TICKET_ZH, Language::Zh), decision);
    outcome.score_report = Some(score(52.5, vec![blocker], vec![warning]));
    outcome.fallback_activated = true;
    outcome.structured = Some(Structured { failures: vec![DraftGap::Criteria], ..Structured::default() });
    outcome.error_logs = vec!["Structuring failed, using fallback mode".to_owned()];
    outcome
}

fn issue_zh(rule_id: &str, severity: Severity, words: &str) -> ReviewIssue {
    let mut issue = issue(TICKET_ZH, rule_id, severity, Some(words), 2.5);
    issue.description = format!("“{words}”无法验证");
    issue.suggestion = "写出数值或例子。".to_owned();
    issue.question = Some("达到什么程度才算通过？".to_owned());
    issue
}

/// A feature rejected only because its score is too low.
pub(crate) fn below_threshold() -> Outcome {
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
pub(crate) fn passed() -> Outcome {
    let warning = issue(TICKET, "vague-term", Severity::Warning, Some("fast"), 2.5);
    let mut outcome = outcome(
        "backlog.jsonl:12",
        packet(TICKET, Language::En),
        decision(Verdict::Pass, "nothing blocks it and 84 points are enough"),
    );
    outcome.score_report = Some(score(84.0, Vec::new(), vec![warning]));
    outcome
}

/// A feature that passes with a fact, an estimate about its words and a question about a missing part.
#[cfg(test)]
pub(crate) fn asked() -> Outcome {
    let mut outcome = passed();
    outcome.input = "./tickets/asked.md".to_owned();
    let report = outcome.score_report.as_mut().expect("the sample is scored");
    let mut estimate = issue(TICKET, "vague-term", Severity::Warning, Some("easy to use"), 1.0);
    let mut question = issue(TICKET, "missing-acceptance-criteria", Severity::Warning, None, 0.0);
    estimate.basis = Basis::Estimate;
    question.basis = Basis::Estimate;
    question.disposition = Disposition::Asked;
    report.non_blocking_issues.extend([estimate, question]);
    outcome.decision.questions_only = true;
    outcome
}

/// A feature that is ready, with a key in its text.
#[cfg(test)]
pub(crate) fn passed_with_secret() -> Outcome {
    let mut outcome = passed();
    outcome.input = "tickets/key.md".to_owned();
    let contact = TICKET.find("Contact").expect("the sample names a contact");
    outcome.guardrail.findings =
        vec![guardrail_finding(GuardrailKind::Secret, GuardrailAction::Redact, Span::new(contact, contact + 7))];
    outcome
}

/// A feature that passes because its blocker is waived.
pub(crate) fn waived() -> Outcome {
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

/// A document that passes because a person accepted its open questions.
#[cfg(test)]
pub(crate) fn accepted() -> Outcome {
    let mut outcome = passed();
    outcome.input = "docs/prd/001-a/prd.md".to_owned();
    let question = issue(TICKET, "open-point", Severity::Warning, Some("large statements, etc."), 0.0);
    let waiver = Waiver {
        rule: rule("open-point"),
        reason: "accepted by Ana: answered in the pilot".to_owned(),
        fingerprint: Some(question.fingerprint.clone()),
        input: None,
        expires: None,
    };
    outcome.decision.waivers = vec![(waiver, WaiverUse::Used(1))];
    outcome.decision.accepted = vec![question.fingerprint.clone()];
    outcome.decision.explanation = "Ready. One open question was accepted by Ana: answered in the pilot".to_owned();
    outcome.score_report.as_mut().expect("the sample is scored").non_blocking_issues = vec![question];
    outcome
}

/// A chore, which is not judged.
pub(crate) fn not_applicable() -> Outcome {
    let mut decision = decision(Verdict::NotApplicable, "a task is no requirement and is not judged");
    decision.threshold = None;
    decision.rubric = None;
    let mut outcome = outcome("chore.md", packet(TICKET, Language::En), decision);
    outcome.packet.ticket_type = Detected::stated(TicketType::Task);
    outcome
}

/// A ticket that the guardrail stopped.
pub(crate) fn guardrail_rejected() -> Outcome {
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

/// A ticket whose author wants to harm the readers of the report.
pub(crate) fn hostile() -> Outcome {
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
        basis: blocker.basis,
    }];
    let mut outcome = outcome("od\u{1b}[1md,na:me|<b>.md", packet(text, Language::En), decision);
    outcome.score_report = Some(score(20.0, vec![blocker], Vec::new()));
    outcome
}

/// An input that could not be read.
#[cfg(test)]
pub(crate) fn unreadable() -> InputError {
    InputError { input: "missing.md".to_owned(), message: "reading missing.md: no such file\u{1b}[2J".to_owned() }
}

pub fn all() -> Vec<Outcome> {
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
