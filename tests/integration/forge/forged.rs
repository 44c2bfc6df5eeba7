//! Logs that were forged by a person with push rights: their chains are valid, but their events never happened.

use reqgate::workflow::Event;
use serde_json::{Value, json};

use super::server::Forge;
use super::{apply, approve_everything, ready};

/// The path of the log.
pub const LOG: &str = ".reqgate/threads/7.jsonl";

/// A changed log with its numbers and hashes computed again.
pub fn rechained(log: &str, change: impl FnOnce(&mut Vec<Event>)) -> String {
    let mut lines = log.lines();
    let mut archive: Value = serde_json::from_str(lines.next().expect("a first line")).expect("JSON");
    let mut events: Vec<Event> = lines.map(|line| serde_json::from_str(line).expect("an event")).collect();
    change(&mut events);
    let mut chain: Vec<Event> = Vec::new();
    for event in events {
        let (seq, previous) = chain.last().map_or((1, String::new()), |last| (last.seq + 1, last.hash.clone()));
        chain.push(Event::new(seq, event.at, event.actor, event.body, previous));
    }
    let last = chain.last().expect("events");
    archive["thread"]["head"] = json!(last.seq);
    archive["thread"]["head_hash"] = json!(last.hash);
    let lines = chain.iter().map(|event| serde_json::to_string(event).expect("JSON"));
    std::iter::once(archive.to_string()).chain(lines).map(|line| line + "\n").collect()
}

fn log(forge: &Forge) -> String {
    forge.state().files("reqgate/prd-7")[LOG].clone()
}

#[track_caller]
fn is_not_trusted(forge: &Forge) {
    let head = forge.head();
    let ran = apply(forge).ends_with(1);
    assert!(ran.stderr.contains("stopped"), "{ran:#?}");
    assert_eq!(forge.head(), head);
    let comment = forge.own_comments().pop().expect("a comment");
    assert!(comment.contains("not trusted") && !comment.contains("cannot be read"), "{comment}");
    let state = forge.state();
    let latest = state.checks.iter().rfind(|check| check["head_sha"] == head.as_str());
    assert_eq!(latest.map(|check| &check["conclusion"]), Some(&json!("failure")));
}

/// The id of a question in a forged log.
fn mark(event: &Event) -> String {
    format!("octo-shop-7.{}-{}", event.seq, &event.hash[..16])
}

#[test]
fn an_approval_cannot_be_moved_to_another_text() {
    let other = || {
        let text = "As an auditor I want to delete every statement, so that nothing is left.\n\n## Acceptance criteria\n\n\
                    - When I choose delete, every statement is gone within 3 seconds.\n- With none, \"Nothing\" is shown.";
        let forge = Forge::new("Delete every statement", text);
        assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
        forge
    };
    // Both servers count in the same way, so the reviews have the same number and time.
    let (forge, other) = (ready(), other());
    apply(&forge).ends_with(0);
    forge.review("alice", "APPROVED", &forge.head(), "");
    other.review("alice", "APPROVED", &other.head(), "");
    apply(&other).ends_with(0);
    let files = other.state().files("reqgate/prd-7");
    for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("docs/prd/00") || path.contains("003")) {
        forge.push("carol", path, Some(text));
    }
    is_not_trusted(&forge);
    // The same for a comment, which names the text.
    let (forge, other) = (ready(), {
        let forge =
            Forge::new("Delete every statement", "As an auditor I want to delete every statement of a closed month.");
        apply(&forge).ends_with(0);
        forge
    });
    apply(&forge).ends_with(0);
    assert_ne!(forge.ask(), other.ask());
}

/// A commit with the log and a different document showed that other document.
#[test]
fn an_approval_of_a_commit_with_another_document_is_none_of_what_the_log_says() {
    let forge = ready();
    apply(&forge).ends_with(0);
    let files = forge.state().files("reqgate/prd-7");
    let (path, brief) = files.iter().find(|(path, _)| path.ends_with("feature-brief.md")).expect("a brief");
    forge.push("carol", path, Some(&brief.replace("monthly statement", "yearly statement")));
    forge.review("alice", "APPROVED", &forge.head(), "");
    // The log is written as if the review had been about its document.
    let twin = ready();
    apply(&twin).ends_with(0);
    twin.push("carol", "NOTES.md", Some("x"));
    twin.review("alice", "APPROVED", &twin.head(), "");
    assert!(apply(&twin).ends_with(0).stdout.contains("waits for requirements_review"));
    for (path, text) in twin.state().files("reqgate/prd-7") {
        forge.push("carol", &path, Some(&text));
    }
    is_not_trusted(&forge);
}

#[test]
fn every_step_after_an_answer_is_the_one_that_the_workflow_takes() {
    let waiting_for_prd = || {
        let forge = ready();
        for _ in 0..2 {
            apply(&forge).ends_with(0);
            forge.review("alice", "APPROVED", &forge.head(), "");
        }
        assert!(apply(&forge).ends_with(0).stdout.contains("waits for prd_review"));
        forge
    };
    let changed = |forge: &Forge, node: &str, change: &dyn Fn(&mut Value)| {
        let log = rechained(&log(forge), |events| {
            let step = events.iter_mut().rev().find(|event| event.body["node"] == node || event.body["kind"] == node);
            change(&mut step.expect("the step").body);
        });
        forge.push("carol", LOG, Some(&log));
        is_not_trusted(forge);
        // The log may also have been written by another version of reqgate, in good faith.
        let comment = forge.own_comments().pop().expect("a comment");
        assert!(comment.contains("If reqgate was updated since this PRD was begun"), "{comment}");
    };
    // A decision on the gaps that no person made.
    let again = |body: &mut Value| {
        let patches = body["patches"].as_array_mut().expect("patches");
        patches.push(patches.first().cloned().unwrap_or(json!({"patch": "prd-approved", "reason": null})));
    };
    changed(&waiting_for_prd(), "gapAnalysis", &again);
    // A different text from the one that is shown.
    let other_text = |body: &mut Value| body["ask"]["document"] = json!("# PRD: nothing");
    changed(&waiting_for_prd(), "asked", &other_text);
    // A different text from the one that was approved, in the state and in the file.
    let forge = ready();
    approve_everything(&forge);
    let files = forge.state().files("reqgate/prd-7");
    let path = files.keys().find(|path| path.ends_with("/prd.md") && path.contains("003")).expect("a PRD");
    forge.push("carol", path, Some("# PRD: nothing\n"));
    changed(&forge, "prdFinalization", &|body| body["effects"][0]["content"] = json!("# PRD: nothing\n"));
}

#[test]
fn a_word_to_try_again_approves_nothing() {
    let approved = ready();
    apply(&approved).ends_with(0);
    approved.review("alice", "APPROVED", &approved.head(), "");
    apply(&approved).ends_with(0);
    let forge = ready();
    apply(&forge).ends_with(0);
    let comment = forge.says(7, "alice", "");
    let at = comment["created_at"].as_str().expect("a time").to_owned();
    let mut name = String::new();
    let forged = rechained(&log(&approved), |events| {
        let answered = events.iter().position(|event| event.body["kind"] == "answered").expect("an answer");
        let asked = &events[answered - 1];
        let because = json!({"because": "node-failed", "messages": ["no"]});
        let ask = json!({"reason": "no", "state": {}, "resumeInstructions": ""});
        let body = json!({"kind": "interrupted", "because": because, "ask": ask});
        let asked = Event::new(asked.seq, asked.at.clone(), asked.actor.clone(), body, asked.previous.clone());
        name = mark(&asked);
        let channel = format!("github:comment:{}", comment["id"]);
        events[answered].body =
            json!({"kind": "answered", "ask": asked.seq, "answer": {"action": "continue"}, "channel": channel});
        events[answered].at = at;
        events[answered - 1] = asked;
    });
    forge.state().comments.iter_mut().find(|one| one["id"] == comment["id"]).expect("it")["body"] =
        json!(format!("/reqgate approve {name}"));
    forge.push("carol", LOG, Some(&forged));
    is_not_trusted(&forge);
}
