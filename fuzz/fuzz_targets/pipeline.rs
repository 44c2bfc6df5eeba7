//! Bytes are read, judged as every kind of document and reported in every format; what holds of every outcome is checked.
#![no_main]

#[path = "../../tests/integration/invariants.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod invariants;
#[path = "../../tests/texts/pipelines.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod pipelines;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reqgate::model::{Outcome, RuleCard, SourceType, TicketType};
use reqgate::pipeline::Pipeline;
use reqgate::report::{Detail, Format, ReportOptions, Summary, reporter};
use reqgate::stages::intake::read_bytes;

static SHIPPED: LazyLock<Pipeline> = LazyLock::new(pipelines::shipped);
static UNDETERRED: LazyLock<Pipeline> = LazyLock::new(|| pipelines::undeterred(None));
static CARDS: LazyLock<Vec<RuleCard>> =
    LazyLock::new(|| SHIPPED.book.rules.iter().map(reqgate::rules::Rule::card).collect());

const NAMES: [&str; 4] = ["a.md", "-", "a.json", "a.wiki"];

fuzz_target!(|bytes: &[u8]| {
    // The first byte picks the reader, the kind of document and whether the guardrail may stop the run.
    let Some((pick, bytes)) = bytes.split_first() else { return };
    let pick = usize::from(*pick);
    let pipeline: &Pipeline = if pick & 1 == 0 { &UNDETERRED } else { &SHIPPED };
    for mut input in read_bytes(NAMES[(pick >> 1) % NAMES.len()], bytes).into_iter().flatten() {
        input.source_type = SourceType::ALL.get((pick >> 3) % 6).copied();
        input.ticket_type = TicketType::ALL.get((pick >> 3) % 5).copied();
        let text = input.text.clone();
        let Ok(outcome) = pipeline.run(input) else { continue };
        invariants::check(&text, &outcome);
        for format in Format::ALL {
            report(format, &outcome);
        }
    }
});

fn report(format: Format, outcome: &Outcome) {
    let options = ReportOptions { include_text: true, detail: Detail::Full, ..ReportOptions::default() };
    let mut out = Vec::new();
    let mut reporter = reporter(format, &CARDS, options, Box::new(&mut out)).expect("memory takes everything");
    reporter.outcome(outcome).expect("memory takes everything");
    let mut summary = Summary::default();
    summary.add(outcome);
    reporter.finish(&summary).expect("memory takes everything");
    drop(reporter);
    let report = std::str::from_utf8(&out).expect("a report is UTF-8");
    let unprintable = report.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    assert_eq!(unprintable, None, "{format} lets a control character through");
}
