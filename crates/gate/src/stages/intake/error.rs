//! Errors of inputs; every message names the input and says how to fix it.

use std::io;

/// An input that could not be read. Its name is a path, `-`, `file.jsonl:LINE` or `file.json[INDEX]`.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// No file or folder has this name.
    #[error("`{name}` does not exist: check the spelling, or put a pattern such as 'tickets/*.md' in quotes")]
    Missing {
        /// The argument as given.
        name: String,
    },
    /// The operating system refused to read the file.
    #[error("reading `{name}` failed: {source}: check that it is a readable file and that you have permission")]
    Unreadable {
        /// The name of the input.
        name: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Part of a folder could not be listed.
    #[error("searching `{name}` failed: {source}: check its permissions, or name the files you mean")]
    Walk {
        /// The folder or pattern as given.
        name: String,
        /// The error with the name of the entry.
        source: ignore::Error,
    },
    /// The pattern is not valid.
    #[error("the pattern `{name}` cannot be read: {reason}: use *, **, ?, [abc] or {{a,b}}")]
    Pattern {
        /// The pattern as given.
        name: String,
        /// The fault in the pattern.
        reason: String,
    },
    /// A folder has no file with a suitable extension.
    #[error(
        "the folder `{name}` has no file to read: files ending in {extensions} are read, hidden and git-ignored ones are not; \
         name the files, or choose other extensions"
    )]
    EmptyFolder {
        /// The folder as given.
        name: String,
        /// The extensions that are read, as a list.
        extensions: String,
    },
    /// A pattern matches no file.
    #[error("no file matches `{name}`: check the pattern; hidden and git-ignored files are skipped")]
    NoMatch {
        /// The pattern as given.
        name: String,
    },
    /// The input has no bytes or lines.
    #[error("`{name}` is empty: write the requirement, or leave the file out")]
    Empty {
        /// The name of the input.
        name: String,
    },
    /// A ticket of an export has no text.
    #[error("the ticket {ticket} ({name}) is empty: write the requirement, or leave it out")]
    EmptyTicket {
        /// The name of the input.
        name: String,
        /// The number or key of the ticket.
        ticket: String,
    },
    /// The input contains only white space.
    #[error("`{name}` contains only white space: write the requirement, or leave the file out")]
    Blank {
        /// The name of the input.
        name: String,
    },
    /// The input is not text.
    #[error("`{name}` is not text: {reason}; save it as plain text or Markdown in UTF-8")]
    Binary {
        /// The name of the input.
        name: String,
        /// The sign by which it was recognised.
        reason: &'static str,
    },
    /// A table has no column for titles.
    #[error(
        "`{name}` has no column for titles (Summary, Title or 概要), only {columns}: export the tickets with their title and \
         description"
    )]
    NoTitleColumn {
        /// The name of the input.
        name: String,
        /// The first columns of the table.
        columns: String,
    },
    /// A row of a table cannot be read.
    #[error("`{name}` cannot be read: {reason}: export the table again")]
    BrokenRow {
        /// The name of the input.
        name: String,
        /// The fault, with its line.
        reason: String,
    },
    /// The input is not UTF-8, or is UTF-16 with a broken pair.
    #[error(
        "`{name}` is not valid {encoding} at byte {offset}: save it as UTF-8, or convert it (iconv -f {likely} -t UTF-8)"
    )]
    Encoding {
        /// The name of the input.
        name: String,
        /// The encoding as which it was read.
        encoding: &'static str,
        /// The first wrong byte, counted from 0 at the start of the file (of the line, for `.jsonl`).
        offset: usize,
        /// The probable encoding of the bytes.
        likely: &'static str,
    },
    /// The input is larger than the limit.
    #[error(
        "`{name}` is larger than {limit}: split it, or save many issues as .jsonl, where the limit applies to each line"
    )]
    TooLarge {
        /// The name of the input.
        name: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// The input is not JSON.
    #[error("`{name}` is not valid JSON: {source}: save the export again, or rename the file if it is meant as text")]
    NotJson {
        /// The name of the input.
        name: String,
        /// The syntax error, with line and column.
        source: serde_json::Error,
    },
    /// The JSON is not a ticket.
    #[error(
        "`{name}` holds {found}, which is not a known ticket format: use a GitHub issue (title, body), a Jira issue \
         (key, fields), lists or search results of either, webhook payloads, and rows with text or with title and body"
    )]
    UnknownShape {
        /// The name of the input.
        name: String,
        /// The description of the JSON that was found.
        found: String,
    },
    /// A file in a folder is not a ticket; this is a note, not a failure.
    #[error("skipped `{name}`: it holds {found}, which is not a ticket; name the file to judge it anyway")]
    LeftOut {
        /// The name of the file.
        name: String,
        /// The description of the content that was found.
        found: String,
    },
    /// A Jira export lacks the names of its custom fields, some of which contain text.
    #[error(
        "`{name}` has text in {fields}, which was left out because the export does not name its fields: export the issues with \
         `expand=names`, so that acceptance criteria in them are read"
    )]
    UnnamedFields {
        /// The name of the file.
        name: String,
        /// The fields, as a list.
        fields: String,
    },
    /// A list of issues or a table is empty.
    #[error("`{name}` holds no tickets: check the query that it was saved from")]
    NoIssues {
        /// The name of the input.
        name: String,
    },
    /// Too many consecutive lines or list elements are broken.
    #[error(
        "gave up on `{name}` after {count} broken entries in a row: check that each line, or each element, is one ticket"
    )]
    GaveUp {
        /// The name of the file.
        name: String,
        /// The number of consecutive entries that could not be read.
        count: usize,
    },
    /// All files were left out, or no input was named.
    #[error("nothing was read: name a file, a folder with tickets, a pattern in quotes, or - for standard input")]
    NothingRead,
}

impl IntakeError {
    /// Returns true for a note that a file in a folder, or a field of an export, was left out; a note must not fail the
    /// run.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::LeftOut { .. } | Self::UnnamedFields { .. })
    }

    /// The input that the error is about, if any.
    pub fn input(&self) -> Option<&str> {
        match self {
            Self::Missing { name }
            | Self::Unreadable { name, .. }
            | Self::Walk { name, .. }
            | Self::Pattern { name, .. }
            | Self::EmptyFolder { name, .. }
            | Self::NoMatch { name }
            | Self::Empty { name }
            | Self::EmptyTicket { name, .. }
            | Self::Blank { name }
            | Self::Binary { name, .. }
            | Self::NoTitleColumn { name, .. }
            | Self::BrokenRow { name, .. }
            | Self::Encoding { name, .. }
            | Self::TooLarge { name, .. }
            | Self::NotJson { name, .. }
            | Self::UnknownShape { name, .. }
            | Self::LeftOut { name, .. }
            | Self::UnnamedFields { name, .. }
            | Self::NoIssues { name }
            | Self::GaveUp { name, .. } => Some(name),
            Self::NothingRead => None,
        }
    }

    /// Creates [`IntakeError::TooLarge`] with the limit in words.
    pub(super) fn too_large(name: &str, limit: usize) -> Self {
        const MEBIBYTE: usize = 1024 * 1024;
        let limit = if limit >= MEBIBYTE && limit.is_multiple_of(MEBIBYTE) {
            format!("{} MiB", limit / MEBIBYTE)
        } else {
            format!("{limit} bytes")
        };
        Self::TooLarge { name: name.to_owned(), limit }
    }
}
