//! `reqgate init agents`: writes what coding agents read, a section of AGENTS.md, a skill, a plugin and, for Spec Kit, an extension.

use std::path::Path;

use reqgate::files::{self, Readers};

use super::arguments::InitAgentsArguments;
use super::exit::{self, Failure};
use super::outputs;

/// The file that holds more than our section.
const AGENTS: &str = "AGENTS.md";
/// Our section of it, between its marks.
const SECTION: &str = include_str!("../../config/agents/AGENTS.md");
/// The mark before our section.
const BEGIN: &str = "<!-- reqgate:begin -->";
/// The mark behind our section.
const END: &str = "<!-- reqgate:end -->";

const SKILL: &str = include_str!("../../config/agents/skill/SKILL.md");

/// Every other file: its path in the project and its content.
const FILES: [(&str, &str); 7] = [
    (".agents/skills/write-ready-ticket/SKILL.md", SKILL),
    (".agents/plugins/reqgate/.claude-plugin/plugin.json", include_str!("../../config/agents/plugin/plugin.json")),
    (
        ".agents/plugins/reqgate/.claude-plugin/marketplace.json",
        include_str!("../../config/agents/plugin/marketplace.json"),
    ),
    (".agents/plugins/reqgate/README.md", include_str!("../../config/agents/plugin/README.md")),
    (".agents/plugins/reqgate/hooks/hooks.json", include_str!("../../config/agents/plugin/hooks.json")),
    (".agents/plugins/reqgate/.mcp.json", include_str!("../../config/agents/plugin/mcp.json")),
    (".agents/plugins/reqgate/skills/write-ready-ticket/SKILL.md", SKILL),
];

/// The folder of a project that uses Spec Kit.
const SPEC_KIT: &str = ".specify";

/// The files for such a project.
const SPEC_KIT_FILES: [(&str, &str); 3] = [
    (".agents/spec-kit/reqgate/extension.yml", include_str!("../../config/agents/spec-kit/extension.yml")),
    (".agents/spec-kit/reqgate/commands/check.md", include_str!("../../config/agents/spec-kit/check.md")),
    (".specify/workflows/overlays/speckit/reqgate.yml", include_str!("../../config/agents/spec-kit/overlay.yml")),
];

/// The result for one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Written,
    Unchanged,
    /// It exists and differs.
    Kept,
}

/// Runs the command.
pub fn run(arguments: &InitAgentsArguments) -> Result<u8, Failure> {
    let InitAgentsArguments { dir, force } = arguments;
    if !dir.is_dir() {
        return Err(Failure::usage(format!("the folder `{}` does not exist: create it first", dir.display())));
    }
    let is_spec_kit = dir.join(SPEC_KIT).is_dir();
    let of_spec_kit = SPEC_KIT_FILES.iter().filter(|_| is_spec_kit);
    let mut all = vec![(AGENTS, section(dir, *force)?)];
    for (name, text) in FILES.iter().chain(of_spec_kit) {
        all.push((*name, whole(dir, name, text, *force)?));
    }
    let mut report = String::new();
    for (name, done) in &all {
        let word = match done {
            Done::Written => "wrote",
            Done::Unchanged => "unchanged",
            Done::Kept => "kept",
        };
        report.push_str(&format!("{word:9}  {name}\n"));
    }
    outputs::print(&report)?;
    let kept = all.iter().filter(|(_, done)| *done == Done::Kept).map(|(name, _)| format!("`{name}`"));
    let kept = kept.collect::<Vec<_>>().join(", ");
    if !kept.is_empty() {
        return Err(Failure::usage(format!(
            "these files already exist and differ: {kept}; use --force to overwrite them"
        )));
    }
    Ok(exit::PASS)
}

/// Writes a file that is ours alone.
fn whole(dir: &Path, name: &str, text: &str, force: bool) -> Result<Done, Failure> {
    match existing(dir, name)? {
        Some(there) if there == text => return Ok(Done::Unchanged),
        Some(_) if !force => return Ok(Done::Kept),
        _ => {}
    }
    write(dir, name, text)
}

/// Writes our section into AGENTS.md, whose other text stays.
fn section(dir: &Path, force: bool) -> Result<Done, Failure> {
    let there = existing(dir, AGENTS)?.unwrap_or_default();
    let text = match placed(&there) {
        Placed::Missing if there.is_empty() => SECTION.to_owned(),
        Placed::Missing => format!("{}\n\n{SECTION}", there.trim_end()),
        Placed::At(before, old, after) if old == SECTION.trim_end() || force => {
            format!("{before}{}{after}", SECTION.trim_end())
        }
        Placed::At(..) => return Ok(Done::Kept),
        Placed::Broken => {
            let path = dir.join(AGENTS);
            return Err(Failure::usage(format!(
                "`{}` has only one of the marks `{BEGIN}` and `{END}`: delete it, or add the other one",
                path.display()
            )));
        }
    };
    if text == there { Ok(Done::Unchanged) } else { write(dir, AGENTS, &text) }
}

/// Our section in a text.
enum Placed<'t> {
    Missing,
    /// The text before it, the section with its marks, the text behind it.
    At(&'t str, &'t str, &'t str),
    /// One of the marks is missing, or they stand the wrong way round.
    Broken,
}

fn placed(text: &str) -> Placed<'_> {
    match (text.find(BEGIN), text.find(END)) {
        (None, None) => Placed::Missing,
        (Some(begin), Some(end)) if begin < end => {
            let (head, after) = text.split_at(end + END.len());
            let (before, section) = head.split_at(begin);
            Placed::At(before, section, after)
        }
        _ => Placed::Broken,
    }
}

fn existing(dir: &Path, name: &str) -> Result<Option<String>, Failure> {
    let path = dir.join(name);
    // A link leads to a file of somebody else, or out of the project.
    let mut below = dir.to_path_buf();
    for part in Path::new(name) {
        below.push(part);
        if below.is_symlink() {
            let message = format!("`{}` is a link: replace it by a file or folder of its own first", below.display());
            return Err(Failure::usage(message));
        }
    }
    match files::text(&path, files::SETTINGS) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::usage(format!("reading `{}`: {error}", path.display()))),
    }
}

fn write(dir: &Path, name: &str, text: &str) -> Result<Done, Failure> {
    let path = dir.join(name);
    files::write(&path, text.as_bytes(), Readers::AsBefore)
        .map_err(|error| Failure::writing(&format!("`{}`", path.display()), &error))?;
    Ok(Done::Written)
}
