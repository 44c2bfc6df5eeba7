//! The path from the label to the approved PRD.

use std::fmt::Write as _;

use serde_json::json;

use super::server::{Forge, OWN};
use super::{apply, approve_everything, ready, ready_ticket};
use crate::cli::UNREADY;

#[test]
fn a_label_leads_to_an_approved_prd_by_reviews_alone() {
    let forge = ready();
    let main = forge.state().refs["main"].clone();
    let asked = approve_everything(&forge);
    assert_eq!(asked, ["brief_review", "requirements_review", "prd_review", "nothing"]);
    let state = forge.state();
    let files = state.files("reqgate/prd-7");
    let feature = "docs/prd/003-export-monthly-statement-pdf";
    for file in ["feature-brief.md", "requirements.md", "prd.md", "prd.json"] {
        assert!(files.contains_key(&format!("{feature}/{file}")), "{file} is not among {:?}", files.keys());
    }
    assert_eq!(files[".reqgate/threads/.gitattributes"], "*.jsonl linguist-generated=true -diff\n");
    // The log is complete and contains no data about the machine that wrote it.
    let log = &files[".reqgate/threads/7.jsonl"];
    let events = state.events(7);
    assert!(events.iter().zip(1..).all(|(event, seq)| event["seq"] == seq));
    assert!(!log.contains(&std::env::temp_dir().display().to_string()), "{log}");
    let approvals: Vec<&str> = events
        .iter()
        .filter(|event| event["body"]["kind"] == "answered")
        .map(|event| event["body"]["channel"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(approvals, ["github:review:5000", "github:review:5001", "github:review:5002"]);
    // One pull request, one comment, one check run for each commit, and no other changes.
    assert_eq!((state.pulls.len(), state.refs.len(), &state.refs["main"]), (1, 2, &main));
    assert_eq!(state.comments.iter().filter(|comment| comment["issue"] == 100).count(), 1);
    let conclusions: Vec<&str> = state.checks.iter().map(|check| check["conclusion"].as_str().unwrap()).collect();
    assert_eq!(conclusions, ["action_required", "action_required", "action_required", "success"]);
    assert_eq!(state.checks[3]["head_sha"], state.refs["reqgate/prd-7"].as_str());
}

/// Documents and log are committed together: at every commit, the log ends with the question about the document next to
/// it.
#[test]
fn every_commit_has_the_log_and_the_document_that_it_asks_about() {
    let forge = ready();
    approve_everything(&forge);
    let state = forge.state();
    let ours = state.commits.values().filter(|commit| commit.author == OWN);
    let mut seen = 0;
    for commit in ours {
        let files = &state.trees[&commit.tree];
        let log = &files[".reqgate/threads/7.jsonl"];
        let last: serde_json::Value = serde_json::from_str(log.lines().last().expect("a log")).expect("an event");
        assert!(commit.message.contains(&format!("Reqgate-Log: {}", last["hash"].as_str().unwrap())));
        let ask = &last["body"]["ask"];
        if let (Some(path), Some(document)) = (ask["path"].as_str(), ask["document"].as_str()) {
            assert_eq!(files[path], document);
            seen += 1;
        }
        if ask["kind"] == "requirements_review" {
            let file = &files[ask["path"].as_str().expect("a path")];
            assert!(file.contains("FR-001"), "{file}");
        }
    }
    assert_eq!(seen, 2);
}

#[test]
fn the_comment_always_says_what_is_asked_and_how_to_answer() {
    let forge = ready_ticket();
    let mut shown = String::new();
    for round in 0..5 {
        apply(&forge).ends_with(0);
        let comment = forge.own_comments().pop().expect("a comment");
        let commit = forge.head();
        let hash = forge.ask().rsplit_once('-').map_or_else(|| "no question".to_owned(), |(_, hash)| hash.to_owned());
        let comment = comment.replace(&commit[..7], "COMMIT").replace(&hash, "HASH");
        let _ = writeln!(shown, "{comment}\n=====\n");
        if round < 3 {
            forge.review("carol", "APPROVED", &commit, "");
        } else {
            // A review cannot give a reason for leaving questions open; a comment can.
            forge.says(100, "carol", &format!("/reqgate approve {} Support answers them in May.", forge.ask()));
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_ticket_that_is_not_ready_gets_the_questions_first() {
    let (title, body) = UNREADY.split_once('\n').expect("a title and a body");
    let forge = Forge::new(title.trim_start_matches("# "), body.trim());
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for clarification"));
    let (ask, comment) = (forge.ask(), forge.own_comments().pop().expect("a comment"));
    assert!(comment.contains("`q1` ") && comment.contains(&format!("/reqgate answer {ask}")), "{comment}");
    // The author of the issue has no write permission, but knows the answer.
    let answer = format!("/reqgate answer {ask}\nq1: From 9 to 2 seconds for the first chart.");
    forge.says(7, "bob", &answer);
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    let log = forge.state().files("reqgate/prd-7")[".reqgate/threads/7.jsonl"].clone();
    assert!(log.contains("From 9 to 2 seconds"), "{log}");
    // An approval needs write permission.
    let before = forge.head();
    forge.says(7, "bob", &format!("/reqgate approve {}", forge.ask()));
    apply(&forge).ends_with(0);
    assert_eq!(forge.head(), before);
    assert!(forge.own_comments()[0].contains("bob: write access is needed"), "{}", forge.own_comments()[0]);
}

#[test]
fn a_chinese_issue_is_asked_about_in_chinese() {
    let forge = Forge::new(
        "订单导出为 CSV",
        "作为客服，我希望把订单导出为 CSV 文件，以便财务核对。\n\n## 验收标准\n\n- 点击导出后，5 秒内下载 orders.csv。\n- 没有订单时，显示“没有可导出的订单”。",
    );
    apply(&forge).ends_with(0);
    let comment = forge.own_comments().pop().expect("a comment");
    assert!(comment.contains("如何答复") && !comment.contains("How to answer"), "{comment}");
}

#[test]
fn requested_changes_lead_to_a_revision_with_their_reason() {
    let forge = ready();
    apply(&forge).ends_with(0);
    let (before, asked) = (forge.head(), forge.ask());
    forge.review("carol", "CHANGES_REQUESTED", &before, "Say that the export is for closed months only.");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    assert_ne!(forge.ask(), asked);
    let events = forge.state().events(7);
    let answer = events.iter().find(|event| event["body"]["kind"] == "answered").expect("an answer");
    assert_eq!(answer["actor"], "carol");
    assert_eq!(answer["body"]["answer"]["approved"], false);
    let files = forge.state().files("reqgate/prd-7");
    let brief = files.iter().find(|(path, _)| path.ends_with("feature-brief.md")).expect("a brief").1;
    assert!(brief.contains("closed months only"), "{brief}");
}

#[test]
fn requirements_are_added_and_decided_by_json_in_a_comment() {
    let forge = ready();
    apply(&forge).ends_with(0);
    forge.review("alice", "APPROVED", &forge.head(), "");
    apply(&forge).ends_with(0);
    // A review that requests changes does not decide requirements.
    forge.review("alice", "CHANGES_REQUESTED", &forge.head(), "more");
    let before = forge.head();
    apply(&forge).ends_with(0);
    assert_eq!(forge.head(), before);
    let json = json!({"verdicts": [{"id": "FR-001", "verdict": "reject", "reason": "too slow"}],
        "added": [{"description": "The export is written to the audit log."}], "others": "approve"});
    forge.says(100, "carol", &format!("/reqgate answer {}\n```json\n{json}\n```", forge.ask()));
    apply(&forge).ends_with(0);
    let files = forge.state().files("reqgate/prd-7");
    let requirements = files.iter().find(|(path, _)| path.ends_with("requirements.md")).expect("requirements").1;
    assert!(requirements.contains("written to the audit log") && requirements.contains("too slow"), "{requirements}");
}

#[test]
fn an_approved_prd_is_taken_up_again_when_somebody_requests_changes() {
    let forge = ready();
    approve_everything(&forge);
    forge.review("carol", "CHANGES_REQUESTED", &forge.head(), "The limit is 10,000 bookings now.");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    let events = forge.state().events(7);
    let amended = events.iter().rev().find(|event| event["body"]["kind"] == "amended").expect("a change");
    assert_eq!(
        (amended["actor"].as_str(), amended["body"]["reason"].as_str()),
        (Some("carol"), Some("The limit is 10,000 bookings now."))
    );
    // It goes through its reviews and is approved as version 2.
    let asked = approve_everything(&forge);
    assert_eq!(asked.last().map(String::as_str), Some("nothing"), "{asked:?}");
    let files = forge.state().files("reqgate/prd-7");
    let prd = files.iter().find(|(path, _)| path.ends_with("/prd.md") && path.contains("003")).expect("a PRD").1;
    assert!(prd.contains("10,000 bookings now"), "{prd}");
}

#[test]
fn nothing_is_done_without_the_label_or_after_the_merge() {
    let forge = ready();
    let label = std::mem::take(&mut forge.state().issues.get_mut(&7).expect("the issue")["labels"]);
    assert!(apply(&forge).ends_with(0).stdout.contains("does not have the label"));
    forge.state().issues.get_mut(&7).expect("the issue")["labels"] = label;
    approve_everything(&forge);
    let head = forge.head();
    forge.state().pulls[0]["state"] = json!("closed");
    assert!(apply(&forge).ends_with(0).stdout.contains("closed: reopen it"));
    forge.state().pulls[0]["merged_at"] = json!("2026-11-25T08:00:00Z");
    forge.state().refs.remove("reqgate/prd-7");
    assert!(apply(&forge).ends_with(0).stdout.contains("was merged"));
    assert!(!forge.state().refs.contains_key("reqgate/prd-7") && !head.is_empty());
    assert_eq!(forge.state().pulls.len(), 1);
}

/// Merged PRDs keep their label: they must not crowd out the ones that wait.
#[test]
fn the_schedule_counts_only_issues_with_something_to_do() {
    let forge = ready();
    {
        let mut state = forge.state();
        let issue = state.issues[&7].clone();
        for number in (200..320).chain([400]) {
            let mut other = issue.clone();
            other["number"] = json!(number);
            state.issues.insert(number, other);
            if number != 400 {
                let head = json!({"ref": format!("reqgate/prd-{number}"), "repo": {"full_name": "octo/shop"}});
                state.pulls.push(json!({"number": 1000 + number, "state": "closed", "merged_at": "2026-11-24T08:00:00Z", "head": head}));
            }
        }
        state.issues.remove(&7);
    }
    let sandbox = crate::cli::Sandbox::new();
    sandbox.file("event.json", "{}");
    let mut environment = super::environment(&forge, "writer");
    environment[0].1 = "schedule";
    let ran = sandbox.run_with(&["github", "prd", "apply"], &environment, "").ends_with(0);
    assert!(ran.stdout.contains("issue 400: waits for"), "{ran:#?}");
    assert!(!ran.stdout.contains("issue 200"), "{ran:#?}");
}
