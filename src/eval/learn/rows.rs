//! Reads tickets together with what a careful reader said of them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::eval::suite::Data;
use crate::files;
use crate::model::QuestionCode;
use crate::stages::intake::RawInput;

/// What a reader takes a ticket for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadKind {
    /// Something behaves incorrectly.
    Bug,
    /// New or changed behaviour.
    Feature,
    /// Work whose result nobody could check.
    Task,
    /// Asks for help or an explanation.
    Question,
    /// Several requests at once, or an idea put up for talk.
    Discussion,
    /// Empty, spam, a test entry.
    Other,
}

impl ReadKind {
    /// True for what can be ready or not: a bug or a feature.
    pub fn is_requirement(self) -> bool {
        matches!(self, Self::Bug | Self::Feature)
    }
}

/// A reader's judgement, as it is written down.
#[derive(Debug, Clone, Deserialize)]
pub struct Judgement {
    /// Kind of ticket.
    pub kind: ReadKind,
    /// Readiness, 0 to 4.
    pub ready: u8,
    /// Questions, the most serious first.
    pub questions: Vec<Asked>,
}

/// A question, as far as it is learned from.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Asked {
    /// Its subject.
    pub code: QuestionCode,
}

/// A ticket with its judgement.
#[derive(Debug, Clone)]
pub struct ReadTicket {
    /// The ticket.
    pub input: RawInput,
    /// Where the ticket was collected: `github`, or the first word of the origin of a row.
    pub origin: String,
    /// The project it belongs to.
    pub project: String,
    /// What was said of it.
    pub said: Said,
}

/// What is known of a ticket that is learned from.
#[derive(Debug, Clone)]
pub enum Said {
    /// A reader's judgement.
    Reading(Judgement),
    /// The verdict of a case that was written to be one.
    Verdict {
        /// Kind of ticket.
        kind: ReadKind,
        /// Whether it is ready.
        ready: bool,
    },
}

impl ReadTicket {
    /// The judgement, where a reader gave one.
    pub fn judgement(&self) -> Option<&Judgement> {
        match &self.said {
            Said::Reading(judgement) => Some(judgement),
            Said::Verdict { .. } => None,
        }
    }
}

/// Readings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadingsError {
    /// A file cannot be read.
    #[error("reading `{name}`: {source}")]
    File {
        /// The file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line of it is not a reading.
    #[error("`{name}`, line {line}: {message}")]
    Row {
        /// The file.
        name: String,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A folder of written cases cannot be used.
    #[error("`{name}`: {message}")]
    Written {
        /// The folder, or a case of it.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// Too little to learn from.
    #[error(
        "{tickets} tickets of {projects} projects: at least {least} tickets of {least_projects} projects are needed"
    )]
    TooFew {
        /// Tickets that were read.
        tickets: usize,
        /// Projects that can be held out.
        projects: usize,
        /// Tickets that are needed.
        least: usize,
        /// Projects that are needed.
        least_projects: usize,
    },
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    origin: String,
    row: Option<String>,
    title: Option<String>,
    text: Option<String>,
    reading: Judgement,
}

#[derive(Deserialize)]
struct Issue {
    id: String,
    repo: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    body: Option<String>,
}

/// Reads readings. A row holds `title` and `text`, or names with `row` an issue of `issues`.
///
/// # Errors
/// Fails on the first line that is not a reading, and where a named issue is missing.
pub fn read(readings: &Path, issues: Option<&Path>) -> Result<Vec<ReadTicket>, ReadingsError> {
    let issues = match issues {
        Some(path) => lines::<Issue>(path)?.into_iter().map(|(_, issue)| (issue.id.clone(), issue)).collect(),
        None => BTreeMap::new(),
    };
    let name = readings.display().to_string();
    let rows = lines::<Line>(readings)?.into_iter();
    rows.map(|(line, row)| {
        let (title, text, origin, project) = match &row.row {
            Some(id) => {
                let issue = issues.get(id).ok_or_else(|| ReadingsError::Row {
                    name: name.clone(),
                    line,
                    message: format!("the issue `{id}` is not in the file of --texts"),
                })?;
                (issue.title.clone(), issue.body.clone(), "github".to_owned(), issue.repo.clone())
            }
            None => {
                let mut words = row.origin.split_whitespace();
                let origin = words.next().unwrap_or("unknown").to_owned();
                let project = words.next().and_then(|word| word.split('#').next()).unwrap_or("unknown");
                (row.title, row.text, origin, project.to_owned())
            }
        };
        let input = RawInput::titled(&title.unwrap_or_default(), &text.unwrap_or_default());
        Ok(ReadTicket { input, origin, project, said: Said::Reading(row.reading) })
    })
    .collect()
}

/// Reads a folder of written cases, one YAML file each, with `text`, `verdict` and `ticket_type`. Minutes and documents are
/// left out: readings do not decide about them. So are texts that the guardrail stops.
///
/// # Errors
/// Fails on the first file that is not a case.
pub fn read_written(folder: &Path) -> Result<Vec<ReadTicket>, ReadingsError> {
    let name = folder.display().to_string();
    let rows = super::super::rows::rows(folder, &Data::Folder(".".into()), &BTreeMap::new());
    let rows = rows.map_err(|error| ReadingsError::Written { name: name.clone(), message: error.to_string() })?;
    let mut tickets = Vec::new();
    for row in rows {
        let broken = |message: String| ReadingsError::Written { name: format!("{name}: {}", row.id), message };
        let ready = match row.text("verdict").map_err(broken)? {
            "PASS" => Some(true),
            "REJECT" => Some(false),
            "NOT_APPLICABLE" => None,
            _ => continue,
        };
        let kind = match (ready, row.text("ticket_type").map_err(broken)?) {
            (Some(_), "Bug") => ReadKind::Bug,
            (Some(_), _) => ReadKind::Feature,
            (None, "Task") => ReadKind::Task,
            (None, _) => ReadKind::Question,
        };
        if let Ok("PRD_Doc" | "Meeting_Transcript") = row.text("source_type") {
            continue;
        }
        let input = RawInput { text: row.text("text").map_err(broken)?.to_owned(), ..RawInput::default() };
        let said = Said::Verdict { kind, ready: ready.unwrap_or(true) };
        tickets.push(ReadTicket { input, origin: WRITTEN.to_owned(), project: WRITTEN.to_owned(), said });
    }
    Ok(tickets)
}

/// The origin and the project of written cases.
const WRITTEN: &str = "written";

fn lines<T: for<'d> Deserialize<'d>>(path: &Path) -> Result<Vec<(usize, T)>, ReadingsError> {
    let name = path.display().to_string();
    let text =
        files::text(path, files::DATASETS).map_err(|source| ReadingsError::File { name: name.clone(), source })?;
    let filled = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    filled
        .map(|(row, line)| {
            let row = serde_json::from_str(row);
            let row =
                row.map_err(|error| ReadingsError::Row { name: name.clone(), line, message: error.to_string() })?;
            Ok((line, row))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_text_is_refused_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("readings.jsonl");
        let own = r#"{"origin":"tracker shop","title":"T","text":"B","reading":{"kind":"bug","ready":2,"questions":[{"code":"where","ask":"?","must":true}]}}"#;
        std::fs::write(&path, format!("{own}\n\n")).expect("written");
        let read_rows = read(&path, None).expect("readings");
        assert_eq!((read_rows[0].project.as_str(), read_rows[0].input.text.as_str()), ("shop", "T\n\nB"));
        let said = read_rows[0].judgement().map(|judgement| judgement.questions[0].code);
        assert_eq!(said, Some(QuestionCode::Where));
        let other = own.replace(r#""title":"T","text":"B""#, r#""row":"x""#);
        std::fs::write(&path, format!("{own}\n{other}\n")).expect("written");
        assert!(matches!(read(&path, None), Err(ReadingsError::Row { line: 2, .. })));
    }
}
