//! A team plans with a vision: if neither the request nor a source has one, it is asked for once.

use serde_json::{Value, json};

use super::team::{document, order_export, outline};
use super::{answered, approved, open_ask};
use crate::cli::{Ran, Sandbox};

fn started(ticket: &str, more: &[&str]) -> (Sandbox, Ran) {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", ticket);
    let start = ["prd", "start", "--from", "ticket.md", "--id", "export", "--flow", "team", "--ask-at", "final"];
    let ran = sandbox.run(&[start.as_slice(), more].concat()).ends_with(4);
    (sandbox, ran)
}

fn next(sandbox: &Sandbox) -> Value {
    sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4).json()["order"].clone()
}

fn submit(sandbox: &Sandbox, result: &Value) -> Ran {
    let id = next(sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &result.to_string())
}

#[test]
fn the_vision_is_asked_for_once_and_is_a_source() {
    let (sandbox, _) = started(&order_export().ticket, &["--author", "agent"]);
    let ask = open_ask(&sandbox);
    assert_eq!(
        (&ask["kind"], &ask["request"]["questions"][0]["id"]),
        (&json!("clarification"), &json!("vision")),
        "{ask:#}"
    );
    answered(&sandbox, &json!({ "answers": { "vision": "Agents answer a customer within a minute." } })).ends_with(4);
    let order = next(&sandbox);
    assert_eq!(order["step"], "outline");
    let sources = order["inputs"]["sources"].to_string();
    assert!(sources.contains("ask:vision") && sources.contains("within a minute"), "{order:#}");
    assert!(order["inputs"]["documents"].as_array().is_none_or(Vec::is_empty), "{order:#}");
}

#[test]
fn a_source_with_a_vision_answers_the_question() {
    for ticket in
        ["# Export\n\n## Vision\n\nAgents answer within a minute.\n", "# 导出\n\n## 愿景\n\n客服一分钟内答复。\n"]
    {
        let (sandbox, _) = started(ticket, &["--author", "agent"]);
        assert_eq!(next(&sandbox)["step"], "outline", "{ticket}");
    }
}

#[test]
fn a_vision_that_nobody_knows_is_an_open_question_of_the_draft() {
    let (sandbox, _) = started(&order_export().ticket, &["--author", "agent"]);
    approved(&sandbox).ends_with(4);
    let order = next(&sandbox);
    assert!(order["inputs"]["documents"].to_string().contains("Which vision"), "{order:#}");
    let mut planned = outline(&order_export());
    planned["vision_statement"] = json!("[…]");
    for section in planned["sections"].as_array_mut().expect("sections") {
        section["research_needed"] = json!(false);
    }
    submit(&sandbox, &planned).ends_with(4);
    let order = next(&sandbox);
    let today = order["inputs"]["today"].as_str().expect("a day").to_owned();
    let mut draft = document(&order_export(), 0);
    draft["assumptions"] = json!([format!("Written on {today}.")]);
    draft["executive_summary"] = json!("Agents copy orders.");
    draft["problem_statement"] = json!("It takes 20 minutes each time since 2019.");
    let ran = submit(&sandbox, &draft).ends_with(2);
    assert!(ran.stderr.contains("“2019”") && !ran.stderr.contains("assumptions"), "{}", ran.stderr);
    draft["problem_statement"] = json!("It takes 20 minutes each time.");
    submit(&sandbox, &draft).ends_with(4);
    let draft = sandbox.read("docs/prd/001-export/prd_v1.md");
    assert!(draft.contains("- Which vision does this product follow") && draft.contains(&today), "{draft}");
    assert_eq!(next(&sandbox)["inputs"]["today"], today.as_str(), "critics know the day as well");
}

#[test]
fn without_a_person_the_answer_comes_from_the_file() {
    let answers =
        "- ask: clarification\n  answer:\n    answers:\n      vision: Agents answer a customer within a minute.\n";
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", &order_export().ticket).file("answers.yaml", answers);
    let start =
        ["prd", "start", "--from", "ticket.md", "--id", "export", "--flow", "team", "--answers", "answers.yaml"];
    sandbox.run(&start).ends_with(4);
    let ask = open_ask(&sandbox);
    let outline = ask["request"]["document"].as_str().unwrap_or_default();
    assert!(ask["kind"] == "outline_approval" && outline.contains("within a minute"), "{ask:#}");
    // Without an answer the run waits for a person.
    sandbox.file("none.yaml", "[]\n");
    let start = ["prd", "start", "--from", "ticket.md", "--id", "other", "--flow", "team", "--answers", "none.yaml"];
    sandbox.run(&start).ends_with(4);
}
