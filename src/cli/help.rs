//! `reqgate --help`: the commands in groups.

use anstyle::{AnsiColor, Style};
use clap::Command;
use reqgate::report::wrapped;

use super::terminal;

/// The groups in the order in which they are shown, each with its commands.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Judge", &["score", "check", "verify", "audit", "gaps", "critique"]),
    ("Write", &["prd", "inbox", "answer", "plan", "export", "research"]),
    ("Integrate", &["init", "github", "jira", "hook", "mcp", "lsp", "serve"]),
    ("Tune", &["config", "rules"]),
    ("Inspect", &["explain", "trace", "doctor", "health", "schema", "completions", "man", "help"]),
];
/// The maximum width of a help text in columns, as set for clap.
const WIDEST: usize = 100;
/// The columns before the description of a command: indent, the longest name, gap.
const MARGIN: usize = 2 + "completions".len() + 2;

/// The command with its subcommands shown in groups.
pub(super) fn grouped(command: Command) -> Command {
    let header = header();
    let groups = groups(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

fn header() -> Style {
    AnsiColor::Green.on_default().bold()
}

fn groups(command: &Command) -> String {
    let (header, literal) = (header(), AnsiColor::Cyan.on_default().bold());
    let width = terminal::width().min(WIDEST).saturating_sub(MARGIN);
    let mut text = String::new();
    for (group, names) in GROUPS {
        text.push_str(&format!("\n{header}{group}:{header:#}\n"));
        for name in names {
            let about = about(command, name);
            let rows = wrapped(&about, width).join(&format!("\n{:MARGIN$}", ""));
            let gap = " ".repeat(MARGIN - 2 - name.len());
            text.push_str(&format!("  {literal}{name}{literal:#}{gap}{rows}\n"));
        }
    }
    text
}

/// The first line of a command's help; clap adds `help` itself later.
fn about(command: &Command, name: &str) -> String {
    match command.find_subcommand(name).and_then(Command::get_about) {
        Some(about) => about.to_string(),
        None => "Print this message or the help of the given subcommand(s)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::arguments::Arguments;

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            assert_eq!(grouped.iter().filter(|other| **other == name).count(), 1, "{name}");
        }
        let known = Arguments::command();
        for name in grouped {
            assert!(
                name == "help" || cfg!(not(feature = "service")) || known.find_subcommand(name).is_some(),
                "{name}"
            );
        }
    }
}
