//! Turns the questions of the repository's issue form that the issue leaves open into findings.
//!
//! The configuration sets the severity of a gap, and a gap can be waived, like any other finding.

use super::forms::{self, Form, Gap, GapKind};
use reqgate_base::model::{
    Basis, Category, Disposition, Fingerprint, Language, Position, RequirementPacket, ReviewIssue, RuleId, Severity,
    Span,
};

/// The gaps in the form that the body was written with, if it was written with one.
pub(super) fn form_gaps(packet: &RequirementPacket, forms: &[Form], body: &str) -> Vec<ReviewIssue> {
    let Some(form) = forms::form_of(forms, body) else { return Vec::new() };
    // The body is the end of the packet's text, so its lines are counted from there.
    let text = packet.raw_text.as_str();
    let offset = text.len().saturating_sub(body.len());
    let before_body = text.get(..offset).map_or(0, |head| head.matches('\n').count());
    let language = packet.language.value;
    form.gaps(body).iter().filter_map(|gap| issue(gap, text, before_body, language)).collect()
}

fn issue(gap: &Gap, text: &str, before_body: usize, language: Language) -> Option<ReviewIssue> {
    let rule_id = RuleId::new(match gap.kind {
        GapKind::Empty => "unanswered-form-field",
        GapKind::Placeholder => "unfilled-form-field",
        GapKind::Unticked => "unticked-form-box",
        GapKind::TooShort(_) | GapKind::TooLong(_) | GapKind::Mismatch => "unfit-form-answer",
    })
    .ok()?;
    let (description, suggestion, question) = words(gap, language);
    let line = before_body + gap.line + 1;
    let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let length = text.get(start..).map_or(0, |rest| rest.lines().next().map_or(0, str::len));
    let fingerprint = Fingerprint::of(&[rule_id.as_str(), gap.label.as_str()]);
    Some(ReviewIssue {
        rule_id,
        severity: Severity::Blocker,
        category: Category::MissingField,
        description,
        suggestion,
        question: Some(question),
        span: Some(Span::new(start, start + length)),
        against: None,
        position: Some(Position { line, column: 1 }),
        quote: None,
        fingerprint,
        points: 0.0,
        disposition: Disposition::FormGap,
        basis: Basis::Fact,
    })
}

/// The fault, the instruction and the question of a gap.
fn words(gap: &Gap, language: Language) -> (String, String, String) {
    let label = &gap.label;
    match language {
        Language::En => {
            let wrong = match &gap.kind {
                GapKind::Empty => format!("the form requires “{label}”, which is not filled in"),
                GapKind::Placeholder => format!("“{label}” still contains the form's own text"),
                GapKind::Unticked => format!("a box that the form requires is not ticked: “{label}”"),
                GapKind::TooShort(least) => format!("“{label}” is shorter than {least} characters"),
                GapKind::TooLong(most) => format!("“{label}” is longer than {most} characters"),
                GapKind::Mismatch => format!("“{label}” does not have the required format"),
            };
            (wrong, format!("Fill in “{label}”."), format!("What belongs under “{label}”?"))
        }
        Language::Zh => {
            let wrong = match &gap.kind {
                GapKind::Empty => format!("表单要求填写“{label}”，但没有回答"),
                GapKind::Placeholder => format!("“{label}”还是表单里的原文"),
                GapKind::Unticked => format!("表单要求勾选的选项没有勾选：“{label}”"),
                GapKind::TooShort(least) => format!("“{label}”少于 {least} 个字符"),
                GapKind::TooLong(most) => format!("“{label}”多于 {most} 个字符"),
                GapKind::Mismatch => format!("“{label}”不符合要求的格式"),
            };
            (wrong, format!("请填写“{label}”。"), format!("“{label}”应该填什么？"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Conclusion, Form, Options, Request, Trigger, test_support};
    use reqgate_net::github::stand_in::StandIn;

    const NEED: &str = "\
As an accountant I want to export all open orders of a month as a CSV file, so that I need not type them into the ledger.

- When I press “Export” on the order list, then a CSV file with one line per open order of the chosen month is saved within 5 seconds.
- When the month has no open order, then no file is saved and the message “No open orders in this month” is shown.
";

    /// A form with one required field.
    const FORM: &str = "\
name: Feature
description: Something new
body:
  - type: textarea
    attributes: {label: What is needed}
    validations: {required: true}
  - type: input
    attributes: {label: Budget}
    validations: {required: true}
";

    #[test]
    fn a_gap_of_the_form_decides_with_the_rest_and_every_field_says_so() {
        let forms = [Form::parse(FORM, &Default::default()).expect("it is a form")];
        let body = format!("### What is needed\n\n{NEED}\n\n### Budget\n\n_No response_\n");
        let github = StandIn::with_issue("Export orders as a file", &body);
        let text = Request::Trigger(Trigger::Text);
        let options = Options::read(|_| None).expect("the defaults are valid");
        let run = test_support::with_forms(&github, &text, &options, &forms);
        let outcome = run.judged.as_ref().map(|judged| judged.outcome.clone()).expect("it is judged");
        assert_eq!(run.judged.as_ref().map(|judged| judged.conclusion).ok(), Some(Conclusion::Blocked));
        let report = outcome.score_report.as_ref().expect("it is scored");
        assert!(!report.ready_for_review);
        let first = report.blocking_issues.first().expect("the gap blocks");
        assert_eq!(first.rule_id.as_str(), "unanswered-form-field");
        assert!(outcome.decision.explanation.contains("Budget"), "{}", outcome.decision.explanation);
        let summary = reqgate_report::summary_markdown(&outcome);
        assert!(summary.starts_with("**REJECT**") && summary.contains("Budget"), "{summary}");
        let path = outcome.decision.path_to_pass.as_ref().expect("there is a way to a pass");
        assert!(path.edits.iter().any(|edit| edit.removes_blocker && edit.instruction.contains("Budget")), "{path:?}");
        // The same issue with the field filled in passes.
        let github = StandIn::with_issue("Export orders as a file", &body.replace("_No response_", "two days"));
        let run = test_support::with_forms(&github, &text, &options, &forms);
        assert!(matches!(run.judged.map(|judged| judged.conclusion), Ok(Conclusion::Pass | Conclusion::Warn)));
    }
}
