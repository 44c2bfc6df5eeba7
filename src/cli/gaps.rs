//! `reqgate gaps`: finds gaps in the requirements of a feature, without a model.

use std::path::{Path, PathBuf};

use reqgate::files;
use reqgate::prd::brief::parse_brief;
use reqgate::prd::gaps::{self, GapAnalysis, Input, Named, Terminal};
use reqgate::prd::requirements::{self, RequirementsDocument};
use reqgate::prd::{FeatureBrief, FeatureId};
use reqgate::rules;

use super::arguments::{ColorWhen, GapsArguments, GapsFormat};
use super::exit::{self, Failure};
use super::{outputs, terminal};

/// The largest document that is read, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// The brief of a feature in its directory.
const BRIEF: &str = "feature-brief.md";
/// The requirements of a feature in its directory.
const REQUIREMENTS: &str = "requirements.md";

/// Runs the command.
pub fn run(arguments: &GapsArguments, color: ColorWhen) -> Result<u8, Failure> {
    let analysis = analysed(arguments)?;
    let name = arguments.path.display().to_string();
    let text = match arguments.format {
        GapsFormat::Human => {
            let terminal = Terminal { colour: terminal::is_coloured(color), width: terminal::width() };
            gaps::human(&analysis, &name, terminal)
        }
        GapsFormat::Markdown => gaps::markdown(&analysis, &name),
        GapsFormat::Json => {
            let json = serde_json::to_string_pretty(&analysis);
            json.map_err(|error| Failure::World(format!("writing the analysis: {error}")))? + "\n"
        }
    };
    outputs::print(&text)?;
    let is_below = arguments.fail_under.is_some_and(|least| analysis.score < least);
    Ok(if is_below { exit::GATE_SAID_NO } else { exit::PASS })
}

fn analysed(arguments: &GapsArguments) -> Result<GapAnalysis, Failure> {
    let (path, brief) = paths(arguments);
    let (name, text) = read(&path)?;
    let document = document(&name, &text)?;
    if document.requirements().next().is_none() {
        return Err(Failure::usage(format!(
            "`{name}` has no requirements: write them under a heading such as `Requirements` or `Acceptance criteria`"
        )));
    }
    let other = brief.map(|path| read(&path)).transpose()?;
    // A whole PRD is its own brief.
    let (brief_name, brief_text) = other.as_ref().map_or((&name, &text), |(name, text)| (name, text));
    let brief: FeatureBrief = parse_brief(brief_text);
    let brief = Named { name: brief_name, text: brief_text, document: &brief };
    Ok(gaps::analyse(Input {
        brief: Some(brief),
        requirements: Named { name: &name, text: &text, document: &document },
    }))
}

/// The file of requirements and that of the brief.
fn paths(arguments: &GapsArguments) -> (PathBuf, Option<PathBuf>) {
    let path = &arguments.path;
    let is_folder = path.is_dir();
    let folder = if is_folder { Some(path.as_path()) } else { path.parent() };
    let beside = folder.map(|folder| folder.join(BRIEF)).filter(|brief| brief.is_file() && brief != path);
    // A brief beside a ticket of another name belongs to something else.
    let is_ours = is_folder || path.file_name().is_some_and(|name| name == REQUIREMENTS);
    let brief = arguments.brief.clone().or(beside.filter(|_| is_ours));
    (if is_folder { path.join(REQUIREMENTS) } else { path.clone() }, brief)
}

fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    match files::text(path, MOST_BYTES) {
        Ok(text) => Ok((name, text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::usage(format!("`{name}` does not exist")))
        }
        Err(error) => Err(Failure::usage(format!("reading `{name}`: {error}"))),
    }
}

/// The requirements of a document, with or without ids; faults are reported and left out.
fn document(name: &str, text: &str) -> Result<RequirementsDocument, Failure> {
    let (document, faults) = requirements::parse_anyway(text);
    if document.requirements().next().is_some() {
        for fault in faults {
            exit::warn(&format!("{name}:{}: {}", fault.line, fault.kind));
        }
        return Ok(document);
    }
    let book = rules::load(&rules::shipped_files_for_judging()).map_err(Failure::usage)?;
    let reading = book.reader.read(text, None);
    let feature: FeatureId = "000-document".parse().map_err(Failure::usage)?;
    Ok(gaps::requirements_of(text, name, &reading, &feature))
}
