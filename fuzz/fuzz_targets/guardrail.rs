//! The guardrail screens any text: masks keep the length, finds lie in the text, and no neighbourhood unmasks a value.
#![no_main]

#[path = "../../tests/texts/canaries.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod canaries;
#[path = "../../tests/texts/pipelines.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod pipelines;

use std::sync::LazyLock;

use canaries::{NEIGHBOURS, PLACES, VALUES};
use libfuzzer_sys::fuzz_target;
use reqgate::config::guardrail::GuardrailSettings;
use reqgate::model::{SourceType, Span};
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
    neighbourhood_does_not_unmask(text);
});

/// A paragraph that says nothing about what follows.
const BETWEEN: &str = "The export writes one line and closes the file when the last one is written.";

/// Puts a value into a place that the first characters choose, between lines of the rest, and looks for it.
fn neighbourhood_does_not_unmask(text: &str) {
    let mut choices = text.bytes().map(usize::from);
    let mut choose = |count: usize| choices.next().unwrap_or(0) % count;
    let (name, pattern) = VALUES[choose(VALUES.len())];
    let value = canaries::filled(pattern, choose(256) as u64);
    let (left, right) = (NEIGHBOURS[choose(NEIGHBOURS.len())], NEIGHBOURS[choose(NEIGHBOURS.len())]);
    let (placed, span) = canaries::placed(&value, PLACES[choose(PLACES.len())], left, right);
    // An open key block, comment or quotation above may claim the value for itself, and words directly before a number may
    // say that it is something else; a paragraph between them may not.
    let above = format!("{}\n\n{BETWEEN}\n\n", text.replace(['<', '-', '`', '"', '\''], " "));
    let whole = format!("{above}{placed}");
    let screened = GUARDRAIL.screen(&whole, &[], SourceType::PlainText);
    let span = Span::new(span.start + above.len(), span.end + above.len());
    assert!(canaries::is_masked(&whole, span, &screened.text), "{name} is shown: {:?}", screened.text);
}
