//! What can be wrong with an input; every message names the input and says what to do about it.

use std::io;

/// An input that could not be read. The name is a path, `-`, `file.jsonl:LINE` or `file.json[INDEX]`.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// Nothing has this name.
    #[error("`{name}` does not exist: check the spelling, or put a pattern such as 'tickets/*.md' in quotes")]
    Missing {
        /// The argument as given.
        name: String,
    },
    /// The operating system refused.
    #[error("reading `{name}` failed: {source}: check that it is a readable file and that you have permission")]
    Unreadable {
        /// The input.
        name: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// Part of a folder could not be listed.
    #[error("searching `{name}` failed: {source}: check its permissions, or name the files you mean")]
    Walk {
        /// The folder or pattern as given.
        name: String,
        /// What went wrong; it names the entry.
        source: ignore::Error,
    },
    /// The pattern cannot be understood.
    #[error("the pattern `{name}` cannot be read: {reason}: use *, **, ?, [abc] or {{a,b}}")]
    Pattern {
        /// The pattern as given.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder has no file that would be read.
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
    /// A pattern fits no file.
    #[error("no file matches `{name}`: check the pattern; hidden and git-ignored files are skipped")]
    NoMatch {
        /// The pattern as given.
        name: String,
    },
    /// No byte at all, or no line.
    #[error("`{name}` is empty: write the requirement, or leave the file out")]
    Empty {
        /// The input.
        name: String,
    },
    /// A ticket of an export without any text.
    #[error("the ticket {ticket} ({name}) is empty: write the requirement, or leave it out")]
    EmptyTicket {
        /// The input.
        name: String,
        /// The number or key of the ticket.
        ticket: String,
    },
    /// Only white space.
    #[error("`{name}` contains only white space: write the requirement, or leave the file out")]
    Blank {
        /// The input.
        name: String,
    },
    /// Not a text.
    #[error("`{name}` is not text: {reason}; save it as plain text or Markdown in UTF-8")]
    Binary {
        /// The input.
        name: String,
        /// What gave it away.
        reason: &'static str,
    },
    /// A table in which no column holds titles.
    #[error(
        "`{name}` has no column for titles (Summary, Title or 概要), only {columns}: export the tickets with their title and \
         description"
    )]
    NoTitleColumn {
        /// The input.
        name: String,
        /// The first columns that it has.
        columns: String,
    },
    /// A row of a table that cannot be read.
    #[error("`{name}` cannot be read: {reason}: export the table again")]
    BrokenRow {
        /// The input.
        name: String,
        /// The fault, with its line.
        reason: String,
    },
    /// Not UTF-8, or UTF-16 with a broken pair.
    #[error(
        "`{name}` is not valid {encoding} at byte {offset}: save it as UTF-8, or convert it (iconv -f {likely} -t UTF-8)"
    )]
    Encoding {
        /// The input.
        name: String,
        /// The encoding it was read as.
        encoding: &'static str,
        /// The first wrong byte, counted from 0 at the start of the file (of the line, for `.jsonl`).
        offset: usize,
        /// The encoding that its bytes look like.
        likely: &'static str,
    },
    /// Larger than the limit.
    #[error(
        "`{name}` is larger than {limit}: split it, or save many issues as .jsonl, where the limit applies to each line"
    )]
    TooLarge {
        /// The input.
        name: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// Not JSON at all.
    #[error("`{name}` is not valid JSON: {source}: save the export again, or rename the file if it is meant as text")]
    NotJson {
        /// The input.
        name: String,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
    /// JSON that is no ticket.
    #[error(
        "`{name}` holds {found}, which is not a known ticket format: use a GitHub issue (title, body), a Jira issue \
         (key, fields), lists or search results of either, webhook payloads, and rows with text or with title and body"
    )]
    UnknownShape {
        /// The input.
        name: String,
        /// What was found instead.
        found: String,
    },
    /// A file met in a folder that is not a ticket: worth a note, not a failure.
    #[error("skipped `{name}`: it holds {found}, which is not a ticket; name the file to judge it anyway")]
    LeftOut {
        /// The file.
        name: String,
        /// What was found instead.
        found: String,
    },
    /// An export of Jira without the names of its own fields, some of which hold text.
    #[error(
        "`{name}` has text in {fields}, which was left out because the export does not name its fields: export the issues with \
         `expand=names`, so that acceptance criteria in them are read"
    )]
    UnnamedFields {
        /// The file.
        name: String,
        /// The fields, as a list.
        fields: String,
    },
    /// A list of issues, or a table, without any.
    #[error("`{name}` holds no tickets: check the query that it was saved from")]
    NoIssues {
        /// The input.
        name: String,
    },
    /// Too many lines, or elements of a list, in a row are broken.
    #[error(
        "gave up on `{name}` after {count} broken entries in a row: check that each line, or each element, is one ticket"
    )]
    GaveUp {
        /// The file.
        name: String,
        /// How many in a row could not be read.
        count: usize,
    },
    /// All files were left out, or nothing was named.
    #[error("nothing was read: name a file, a folder with tickets, a pattern in quotes, or - for standard input")]
    NothingRead,
}

impl IntakeError {
    /// True if it only says that a file met in a folder, or a field of an export, was left out; a note should not fail the run.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::LeftOut { .. } | Self::UnnamedFields { .. })
    }

    /// The input that it is about, if it is about one.
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

    /// [`IntakeError::TooLarge`] with the limit in words.
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
