//! Reads one file, stream or byte string in the form that its name indicates.

use std::io::{self, Read};
use std::path::Path;

use super::json::Unknown;
use super::json_lines::JsonLines;
use super::selection::{Met, shown};
use super::{IntakeError, RawInput, decoding, document, front_matter, json, table};
use reqgate_base::files;

/// The texts of one source, read on demand.
pub(super) type Items = Box<dyn Iterator<Item = Result<RawInput, IntakeError>> + Send>;

/// The form in which a source is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    JsonLines,
    Table,
    /// JSON or a table if it contains tickets, text otherwise: for streams, which have no extension.
    Any,
}

impl Form {
    pub(super) fn of(name: &str) -> Self {
        if name == "-" || name.starts_with("/dev/") || name.starts_with("/proc/") {
            return Self::Any;
        }
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::JsonLines,
            ending if table::is_table(ending) => Self::Table,
            _ => Self::Text,
        }
    }
}

/// The texts in a file; a `.jsonl` file is read line by line.
pub(super) fn read_file(path: &Path, met: Met, limit: usize) -> Items {
    let name = shown(path);
    if let Some(found) = companion(path).filter(|_| met == Met::InFolder) {
        return Box::new(std::iter::once(Err(IntakeError::LeftOut { name, found: found.to_owned() })));
    }
    let file = match files::open(path) {
        Ok(file) => file,
        Err(source) => return failure(name, source),
    };
    let is_data = is_data_of_a_prd(path);
    let is_read = move |item: &Result<_, IntakeError>| !is_data || !matches!(item, Err(IntakeError::LeftOut { .. }));
    match Form::of(&name) {
        Form::JsonLines => Box::new(JsonLines::new(&name, file, limit, unknown_met(met))),
        form => match decoding::read_all(&name, file, limit) {
            Ok(bytes) => {
                let items = read_form(&name, bytes, form, met, usize::MAX).into_iter().filter(is_read);
                // `/dev/stdin` and pipes are streams.
                match form != Form::Any && path.is_file() {
                    true => Box::new(items),
                    false => Box::new(items.map(|item| item.map(RawInput::without_acceptance))),
                }
            }
            Err(error) => Box::new(std::iter::once(Err(error))),
        },
    }
}

/// Returns true for the data that the program itself writes next to a PRD; they are skipped without a note.
fn is_data_of_a_prd(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "prd.json") && path.with_file_name("prd.md").is_file()
}

/// The description of a file that belongs to the requirements next to it, from another tool or a team; `None` for any
/// other file.
pub(super) fn companion(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    let beside = |other: &str| path.with_file_name(other);
    if ["tasks.md", "plan.md", "research.md", "data-model.md", "quickstart.md"].contains(&name)
        && beside("spec.md").is_file()
    {
        return Some("the work on the spec.md of spec-kit beside it");
    }
    let is_draft =
        || name.strip_prefix("prd_v").and_then(|rest| rest.strip_suffix(".md")?.parse::<u32>().ok()).is_some();
    let is_of_team = ["outline.md", "critiques.md"].contains(&name) || is_draft();
    if is_of_team && beside("prd.md").is_file() && beside("prd.json").is_file() {
        return Some("the work on the prd.md beside it");
    }
    let folder = path.parent().filter(|folder| folder.ends_with("checklists") || folder.ends_with("contracts"));
    if folder.and_then(Path::parent).is_some_and(|feature| feature.join("spec.md").is_file()) {
        return Some("the work on the spec.md of spec-kit above it");
    }
    let is_kiro = || beside("requirements.md").is_file();
    if ["tasks.md", "design.md"].contains(&name) && is_kiro() {
        return Some("the work on the requirements.md beside it");
    }
    let is_change = || beside("specs").is_dir() && beside("proposal.md").is_file();
    let is_part = ["tasks.md", "proposal.md", "design.md"].contains(&name) && is_change();
    is_part.then_some("a part of a change of OpenSpec whose requirements stand below specs/")
}

/// The texts in a stream such as standard input. The sender may be a stranger, so acceptances in the text are ignored.
pub(super) fn read_stream(name: &str, reader: impl Read, limit: usize) -> Items {
    match decoding::read_all(name, reader, limit) {
        Ok(bytes) => {
            let items = read_form(name, bytes, Form::of(name), Met::Named, usize::MAX).into_iter();
            Box::new(items.map(|item| item.map(RawInput::without_acceptance)))
        }
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// The first texts in a byte string, read like a file of that name in the user's repository.
pub(super) fn read_bytes(name: &str, bytes: &[u8], limit: usize, most: usize) -> Vec<Result<RawInput, IntakeError>> {
    match Form::of(name) {
        Form::JsonLines => JsonLines::new(name, bytes, limit, Unknown::Refuse).take(most).collect(),
        _ if bytes.len() > limit => vec![Err(IntakeError::too_large(name, limit))],
        form => read_form(name, bytes.to_vec(), form, Met::Named, most),
    }
}

fn failure(name: String, source: io::Error) -> Items {
    let error = match source.kind() {
        io::ErrorKind::NotFound => IntakeError::Missing { name },
        _ => IntakeError::Unreadable { name, source },
    };
    Box::new(std::iter::once(Err(error)))
}

fn unknown_met(met: Met) -> Unknown {
    match met {
        Met::Named => Unknown::Refuse,
        Met::InFolder => Unknown::LeaveOut,
    }
}

fn read_form(name: &str, bytes: Vec<u8>, form: Form, met: Met, most: usize) -> Vec<Result<RawInput, IntakeError>> {
    let text = match decoding::decode(name, bytes) {
        Ok(text) => text,
        Err(error) => return vec![Err(error)],
    };
    match form {
        Form::Json => read_json(name, &text, unknown_met(met), most),
        Form::Table => table::read(name, &text, unknown_met(met), most),
        Form::Any if table::is_one(&text) => table::read(name, &text, Unknown::Refuse, most),
        Form::Any if text.trim_start().starts_with(['{', '[']) => {
            let items = read_json(name, &text, Unknown::Refuse, most);
            let is_foreign = |item: &Result<_, IntakeError>| {
                matches!(item, Err(IntakeError::UnknownShape { .. } | IntakeError::NotJson { .. }))
            };
            if items.iter().all(is_foreign) { vec![Ok(front_matter::read(name, text))] } else { items }
        }
        Form::Text | Form::JsonLines | Form::Any => vec![Ok(front_matter::read(name, text))],
    }
}

/// Reads one JSON document or, if the text is not one, a ticket per line: exports often have the wrong extension.
fn read_json(name: &str, text: &str, unknown: Unknown, most: usize) -> Vec<Result<RawInput, IntakeError>> {
    match document(name, text) {
        Ok(value) => json::read(name, &value, unknown, most),
        Err(error) => {
            let first = text.trim_start().lines().next().unwrap_or("");
            if first.len() < text.trim().len() && json::is_ticket(first) {
                return JsonLines::new(name, text.as_bytes(), text.len(), unknown).take(most).collect();
            }
            vec![Err(error)]
        }
    }
}
