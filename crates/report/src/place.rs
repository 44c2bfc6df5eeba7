//! Turns the name of an input into the file and line that editors and code hosts understand.

use super::records::{json_file, split_record};
use super::ticket_name::own_name;
use super::words::as_sentence;
use reqgate_base::clean::one_line;
use reqgate_base::model::{Outcome, Position, ReviewIssue};
use reqgate_messages as messages;

/// The location at which a finding is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The file, or the whole name of an input that is not a file.
    pub file: &'a str,
    /// The line and column in that file; `None` means the file as a whole.
    pub position: Option<Position>,
    /// The input is a record of the file. Then the position is the line of the record, if known, not a position in its
    /// text.
    pub is_record: bool,
}

/// The location for a finding at `position` of an input's text.
pub(super) fn place(input: &str, position: Option<Position>) -> Place<'_> {
    match (split_record(input), json_file(input)) {
        ((file, Some(line)), _) => Place { file, position: Some(Position { line, column: 1 }), is_record: true },
        (_, Some(file)) => Place { file, position: None, is_record: true },
        ((file, None), None) => Place { file, position, is_record: false },
    }
}

/// Returns true if the name is that of a file, not of standard input or of a ticket elsewhere (`github:owner/repo#7`).
pub(super) fn is_file(name: &str) -> bool {
    let has_scheme = name.split_once(':').is_some_and(|(scheme, _)| {
        // A scheme of a single letter is a Windows drive.
        scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    });
    name != "-" && !has_scheme
}

/// The name of a file with `/` between its folders and without a `./` before it. A backslash separates folders on Windows and after a
/// drive letter; elsewhere it is part of the name.
pub(super) fn relative(name: &str) -> String {
    let name = if is_on_a_drive(name) || cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
    name.strip_prefix("./").unwrap_or(&name).to_owned()
}

/// Returns true for a path that begins with a drive of Windows.
pub(super) fn is_on_a_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

/// The fault and the suggestion on one line, preceded by the ticket and the line of its text if the location cannot
/// express them.
pub(super) fn message(place: &Place<'_>, outcome: &Outcome, issue: &ReviewIssue) -> String {
    let words = messages::Report::of(outcome.language);
    let line = issue.position.filter(|_| place.is_record).map(|position| words.line(&position.line));
    let parts: Vec<String> = ticket(place, outcome).into_iter().chain(line).collect();
    let before = if parts.is_empty() { String::new() } else { parts.join(words.comma) + words.colon };
    let wrong = as_sentence(words, &issue.description);
    // Chinese has no space between sentences.
    let gap = outcome.language.of(" ", "");
    one_line(format!("{before}{wrong}{gap}{}", issue.suggestion).trim()).into_owned()
}

/// A sentence about an input as a whole, preceded by the ticket if the location cannot express it.
pub(super) fn sentence(place: &Place<'_>, outcome: &Outcome, words: &str) -> String {
    let colon = messages::Report::of(outcome.language).colon;
    ticket(place, outcome).map_or_else(|| words.to_owned(), |ticket| format!("{ticket}{colon}{words}"))
}

/// The name of a record of a file, e.g. `#7 Export fails (https://…/7)`.
fn ticket(place: &Place<'_>, outcome: &Outcome) -> Option<String> {
    let name = own_name(outcome).filter(|_| place.is_record)?;
    Some(match &outcome.packet.url {
        Some(url) => format!("{name} ({url})"),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use super::super::records::is_record;
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
    fn no_line_of_a_json_file_is_named() {
        let position = Some(Position { line: 7, column: 3 });
        for (input, file) in [
            ("issues.json[2]", "issues.json"),
            ("a/export.JSON[1][0]", "a/export.JSON"),
            ("ticket.json", "ticket.json"),
        ] {
            assert_eq!(place(input, position), Place { file, position: None, is_record: true }, "{input}");
        }
        let row = Some(Position { line: 12, column: 1 });
        assert_eq!(place("b.csv:12", position), Place { file: "b.csv", position: row, is_record: true });
        assert_eq!(place("notes[1].md", position), Place { file: "notes[1].md", position, is_record: false });
        assert!(is_record("issues.json[2]") && is_record("b.csv:12") && !is_record("ticket.json"));
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
