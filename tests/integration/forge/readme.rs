//! The example of the README: started as in its workflow, the program writes the comment shown there.

use std::fs;
use std::path::Path;

use reqgate::report::comment::CommentText;
use serde_json::json;

use super::server::Forge;
use super::{Sandbox, environment};

/// The title and the body of the issue, and the comment.
fn example() -> (String, String, String) {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README is there");
    let (_, section) = readme.split_once("## On GitHub").expect("the section is there");
    let section = section.split("\n## ").next().expect("a split has a first part");
    let (_, issue) = section.split_once("An issue with the title `").expect("the issue is there");
    let (title, rest) = issue.split_once("` and the text `").expect("a title and a text");
    let (body, _) = rest.split_once("` gets this comment").expect("a text and a comment");
    let lines = section.lines().filter_map(|line| line.strip_prefix('>'));
    let comment = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
    (title.to_owned(), body.to_owned(), comment)
}

#[test]
fn the_issue_of_the_readme_gets_the_comment_of_the_readme() {
    let (title, body, shown) = example();
    let forge = Forge::new(&title, &body);
    let sandbox = Sandbox::new();
    sandbox.file("event.json", json!({"action": "opened", "issue": {"number": 7, "title": title, "body": body}, "sender": {"login": "carol", "type": "User"}}).to_string());
    // No other variable is set, so the policy is that of the workflow.
    sandbox.run_with(&["github"], &environment(&forge, "writer"), "").ends_with(0);
    let comments: Vec<String> =
        forge.state().comments.iter().filter_map(|comment| comment["body"].as_str().map(str::to_owned)).collect();
    assert_eq!(comments.len(), 1, "{comments:?}");
    assert_eq!(CommentText::visible(&comments[0]).trim_end(), shown.trim_end());
}
