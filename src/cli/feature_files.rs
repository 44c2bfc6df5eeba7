//! The files of a feature that commands read: its requirements, in our layout or in that of another tool, and its brief.

use std::path::{Path, PathBuf};

use reqgate::files;
use reqgate::prd::FeatureId;
use reqgate::prd::collect::{AnyRequirements, Source, requirements_of};
use reqgate::prd::requirements::{self, FaultKind};
use reqgate::rules;
use reqgate::text::language::language_of;

use super::exit::{self, Failure};

/// The largest document that is read, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// The brief of a feature in its directory.
const BRIEF: &str = "feature-brief.md";
/// The requirements of a feature in its directory.
pub const REQUIREMENTS: &str = "requirements.md";
/// The requirements of a feature of spec-kit in its directory, and those of a capability of OpenSpec in its own.
const SPEC: &str = "spec.md";
/// The folder of capabilities in a change of OpenSpec, and the reason for the change beside it.
const CAPABILITIES: &str = "specs";
const PROPOSAL: &str = "proposal.md";
/// How deep capabilities are looked for.
const DEEPEST: usize = 4;

/// The file of requirements and that of the brief, where there is one.
///
/// # Errors
/// Fails if a folder has several files of requirements.
pub fn paths(path: &Path, brief: Option<&Path>) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let is_folder = path.is_dir();
    let requirements = if is_folder { in_folder(path)? } else { path.to_path_buf() };
    let folder = if is_folder { Some(path) } else { path.parent() };
    let name = if is_folder && requirements.starts_with(path.join(CAPABILITIES)) { PROPOSAL } else { BRIEF };
    let beside = folder.map(|folder| folder.join(name)).filter(|brief| brief.is_file() && brief != path);
    // Beside a ticket of another name lies somebody else's brief.
    let is_ours = is_folder || path.file_name().is_some_and(|name| name == REQUIREMENTS);
    Ok((requirements, brief.map(Path::to_path_buf).or(beside.filter(|_| is_ours))))
}

/// The file of requirements in a folder: ours, spec-kit's, or that of the only capability of a change of OpenSpec.
fn in_folder(folder: &Path) -> Result<PathBuf, Failure> {
    if let Some(found) = [REQUIREMENTS, SPEC].map(|name| folder.join(name)).into_iter().find(|path| path.is_file()) {
        return Ok(found);
    }
    let mut found = Vec::new();
    specs_below(&folder.join(CAPABILITIES), DEEPEST, &mut found);
    found.sort();
    match found.as_slice() {
        [] => Ok(folder.join(REQUIREMENTS)),
        [only] => Ok(only.clone()),
        several => {
            let names: Vec<String> = several.iter().map(|path| format!("`{}`", path.display())).collect();
            Err(Failure::usage(format!(
                "`{}` has several files of requirements: name one of {}",
                folder.display(),
                names.join(", ")
            )))
        }
    }
}

fn specs_below(folder: &Path, deeper: usize, found: &mut Vec<PathBuf>) {
    // A folder that cannot be listed has nothing that could be read.
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && deeper > 0 {
            specs_below(&path, deeper - 1, found);
        } else if path.file_name().is_some_and(|name| name == SPEC) {
            found.push(path);
        }
    }
}

/// The name of a file as it was typed, and its text.
///
/// # Errors
/// Fails if it does not exist or cannot be read.
pub fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    match files::text(path, MOST_BYTES) {
        Ok(text) => Ok((name, text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::usage(format!("`{name}` does not exist")))
        }
        Err(error) => Err(Failure::usage(format!("reading `{name}`: {error}"))),
    }
}

/// The requirements of a document, in our layout or in any other; what cannot be read is reported with its line.
///
/// # Errors
/// Fails if no requirement can be told by its form.
pub fn document(name: &str, text: &str) -> Result<AnyRequirements, Failure> {
    let (document, faults) = requirements::parse_anyway(text);
    let mut duplicates = Vec::new();
    if document.requirements().next().is_some() {
        for fault in faults {
            match &fault.kind {
                FaultKind::DuplicateId(id) => duplicates.push((id.to_string(), fault.line)),
                kind => exit::warn(&format!("{name}:{}: {kind}", fault.line)),
            }
        }
        return Ok(AnyRequirements { document, duplicates });
    }
    let book = rules::load(&rules::shipped_files_for_judging()).map_err(Failure::usage)?;
    let feature: FeatureId = "000-document".parse().map_err(Failure::usage)?;
    let source = Source { name: name.to_owned(), text: text.to_owned(), asked: None };
    let found = requirements_of(&book.reader, &source, &feature, language_of(text));
    if found.document.requirements().next().is_none() {
        return Err(Failure::usage(format!(
            "`{name}` has no requirements that can be told by their form: begin each with an id such as `FR-001`, or \
             list them under a heading such as `Requirements` or `Acceptance criteria`"
        )));
    }
    Ok(found)
}
