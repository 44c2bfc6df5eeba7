//! Pipelines with the shipped rules and patterns, as tests and benches need them.

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

/// What a user gets who configures nothing.
pub fn shipped() -> Pipeline {
    Pipeline::new(book(), guardrail(&GuardrailSettings::default()), Settings::default())
}

/// A pipeline whose guardrail stops nothing and that takes every text for this kind of document: every stage runs.
pub fn undeterred(kind: Option<(SourceType, TicketType)>) -> Pipeline {
    let stopping = [GuardrailKind::TooShort, GuardrailKind::TooLong, GuardrailKind::PromptInjection];
    let actions: BTreeMap<_, _> = stopping.into_iter().map(|kind| (kind, GuardrailAction::Warn)).collect();
    let guardrail = guardrail(&GuardrailSettings { actions, ..GuardrailSettings::default() });
    let stated =
        Stated { source_type: kind.map(|kind| kind.0), ticket_type: kind.map(|kind| kind.1), ..Stated::default() };
    Pipeline::new(book(), guardrail, Settings { stated, ..Settings::default() })
}

/// The four kinds of document that have a rubric of their own.
pub const KINDS: [(&str, (SourceType, TicketType)); 4] = [
    ("feature", (SourceType::GitHubIssue, TicketType::Feature)),
    ("bug", (SourceType::GitHubIssue, TicketType::Bug)),
    ("document", (SourceType::PrdDoc, TicketType::Feature)),
    ("meeting", (SourceType::MeetingTranscript, TicketType::Feature)),
];

/// A text about which nothing is stated.
pub fn input(text: &str) -> RawInput {
    RawInput { name: "ticket.md".to_owned(), text: text.to_owned(), ..RawInput::default() }
}
