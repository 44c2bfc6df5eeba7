//! Reads the rows of saved exports: a JSON list, a page of search results, or one object per line.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::super::history::{HistoryError, Meanings};
use super::past::{PastTicket, past_ticket};
use reqgate_base::files;

/// Reads every ticket of a file.
///
/// # Errors
/// Fails if the file cannot be read or has no ticket, and on the first line that is not a JSON object.
pub fn read_export(path: &Path, meanings: &Meanings) -> Result<Vec<PastTicket>, HistoryError> {
    let name = path.display().to_string();
    let text = files::text(path, files::DATASETS).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => HistoryError::Read(format!("`{name}` does not exist: check the spelling")),
        _ => HistoryError::Read(format!("reading `{name}`: {error}")),
    })?;
    let rows = rows(&name, text.trim_start_matches('\u{feff}'))?;
    let tickets: Vec<PastTicket> = rows.iter().filter_map(|(name, row)| past_ticket(name, row, meanings)).collect();
    if tickets.is_empty() {
        return Err(HistoryError::Read(format!(
            "`{name}` holds no ticket: save issues as GitHub or Jira give them, or rows with a text and a label"
        )));
    }
    Ok(tickets)
}

/// An object with its place in the file.
type Placed = (String, Map<String, Value>);

/// Every object of a file.
fn rows(name: &str, text: &str) -> Result<Vec<Placed>, HistoryError> {
    let document = serde_json::from_str::<Value>(text).ok();
    let (items, names) = match document {
        Some(Value::Array(items)) => (items, None),
        Some(Value::Object(mut object)) => match object.remove("issues").or_else(|| object.remove("items")) {
            Some(Value::Array(items)) => (items, object.remove("names")),
            _ => (Vec::new(), None),
        },
        _ => (Vec::new(), None),
    };
    if !items.is_empty() {
        let objects = items.into_iter().enumerate().filter_map(|(at, item)| match item {
            Value::Object(mut row) => {
                // Jira names its custom fields once for a whole page.
                if let Some(names) = &names {
                    row.entry("names").or_insert_with(|| json!(names));
                }
                Some((format!("{name}[{at}]"), row))
            }
            _ => None,
        });
        return Ok(objects.collect());
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            let place = format!("{name}:{}", at + 1);
            let row = serde_json::from_str(line)
                .map_err(|error| HistoryError::Read(format!("`{place}` is not a JSON object: {error}")))?;
            Ok((place, row))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_pages_and_lines_are_read_and_a_broken_line_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |content: &str| {
            let path = folder.path().join("export.json");
            std::fs::write(&path, content).expect("writable");
            read_export(&path, &Meanings::new()).map(|all| all.into_iter().map(|one| one.id).collect::<Vec<_>>())
        };
        let issue = r#"{"number": 4, "title": "One", "body": "Two"}"#;
        let pull = r#"{"number": 5, "title": "One", "body": "Two", "pull_request": {"url": "x"}}"#;
        assert_eq!(read(&format!("[{issue}, {pull}]")).expect("a list"), ["#4"]);
        assert_eq!(read(&format!("{{\"items\": [{issue}]}}")).expect("a page"), ["#4"]);
        assert_eq!(read(&format!("{issue}\n\n{issue}\n")).expect("lines"), ["#4", "#4"]);
        let jira = r#"{"issues": [{"key": "PAY-3", "fields": {"summary": "S", "customfield_1": "c"}}], "names": {"customfield_1": "Acceptance criteria"}}"#;
        assert_eq!(read(jira).expect("a search"), ["PAY-3"]);
        assert!(read(&format!("{issue}\noops\n")).expect_err("broken").to_string().contains("export.json:2"));
        assert!(read("[]").is_err());
    }
}
