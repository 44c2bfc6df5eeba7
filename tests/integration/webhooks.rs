//! Real webhook payloads from GitHub's own collection: each is read and gets the right decision.
//!
//! The collection is not part of this repository; `tests/e2e/run payloads` fetches a pinned version and runs the
//! ignored test, as CI does.

use std::fmt::Write as _;

use reqgate::action::{Task, decide};
use serde_json::Value;

/// The decision on a payload, in a word or two.
fn decision(name: &str, payload: &Value) -> String {
    match decide(name, payload.to_string().as_bytes(), None) {
        Ok(Task::Issue { number, trigger }) => format!("issue {number}, {trigger:?}"),
        Ok(Task::Command { number, command, .. }) => format!("command on {number}: {command:?}"),
        Ok(Task::PullRequest { base, head, .. }) => {
            format!("pull request, base {}", if base.is_some() && head.is_some() { "named" } else { "missing" })
        }
        Ok(Task::Files) => "files".to_owned(),
        Ok(Task::Skip(skip)) => format!("skipped: {skip}"),
        Err(error) => panic!("{name}: {error}"),
    }
}

#[test]
#[ignore = "needs the payloads: tests/e2e/run payloads fetches them"]
fn every_real_payload_gets_the_right_decision() {
    let path = std::env::var("REQGATE_WEBHOOK_EXAMPLES").expect("REQGATE_WEBHOOK_EXAMPLES names index.json");
    let text = std::fs::read_to_string(&path).expect("the payloads can be read");
    let events: Vec<Value> = serde_json::from_str(&text).expect("the payloads are JSON");
    let mut table = String::new();
    let mut count = 0;
    for event in &events {
        let name = event["name"].as_str().expect("an event has a name");
        for payload in event["examples"].as_array().expect("an event has examples") {
            count += 1;
            let decision = decision(name, payload);
            if matches!(name, "issues" | "issue_comment" | "pull_request" | "push") {
                let action = payload["action"].as_str().unwrap_or("");
                writeln!(table, "{name}.{action}: {decision}").expect("a string can be written");
            } else {
                let is_nothing = decision == format!("skipped: reqgate does not act on the event `{name}`");
                let is_files = decision == "files";
                assert!(is_nothing || is_files, "{name}: {decision}");
            }
        }
    }
    assert!(count > 200, "only {count} payloads");
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("webhook_decisions", table);
    });
}
