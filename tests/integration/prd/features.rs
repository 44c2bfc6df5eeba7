//! Fifteen features as people bring them, in `tests/features`: each goes from what was said to an approved PRD that passes the gate.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::open_ask;
use crate::cli::{Sandbox, source};

/// Its minutes leave two points open, and whoever agrees to everything agrees to those: the gate stops that PRD.
const OPEN: &str = "10-zhandao-xuke-files";

/// Folder, what was said, and the other files.
fn features() -> Vec<(String, String, Vec<PathBuf>)> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(source("features")).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    let folders = folders.into_iter().filter(|folder| folder.is_dir());
    let features = folders.map(|folder| {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        let said = fs::read_to_string(folder.join("utterance.txt")).unwrap_or_default();
        let is_source = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            !["utterance.txt", "expected.yaml", "story.md"].contains(&&*name)
        };
        files.retain(is_source);
        (folder.file_name().expect("a name").to_string_lossy().into_owned(), said.trim().to_owned(), files)
    });
    features.collect()
}

/// Begins a feature with all its files.
fn begun(sandbox: &Sandbox, said: &str, files: &[PathBuf]) -> Value {
    let mut arguments = vec!["prd".to_owned(), "start".to_owned()];
    if !said.is_empty() {
        arguments.push(said.to_owned());
    }
    arguments.extend(["--format", "json", "--id", "feature"].map(str::to_owned));
    for path in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        sandbox.file(&name, fs::read(path).expect("a source"));
        arguments.extend(["--from".to_owned(), name]);
    }
    sandbox.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).ends_with(4).json()
}

/// The answer of somebody who knows everything and agrees to everything.
fn answer(ask: &Value, is_chinese: bool) -> Value {
    let known = if is_chinese { "以第一种说法为准。" } else { "The first one holds." };
    let answers = |questions: &Value| -> Value {
        let each = questions.as_array().into_iter().flatten();
        each.map(|one| (one["id"].as_str().unwrap_or_default().to_owned(), json!(known)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let request = &ask["request"];
    match ask["kind"].as_str().unwrap_or_default() {
        "clarification" => json!({ "answers": answers(&request["questions"]) }),
        "brief_review" => json!({ "approved": true, "answers": answers(&request["openQuestions"]) }),
        "requirements_review" => {
            let stopped = request["gate"]["blockers"].to_string();
            // What the gate calls open nobody who reads it approves.
            let is_open = |one: &Value| {
                let words = one["description"].as_str().unwrap_or_default().trim_end_matches(['.', '。']);
                stopped.contains(&words.chars().take(20).collect::<String>())
            };
            let verdict = |one: &Value| match is_open(one) {
                true => json!({ "id": one["id"], "verdict": "reject", "reason": "nobody has decided it" }),
                false => json!({ "id": one["id"], "verdict": "approve" }),
            };
            let verdicts: Vec<Value> = request["requirements"].as_array().into_iter().flatten().map(verdict).collect();
            json!({ "verdicts": verdicts })
        }
        "gap_decision" => json!({ "userIterationOverride": false }),
        "prd_review" => json!({ "prdApproved": true }),
        other => panic!("{other} was asked: {ask:#}"),
    }
}

#[test]
fn every_feature_becomes_a_prd_that_passes_the_gate() {
    let features = features();
    assert_eq!(features.len(), 15);
    let mut wrong = Vec::new();
    for (name, said, files) in features {
        let sandbox = Sandbox::new();
        let mut report = begun(&sandbox, &said, &files);
        for _ in 0..12 {
            if report["status"] == "completed" {
                break;
            }
            let ask = open_ask(&sandbox);
            let is_chinese =
                ask["question"].as_str().is_some_and(|words| words.chars().any(|c| ('一'..='龥').contains(&c)));
            let id = ask["id"].as_str().expect("an id").to_owned();
            let answer = answer(&ask, is_chinese).to_string();
            let ran = sandbox.run_with(&["answer", &id, "--json", "-", "--format", "json"], &[], &answer);
            if ran.code == 2 && name == OPEN {
                assert_eq!(ask["kind"], "prd_review");
                assert!(ask["request"]["gate"]["blockers"].to_string().contains("没有定下来"), "{ask:#}");
                break;
            }
            if ran.code == 2 {
                wrong.push(format!("{name}: {}", ran.stderr));
                break;
            }
            report = ran.json();
        }
        let Some(folder) = report["directory"].as_str().filter(|_| report["status"] == "completed") else { continue };
        let checked = sandbox.run(&["check", &format!("{folder}/prd.md")]);
        if checked.code != 0 {
            wrong.push(format!("{name}: {}", checked.stdout));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
