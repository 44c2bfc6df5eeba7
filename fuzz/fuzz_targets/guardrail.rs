//! The guardrail screens any text: masks keep the length, finds lie in the text, a second look finds no value again.
#![no_main]

#[path = "../../tests/texts/pipelines.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod pipelines;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reqgate::config::guardrail::GuardrailSettings;
use reqgate::model::SourceType;
use reqgate::stages::guardrail::Guardrail;

static GUARDRAIL: LazyLock<Guardrail> = LazyLock::new(|| pipelines::guardrail(&GuardrailSettings::default()));

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let screened = GUARDRAIL.screen(text, &[], SourceType::PlainText);
    assert_eq!(screened.text.len(), text.len(), "a mask changed the length");
    for finding in &screened.report.findings {
        if let Some(span) = finding.span {
            assert!(text.get(span.start..span.end).is_some(), "{span:?} does not fit the text");
            let value = span.slice(text).trim();
            assert!(value.len() < 12 || !finding.message.contains(value), "a message shows the value");
        }
    }
});
