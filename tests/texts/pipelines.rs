//! Pipelines with the shipped rules and patterns, for tests and benches.

use std::collections::BTreeMap;

use reqgate::config::guardrail::{GuardrailPatterns, GuardrailSettings};
use reqgate::model::{GuardrailAction, GuardrailKind, SourceType, TicketType};
use reqgate::pipeline::{Pipeline, Settings, Stated};
use reqgate::rules::{self, RuleBook};
use reqgate::stages::guardrail::Guardrail;
use reqgate::stages::intake::RawInput;

/// The shipped rules, rubrics and vocabulary.
pub fn book() -> RuleBook {
    rules::load(&rules::shipped_files()).expect("the shipped rules are valid")
}

/// The shipped guardrail with these settings.
pub fn guardrail(settings: &GuardrailSettings) -> Guardrail {
    let patterns = GuardrailPatterns::shipped().expect("the shipped patterns are valid");
    Guardrail::new(settings, &patterns).expect("the shipped patterns are valid")
}

/// The pipeline of a user without a configuration.
pub fn shipped() -> Pipeline {
    Pipeline::new(book(), guardrail(&GuardrailSettings::default()), Settings::default())
}

/// A pipeline that runs every stage: its guardrail does not stop a text, and every text counts as this kind of
/// document.
pub fn undeterred(kind: Option<(SourceType, TicketType)>) -> Pipeline {
    let stopping = [GuardrailKind::TooShort, GuardrailKind::TooLong, GuardrailKind::PromptInjection];
    let actions: BTreeMap<_, _> = stopping.into_iter().map(|kind| (kind, GuardrailAction::Warn)).collect();
    let guardrail = guardrail(&GuardrailSettings { actions, ..GuardrailSettings::default() });
    let stated =
        Stated { source_type: kind.map(|kind| kind.0), ticket_type: kind.map(|kind| kind.1), ..Stated::default() };
    Pipeline::new(book(), guardrail, Settings { stated, ..Settings::default() })
}

/// The four kinds of document with a separate rubric.
pub const KINDS: [(&str, (SourceType, TicketType)); 4] = [
    ("feature", (SourceType::GitHubIssue, TicketType::Feature)),
    ("bug", (SourceType::GitHubIssue, TicketType::Bug)),
    ("document", (SourceType::PrdDoc, TicketType::Feature)),
    ("meeting", (SourceType::MeetingTranscript, TicketType::Feature)),
];

/// A text without stated properties.
pub fn input(text: &str) -> RawInput {
    RawInput { name: "ticket.md".to_owned(), text: text.to_owned(), ..RawInput::default() }
}
