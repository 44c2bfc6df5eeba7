//! Bytes under any name are read or refused, never answered with a panic; what is read has its title where it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reqgate::stages::intake::read_bytes;

/// Every reader, by the name of the file that it reads; the first byte of the input picks one.
const NAMES: [&str; 7] = ["-", "a.md", "a.txt", "a.json", "a.jsonl", "a.wiki", "a.feature"];

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, bytes)) = bytes.split_first() else { return };
    for item in read_bytes(NAMES[usize::from(*pick) % NAMES.len()], bytes) {
        match item {
            Ok(input) => {
                if let Some(title) = input.title_span {
                    assert!(input.text.get(title.start..title.end).is_some(), "{title:?} does not fit the text");
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
