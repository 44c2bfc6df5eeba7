//! Reads the files of a feature: its requirements, in our layout or in that of another tool, and its brief.

use std::path::{Path, PathBuf};

use reqgate::files;
use reqgate::prd::FeatureDocument;
use reqgate::prd::layouts::AnyRequirements;
use reqgate::prd::prd_text::in_line_with;
use reqgate::prd::requirements::{self, ReviewedRequirement};
use reqgate::stages::intake::front_matter;

use super::exit::{self, Failure};

/// The maximum size of a document, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// The brief of a feature in its directory.
const BRIEF: &str = "feature-brief.md";
/// The requirements of a feature in its directory.
pub(super) const REQUIREMENTS: &str = "requirements.md";
/// The requirements of a feature in spec-kit, and of a capability in OpenSpec, in their directory.
const SPEC: &str = "spec.md";
/// The PRD of a feature in its directory.
const PRD: &str = "prd.md";
/// The same PRD as data.
pub(super) const PRD_DATA: &str = "prd.json";
/// The folder of capabilities in a change of OpenSpec, and the reason for the change next to it.
const CAPABILITIES: &str = "specs";
const PROPOSAL: &str = "proposal.md";
/// The maximum depth of folders in which capabilities are searched.
const DEEPEST: usize = 4;

/// One file.
///
/// # Errors
/// Fails if it does not exist or cannot be read.
pub(super) fn file(path: &Path) -> Result<FeatureDocument, Failure> {
    let (name, text) = read(path)?;
    Ok(FeatureDocument::new(name, text))
}

/// Reads the requirements in a folder. If the PRD next to them is approved, its wording counts, because it may have been edited
/// since.
///
/// # Errors
/// Fails if they do not exist or cannot be read.
pub(super) fn of_feature(path: &Path) -> Result<FeatureDocument, Failure> {
    let own = file(path)?;
    let prd = path.with_file_name(PRD);
    let is_ours = path.file_name().is_some_and(|name| name == REQUIREMENTS) && prd.is_file();
    let (Ok(document), true) = (requirements::parse(own.text()), is_ours) else { return Ok(own) };
    let (prd_name, prd) = read(&prd)?;
    if !front_matter::is_approved(&prd) {
        return Ok(own);
    }
    let Some(now) = in_line_with(&document, &prd) else {
        exit::warn(&format!("the tables of `{prd_name}` cannot be read: the words of `{}` are used", own.name()));
        return Ok(own);
    };
    let text = requirements::render(&now);
    if text == own.text() {
        return Ok(own);
    }
    let is_other = |one: &&ReviewedRequirement| document.requirement(&one.requirement.id) != Some(one);
    let ids: Vec<String> = now.requirements().filter(is_other).map(|one| one.requirement.id.to_string()).collect();
    exit::warn(&format!(
        "`{prd_name}` is approved and says something else than `{}` about {}: its words are used",
        own.name(),
        ids.join(", ")
    ));
    Ok(own.with_text(&text))
}

/// Several files as one document, named after their folder.
fn joined(folder: &Path, paths: &[PathBuf]) -> Result<FeatureDocument, Failure> {
    let files: Result<Vec<_>, Failure> = paths.iter().map(|path| read(path)).collect();
    FeatureDocument::joined(folder.display().to_string(), files?)
        .map_err(|(name, fault)| Failure::usage(format!("{name}:{}: {}", fault.line, fault.kind)))
}

/// Reads the requirements at a path, and finds the file of the brief, if there is one.
///
/// # Errors
/// Fails if they do not exist or cannot be read.
pub(super) fn requirements(path: &Path, brief: Option<&Path>) -> Result<(FeatureDocument, Option<PathBuf>), Failure> {
    let path = of_prd(path);
    if path.extension().is_some_and(|ending| ending == "json") {
        return Err(Failure::usage(format!(
            "`{}` is data for programs: name the folder of the feature, or its PRD in Markdown",
            path.display()
        )));
    }
    let is_folder = path.is_dir();
    let files = if is_folder { in_folder(path)? } else { vec![path.to_path_buf()] };
    let folder = if is_folder { Some(path) } else { path.parent() };
    let is_change = is_folder && files.iter().any(|file| file.starts_with(path.join(CAPABILITIES)));
    let name = if is_change { PROPOSAL } else { BRIEF };
    let beside = folder.map(|folder| folder.join(name)).filter(|brief| brief.is_file() && brief != path);
    // A brief next to a ticket of another name belongs to another feature.
    let is_ours = is_folder || path.file_name().is_some_and(|name| name == REQUIREMENTS);
    let text = match files.as_slice() {
        [only] if is_folder => of_feature(only)?,
        [only] => file(only)?,
        several => joined(path, several)?,
    };
    Ok((text, brief.map(Path::to_path_buf).or(beside.filter(|_| is_ours))))
}

/// The folder of a PRD whose requirements are in a file next to it, as text or as data; every other path as it is. The
/// file has their titles and the questions that they wait for, and the PRD has the last word.
fn of_prd(path: &Path) -> &Path {
    let is_prd = path.file_name().is_some_and(|name| name == PRD || name == PRD_DATA);
    let folder = path.parent().filter(|folder| is_prd && folder.join(REQUIREMENTS).is_file());
    match folder {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}

/// The files with requirements in a folder: ours, spec-kit's, the PRD of a team, or those of the capabilities of OpenSpec.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if let Some(found) = [REQUIREMENTS, SPEC, PRD].map(|name| folder.join(name)).into_iter().find(|path| path.is_file())
    {
        return Ok(vec![found]);
    }
    let mut found = Vec::new();
    specs_below(&folder.join(CAPABILITIES), DEEPEST, &mut found);
    if found.is_empty() {
        specs_below(folder, 1, &mut found);
        found.sort();
        if let [one, ..] = found.as_slice() {
            let (folder, one) = (folder.display(), one.parent().unwrap_or(one).display());
            return Err(Failure::usage(format!(
                "`{folder}` holds several features: name one of them, such as `{one}`"
            )));
        }
        return Ok(vec![folder.join(REQUIREMENTS)]);
    }
    found.sort();
    Ok(found)
}

/// The PRD in the folder of a feature; any other path is returned as it is.
pub(super) fn prd_in(path: &Path) -> PathBuf {
    let own = path.join(PRD);
    if path.is_dir() && own.is_file() { own } else { path.to_path_buf() }
}

/// Returns true for the folder of a feature, in any layout.
fn is_feature(folder: &Path) -> bool {
    let mut capabilities = Vec::new();
    specs_below(&folder.join(CAPABILITIES), DEEPEST, &mut capabilities);
    [REQUIREMENTS, SPEC, PRD].iter().any(|name| folder.join(name).is_file()) || !capabilities.is_empty()
}

/// The folders of the features in a folder that is not a feature itself, in order; empty if there are fewer than two.
pub(super) fn features_in(folder: &Path) -> Vec<PathBuf> {
    if is_feature(folder) {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_feature(path)).collect();
    found.sort();
    if found.len() < 2 { Vec::new() } else { found }
}

/// Reads the PRD at a path: a file; in a folder ours, the specification of spec-kit, or a change of OpenSpec, with its
/// proposal and the deltas of its capabilities as one document.
///
/// # Errors
/// Fails if it does not exist or cannot be read.
pub(super) fn prd(path: &Path) -> Result<FeatureDocument, Failure> {
    if !path.is_dir() {
        return file(path);
    }
    if let Some(found) = [PRD, SPEC].map(|name| path.join(name)).into_iter().find(|file| file.is_file()) {
        return file(&found);
    }
    let mut deltas = Vec::new();
    specs_below(&path.join(CAPABILITIES), DEEPEST, &mut deltas);
    deltas.sort();
    let proposal = path.join(PROPOSAL);
    match deltas.is_empty() {
        true => file(&path.join(PRD)),
        false => {
            let files: Vec<PathBuf> = Some(proposal).into_iter().filter(|file| file.is_file()).chain(deltas).collect();
            joined(path, &files)
        }
    }
}

fn specs_below(folder: &Path, deeper: usize, found: &mut Vec<PathBuf>) {
    // A folder that cannot be listed is skipped.
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
pub(super) fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    match files::text(path, MOST_BYTES) {
        Ok(text) => Ok((name, text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::usage(format!("`{name}` does not exist")))
        }
        Err(error) => Err(Failure::usage(format!("reading `{name}`: {error}"))),
    }
}

/// The requirements of a document, in our layout or in any other; unreadable parts are reported with their line.
///
/// # Errors
/// Fails if the document contains no recognisable requirement.
pub(super) fn requirements_in(document: &FeatureDocument) -> Result<AnyRequirements, Failure> {
    let Some((found, faults)) = document.requirements() else {
        let name = document.name();
        return Err(Failure::usage(format!(
            "`{name}` has no requirements that can be told by their form: begin each with an id such as `FR-001`, or \
             list them under a heading such as `Requirements` or `Acceptance criteria`"
        )));
    };
    for fault in faults {
        let (file, line) = document.place(fault.line);
        exit::warn(&format!("{file}:{line}: {}", fault.kind));
    }
    Ok(found)
}
