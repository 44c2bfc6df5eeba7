//! `reqgate init github`: writes the workflows for issues, pull requests, commands in comments and the weekly audit, as
//! shown in the documentation.

use reqgate::project;

use super::arguments::InitGithubArguments;
use super::exit::{self, Failure};
use super::outputs;
use super::project_files::{self, folder, whole};

/// The hash in the examples, which has to be replaced.
const NO_HASH: &str = "0000000000000000000000000000000000000000";

/// The part of the reference to the action that has to be replaced.
fn to_replace() -> String {
    format!("{}@{NO_HASH}", project::repository())
}

/// The reference to the action in the examples, up to the end of its line.
fn placeholder() -> String {
    format!(
        "{} # v1: put the hash that `git ls-remote {} v1` prints in place of the zeros",
        to_replace(),
        project::ADDRESS
    )
}

/// The workflows: their paths in the project and their texts.
const WORKFLOWS: [(&str, &str); 4] = [
    (".github/workflows/reqgate-issues.yml", include_str!("../../action/examples/issues.yml")),
    (".github/workflows/reqgate-pull-requests.yml", include_str!("../../action/examples/pull-request.yml")),
    (".github/workflows/reqgate-commands.yml", include_str!("../../action/examples/commands.yml")),
    (".github/workflows/reqgate-audit.yml", include_str!("../../action/examples/audit.yml")),
];

pub(super) fn run(arguments: &InitGithubArguments) -> Result<u8, Failure> {
    let InitGithubArguments { dir, force, action } = arguments;
    folder(dir)?;
    let mut all = Vec::new();
    for (name, text) in WORKFLOWS {
        let text = match action {
            Some(action) => text.replace(&placeholder(), action),
            None => text.to_owned(),
        };
        // A hash that a person inserted is not a difference.
        let is_same = |there: &str, new: &str| match action {
            Some(_) => there == new,
            None => without_action(there) == without_action(new),
        };
        all.push((name, whole(dir, name, &text, *force, is_same)?));
    }
    project_files::report(&all)?;
    let is_open = |(name, _): &(&str, _)| {
        project_files::existing(dir, name).is_ok_and(|text| text.is_some_and(|text| text.contains(&to_replace())))
    };
    if all.iter().any(is_open) {
        outputs::print(&format!(
            "Replace `{}` in these files by the action and the commit that you trust, or run\n  reqgate init github \
             --force --action {}@HASH\n`git ls-remote {} v1` prints the hash.\n",
            to_replace(),
            project::repository(),
            project::ADDRESS
        ))?;
    }
    Ok(exit::PASS)
}

/// A workflow without the name and the hash of the action.
fn without_action(text: &str) -> String {
    let line = |line: &str| match line.split_once("- uses: ") {
        Some((indent, action)) if action.contains("/reqgate@") => format!("{indent}- uses: reqgate\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workflow_names_what_to_replace_once_and_as_written() {
        for (name, text) in WORKFLOWS {
            let action = format!("{}@", project::repository());
            assert_eq!((text.matches(&placeholder()).count(), text.matches(&action).count()), (1, 1), "{name}");
        }
    }

    /// Without the configuration a recheck would judge by the defaults and reverse the verdict of the first workflow.
    #[test]
    fn every_workflow_reads_the_configuration_of_the_repository() {
        for (name, text) in WORKFLOWS {
            let checkout = text.find("- uses: actions/checkout@").expect(name);
            assert!(checkout < text.find(&placeholder()).expect(name), "{name} reads it before it judges");
            assert!(text.contains("contents: read") && text.contains("persist-credentials: false"), "{name}");
        }
    }
}
