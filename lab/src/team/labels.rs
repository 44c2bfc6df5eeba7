//! The labels file: one line of JSON per ticket with the label derived from its history, which a person can correct.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::outcome::{Because, Outcome};
use super::words::Label;

/// A line of the labels file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelLine {
    /// The ticket: `#12`, `PAY-3`, or its position in a file.
    pub id: String,
    /// The label of the ticket.
    pub label: Label,
    /// The sign that decided; a person may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// The label, or the sentence of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// The address of the ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// The reason why a labels file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelsError {
    /// A line does not have the form of a labels file.
    #[error(
        "line {line}: {message}; a line is {{\"id\": \"#12\", \"label\": \"accepted\", \"returned\" or \"unclear\"}}"
    )]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The problem with the line.
        message: String,
    },
    /// One ticket has two labels.
    #[error("line {line}: `{id}` has another label above")]
    Twice {
        /// The number of the second line.
        line: usize,
        /// The id of the ticket.
        id: String,
    },
}

/// The labels set by a person, by ticket.
pub type Corrections = BTreeMap<String, Label>;

/// Reads a labels file.
///
/// # Errors
/// Fails on the first line of another form, and if two lines contradict each other.
pub fn read_labels(text: &str) -> Result<Corrections, LabelsError> {
    let mut labels = Corrections::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line_number = number + 1;
        let read: LabelLine = serde_json::from_str(line)
            .map_err(|error| LabelsError::Line { line: line_number, message: error.to_string() })?;
        let before = labels.insert(read.id.clone(), read.label);
        if before.is_some_and(|label| label != read.label) {
            return Err(LabelsError::Twice { line: line_number, id: read.id });
        }
    }
    Ok(labels)
}

/// The text of a labels file.
pub fn written_labels(lines: &[LabelLine]) -> String {
    let line = |line: &LabelLine| format!("{}\n", serde_json::to_string(line).unwrap_or_default());
    lines.iter().map(line).collect()
}

/// The outcome of a ticket with the correction of a person applied.
pub fn corrected(outcome: Outcome, corrections: &Corrections, id: &str) -> Outcome {
    match corrections.get(id) {
        Some(label) if *label != outcome.label => Outcome { label: *label, because: Because::Corrected, ..outcome },
        _ => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrected_line_is_read_and_a_broken_one_named() {
        let line = LabelLine {
            id: "#7".to_owned(),
            label: Label::Returned,
            because: Some(Because::FirstAnswer),
            quote: "Which version?".to_owned(),
            url: None,
        };
        let text = written_labels(std::slice::from_ref(&line));
        assert_eq!(
            text,
            "{\"id\":\"#7\",\"label\":\"returned\",\"because\":\"first-answer\",\"quote\":\"Which version?\"}\n"
        );
        let labels = read_labels(&text.replace("returned", "accepted")).expect("a labels file");
        let outcome = Outcome { label: Label::Returned, because: Because::FirstAnswer, quote: line.quote };
        let now = corrected(outcome.clone(), &labels, "#7");
        assert_eq!((now.label, now.because), (Label::Accepted, Because::Corrected));
        assert_eq!(corrected(outcome.clone(), &labels, "#8"), outcome);
        assert!(matches!(read_labels("\n{\"id\": \"#1\"}\n"), Err(LabelsError::Line { line: 2, .. })));
        let two = "{\"id\":\"1\",\"label\":\"accepted\"}\n{\"id\":\"1\",\"label\":\"unclear\"}\n";
        assert!(matches!(read_labels(two), Err(LabelsError::Twice { line: 2, .. })));
    }
}
