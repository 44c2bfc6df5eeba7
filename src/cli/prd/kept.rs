//! Answers that wait to be sent: after leaving in the middle, a person does not have to give them again.

use std::fs;
use std::path::Path;

use reqgate::files::{self, Readers};
use reqgate::prd::requirements::Verdict;
use reqgate::workflow::AskId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::exit::Failure;
use super::without_links;

/// The decisions that a person made before leaving, so that no question is asked twice.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Unsent {
    #[serde(default)]
    pub answers: serde_json::Map<String, Value>,
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    /// Sections of sentences that were not used; an empty one for a sentence that was left out.
    #[serde(default)]
    pub adopt: serde_json::Map<String, Value>,
    /// Requirements in the reviewer's own words.
    #[serde(default)]
    pub added: Vec<String>,
    /// The document as the person edited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
    /// The hash of the document that the person edited; other answers since then may have changed the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_from: Option<String>,
}

/// The place where answers are kept until they are sent, without personal data and secrets.
pub(super) struct Notes<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Masks an answer before it is kept.
    pub masked: &'a dyn Fn(Value) -> Value,
}

/// Reads the decisions that a person made before leaving.
pub(super) fn unsent(id: &AskId, notes: &Notes<'_>) -> Unsent {
    let text = fs::read_to_string(notes.folder.join(format!("{id}.json"))).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Keeps decisions until they are sent.
pub(super) fn keep(id: &AskId, notes: &Notes<'_>, unsent: &Unsent) -> Result<(), Failure> {
    let value = serde_json::to_value(unsent).map_err(|error| Failure::World(error.to_string()))?;
    let text = (notes.masked)(value).to_string();
    without_links(notes.folder)?;
    let path = notes.folder.join(format!("{id}.json"));
    files::write(&path, text.as_bytes(), Readers::Owner).map_err(|error| Failure::writing("the unsent answers", &error))
}

/// Deletes the answers, so that they are asked for again. An edited document is kept.
///
/// # Errors
/// Fails if it cannot be written.
pub(super) fn ask_again(id: &AskId, notes: &Notes<'_>) -> Result<(), Failure> {
    let Unsent { edited, edited_from, .. } = unsent(id, notes);
    if edited.is_none() {
        forget(id, notes.folder);
        return Ok(());
    }
    keep(id, notes, &Unsent { edited, edited_from, ..Unsent::default() })
}

/// Deletes the answers kept for a question that is now answered.
pub(super) fn forget(id: &AskId, notes: &Path) {
    // The file exists only if a person left before answering.
    let _ = fs::remove_file(notes.join(format!("{id}.json")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_document_outlives_a_refused_answer() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("unsent");
        let notes = Notes { folder: &folder, masked: &|value| value };
        let id: AskId = "export.3".parse().expect("an id");
        let answered =
            || Unsent { answers: [("q1".to_owned(), Value::from("Mei"))].into_iter().collect(), ..Unsent::default() };
        keep(&id, &notes, &answered()).expect("kept");
        ask_again(&id, &notes).expect("kept");
        assert!(unsent(&id, &notes).answers.is_empty());
        let edited = Some("# Export".to_owned());
        keep(&id, &notes, &Unsent { edited: edited.clone(), ..answered() }).expect("kept");
        ask_again(&id, &notes).expect("kept");
        assert_eq!((unsent(&id, &notes).edited, unsent(&id, &notes).answers.len()), (edited, 0));
        forget(&id, &folder);
        assert_eq!(unsent(&id, &notes).edited, None);
    }
}
