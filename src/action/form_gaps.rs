//! What the repository's issue form asks for and the issue does not answer, as issues.
//!
//! A gap weighs what the configuration says, and can be waived, like any other finding.

use sha2::{Digest, Sha256};

use super::forms::{self, Form, Gap, GapKind};
use crate::model::{
    Category, Disposition, Fingerprint, Language, Position, RequirementPacket, ReviewIssue, RuleId, Severity, Span,
};

/// The gaps of the form that the body was written with, if it was written with one.
pub(super) fn form_gaps(packet: &RequirementPacket, forms: &[Form], body: &str) -> Vec<ReviewIssue> {
    let Some(form) = forms::form_of(forms, body) else { return Vec::new() };
    // The body ends the text of the packet, so a line of it is found from there.
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
    let mut hasher = Sha256::new();
    for part in [rule_id.as_str(), gap.label.as_str()] {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    let fingerprint = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Some(ReviewIssue {
        rule_id,
        severity: Severity::Blocker,
        category: Category::MissingField,
        description,
        suggestion,
        question: Some(question),
        span: Some(Span::new(start, start + length)),
        position: Some(Position { line, column: 1 }),
        quote: None,
        fingerprint: Fingerprint(fingerprint),
        points: 0.0,
        disposition: Disposition::FormGap,
    })
}

/// What is wrong, what to write and what to ask.
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
