//! Reads the tickets that a team accepted or sent back: JSON lines, or a saved GitHub or Jira export, with labels.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde_json::{Map, Value};

use reqgate_base::files;
use reqgate_base::model::Outcome;
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::{self, IntakeOptions, RawInput};

/// The meaning of names in a tracker: true for accepted, false for sent back; names are in lower case.
pub type Meanings = BTreeMap<String, bool>;

/// A ticket with the decision of its team.
#[derive(Debug, Clone)]
pub struct Past {
    /// The ticket as an input.
    pub input: RawInput,
    /// The decision: true for accepted, false for sent back; `None` if the file does not say.
    pub accepted: Option<bool>,
}

/// The reason why a history cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file cannot be read, or a row of it.
    #[error("{0}")]
    Read(String),
    /// No row has a label.
    #[error(
        "`{name}`: none of {rows} rows has a label: write \"label\": \"accepted\" or \"returned\", or say with --map which \
         label, status or resolution means which"
    )]
    NoLabels {
        /// The name of the file.
        name: String,
        /// The number of its rows.
        rows: usize,
    },
}

/// Reads every ticket of a file, with its label.
///
/// # Errors
/// Fails on the first row that cannot be read, naming its line.
pub fn read(path: &Path, meanings: &Meanings) -> Result<Vec<Past>, HistoryError> {
    let name = path.display().to_string();
    let text = files::text(path, files::DATASETS).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => HistoryError::Read(format!("`{name}` does not exist: check the spelling")),
        _ => HistoryError::Read(format!("reading `{name}`: {error}")),
    })?;
    let labels = labels(&name, &text, meanings);
    let mut past = Vec::new();
    for item in intake::inputs(std::slice::from_ref(&name), &IntakeOptions::default()) {
        match item {
            Ok(input) => {
                let accepted = labels.get(&input.name).copied();
                past.push(Past { input, accepted });
            }
            Err(error) if error.is_note() => {}
            Err(error) => return Err(HistoryError::Read(error.to_string())),
        }
    }
    Ok(past)
}

/// Reads the tickets of a file that have a label, and counts those without.
///
/// # Errors
/// Fails like [`read`], and if no row has a label.
pub fn read_labelled(path: &Path, meanings: &Meanings) -> Result<(Vec<Past>, usize), HistoryError> {
    let all = read(path, meanings)?;
    let rows = all.len();
    let labelled: Vec<Past> = all.into_iter().filter(|past| past.accepted.is_some()).collect();
    if labelled.is_empty() {
        return Err(HistoryError::NoLabels { name: path.display().to_string(), rows });
    }
    let left_out = rows - labelled.len();
    Ok((labelled, left_out))
}

/// The readiness, 0 to 4, of rows that state it (`"reading": {"ready": 2}`), by the name that intake gives a ticket.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn readiness(path: &Path) -> Result<BTreeMap<String, u8>, HistoryError> {
    let name = path.display().to_string();
    let text =
        files::text(path, files::DATASETS).map_err(|error| HistoryError::Read(format!("reading `{name}`: {error}")))?;
    let rows = text.trim_start_matches('\u{feff}').lines().enumerate();
    let ready = |row: &str| ready_of(&serde_json::from_str::<Map<String, Value>>(row).ok()?);
    Ok(rows.filter_map(|(at, line)| Some((format!("{name}:{}", at + 1), ready(line)?))).collect())
}

/// The readiness that a reader assigned to a row.
fn ready_of(row: &Map<String, Value>) -> Option<u8> {
    let ready = row.get("reading")?.get("ready")?.as_u64()?;
    u8::try_from(ready).ok().filter(|ready| *ready <= 4)
}

/// Judges every ticket, in the order of the file; `None` for an invalid input.
pub fn judge(pipeline: &Pipeline, past: &[Past]) -> Vec<Option<Outcome>> {
    past.to_vec().into_par_iter().map(|past| pipeline.run(past.input).ok()).collect()
}

/// Labels by the name that intake gives a ticket.
fn labels(name: &str, text: &str, meanings: &Meanings) -> BTreeMap<String, bool> {
    let document = serde_json::from_str::<Value>(text).ok();
    let items = match &document {
        Some(Value::Array(items)) => Some(items),
        Some(Value::Object(object)) => object.get("issues").or_else(|| object.get("items")).and_then(Value::as_array),
        _ => None,
    };
    if let Some(items) = items {
        let labelled =
            items.iter().enumerate().filter_map(|(at, item)| Some((at, label(item.as_object()?, meanings)?)));
        return labelled.map(|(at, accepted)| (format!("{name}[{at}]"), accepted)).collect();
    }
    let rows = text.trim_start_matches('\u{feff}').lines().enumerate();
    let labelled = rows.filter_map(|(at, line)| {
        let row = serde_json::from_str::<Map<String, Value>>(line).ok()?;
        Some((format!("{name}:{}", at + 1), label(&row, meanings)?))
    });
    labelled.collect()
}

/// The label of a row: from its own fields, or from names in the tracker with a known meaning.
///
/// Contradictory names give no label.
pub(super) fn label(row: &Map<String, Value>, meanings: &Meanings) -> Option<bool> {
    if let Some(Value::Bool(accepted)) = row.get("accepted") {
        return Some(*accepted);
    }
    // A readiness of 3 and above is ready: it needs at most a harmless assumption.
    if let Some(ready) = ready_of(row) {
        return Some(ready >= 3);
    }
    let own = ["label", "verdict", "outcome", "decision"].iter().find_map(|key| row.get(*key).and_then(Value::as_str));
    match own.map(|word| word.trim().to_lowercase()).as_deref() {
        Some("accepted" | "pass" | "ready") => return Some(true),
        Some("returned" | "reject" | "rejected" | "sent back") => return Some(false),
        _ => {}
    }
    let fields = row.get("fields").and_then(Value::as_object);
    let mut names: Vec<String> = own.map(str::to_lowercase).into_iter().collect();
    for object in std::iter::once(row).chain(fields) {
        for key in ["labels", "status", "resolution", "state", "state_reason"] {
            collect_names(object.get(key), &mut names);
        }
    }
    let mut found: Vec<bool> = names.iter().filter_map(|name| meanings.get(name)).copied().collect();
    found.dedup();
    if let [accepted] = found.as_slice() { Some(*accepted) } else { None }
}

/// Collects the names in `"x"`, `{"name": "x"}` and lists of them.
fn collect_names(value: Option<&Value>, names: &mut Vec<String>) {
    match value {
        Some(Value::String(name)) => names.push(name.trim().to_lowercase()),
        Some(Value::Object(object)) => collect_names(object.get("name").filter(|name| name.is_string()), names),
        Some(Value::Array(items)) => {
            for item in items.iter().filter(|item| !item.is_array()) {
                collect_names(Some(item), names);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_says_in_many_ways_what_was_done_with_it() {
        let meanings: Meanings =
            [("needs-info".to_owned(), false), ("ready".to_owned(), true), ("done".to_owned(), true)].into();
        let said = |row: Value| label(row.as_object().expect("an object"), &meanings);
        assert_eq!(said(json!({"accepted": false})), Some(false));
        assert_eq!(said(json!({"label": "Accepted"})), Some(true));
        assert_eq!(said(json!({"verdict": "REJECT"})), Some(false));
        assert_eq!(said(json!({"labels": [{"name": "Needs-Info"}, "bug"]})), Some(false));
        assert_eq!(said(json!({"fields": {"status": {"name": "Done"}, "labels": ["x"]}})), Some(true));
        assert_eq!(said(json!({"labels": ["ready", "needs-info"]})), None);
        assert_eq!(said(json!({"labels": [["ready"]], "label": 3})), None);
        assert_eq!(said(json!({"reading": {"kind": "bug", "ready": 2}})), Some(false));
        assert_eq!(said(json!({"reading": {"kind": "bug", "ready": 3}})), Some(true));
    }

    #[test]
    fn lines_and_exports_are_read_with_their_labels() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("h.jsonl");
        std::fs::write(&path, "{\"text\": \"One\", \"label\": \"accepted\"}\n\n{\"title\": \"Two\", \"body\": \"b\", \"accepted\": false}\n{\"text\": \"Three\"}\n")
            .expect("writable");
        let (past, left_out) = read_labelled(&path, &Meanings::new()).expect("rows");
        let told: Vec<(&str, Option<bool>)> = past.iter().map(|p| (p.input.text.as_str(), p.accepted)).collect();
        assert_eq!((told, left_out), (vec![("One", Some(true)), ("Two\n\nb", Some(false))], 1));
        let path = folder.path().join("h.json");
        std::fs::write(
            &path,
            "[{\"number\": 1, \"title\": \"One\", \"body\": \"b\", \"labels\": [{\"name\": \"Ready\"}]}]",
        )
        .expect("writable");
        let past = read(&path, &[("ready".to_owned(), true)].into()).expect("rows");
        assert_eq!(past[0].accepted, Some(true));
        assert!(read_labelled(&path, &Meanings::new()).expect_err("no labels").to_string().contains("--map"));
    }
}
