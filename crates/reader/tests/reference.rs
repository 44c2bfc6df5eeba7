//! Compares ids and outputs with those of another implementation of the same computation, and tries hostile input.

use std::thread;

use reqgate_reader::{Element, Kind, Reader, ReaderError};
use serde_json::Value;

/// Texts of our own with title, ids and outputs, computed in plain Python from the description of the computation.
const REFERENCE: &str = include_str!("reference.jsonl");

fn rows() -> Vec<Value> {
    REFERENCE.lines().map(|row| serde_json::from_str(row).expect("a row is JSON")).collect()
}

fn words<'r>(row: &'r Value, name: &str) -> &'r str {
    row[name].as_str().expect("a text")
}

#[test]
fn ids_are_those_of_the_reference_and_outputs_nearly() {
    let reader = Reader::embedded();
    for row in rows() {
        let (title, text) = (words(&row, "title"), words(&row, "text"));
        let ids: Vec<u64> = reader.ids(title, text).into_iter().map(u64::from).collect();
        let expected: Vec<u64> = row["ids"].as_array().expect("ids").iter().filter_map(Value::as_u64).collect();
        assert_eq!(ids, expected, "{title}");
        let outputs = reader.read(title, text);
        for (own, other) in outputs.values().iter().zip(row["outputs"].as_array().expect("outputs")) {
            let other = other.as_f64().expect("a number");
            assert!((f64::from(*own) - other).abs() < 1e-3, "{title}: {own} {other}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let rows = rows();
    let alone: Vec<_> =
        rows.iter().map(|row| Reader::embedded().read(words(row, "title"), words(row, "text"))).collect();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for (row, expected) in rows.iter().zip(&alone) {
                    assert_eq!(&Reader::embedded().read(words(row, "title"), words(row, "text")), expected);
                }
            });
        }
    });
}

#[test]
fn every_text_is_read_and_none_has_too_many_ids() {
    let reader = Reader::embedded();
    let strange = ["", " ", "\u{0}", "\u{10FFFF}", "▁▁▁", "\u{202e}\u{feff}", "\r\n\t", "ꙮ", "a\u{301}"];
    let long: Vec<String> = strange.iter().map(|part| part.repeat(3_000)).collect();
    for title in strange.iter().copied().chain(long.iter().map(String::as_str)) {
        for text in strange.iter().copied().chain(long.iter().map(String::as_str)) {
            assert!(reader.ids(title, text).len() <= 320);
            let outputs = reader.read(title, text);
            assert!(outputs.values().iter().all(|value| value.is_finite()), "{title:?} {text:?}");
        }
    }
}

#[test]
fn a_crash_with_its_version_is_a_bug_with_an_environment() {
    let row = &rows()[1];
    let outputs = Reader::embedded().read(words(row, "title"), words(row, "text"));
    assert!(outputs.is(Kind::Bug) > 0.5, "{outputs:?}");
    assert!(outputs.says(Element::Actual) > 0.0 && outputs.says(Element::Environment) > 0.0, "{outputs:?}");
    let kinds = [Kind::Bug, Kind::Feature, Kind::Question, Kind::Task, Kind::Discussion, Kind::Other];
    assert!((kinds.iter().map(|kind| outputs.is(*kind)).sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn weights_of_another_form_are_refused_with_a_reason() {
    let own = include_bytes!("../data/weights.safetensors");
    assert!(Reader::new(own).is_ok());
    assert!(matches!(Reader::new(b""), Err(ReaderError::Format(_))));
    assert!(matches!(Reader::new(&own[..own.len() / 2]), Err(ReaderError::Format(_))));
    // The same file with one name changed; its length, and so every offset in it, stays the same.
    let at = own.windows(9).position(|bytes| bytes == b"ln.weight").expect("the tensor is there");
    let mut renamed = own.to_vec();
    renamed[at] = b'x';
    assert!(matches!(Reader::new(&renamed), Err(ReaderError::Tensor(name)) if name == "ln.weight"));
    // Weights that are not numbers.
    let header = u64::from_le_bytes(own[..8].try_into().expect("eight bytes"));
    let mut broken = own.to_vec();
    broken[8 + usize::try_from(header).expect("it is short")..].fill(0xFF);
    assert!(matches!(Reader::new(&broken), Err(ReaderError::Tensor(_))));
}
