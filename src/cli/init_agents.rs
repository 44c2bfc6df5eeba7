//! `reqgate init agents`: writes files for coding agents: a section of AGENTS.md, a skill, a plugin and, for Spec Kit,
//! an extension.

use std::path::Path;

use reqgate::config::NAMES;

use super::arguments::InitAgentsArguments;
use super::exit::Failure;
use super::outputs;
use super::project_files::{self, Done, existing, folder, whole, write};

/// The file that has other sections in addition to ours.
const AGENTS: &str = "AGENTS.md";
/// Our section of the file, between its marks.
const SECTION: &str = include_str!("../../config/agents/AGENTS.md");
/// The mark before our section.
const BEGIN: &str = "<!-- reqgate:begin -->";
/// The mark after our section.
const END: &str = "<!-- reqgate:end -->";

const SKILL: &str = include_str!("../../config/agents/skill/SKILL.md");

/// The other files: path in the project and content.
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

/// The files for a project that uses Spec Kit.
const SPEC_KIT_FILES: [(&str, &str); 3] = [
    (".agents/spec-kit/reqgate/extension.yml", include_str!("../../config/agents/spec-kit/extension.yml")),
    (".agents/spec-kit/reqgate/commands/check.md", include_str!("../../config/agents/spec-kit/check.md")),
    (".specify/workflows/overlays/speckit/reqgate.yml", include_str!("../../config/agents/spec-kit/overlay.yml")),
];

pub(super) fn run(arguments: &InitAgentsArguments) -> Result<u8, Failure> {
    let InitAgentsArguments { dir, force } = arguments;
    folder(dir)?;
    let is_spec_kit = dir.join(SPEC_KIT).is_dir();
    let of_spec_kit = SPEC_KIT_FILES.iter().filter(|_| is_spec_kit);
    let mut all = vec![(AGENTS, section(dir, *force)?)];
    for (name, text) in FILES.iter().chain(of_spec_kit) {
        all.push((*name, whole(dir, name, text, *force, |there, new| there == new)?));
    }
    let code = project_files::report(&all)?;
    // Without a configuration the hook lets every ticket pass.
    if !NAMES.iter().any(|name| dir.join(name).exists()) {
        outputs::print(&format!(
            "Next: `reqgate init` writes `{}`. Without it the hook judges nothing and stops no ticket.\n",
            NAMES[0]
        ))?;
    }
    Ok(code)
}

/// Writes our section into AGENTS.md; its other text is kept.
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

/// The position of our section in a text.
enum Placed<'t> {
    Missing,
    /// The text before it, the section with its marks, the text after it.
    At(&'t str, &'t str, &'t str),
    /// One of the marks is missing, or they are in the wrong order.
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
