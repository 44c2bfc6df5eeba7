//! Hostile texts are judged without a panic; `tests/benches/linear.rs` measures the time.

use reqgate::report::{Detail, Format, ReportOptions, Summary, reporter};
use reqgate::stages::intake::read_bytes;

use crate::invariants;
use crate::texts::hostile::HOSTILE;
use crate::texts::pipelines::{self, KINDS};
use crate::texts::tickets;

/// The size of the texts: large enough for every state of a reader, small enough for a test without optimisation.
const SIZE: usize = 6_000;

#[test]
fn every_hostile_text_is_judged_as_every_kind_of_document() {
    for (kind, stated) in KINDS {
        let pipeline = pipelines::undeterred(Some(stated));
        for hostile in HOSTILE {
            let text = hostile.text(SIZE);
            eprintln!("{} as {kind}", hostile.name);
            match pipeline.run(pipelines::input(&text)) {
                Ok(outcome) => invariants::check(&text, &outcome),
                // Only texts without any letters are refused.
                Err(error) => assert!(!text.contains(char::is_alphanumeric), "{}: {error}", hostile.name),
            }
        }
    }
}

#[test]
fn a_ticket_stays_judged_with_something_hostile_before_or_after_it() {
    let pipeline = pipelines::undeterred(None);
    for hostile in HOSTILE {
        let piece = hostile.text(300);
        for text in [format!("{}\n\n{piece}", tickets::FEATURE), format!("{piece}\n\n{}", tickets::BUG)] {
            let outcome = pipeline.run(pipelines::input(&text));
            let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", hostile.name));
            eprintln!("{}", hostile.name);
            invariants::check(&text, &outcome);
        }
    }
}

#[test]
fn a_megabyte_of_anything_is_stopped_or_judged() {
    let pipeline = pipelines::shipped();
    for name in ["one letter", "one ideograph", "table cells", "quote nesting", "labels", "headings", "list items"] {
        let hostile = HOSTILE.iter().find(|hostile| hostile.name == name).expect("the list has it");
        let text = hostile.text(1_000_000);
        let outcome = pipeline.run(pipelines::input(&text)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(outcome.packet.raw_text.len(), text.len(), "{name}");
    }
}

#[test]
fn every_report_of_a_hostile_text_is_written() {
    let pipeline = pipelines::undeterred(None);
    let cards: Vec<_> = pipeline.book.rules.iter().map(reqgate::rules::Rule::card).collect();
    let options = ReportOptions { include_text: true, detail: Detail::Full, ..ReportOptions::default() };
    for hostile in HOSTILE {
        let text = format!("{}\n{}", hostile.text(400), tickets::VAGUE_FEATURE);
        let outcome = pipeline.run(pipelines::input(&text));
        let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", hostile.name));
        for format in Format::ALL {
            let mut out = Vec::new();
            let mut reporter = reporter(format, &cards, options, Box::new(&mut out)).expect("memory takes everything");
            reporter.outcome(&outcome).expect("memory takes everything");
            let mut summary = Summary::default();
            summary.add(&outcome);
            reporter.finish(&summary).expect("memory takes everything");
            drop(reporter);
            let report = String::from_utf8(out).unwrap_or_else(|_| panic!("{format} of {} is not UTF-8", hostile.name));
            let unprintable = report.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
            assert_eq!(unprintable, None, "{format} of {} lets a control character through", hostile.name);
        }
    }
}

#[test]
fn hostile_bytes_are_read_or_refused_under_every_name() {
    let endings: [&[u8]; 6] = [b"\xff", b"\xed\xa0\x80", b"\xf0\x9f", b"\0", b"\xef\xbb\xbf", b"\xff\xfe"];
    for hostile in HOSTILE {
        for ending in endings {
            for name in ["-", "a.md", "a.json", "a.jsonl", "a.wiki"] {
                let bytes = [hostile.text(500).as_bytes(), ending].concat();
                assert!(
                    !read_bytes(name, &bytes).is_empty() || name == "a.jsonl",
                    "{} as {name} says nothing",
                    hostile.name
                );
                read_bytes(name, &[ending, &bytes].concat());
            }
        }
    }
}
