//! Intake: turns the arguments of the command line (files, folders, patterns, standard input) into texts with the
//! properties that their sources state.
//!
//! Reading is lazy: one file, or one line of a `.jsonl` file, is in memory at a time. Properties are not detected from
//! the text here: a value that the source does not state stays `None`.

mod adf;
mod decoding;
pub mod detect;
mod error;
mod facts;
pub mod feature_part;
pub mod front_matter;
mod jira_issue;
mod json;
mod json_lines;
mod labels;
mod reading;
mod row;
mod selection;
mod stated;
mod table;
mod vocabulary;

pub use error::IntakeError;
pub use facts::TicketFacts;
pub use front_matter::as_draft;

use std::io::Read;
use std::path::Path;

use serde_json::Value;

use reqgate_base::bounded_json::{self, JsonError};
use reqgate_base::model::{Acceptance, Attachment, Language, OtherLanguage, Priority, SourceType, Span, TicketType};

/// The largest file, or line of a `.jsonl` file, that is read by default: 16 MiB.
pub(crate) const DEFAULT_SIZE_LIMIT: usize = 16 * 1024 * 1024;

/// The file name extensions that are read in folders by default.
pub(crate) const DEFAULT_EXTENSIONS: [&str; 12] =
    ["md", "markdown", "txt", "rst", "adoc", "feature", "json", "jsonl", "ndjson", "csv", "tsv", "wiki"];

/// A text as its source gives it, before detection; `None` means that the source does not state the value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawInput {
    /// The origin: a path, `-`, `issues.jsonl:12` or `issues.csv:12` (line, from 1), or `issues.json[0]` (array
    /// element, from 0, as in jq).
    pub name: String,
    /// The text that spans refer to: the whole file for text files, title and body for issues.
    pub text: String,
    /// The span of the title in `text`, if the source separates it from the body.
    pub title_span: Option<Span>,
    /// The kind of document, if the text or the user states it.
    pub source_type: Option<SourceType>,
    /// The tracker that an issue was read or exported from. It limits the length; a document in an issue is judged as a
    /// document.
    pub tracker: Option<SourceType>,
    /// The stated kind of ticket.
    pub ticket_type: Option<TicketType>,
    /// The language of the text.
    pub language: Option<Language>,
    /// The language of the text, if the rules do not support it.
    pub other_language: Option<OtherLanguage>,
    /// The key of the project, two to five capital letters.
    pub project_key: Option<String>,
    /// The urgency stated by the source.
    pub priority: Option<Priority>,
    /// The labels as given by the source.
    pub labels: Vec<String>,
    /// The names of attached files.
    pub attachments: Vec<Attachment>,
    /// Facts from the tracker that do not influence the verdict.
    pub facts: TicketFacts,
    /// The findings that a person accepted, as recorded in the document itself.
    pub accepted: Option<Acceptance>,
}

impl RawInput {
    /// A text without any stated property.
    fn plain(name: &str, text: String) -> Self {
        Self { name: name.to_owned(), text, ..Self::default() }
    }

    /// A ticket with title and body, without any other stated property.
    pub fn titled(title: &str, body: &str) -> Self {
        let mut input = Self::default();
        input.set_title_and_body(title, body);
        input
    }

    /// A GitHub issue from its parts; known labels state its kind.
    pub fn github_issue(name: &str, title: &str, body: &str, labels: &[String]) -> Self {
        let issue = serde_json::json!({ "number": 1, "title": title, "body": body, "labels": labels });
        let input = issue.as_object().map(|issue| row::read(name, issue)).unwrap_or_default();
        // The number only marks the object as an issue.
        Self { facts: TicketFacts::default(), ..input }
    }

    /// Returns true if the source has a separate title and no other text. A file with only a title may be meant as it
    /// is.
    pub(crate) fn has_empty_description(&self) -> bool {
        self.title_span.is_some_and(|title| {
            let around = [self.text.get(..title.start), self.text.get(title.end..)];
            around.into_iter().flatten().all(|text| text.trim().is_empty())
        })
    }

    /// Removes the acceptance, because the sender of the text may be a stranger.
    #[must_use]
    pub fn without_acceptance(self) -> Self {
        Self { accepted: None, ..self }
    }

    /// Sets `text` to the title, an empty line and the body, and `title_span` to the title; blank ends are trimmed.
    fn set_title_and_body(&mut self, title: &str, body: &str) {
        let title = title.trim();
        if title.is_empty() {
            self.text = body.to_owned();
            return;
        }
        self.title_span = Some(Span::new(0, title.len()));
        let body = if body.trim().is_empty() { "" } else { body };
        self.text = if body.is_empty() { title.to_owned() } else { format!("{title}\n\n{body}") };
    }
}

/// Options for selecting and reading inputs.
#[derive(Debug, Clone)]
pub struct IntakeOptions {
    /// Extensions of the files that are read in folders, without the dot and in any case.
    pub extensions: Vec<String>,
    /// The largest size in bytes of a file, or of a line of a `.jsonl` file.
    pub size_limit: usize,
}

impl Default for IntakeOptions {
    fn default() -> Self {
        Self { extensions: DEFAULT_EXTENSIONS.map(str::to_owned).to_vec(), size_limit: DEFAULT_SIZE_LIMIT }
    }
}

/// Reads lazily the texts that `arguments` name, in this order; within a folder or a pattern sorted by path.
///
/// An argument is `-` (standard input, read at most once), a path, a folder (read recursively without hidden and
/// git-ignored files) or a pattern such as `tickets/**/*.md`. A file that several arguments name is read once. Every
/// failure is one item, after which reading continues with the next file or line.
pub fn inputs(
    arguments: &[String],
    options: &IntakeOptions,
) -> impl Iterator<Item = Result<RawInput, IntakeError>> + Send + use<> {
    inputs_from(arguments, options, std::io::stdin())
}

/// Does the same as [`inputs`], with a replacement for standard input.
fn inputs_from<R: Read + Send + 'static>(
    arguments: &[String],
    options: &IntakeOptions,
    standard_input: R,
) -> impl Iterator<Item = Result<RawInput, IntakeError>> + Send + use<R> {
    let mut standard_input = Some(standard_input);
    let limit = options.size_limit;
    let items = selection::places(arguments, options).flat_map(move |place| -> reading::Items {
        match place {
            Ok(selection::Place::StandardInput) => match standard_input.take() {
                Some(reader) => reading::read_stream("-", reader, limit),
                None => Box::new(std::iter::empty()),
            },
            Ok(selection::Place::File { path, met }) => reading::read_file(&path, met, limit),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
    NeverSilent { items, spoke: false, done: false }
}

/// The texts in `bytes`, read like a file of that name; `-` is standard input. Never panics.
///
/// The sender may be a stranger (a page, a request, an agent, a tracker), so acceptances in the text are ignored.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Vec<Result<RawInput, IntakeError>> {
    read_first(name, bytes, usize::MAX)
}

/// The first texts of [`read_bytes`], at most `most` of them.
pub fn read_first(name: &str, bytes: &[u8], most: usize) -> Vec<Result<RawInput, IntakeError>> {
    from_bytes(name, bytes, most).into_iter().map(|item| item.map(RawInput::without_acceptance)).collect()
}

/// Does the same as [`read_bytes`] for a file of the user's repository, which may contain a person's acceptance.
pub fn read_own_bytes(name: &str, bytes: &[u8]) -> Vec<Result<RawInput, IntakeError>> {
    from_bytes(name, bytes, usize::MAX)
}

fn from_bytes(name: &str, bytes: &[u8], most: usize) -> Vec<Result<RawInput, IntakeError>> {
    let mut items = reading::read_bytes(name, bytes, DEFAULT_SIZE_LIMIT, most);
    // The callers count tickets and cannot show notes about the export.
    items.retain(|item| !matches!(item, Err(IntakeError::UnnamedFields { .. })));
    items
}

/// Returns true for the name of a table, which contains a ticket in each row.
pub fn is_table(name: &str) -> bool {
    table::is_table(&name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default())
}

/// Returns true if a run over the folder reads this file, a path relative to the folder, as one text.
pub fn takes(folder: &Path, file: &Path) -> bool {
    is_one_text(&file.to_string_lossy())
        && selection::is_read(folder, file, &IntakeOptions::default().extensions)
        && reading::companion(&folder.join(file)).is_none()
}

/// Returns true for the name of a file that is one text: no table, and no file of JSON.
pub fn is_one_text(name: &str) -> bool {
    reading::Form::of(name) == reading::Form::Text
}

/// Parses the text as a JSON document.
fn document(name: &str, text: &str) -> Result<Value, IntakeError> {
    let name = name.to_owned();
    bounded_json::parse(text.as_bytes(), bounded_json::values_of_export(text.len())).map_err(|error| match error {
        JsonError::TooMany(most) => IntakeError::TooLarge { name, limit: format!("{most} JSON values") },
        JsonError::Syntax(source) => IntakeError::NotJson { name, source },
    })
}

/// Adds an error at the end if every file was left out, because a gate that checked no text must not pass.
struct NeverSilent<I> {
    items: I,
    spoke: bool,
    done: bool,
}

impl<I: Iterator<Item = Result<RawInput, IntakeError>>> Iterator for NeverSilent<I> {
    type Item = Result<RawInput, IntakeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = self.items.next();
        match &item {
            Some(Err(error)) if error.is_note() => {}
            Some(_) => self.spoke = true,
            None => {
                self.done = true;
                return (!self.spoke).then_some(Err(IntakeError::NothingRead));
            }
        }
        item
    }
}

/// Converts a document in Jira's own format to Markdown; `None` for any other value.
pub fn rich_text(value: &Value) -> Option<String> {
    adf::is_document(value).then(|| adf::to_markdown(value))
}

#[cfg(test)]
mod tests;
