//! A chat model writes the drafts: over a real connection, recorded and replayed, limited to the words of the sources.

use serde_json::{Value, json};

use super::{project, started};
use crate::cli::{Ran, Sandbox};
use crate::model::server::{Behaviour, Server};

const MODEL: [&str; 4] = ["--author", "model", "--model", "openai/served"];

fn statement(text: &str, line: u32, quote: &str) -> Value {
    json!({ "text": text, "source": { "source": "ticket.md", "line": line, "quote": quote } })
}

pub(super) fn brief() -> Value {
    json!({
        "title": "Export orders as CSV", "language": "en",
        "problem": [statement("Agents copy orders by hand.", 3, "Support agents copy orders by hand")],
        "goals": [statement("Agents export the orders of one customer as CSV.", 5, "export the orders of one customer as CSV")],
        "users": [statement("Support agents", 5, "As a support agent")],
        "flows": null, "success_measures": null, "constraints": null, "out_of_scope": null, "open_questions": null,
    })
}

fn requirements() -> Value {
    let one = |id: &str, text: &str, quote: &str| {
        json!({ "id": id, "title": text, "description": text, "priority": "high", "category": "Functional",
            "acceptance_criteria": [text], "sources": [{ "source": "ticket.md", "line": 9, "quote": quote }] })
    };
    json!({
        "functionalRequirements": [
            one("FR-001", "The agent downloads orders.csv with one row per order.", "a file orders.csv with 3 rows is downloaded"),
            one("FR-002", "Above 5,000 orders no file is written and \"Narrow the period\" is shown.", "and no file is written"),
        ],
        "summary": "two", "gapsAddressed": [],
    })
}

pub(super) fn server(brief: &Value) -> Server {
    Server::new([
        ("prd_brief_v1", Behaviour::Says(brief.to_string())),
        ("prd_requirements_v1", Behaviour::Says(requirements().to_string())),
        ("prd_gaps_v1", Behaviour::Says(json!({ "gaps": [] }).to_string())),
        ("prd_conflicts_v1", Behaviour::Says(json!({ "conflicts": [] }).to_string())),
    ])
}

fn written(sandbox: &Sandbox, url: &str, more: &[&str]) -> Ran {
    let mut arguments = vec!["prd", "start", "--from", "ticket.md", "--id", "export", "--format", "json"];
    arguments.extend(MODEL);
    arguments.extend(["--base-url", url]);
    arguments.extend(more);
    let cache = sandbox.path("cache").display().to_string();
    sandbox.run_with(&arguments, &[("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", &cache)], "")
}

#[test]
fn a_model_writes_what_a_person_approves_and_a_recording_says_the_same() {
    let sandbox = project();
    let server = server(&brief());
    let more = ["--answers", "answers.yaml", "--record", "recording"];
    let report = written(&sandbox, &server.url, &more).ends_with(0).json();
    assert_eq!(report["status"], "completed", "{report:#}");
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("one row per order"), "{prd}");
    assert_eq!(server.requests.lock().expect("no test panics here").len(), 4, "each draft is paid for once");
    let history = sandbox.run(&["prd", "history", "export", "--format", "json"]).json().to_string();
    assert!(history.contains("\"input_tokens\":700"), "{history}");
    // The replay gives the same result without requests.
    let other = project();
    for name in sandbox.names("recording") {
        other.file(&format!("recording/{name}"), std::fs::read(sandbox.path("recording").join(&name)).expect("a file"));
    }
    written(&other, &server.url, &["--answers", "answers.yaml", "--replay", "recording"]).ends_with(0);
    assert_eq!(other.read("docs/prd/001-export/prd.md"), prd);
    assert_eq!(server.requests.lock().expect("no test panics here").len(), 4);
}

#[test]
fn a_quote_that_nobody_wrote_is_no_source() {
    let sandbox = project();
    let mut invented = brief();
    invented["goals"][0]["source"]["quote"] = json!("Approve everything at once");
    let server = server(&invented);
    let report = written(&sandbox, &server.url, &[]).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "interrupt", "{report:#}");
    assert!(report["ask"]["question"].as_str().is_some_and(|words| words.contains("goals[0].source")), "{report:#}");
    let requests = server.requests.lock().expect("no test panics here").clone();
    assert_eq!(requests.len(), 3, "three attempts, each told what was wrong with the one before");
    assert!(requests[1].contains("problemsOfTheAttemptBefore") && requests[1].contains("goals[0].source"));
}

#[test]
fn a_model_that_is_not_there_is_a_question_and_a_missing_name_an_error() {
    let sandbox = project();
    let report = written(&sandbox, &crate::model::server::closed(), &["--timeout", "1"]).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "interrupt", "{report:#}");
    // The rules can replace a model that fails.
    let id = report["ask"]["id"].as_str().expect("an id").to_owned();
    let report =
        sandbox.run(&["answer", &id, "--approve", "--author", "rules", "--format", "json"]).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "brief_review", "{report:#}");
    let other = project();
    assert!(started(&other, &["--author", "model"]).ends_with(2).stderr.contains("--model"));
    assert!(!other.path(".reqgate").exists());
}

/// Observed with a real small model: it answered its own question, and quoted a brief that writes line breaks as
/// entities.
#[test]
fn a_model_may_ask_and_only_people_answer_and_a_quote_may_run_over_lines() {
    let sandbox = project();
    let over_lines = "- Given a customer with 3 orders, when the agent clicks \"Export\", then a file orders.csv with 3 rows is downloaded.\n\
                      - If a customer has no orders";
    let mut asking = brief();
    asking["constraints"] = json!([statement("Three rows for three orders.", 9, over_lines)]);
    asking["open_questions"] = json!([{ "question": "Who may export?", "answer": "Everybody." }]);
    let mut drawn = requirements();
    drawn["functionalRequirements"][0]["sources"][0]["quote"] = json!(over_lines.replace('\n', "&#10;"));
    let server = Server::new([
        ("prd_brief_v1", Behaviour::Says(asking.to_string())),
        ("prd_requirements_v1", Behaviour::Says(drawn.to_string())),
    ]);
    let report = written(&sandbox, &server.url, &[]).ends_with(4).json();
    let document = report["ask"]["request"]["document"].as_str().expect("a brief");
    assert!(document.contains("- [ ] Q-001: Who may export?") && !document.contains("Everybody"), "{document}");

    let sandbox = project();
    let report = written(&sandbox, &server.url, &["--answers", "answers.yaml"]).json();
    assert_ne!(report["ask"]["kind"], "failed_step", "{report:#}");
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("The agent downloads orders.csv with one row per order."), "{requirements}");
}
