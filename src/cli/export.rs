//! `reqgate export`: exports a PRD in Markdown as a page, as a PDF, as data, or in the standard layout.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::{fs, io};

use reqgate::files;
use reqgate::prd::FeatureDocument;
use reqgate::prd::team::ProductRequirementsDocument;
use reqgate::prd::team::document::Fault;
use reqgate::prd::team::export::{self, DocumentExport};

use super::arguments::{ExportArguments, ExportFormat};
use super::exit::{self, Failure};
use super::{feature_files, outputs, pdf, prd};

/// The maximum size of a document, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

pub(super) fn run(arguments: &ExportArguments) -> Result<u8, Failure> {
    let path = feature_files::prd_in(&arguments.path);
    let name = path.display().to_string();
    let text = match path == Path::new("-") {
        true => standard_input()?,
        false => prd::prd_of(&path).filter(|_| !path.exists()).map_or_else(|| read(&path, &name), Ok)?,
    };
    let output = arguments.output.as_deref();
    if let Some(output) = output.filter(|output| is_same_file(output, &path)) {
        return Err(outputs::read_and_written(output));
    }
    let document = FeatureDocument::new(name, text);
    let (name, text) = (document.name(), document.text());
    let written = match format(arguments)? {
        ExportFormat::Html => page(text, &path)?,
        ExportFormat::Json => {
            let data = DocumentExport::of(kept(document.in_entries(), name)?);
            outputs::json("the document", &data)?
        }
        ExportFormat::Markdown => kept(document.in_sections(), name)?.to_markdown(),
        ExportFormat::Pdf => {
            let output = output.ok_or_else(|| Failure::usage("a PDF needs a file: add --output prd.pdf"))?;
            return pdf::write(text, &title(&path), output, arguments.chromium.as_deref());
        }
    };
    match output {
        Some(path) => outputs::write_whole(path, &written)?,
        None => outputs::print(&written)?,
    }
    Ok(exit::PASS)
}

/// Returns the PRD in any layout; values that cannot be read are reported and kept as text.
fn kept(
    read: Result<(ProductRequirementsDocument, Vec<Fault>), Vec<Fault>>,
    name: &str,
) -> Result<ProductRequirementsDocument, Failure> {
    let (document, faults) = read.map_err(|faults| refused(name, &faults))?;
    for fault in &faults {
        exit::warn(&format!("{name}:{}: {}; kept as text", fault.line, fault.kind));
    }
    Ok(document)
}

/// The requested format, or else the one for the extension of the file. A page is not printed on a terminal.
fn format(arguments: &ExportArguments) -> Result<ExportFormat, Failure> {
    let ending = arguments.output.as_deref().and_then(ExportFormat::of_ending);
    match (arguments.format, ending) {
        (Some(asked), Some(ending))
            if asked != ending && (asked == ExportFormat::Pdf || ending == ExportFormat::Pdf) =>
        {
            let output = arguments.output.as_deref().unwrap_or(Path::new("")).display();
            Err(Failure::usage(format!(
                "`{output}` does not end as --format says: leave --format out, or rename the file"
            )))
        }
        (None | Some(ExportFormat::Html), None) if arguments.output.is_none() && io::stdout().is_terminal() => Err(
            Failure::usage("a page is not for a terminal: add --output prd.html, or --format markdown to read it here"),
        ),
        (asked, ending) => Ok(asked.or(ending).unwrap_or(ExportFormat::Html)),
    }
}

fn read(path: &Path, name: &str) -> Result<String, Failure> {
    files::text(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::usage(format!("`{name}` is neither a file nor a thread with a PRD")),
        _ if path.is_dir() => {
            Failure::usage(format!("`{name}` is a folder: name the PRD in it, such as {name}/prd.md"))
        }
        _ => Failure::usage(format!("reading `{name}`: {error}")),
    })
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(MOST_BYTES + 1).read_to_string(&mut text);
    match read {
        Ok(length) if length as u64 > MOST_BYTES => Err(Failure::usage("standard input is longer than 8 MB")),
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::usage(format!("reading standard input: {error}"))),
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The error for a document with faults, each with its line.
fn refused(name: &str, faults: &[Fault]) -> Failure {
    let lines: Vec<String> = faults.iter().map(|fault| format!("{name}:{}: {}", fault.line, fault.kind)).collect();
    Failure::usage(lines.join("\n"))
}

fn page(text: &str, path: &Path) -> Result<String, Failure> {
    export::html(text, &title(path)).map_err(|error| Failure::World(format!("writing the page: {error}")))
}

/// A title for a document without one.
fn title(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(OsStr::new("PRD")).to_string_lossy()
}
