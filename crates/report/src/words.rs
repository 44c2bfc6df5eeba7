//! Names in the reports for people: of verdicts, dimensions, elements, places and findings of the guardrail.

use reqgate_base::clean::ended;
use reqgate_base::model::{ELEMENT_NAMES, GateDecision, GuardrailKind, Language, PathToPass, ReviewIssue, Verdict};
use reqgate_messages as messages;

/// The name of a dimension in a report; one of the user's own scorecard keeps its id.
pub(super) fn dimension_name(language: Language, id: &str) -> &str {
    let names = messages::Report::of(language).dimension_names;
    names.iter().find(|(own, _)| *own == id).map_or(id, |(_, name)| name)
}

/// The title of the edits that lead to a pass, or towards one. `score` gives the points of it where the edits change them.
pub(super) fn path_title(words: &messages::Report, decision: &GateDecision, path: &PathToPass, score: &str) -> String {
    let is_short = decision.threshold.is_some_and(|threshold| path.score_after < threshold);
    words.after_path(&score, if is_short { &words.path_short_of_pass } else { &words.path_to_pass })
}

/// The name of an element of a ticket.
pub(super) fn element_name(words: &messages::Report, name: &str) -> &'static str {
    ELEMENT_NAMES.iter().zip(words.elements).find(|(element, _)| **element == name).map_or("", |(_, words)| words)
}

/// The place of an issue without one.
pub(super) fn nowhere(words: &messages::Report, issue: &ReviewIssue) -> &'static str {
    if issue.is_estimate() { words.not_found } else { words.missing }
}

/// The name of a verdict, as people read it.
pub(super) fn verdict_name(words: &messages::Report, verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => words.pass,
        Verdict::Reject => words.reject,
        Verdict::GuardrailRejected => words.guardrail_rejected,
        Verdict::NotApplicable => words.not_applicable,
    }
}

/// A text as a sentence that another one can follow.
pub(super) fn as_sentence(words: &messages::Report, text: &str) -> String {
    ended(text, words.stop)
}

/// The name of a kind of guardrail finding.
pub(super) fn kind_name(words: &messages::Report, kind: GuardrailKind) -> &'static str {
    match kind {
        GuardrailKind::TooShort => words.kind_too_short,
        GuardrailKind::TooLong => words.kind_too_long,
        GuardrailKind::Email => words.kind_email,
        GuardrailKind::Phone => words.kind_phone,
        GuardrailKind::PaymentCard => words.kind_payment_card,
        GuardrailKind::Iban => words.kind_iban,
        GuardrailKind::NationalId => words.kind_national_id,
        GuardrailKind::BirthDate => words.kind_birth_date,
        GuardrailKind::IpAddress => words.kind_ip_address,
        GuardrailKind::Secret => words.kind_secret,
        GuardrailKind::PromptInjection => words.kind_prompt_injection,
    }
}
