//! Three features with the story of a person who rejects, changes her mind, edits files by hand and excludes things
//! from scope: `tests/features/*/story.md`. A reader wrote the brief of each (`brief.json`).

mod dorrit;
mod lotte;
mod xiujie;

use std::fs;

use serde_json::{Value, json};

use super::open_ask;
use crate::cli::{Ran, Sandbox, source};

const REQUIREMENTS: &str = "requirements.md";
const BRIEF: &str = "feature-brief.md";

/// A story while its steps are performed.
struct Story {
    sandbox: Sandbox,
}

impl Story {
    /// Begins the thread `story` with the utterance and the files of a feature.
    fn begins(folder: &str, files: &[&str]) -> Self {
        let sandbox = Sandbox::new();
        let read = |name: &str| fs::read_to_string(source(&format!("features/{folder}/{name}"))).expect("a source");
        let said = read("utterance.txt");
        let mut arguments = vec!["prd", "start", said.trim(), "--id", "story"];
        for name in files {
            sandbox.file(name, read(name));
            arguments.extend(["--from", name]);
        }
        arguments.extend(["--author", "agent"]);
        sandbox.run(&arguments).ends_with(4);
        Self { sandbox }
    }

    /// Submits the brief that a reader wrote.
    fn is_read(&self, folder: &str) {
        let order = self.sandbox.run(&["prd", "next", "story", "--json"]).ends_with(4).json();
        let id = order["order"]["id"].as_str().expect("a work order").to_owned();
        let brief = fs::read_to_string(source(&format!("features/{folder}/brief.json"))).expect("a brief");
        self.sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &brief).ends_with(4);
    }

    /// The open question, which must be of this kind.
    #[track_caller]
    fn asks(&self, kind: &str) -> Value {
        let ask = open_ask(&self.sandbox);
        assert_eq!(ask["kind"], kind, "{ask:#}");
        ask["request"].clone()
    }

    fn answer(&self, answer: &Value) -> Ran {
        let id = open_ask(&self.sandbox)["id"].as_str().expect("an id").to_owned();
        self.sandbox.run_with(&["answer", &id, "--json", "-", "--author", "rules"], &[], &answer.to_string())
    }

    /// Answers, and expects another question.
    #[track_caller]
    fn answers(&self, answer: &Value) {
        self.answer(answer).ends_with(4);
    }

    /// The id of the open question of a brief with these words.
    #[track_caller]
    fn question(&self, words: &str) -> String {
        let request = self.asks("brief_review");
        let asked = request["openQuestions"].as_array().expect("a list");
        let found = asked.iter().find(|one| one["question"].as_str().is_some_and(|text| text.contains(words)));
        found.unwrap_or_else(|| panic!("no {words} in {asked:#?}"))["id"].as_str().expect("an id").to_owned()
    }

    /// The id of the requirement with these words, in any part of the review.
    #[track_caller]
    fn id(&self, words: &str) -> String {
        let request = open_ask(&self.sandbox)["request"].clone();
        let lists = [&request["requirements"], &request["decided"]];
        let all: Vec<&Value> = lists.into_iter().filter_map(Value::as_array).flatten().collect();
        let found = all.iter().find(|one| one["description"].as_str().is_some_and(|text| text.contains(words)));
        found.unwrap_or_else(|| panic!("no {words} in {all:#?}"))["id"].as_str().expect("an id").to_owned()
    }

    /// The ids that are shown for a decision.
    #[track_caller]
    fn shown(&self) -> Vec<String> {
        let request = self.asks("requirements_review");
        let each = request["requirements"].as_array().expect("a list").iter();
        each.map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
    }

    /// Gives these verdicts, and approves everything else that is shown except `left`.
    #[track_caller]
    fn reviews(&self, verdicts: &[Value], left: &[String]) {
        self.reviews_and_adds(verdicts, left, &[]);
    }

    /// The same, with requirements that the reviewer adds.
    #[track_caller]
    fn reviews_and_adds(&self, verdicts: &[Value], left: &[String], added: &[&str]) {
        let mut all = verdicts.to_vec();
        let is_named = |id: &String| verdicts.iter().any(|verdict| verdict["id"] == **id) || left.contains(id);
        all.extend(self.shown().iter().filter(|id| !is_named(id)).map(|id| json!({ "id": id, "verdict": "approve" })));
        let added: Vec<Value> = added.iter().map(|words| json!({ "description": words })).collect();
        match added.is_empty() {
            true => self.answers(&json!({ "verdicts": all })),
            false => self.answers(&json!({ "verdicts": all, "added": added })),
        };
    }

    /// The id of the requirement with these words in the file of requirements.
    #[track_caller]
    fn id_in_file(&self, words: &str) -> String {
        let file = self.file(REQUIREMENTS);
        let (above, _) = file.split_once(words).unwrap_or_else(|| panic!("no {words} in {file}"));
        let at = above.rfind("FR-").unwrap_or_else(|| panic!("no id above {words} in {file}"));
        above[at..at + "FR-001".len()].to_owned()
    }

    fn path(name: &str) -> String {
        format!("docs/prd/001-story/{name}")
    }

    fn file(&self, name: &str) -> String {
        self.sandbox.read(&Self::path(name))
    }

    /// Edits a document by hand.
    #[track_caller]
    fn edits(&self, name: &str, from: &str, to: &str) {
        let text = self.file(name);
        assert!(text.contains(from), "{from} in {text}");
        self.sandbox.file(&Self::path(name), text.replacen(from, to, 1));
    }

    /// The PRD as it is shown.
    #[track_caller]
    fn prd(&self) -> String {
        self.asks("prd_review")["document"].as_str().expect("a PRD").to_owned()
    }

    /// The whole history, as JSON.
    fn history(&self) -> String {
        self.sandbox.run(&["prd", "history", "story", "--format", "json"]).ends_with(0).stdout
    }

    /// The block of a requirement in its file.
    #[track_caller]
    fn block(&self, id: &str) -> String {
        let file = self.file(REQUIREMENTS);
        let start = file.find(&format!("### {id}:")).unwrap_or_else(|| panic!("no {id} in {file}"));
        let end = file[start + 4..].find("\n##").map_or(file.len(), |end| start + 4 + end);
        file[start..end].to_owned()
    }
}

/// The text under a heading, up to the next one of its level.
#[track_caller]
fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let start = text.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading} in {text}"));
    let rest = &text[start + heading.len() + 1..];
    let level = heading.split(' ').next().unwrap_or_default();
    let next = [format!("\n{level} "), format!("\n{} ", &level[1..])];
    let end = next.iter().filter(|mark| mark.len() > 3).filter_map(|mark| rest.find(mark.as_str())).min();
    &rest[..end.unwrap_or(rest.len())]
}

#[track_caller]
fn has(text: &str, all: &[&str]) {
    all.iter().for_each(|words| assert!(text.contains(words), "{words} is not in {text}"));
}

#[track_caller]
fn has_none(text: &str, all: &[&str]) {
    all.iter().for_each(|words| assert!(!text.contains(words), "{words} is in {text}"));
}

fn reject(id: &str, reason: &str) -> Value {
    json!({ "id": id, "verdict": "reject", "reason": reason })
}

fn out_of_scope(id: &str, reason: &str) -> Value {
    json!({ "id": id, "verdict": "out_of_scope", "reason": reason })
}

fn modify(id: &str, description: &str, reason: &str) -> Value {
    json!({ "id": id, "verdict": "modify", "changes": { "description": description }, "reason": reason })
}
