//! Sets open questions aside that a person accepted by the document's own account.

use crate::model::{Acceptance, Disposition, Language, ReviewIssue, Severity, Span, Waiver, WaiverUse};

/// The rule whose findings can be accepted.
pub const OPEN_POINT: &str = "open-point";

/// Sets aside the open points of a text that its acceptance names, each as a waiver of that one finding. A question that was
/// added or reworded since is not among them.
pub fn set_aside_accepted(
    accepted: &Acceptance,
    text: &str,
    issues: &mut [ReviewIssue],
    language: Language,
) -> Vec<(Waiver, WaiverUse)> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let questions: Vec<String> = accepted.questions.iter().map(|question| words(question)).collect();
    let is_accepted = |span: Span| questions.contains(&words(span.slice(text)));
    let reason = reason(accepted, language);
    let open = issues.iter_mut().filter(|issue| issue.rule_id.as_str() == OPEN_POINT && !issue.disposition.is_waived());
    open.filter(|issue| issue.span.is_some_and(is_accepted))
        .map(|issue| {
            issue.severity = Severity::Warning;
            issue.disposition = Disposition::Waived { reason: reason.clone() };
            let waiver = Waiver {
                rule: issue.rule_id.clone(),
                reason: reason.clone(),
                fingerprint: Some(issue.fingerprint.clone()),
                input: None,
                expires: None,
            };
            (waiver, WaiverUse::Used(1))
        })
        .collect()
}

/// How many of these waivers stand for what the document says was accepted.
pub fn accepted(accepted: &Acceptance, waivers: &[(Waiver, WaiverUse)], language: Language) -> usize {
    let reason = reason(accepted, language);
    waivers.iter().filter(|(waiver, _)| waiver.reason == reason).count()
}

fn reason(Acceptance { by, reason, .. }: &Acceptance, language: Language) -> String {
    match language {
        Language::En => format!("accepted by {by}: {reason}"),
        Language::Zh => format!("{by}已接受：{reason}"),
    }
}
