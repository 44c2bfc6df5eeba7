//! Fifteen features as people describe them, in `tests/features`. Without a reader, each goes from its sources to an
//! approved PRD, because a person writes the requirements.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::open_ask;
use crate::cli::{Sandbox, source};

/// The folder, utterance and other files of each feature, and the requirements that a product manager would write.
fn features() -> Vec<(String, String, Vec<PathBuf>, Vec<String>)> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(source("features")).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    let folders = folders.into_iter().filter(|folder| folder.join("expected.yaml").is_file());
    let features = folders.map(|folder| {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        let said = fs::read_to_string(folder.join("utterance.txt")).unwrap_or_default();
        let is_source = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            !["utterance.txt", "expected.yaml", "story.md", "brief.json"].contains(&&*name)
        };
        files.retain(is_source);
        let expected = fs::read_to_string(folder.join("expected.yaml")).expect("a list of requirements");
        let expected: Value = serde_saphyr::from_str(&expected).expect("it is YAML");
        let wanted = expected["requirements"].as_array().expect("a list").iter();
        let has_blank = |words: &&str| ["TBD", "____", "???", "待定"].iter().any(|blank| words.contains(blank));
        let wanted = wanted.filter_map(|one| one["what"].as_str()).filter(|words| !has_blank(words));
        let wanted = wanted.map(str::to_owned).collect();
        (folder.file_name().expect("a name").to_string_lossy().into_owned(), said.trim().to_owned(), files, wanted)
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

/// The answer of a person who adds the requirements in her own words and agrees to everything else.
fn answer(ask: &Value, is_chinese: bool, wanted: &[String]) -> Value {
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
            // A reader does not approve requirements that the gate reports as open.
            let is_open = |one: &Value| {
                let words = one["description"].as_str().unwrap_or_default().trim_end_matches(['.', '。']);
                let blank = ["TBD", "TBC", "TODO", "____", "[…]", "???", "待定", "待补充", "待填"]
                    .iter()
                    .any(|blank| one.to_string().contains(blank));
                blank || stopped.contains(&words.chars().take(20).collect::<String>())
            };
            let verdict = |one: &Value| match is_open(one) {
                true => json!({ "id": one["id"], "verdict": "reject", "reason": "nobody has decided it" }),
                false => json!({ "id": one["id"], "verdict": "approve" }),
            };
            let verdicts: Vec<Value> = request["requirements"].as_array().into_iter().flatten().map(verdict).collect();
            let is_first = request["decided"].as_array().is_none_or(Vec::is_empty);
            let own = wanted.iter().filter(|_| is_first).map(|words| json!({ "description": words }));
            json!({ "verdicts": verdicts, "added": own.collect::<Vec<_>>() })
        }
        "gap_decision" => json!({ "userIterationOverride": false }),
        "prd_review" => json!({ "prdApproved": true, "gateOverride": "read by hand" }),
        other => panic!("{other} was asked: {ask:#}"),
    }
}

#[test]
fn every_feature_becomes_a_prd_that_holds_what_its_author_wrote() {
    let features = features();
    assert_eq!(features.len(), 15);
    for (name, said, files, wanted) in features {
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
            let answer = answer(&ask, is_chinese, &wanted).to_string();
            let ran = sandbox.run_with(&["answer", &id, "--json", "-", "--format", "json"], &[], &answer);
            assert_ne!(ran.code, 2, "{name}: {}", ran.stderr);
            report = ran.json();
        }
        assert_eq!(report["status"], "completed", "{name}: {report:#}");
        let folder = report["directory"].as_str().expect("a folder");
        let file = sandbox.read(&format!("{folder}/requirements.md"));
        let letters = |words: &str| -> String { words.chars().filter(|c| c.is_alphanumeric()).collect() };
        for words in &wanted {
            assert!(letters(&file).contains(&letters(words)), "{name}: {words} is not in {file}");
        }
    }
}
