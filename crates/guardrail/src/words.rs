//! The sentence about a finding of the guardrail; never a value.

use reqgate_base::model::{GuardrailAction, GuardrailKind, Language, SourceType};
use reqgate_messages as messages;

/// A text of too few columns, besides those that are encoded data.
pub(super) fn too_short(columns: usize, encoded: usize, least: usize, language: Language) -> String {
    if encoded > 0 {
        return messages::Guardrail::of(language).too_short_encoded(&columns, &encoded, &least);
    }
    messages::Guardrail::of(language).too_short(&columns, &least)
}

/// A text of too many characters, of a source that is stated or unknown.
pub(super) fn too_long(counted: usize, most: usize, source: Option<SourceType>, language: Language) -> String {
    let source = source.map_or_else(|| messages::Guardrail::of(language).a_document, |source| source.words(language));
    messages::Guardrail::of(language).too_long(&counted, &most, &source)
}

/// The sentence about a value or an order that was found, with the consequence.
pub(super) fn found(kind: GuardrailKind, action: GuardrailAction, language: Language) -> String {
    let words = messages::Guardrail::of(language);
    words.found(&subject(kind, words), &consequence(kind, action, words))
}

/// The mask that replaces the values of a kind.
pub(super) fn mask(kind: GuardrailKind) -> &'static str {
    match kind {
        GuardrailKind::TooShort | GuardrailKind::TooLong => "",
        GuardrailKind::Email => "[email]",
        GuardrailKind::Phone => "[phone]",
        GuardrailKind::PaymentCard => "[card]",
        GuardrailKind::Iban => "[iban]",
        GuardrailKind::NationalId => "[id]",
        GuardrailKind::BirthDate => "[birth]",
        GuardrailKind::IpAddress => "[ip]",
        GuardrailKind::Secret => "[secret]",
        GuardrailKind::PromptInjection => "[order]",
    }
}

fn subject(kind: GuardrailKind, words: &messages::Guardrail) -> &'static str {
    match kind {
        GuardrailKind::TooShort | GuardrailKind::TooLong => words.what_wrong_length,
        GuardrailKind::Email => words.what_email,
        GuardrailKind::Phone => words.what_phone,
        GuardrailKind::PaymentCard => words.what_payment_card,
        GuardrailKind::Iban => words.what_iban,
        GuardrailKind::NationalId => words.what_national_id,
        GuardrailKind::BirthDate => words.what_birth_date,
        GuardrailKind::IpAddress => words.what_ip_address,
        GuardrailKind::Secret => words.what_secret,
        GuardrailKind::PromptInjection => words.what_prompt_injection,
    }
}

fn consequence(kind: GuardrailKind, action: GuardrailAction, words: &messages::Guardrail) -> &'static str {
    match (kind, action) {
        (GuardrailKind::PromptInjection, GuardrailAction::Reject) => words.injection_stops,
        (GuardrailKind::PromptInjection, GuardrailAction::Redact) => words.injection_masked,
        (GuardrailKind::PromptInjection, _) => words.injection_left,
        (GuardrailKind::Secret, GuardrailAction::Reject) => words.secret_stops,
        (GuardrailKind::Secret, _) => words.secret_masked,
        (_, GuardrailAction::Reject) => words.stops,
        (_, _) => words.masked,
    }
}
