//! Turns the name of an input into the file and line that editors and code hosts understand.

use super::words::{Words, fill};
use crate::clean::one_line;
use crate::model::{Language, Position, ReviewIssue};

/// The place to show a finding at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The file, or the whole name of an input that is not a file.
    pub file: &'a str,
    /// Line and column in that file; `None` means the file as a whole.
    pub position: Option<Position>,
    /// True if the input is one record of the file: then the position is the record's line, not a place in its text.
    pub is_record: bool,
}

/// The file that an input came from, and its line there if it is a record of a file (`backlog.jsonl:12`).
pub(super) fn split_record(input: &str) -> (&str, Option<usize>) {
    let record = input.rsplit_once(':').and_then(|(file, line)| {
        let is_file = file.rsplit(['/', '\\']).next().is_some_and(|name| name.contains('.'));
        let is_number = line.bytes().all(|b| b.is_ascii_digit());
        (is_file && is_number).then(|| line.parse().ok()).flatten().filter(|line| *line > 0).map(|line| (file, line))
    });
    record.map_or((input, None), |(file, line)| (file, Some(line)))
}

/// The place to show a finding at `position` of an input's text.
pub(super) fn place(input: &str, position: Option<Position>) -> Place<'_> {
    match split_record(input) {
        (file, Some(line)) => Place { file, position: Some(Position { line, column: 1 }), is_record: true },
        (file, None) => Place { file, position, is_record: false },
    }
}

/// True if the name is that of a file, not of standard input or of a ticket elsewhere (`github:owner/repo#7`).
pub(super) fn is_file(name: &str) -> bool {
    let has_scheme = name.split_once(':').is_some_and(|(scheme, _)| {
        // A single letter is a Windows drive.
        scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    });
    name != "-" && !has_scheme
}

/// The fault and the suggestion on one line, preceded by the line of the text if the place cannot express it.
pub(super) fn message(place: &Place<'_>, issue: &ReviewIssue, language: Language) -> String {
    let words = Words::of(language);
    let line = match issue.position {
        Some(position) if place.is_record => format!("{}{}", fill(words.line, &[("n", &position.line)]), words.colon),
        _ => String::new(),
    };
    let wrong = words.sentence(&issue.description);
    one_line(format!("{line}{wrong} {}", issue.suggestion).trim()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_of_a_file_is_told_from_other_names() {
        let cases = [
            ("tickets/login.md", ("tickets/login.md", None)),
            ("backlog.jsonl:12", ("backlog.jsonl", Some(12))),
            ("-", ("-", None)),
            ("github:owner/repo#7", ("github:owner/repo#7", None)),
            ("github:7", ("github:7", None)),
            ("odd.md:", ("odd.md:", None)),
            ("odd.md:0", ("odd.md:0", None)),
            ("odd.md:99999999999999999999999", ("odd.md:99999999999999999999999", None)),
        ];
        for (input, expected) in cases {
            assert_eq!(split_record(input), expected, "{input}");
        }
    }

    #[test]
    fn file_is_told_from_standard_input_and_tickets() {
        for (name, expected) in [
            ("tickets/login.md", true),
            ("C:\\tickets\\login.md", true),
            ("od\u{1b}d, na:me.md", true),
            ("-", false),
            ("github:owner/repo#7", false),
            ("https://example.test/1", false),
        ] {
            assert_eq!(is_file(name), expected, "{name}");
        }
    }
}
