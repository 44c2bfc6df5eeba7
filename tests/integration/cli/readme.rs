//! README and docs match the program: their commands are run, and their comments are those of the snapshots.

use std::fs;
use std::path::Path;

use super::Sandbox;

fn document(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the document is there")
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
    for path in ["README.md", "docs/github.md", "docs/models.md", "docs/jira.md", "docs/rules.md", "docs/verdicts.md"] {
        for block in document(path).split("```yaml\n").skip(1) {
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
