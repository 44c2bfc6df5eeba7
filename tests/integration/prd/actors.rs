//! The name recorded for actions on a thread: that of the thread, unless another is given.

use serde_json::{Value, json};

use super::{open_ask, project};
use crate::cli::{Ran, Sandbox};

const MACHINE: [(&str, &str); 2] = [("USER", "ci-runner"), ("LOGNAME", "ci-runner")];

fn run(sandbox: &Sandbox, arguments: &[&str], stdin: &str) -> Ran {
    sandbox.run_with(arguments, &MACHINE, stdin)
}

/// The names of the actors in events of a kind.
fn actors(sandbox: &Sandbox, kind: &str) -> Vec<String> {
    let events = sandbox.run(&["prd", "history", "export", "--format", "json"]).ends_with(0).json();
    let events = events.as_array().expect("a list").clone();
    let of_kind = events.into_iter().filter(|event| event["body"]["kind"] == kind);
    of_kind.map(|event| event["actor"].as_str().expect("a name").to_owned()).collect()
}

fn answer(sandbox: &Sandbox, more: &[&str]) -> Ran {
    let id = open_ask(sandbox)["id"].as_str().expect("an id").to_owned();
    let arguments: Vec<&str> = ["answer", id.as_str(), "--approve"].iter().chain(more).copied().collect();
    run(sandbox, &arguments, "")
}

fn until_the_end(sandbox: &Sandbox) {
    for _ in 0..20 {
        if sandbox.run(&["prd", "status", "export", "--format", "json"]).json()["status"] == "completed" {
            return;
        }
        let ask = open_ask(sandbox);
        let is_stopped = ask["kind"] == "prd_review" && ask["request"]["gate"]["verdict"] != "PASS";
        answer(sandbox, if is_stopped { &["--because", "a pilot"] } else { &[] });
    }
}

#[test]
fn answers_and_revisions_are_those_of_the_person_whom_the_thread_names() {
    let sandbox = project();
    let start = ["prd", "start", "--from", "ticket.md", "--id", "export", "--actor", "Mei"];
    run(&sandbox, &start, "").ends_with(4);
    until_the_end(&sandbox);
    let answered = actors(&sandbox, "answered");
    assert!(answered.len() >= 3 && answered.iter().all(|name| name == "Mei"), "{answered:?}");
    run(&sandbox, &["prd", "revise", "export", "--because", "a second pilot"], "").ends_with(4);
    assert_eq!(actors(&sandbox, "amended"), ["Mei"]);
    answer(&sandbox, &["--actor", "Ana"]);
    until_the_end(&sandbox);
    let answered = actors(&sandbox, "answered");
    assert!(answered.iter().filter(|name| *name == "Ana").count() == 1, "{answered:?}");
    assert!(answered.iter().all(|name| name != "ci-runner"), "{answered:?}");
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("Mei") && !prd.contains("ci-runner"), "{prd}");
    // A file of answers, a fork and its cancellation are recorded under her name too.
    run(&sandbox, &["prd", "fork", "export", "--at", "5", "--id", "other"], "").ends_with(0);
    run(&sandbox, &["prd", "cancel", "other", "--reason", "not needed"], "").ends_with(0);
    let events = sandbox.run(&["prd", "history", "other", "--format", "json"]).ends_with(0).json();
    assert!(!events.to_string().contains("ci-runner"), "{events:#}");
}

#[test]
fn results_are_those_of_the_person_whom_the_thread_names() {
    let sandbox = project();
    let start = ["prd", "start", "--from", "ticket.md", "--id", "export", "--author", "agent", "--actor", "Mei"];
    run(&sandbox, &start, "").ends_with(4);
    let order = || -> String {
        let order = sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4).json();
        order["order"]["id"].as_str().expect("an order").to_owned()
    };
    let quote = json!({ "source": "ticket.md", "line": 1, "quote": "export the orders of one customer" });
    let goal = json!([{ "text": "Agents export the orders of one customer.", "source": quote }]);
    let brief = |goals: &Value| json!({ "title": "Export", "language": "en", "goals": goals }).to_string();
    let told =
        run(&sandbox, &["prd", "submit", &order(), "--json", "-"], &brief(&json!("no list"))).ends_with(2).stderr;
    assert!(told.contains("recorded as that of Mei") && told.contains("--actor NAME"), "{told}");
    let by_another = ["prd", "submit", &order(), "--json", "-", "--actor", "Bo"];
    let told = run(&sandbox, &by_another, &brief(&goal)).ends_with(4).stderr;
    assert!(!told.contains("recorded as that of"), "{told}");
    assert_eq!(actors(&sandbox, "call-failed"), ["Mei"]);
    let done: Vec<String> = actors(&sandbox, "call-done").into_iter().filter(|name| name != "engine").collect();
    assert_eq!(done, ["Bo"]);
}

/// A thread without a name is answered by the user of the machine.
#[test]
fn a_thread_without_a_name_is_answered_by_the_user() {
    let sandbox = project();
    run(&sandbox, &["prd", "start", "--from", "ticket.md", "--id", "export"], "").ends_with(4);
    answer(&sandbox, &[]);
    assert_eq!(actors(&sandbox, "answered"), ["ci-runner"]);
}
