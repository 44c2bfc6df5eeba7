//! Reads the files of a feature: its requirements, in our layout or in that of another tool, and its brief.

use std::path::{Path, PathBuf};

use reqgate::files;
use reqgate::prd::layouts::{AnyRequirements, ReadStory, Source, requirements_of};
use reqgate::prd::prd_text::{in_line_with, without_brief};
use reqgate::prd::requirements::{self, FaultKind, RequirementsDocument, ReviewedRequirement};
use reqgate::prd::team::SectionId;
use reqgate::prd::{FeatureId, Requirement};
use reqgate::rules;
use reqgate::stages::intake::front_matter;
use reqgate::text::language::language_of;

use super::exit::{self, Failure};

/// The maximum size of a document, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// The brief of a feature in its directory.
const BRIEF: &str = "feature-brief.md";
/// The requirements of a feature in its directory.
pub const REQUIREMENTS: &str = "requirements.md";
/// The requirements of a feature in spec-kit, and of a capability in OpenSpec, in their directory.
const SPEC: &str = "spec.md";
/// The PRD of a feature in its directory.
const PRD: &str = "prd.md";
/// The folder of capabilities in a change of OpenSpec, and the reason for the change next to it.
const CAPABILITIES: &str = "specs";
const PROPOSAL: &str = "proposal.md";
/// The maximum depth of folders in which capabilities are searched.
const DEEPEST: usize = 4;

/// A document: one file, or the capabilities of a change of OpenSpec one after the other.
pub struct Text {
    /// The name as it was typed, or that of the folder.
    pub name: String,
    pub text: String,
    /// The files of which it consists: the line on which each begins, from 1, and its name.
    files: Vec<(u32, String)>,
}

impl Text {
    /// Reads one file.
    ///
    /// # Errors
    /// Fails if it does not exist or cannot be read.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let (name, text) = read(path)?;
        Ok(Self { files: vec![(1, name.clone())], name, text })
    }

    /// Reads the requirements in a folder. If the PRD next to them is approved, its words are used, because it may have
    /// been edited since.
    ///
    /// # Errors
    /// Fails if they do not exist or cannot be read.
    pub fn of_feature(path: &Path) -> Result<Self, Failure> {
        let own = Self::of(path)?;
        let prd = path.with_file_name(PRD);
        let is_ours = path.file_name().is_some_and(|name| name == REQUIREMENTS) && prd.is_file();
        let (Ok(document), true) = (requirements::parse(&own.text), is_ours) else { return Ok(own) };
        let (prd_name, prd) = read(&prd)?;
        if !front_matter::is_approved(&prd) {
            return Ok(own);
        }
        let Some(now) = in_line_with(&document, &prd) else {
            exit::warn(&format!("the tables of `{prd_name}` cannot be read: the words of `{}` are used", own.name));
            return Ok(own);
        };
        let text = requirements::render(&now);
        if text == own.text {
            return Ok(own);
        }
        let is_other = |one: &&ReviewedRequirement| document.requirement(&one.requirement.id) != Some(one);
        let ids: Vec<String> = now.requirements().filter(is_other).map(|one| one.requirement.id.to_string()).collect();
        exit::warn(&format!(
            "`{prd_name}` is approved and says something else than `{}` about {}: its words are used",
            own.name,
            ids.join(", ")
        ));
        Ok(Self { text, ..own })
    }

    /// Joins several files into one text, with the name of their folder.
    fn joined(folder: &Path, paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut out = Self { name: folder.display().to_string(), text: String::new(), files: Vec::new() };
        for path in paths {
            let (name, text) = read(path)?;
            let unclosed =
                |kind: &FaultKind| matches!(kind, FaultKind::FenceNeverClosed | FaultKind::CommentNeverClosed);
            if let Some(fault) = requirements::parse_anyway(&text).1.iter().find(|fault| unclosed(&fault.kind)) {
                // An unclosed block would include the files after it.
                return Err(Failure::usage(format!("{name}:{}: {}", fault.line, fault.kind)));
            }
            let line = out.text.lines().count() + 1;
            out.files.push((u32::try_from(line).unwrap_or(u32::MAX), name));
            out.text.push_str(text.trim_start_matches('\u{feff}').trim_end());
            out.text.push_str("\n\n");
        }
        Ok(out)
    }

    /// The files of which it consists: the line on which each begins, from 1, and its name.
    pub fn files(&self) -> &[(u32, String)] {
        &self.files
    }

    /// The file with a line of the text, and the number of the line in it; both numbers from 1.
    pub fn place(&self, line: u32) -> (&str, u32) {
        let at = self.files.iter().rev().find(|(start, _)| *start <= line);
        at.map_or((&self.name, line), |(start, name)| (name, line - start + 1))
    }
}

/// Reads the requirements at a path, and finds the file of the brief, if there is one.
///
/// # Errors
/// Fails if they do not exist or cannot be read.
pub fn requirements(path: &Path, brief: Option<&Path>) -> Result<(Text, Option<PathBuf>), Failure> {
    let is_folder = path.is_dir();
    let files = if is_folder { in_folder(path)? } else { vec![path.to_path_buf()] };
    let folder = if is_folder { Some(path) } else { path.parent() };
    let is_change = is_folder && files.iter().any(|file| file.starts_with(path.join(CAPABILITIES)));
    let name = if is_change { PROPOSAL } else { BRIEF };
    let beside = folder.map(|folder| folder.join(name)).filter(|brief| brief.is_file() && brief != path);
    // A brief next to a ticket of another name belongs to another feature.
    let is_ours = is_folder || path.file_name().is_some_and(|name| name == REQUIREMENTS);
    let text = match files.as_slice() {
        [only] if is_folder => Text::of_feature(only)?,
        [only] => Text::of(only)?,
        several => Text::joined(path, several)?,
    };
    Ok((text, brief.map(Path::to_path_buf).or(beside.filter(|_| is_ours))))
}

/// The files with requirements in a folder: ours, spec-kit's, or those of the capabilities of OpenSpec.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if let Some(found) = [REQUIREMENTS, SPEC].map(|name| folder.join(name)).into_iter().find(|path| path.is_file()) {
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

/// Reads the PRD at a path: a file; in a folder ours, the specification of spec-kit, or a change of OpenSpec, with its
/// proposal and the deltas of its capabilities as one document.
///
/// # Errors
/// Fails if it does not exist or cannot be read.
pub fn prd(path: &Path) -> Result<Text, Failure> {
    if !path.is_dir() {
        return Text::of(path);
    }
    if let Some(file) = [PRD, SPEC].map(|name| path.join(name)).into_iter().find(|file| file.is_file()) {
        return Text::of(&file);
    }
    let mut deltas = Vec::new();
    specs_below(&path.join(CAPABILITIES), DEEPEST, &mut deltas);
    deltas.sort();
    let proposal = path.join(PROPOSAL);
    match deltas.is_empty() {
        true => Text::of(&path.join(PRD)),
        false => {
            let files: Vec<PathBuf> = Some(proposal).into_iter().filter(|file| file.is_file()).chain(deltas).collect();
            Text::joined(path, &files)
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

/// Adds the rows of a section for qualities to requirements in our layout, as in a PRD whose requirements are sections.
fn with_quality_tables(
    document: RequirementsDocument,
    name: &str,
    text: &str,
) -> Result<RequirementsDocument, Failure> {
    let names_qualities =
        |line: &str| line.strip_prefix("## ").and_then(SectionId::named) == Some(SectionId::NonFunctionalRequirements);
    if !text.lines().any(names_qualities) {
        return Ok(document);
    }
    let read = in_any_layout(name, text)?;
    let lines: Vec<&str> = text.lines().collect();
    let is_row = |line: u32| lines.get(line as usize - 1).is_some_and(|line| line.trim_start().starts_with('|'));
    let is_new = |one: &&Requirement| {
        one.id.is_quality()
            && document.requirement(&one.id).is_none()
            && one.sources.iter().any(|source| is_row(source.line))
    };
    let all = read.document.requirements().map(|one| &one.requirement);
    let others: Vec<Requirement> = all.filter(is_new).cloned().collect();
    Ok(document.with_proposals(&others).0)
}

/// Reads the requirements of a document in another layout.
///
/// # Errors
/// Fails only if the shipped rules are broken, which a test detects.
pub fn in_any_layout(name: &str, text: &str) -> Result<AnyRequirements, Failure> {
    let book = rules::load(&rules::shipped_files_for_judging()).map_err(Failure::usage)?;
    let feature: FeatureId = "000-document".parse().map_err(Failure::usage)?;
    let matter = without_brief(text).unwrap_or_else(|| text.to_owned());
    let source = Source { name: name.to_owned(), text: matter, asked: None };
    Ok(requirements_of(&book.reader, &source, &feature, language_of(text)))
}

/// Reads the requirements of a document, in our layout or in any other; unreadable parts are reported with their lines.
///
/// # Errors
/// Fails if no requirement can be recognised by its form.
pub fn document(read: &Text) -> Result<AnyRequirements, Failure> {
    let (name, text) = (&read.name, read.text.as_str());
    let (document, faults) = requirements::parse_anyway(text);
    let mut duplicates = Vec::new();
    // The text may have further requirements in a table, or stories with separate titles, which only this reading finds.
    let beside = || {
        let count = document.requirements().count();
        let has_stories = |any: &AnyRequirements| any.stories.iter().any(|story| !story.title.is_empty());
        in_any_layout(name, text).ok().filter(|any| any.document.requirements().count() > count || has_stories(any))
    };
    if document.requirements().next().is_some()
        && !document.has_blocks()
        && let Some(any) = beside()
    {
        return Ok(any);
    }
    if document.requirements().next().is_some() {
        let document = with_quality_tables(document, name, text)?;
        for fault in faults {
            match &fault.kind {
                FaultKind::DuplicateId(id) => duplicates.push((id.to_string(), fault.line)),
                kind => {
                    let (file, line) = read.place(fault.line);
                    exit::warn(&format!("{file}:{line}: {kind}"));
                }
            }
        }
        let serve_stories = document.requirements().any(|one| !one.requirement.user_stories.is_empty());
        let stories = if serve_stories { in_any_layout(name, text)?.stories } else { Vec::new() };
        let stories = stories.into_iter().map(|story| ReadStory { requirement: None, ..story }).collect();
        return Ok(AnyRequirements { document, duplicates, stories });
    }
    let found = in_any_layout(name, text)?;
    if found.document.requirements().next().is_none() {
        return Err(Failure::usage(format!(
            "`{name}` has no requirements that can be told by their form: begin each with an id such as `FR-001`, or \
             list them under a heading such as `Requirements` or `Acceptance criteria`"
        )));
    }
    Ok(found)
}
