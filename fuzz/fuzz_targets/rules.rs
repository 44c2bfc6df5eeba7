//! Files of a user's with rules, rubrics, words and questions to a model are loaded or refused with a message, and what is loaded can judge.
#![no_main]

#[path = "../../tests/texts/pipelines.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod pipelines;

use libfuzzer_sys::fuzz_target;
use reqgate::config::guardrail::GuardrailSettings;
use reqgate::pipeline::{Pipeline, Settings};
use reqgate::rules::{SourceFile, load, shipped_files};

const PATHS: [&str; 5] =
    ["rules/mine.yaml", "scorecards/mine.yaml", "vocabulary/mine.yaml", "headings.mine.yaml", "questions/mine.yaml"];
const TICKET: &str = "Add an export\n\nAs a clerk I want a fast export so that I can send it.\n\n## Acceptance criteria\n- ok\n";

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let path = PATHS[usize::from(*pick) % PATHS.len()].to_owned();
    let mine = SourceFile::user(path, text.to_owned());
    // Alone first: most files are broken, and the shipped ones take a while to load.
    if let Err(error) = load(std::slice::from_ref(&mine)) {
        assert!(!error.to_string().is_empty());
        return;
    }
    let mut files = shipped_files();
    files.push(mine);
    if let Ok(book) = load(&files) {
        let guardrail = pipelines::guardrail(&GuardrailSettings::default());
        let _ = Pipeline::new(book, guardrail, Settings::default()).run(pipelines::input(TICKET));
    }
});
