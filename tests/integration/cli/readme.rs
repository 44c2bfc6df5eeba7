//! The documents agree with the program: shown commands are run, comments are those of the snapshots, and every command line,
//! count and link in them holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use reqgate::report::Format;

use super::Sandbox;

fn document(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the document exists")
}

fn readme() -> String {
    document("README.md")
}

#[test]
fn commands_shown_say_what_the_readme_says() {
    let readme = readme();
    let mut shown = 0;
    for block in readme.split("```text\n$ reqgate ").skip(1) {
        let block = block.split("\n```").next().expect("a split has a first part");
        let (words, said) = block.split_once('\n').expect("a command and its output");
        let sandbox = Sandbox::new();
        let ticket = words.split(' ').next_back().expect("a command ends with its ticket");
        let text = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(ticket)).expect("the ticket is there");
        let ran = sandbox.file(ticket, text).run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.stdout.trim_end(), said, "reqgate {words}");
        shown += 1;
    }
    assert_eq!(shown, 2);
}

#[test]
fn the_readme_is_short() {
    assert!(readme().lines().count() <= 150, "{} lines", readme().lines().count());
}

#[test]
fn the_readme_names_every_exit_code_and_policy() {
    let help = Sandbox::new().run(&["--help"]).ends_with(0).stdout.clone();
    let codes = help.split("Exit codes:\n").nth(1).expect("the help names the exit codes");
    let codes: Vec<&str> =
        codes.lines().filter_map(|line| line.trim().split_once("  ")).map(|(code, _)| code).collect();
    assert!(codes.len() >= 6 && codes.iter().all(|code| code.parse::<u8>().is_ok()), "{codes:?}");
    let book = reqgate::rules::load(&reqgate::rules::shipped_files()).expect("the shipped rules load");
    let policies = book.policies.iter().map(|policy| format!("`{}`", policy.file.id));
    for name in codes.into_iter().map(str::to_owned).chain(policies) {
        assert!(readme().contains(&format!("\n| {name} | ")), "{name}");
    }
}

#[test]
fn comments_shown_are_those_that_are_written() {
    let shown = document("docs/github.md");
    for name in ["fail", "pass", "guardrail"] {
        let path = format!(
            "{}/crates/action/src/snapshots/reqgate_action__tests__comment_{name}.snap",
            env!("CARGO_MANIFEST_DIR")
        );
        let snapshot = fs::read_to_string(&path).expect("the snapshot is there");
        let comment = snapshot.splitn(3, "---\n").nth(2).expect("a snapshot has a head and a body");
        let quoted: Vec<String> =
            comment.trim_end().lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
        assert!(
            shown.contains(&quoted.join("\n")),
            "the comment `{name}` of docs/github.md is out of date:\n{}",
            quoted.join("\n")
        );
    }
}

/// The end-to-end tests lint the examples, so users copy the linted text.
#[test]
fn workflows_shown_are_the_linted_examples() {
    let examples: Vec<String> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("action/examples"))
        .expect("there are examples")
        .map(|entry| fs::read_to_string(entry.expect("it is listed").path()).expect("it is a file"))
        .collect();
    let mut shown = 0;
    for path in documents() {
        for block in document(&path).split("```yaml\n").skip(1) {
            let block = block.split("```").next().expect("a split has a first part");
            if block.contains("/reqgate@") && block.contains("jobs:") {
                assert!(examples.iter().any(|example| example == block), "{path} shows another workflow:\n{block}");
                shown += 1;
            }
        }
    }
    assert!(shown >= examples.len(), "{shown} workflows are shown");
}

/// The runner of GitHub reads this file before any of our code runs.
#[test]
fn the_file_of_the_action_is_yaml_with_its_parts() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml")).expect("it is there");
    let action: serde_json::Value = serde_saphyr::from_str(&text).expect("it is YAML");
    for part in ["name", "description", "inputs", "outputs", "runs"] {
        assert!(!action[part].is_null(), "action.yml has no `{part}`");
    }
}

/// The documents that people read, relative to the root of the repository.
fn documents() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in [".", "docs", "lab", "config/agents", "config/agents/skill"] {
        paths.extend(markdown_in(&root.join(folder)));
    }
    for parent in ["crates", "tests", "lab"] {
        let folders = fs::read_dir(root.join(parent)).expect("the folder exists");
        paths.extend(folders.map(|entry| entry.expect("it is listed").path().join("README.md")));
    }
    paths.retain(|path| path.is_file());
    let relative = |path: PathBuf| path.strip_prefix(root).expect("it is below the root").display().to_string();
    let paths: BTreeSet<String> = paths.into_iter().map(relative).collect();
    assert!(paths.len() > 40, "{paths:?}");
    paths.into_iter().collect()
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder exists").map(|entry| entry.expect("it is listed").path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

/// The lines of a document, each with true if it is in a fenced block.
fn lines(text: &str) -> Vec<(bool, &str)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else {
            lines.push((fenced, line));
        }
    }
    lines
}

/// The words after `reqgate` in every command line of a document, up to a pipe, a redirection or a comment.
fn command_lines(text: &str) -> Vec<Vec<String>> {
    let shell = pattern(r#"(?:^\s*|[$|;({] |&& |-- |["'(]|[A-Z]=\S* )reqgate ([^|&;<>`]*)"#);
    let code = pattern(r"`(?:[A-Z_]+=\S+ )*reqgate ([^`|]+)`");
    let mut found = Vec::new();
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    for (fenced, line) in lines(text).into_iter().filter(|(fenced, line)| !(*fenced && is_comment(line))) {
        let form = if fenced { &shell } else { &code };
        for words in form.captures_iter(line) {
            let words = words[1].split_whitespace().take_while(|word| !word.starts_with('#'));
            let trim = |word: &str| word.trim_matches(|c| "[](){},.:\"'”“".contains(c)).to_owned();
            found.push(words.map(trim).filter(|word| !word.is_empty()).collect());
        }
    }
    found
}

fn pattern(expression: &str) -> Regex {
    Regex::new(expression).expect("the expression is valid")
}

/// The help of the commands, each printed once.
#[derive(Default)]
struct Manual(BTreeMap<String, Option<String>>);

impl Manual {
    /// The help of a command, such as `prd start`; `None` if the command does not exist.
    fn help(&mut self, command: &str) -> Option<&str> {
        let print = || {
            let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
            let ran = Sandbox::new().run(&arguments);
            let usage = format!("Usage: reqgate {command}");
            (ran.code == 0 && ran.stdout.contains(usage.trim_end())).then_some(ran.stdout)
        };
        self.0.entry(command.to_owned()).or_insert_with(print).as_deref()
    }

    /// The fault of a command line: an unknown command or option.
    fn fault(&mut self, words: &[String]) -> Option<String> {
        let mut command = String::new();
        for word in words {
            let Some(help) = self.help(&command) else { return Some(format!("`reqgate {command}` is not a command")) };
            let names = |help: &str| command.is_empty() || help.contains("\nCommands:\n");
            if word.starts_with('-') || word == "…" || !names(help) {
                break;
            }
            command = format!("{command} {word}").trim().to_owned();
        }
        let Some(help) = self.help(&command) else { return Some(format!("`reqgate {command}` is not a command")) };
        let options = words.iter().filter(|word| word.starts_with("--") && word.len() > 2);
        let mut names = options.map(|word| word.split('=').next().expect("a split has a first part"));
        let unknown = names.find(|name| !pattern(&format!(r"{name}\b[^-]")).is_match(help))?;
        Some(format!("`reqgate {command}` has no option {unknown}"))
    }
}

#[test]
fn command_lines_in_documents_exist() {
    let (mut manual, mut faults, mut count) = (Manual::default(), Vec::new(), 0);
    for path in documents() {
        for words in command_lines(&document(&path)) {
            count += 1;
            faults.extend(manual.fault(&words).map(|fault| format!("{path}: {fault}: {}", words.join(" "))));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 150, "only {count} command lines were found");
}

#[test]
fn a_wrong_command_line_in_a_document_is_found() {
    let mut manual = Manual::default();
    let mut faults = |text: &str| {
        let lines = command_lines(text);
        assert_eq!(lines.len(), 1, "{text}: {lines:?}");
        manual.fault(&lines[0])
    };
    for right in
        ["`reqgate prd start --from a.md`", "```\n$ reqgate score - --format=json | jq .\n```", "`reqgate rules`"]
    {
        assert_eq!(faults(right), None, "{right}");
    }
    for wrong in [
        "`reqgate rules list`",
        "```\nreqgate scores a.md\n```",
        "`reqgate score --polic ready`",
        "`reqgate prd begin`",
    ] {
        assert!(faults(wrong).is_some(), "{wrong}");
    }
}

/// A number before "rules", "policies" or "report formats" is the number that the program has.
#[test]
fn every_list_of_report_formats_is_whole() {
    for path in ["config/reqgate.yaml", "crates/rules/src/config/file.rs"] {
        let text =
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file of the repository");
        let list = text.lines().find(|line| line.contains("Format on standard output: ")).expect("the list");
        for format in Format::ALL.map(Format::name) {
            assert!(list.contains(&format!(" {format}")), "{path} does not name the format {format}: {list}");
        }
    }
}

#[test]
fn counts_in_documents_are_those_of_the_program() {
    let book = reqgate::rules::load(&reqgate::rules::shipped_files()).expect("the shipped rules load");
    let counts = [
        ("rules", book.rules.len()),
        ("policies", book.policies.len()),
        ("report formats", reqgate::report::Format::ALL.len()),
    ];
    const WORDS: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let form = pattern(r"(?i)\b(\d+|[a-z]+) (?:shipped |included )?(rules|policies|report formats)\b");
    let (mut faults, mut checked) = (Vec::new(), BTreeSet::new());
    for path in documents().iter().filter(|path| path.starts_with("docs/") || !path.contains('/')) {
        let text = document(path);
        for (_, line) in lines(&text) {
            for found in form.captures_iter(line) {
                let word = found[1].to_lowercase();
                let number = word.parse().ok().or_else(|| WORDS.iter().position(|known| *known == word));
                let Some(number) = number else { continue };
                let noun = found[2].to_lowercase();
                let &(name, count) = counts.iter().find(|(name, _)| *name == noun).expect("the pattern has it");
                checked.insert(name);
                if number != count {
                    faults.push(format!("{path}: {}, but there are {count}", &found[0]));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(checked.len(), counts.len(), "only these counts are stated in the documents: {checked:?}");
}

/// The anchor that GitHub makes of a heading.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    words
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[test]
fn links_in_documents_lead_to_files_and_headings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let form = pattern(r"\]\(([^)\s]+)\)");
    let mut faults = Vec::new();
    for path in documents() {
        let text = document(&path);
        for (_, line) in lines(&text).into_iter().filter(|(fenced, _)| !fenced) {
            for link in form.captures_iter(line).map(|found| found[1].to_owned()) {
                if link.contains("://") || link.starts_with("mailto:") || line.starts_with('>') {
                    continue;
                }
                let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
                let target = if file.is_empty() { root.join(&path) } else { root.join(&path).with_file_name(file) };
                let headings = || fs::read_to_string(&target).unwrap_or_default();
                let leads = |text: String| {
                    lines(&text).iter().any(|(_, line)| line.starts_with('#') && anchor(line) == heading)
                };
                if !target.exists() || !(heading.is_empty() || leads(headings())) {
                    faults.push(format!("{path}: {link}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "these links lead nowhere:\n{}", faults.join("\n"));
}
