//! Concurrent runs, killed runs, repeated and reordered events, and a server that fails or refuses.

use serde_json::json;

use super::server::Forge;
use super::{apply, begun, environment, ready, run};
use crate::cli::Sandbox;

/// Starts this many runs at once; returns the exit codes.
fn at_once(forge: &Forge, count: usize) -> Vec<i32> {
    let sandboxes: Vec<Sandbox> = (0..count).map(|_| Sandbox::new()).collect();
    let children: Vec<_> = sandboxes.iter().map(|sandbox| begun(sandbox, forge)).collect();
    children
        .into_iter()
        .map(|child| {
            let ended = child.wait_with_output().expect("it ends");
            if !ended.status.success() {
                println!("{}", String::from_utf8_lossy(&ended.stderr));
            }
            ended.status.code().unwrap_or(-1)
        })
        .collect()
}

#[track_caller]
fn is_whole(forge: &Forge, answers: usize) {
    let state = forge.state();
    assert_eq!(state.pulls.len(), 1, "one pull request");
    let is_ours = |comment: &&serde_json::Value| {
        comment["body"].as_str().is_some_and(|body| body.starts_with("<!-- reqgate:prd"))
    };
    let places: Vec<&serde_json::Value> = state.comments.iter().filter(is_ours).map(|own| &own["issue"]).collect();
    assert_eq!(places, [100], "one comment, on the pull request");
    let events = state.events(7);
    assert!(!events.is_empty() && events.iter().zip(1..).all(|(event, seq)| event["seq"] == seq), "no hole in the log");
    let given = events.iter().filter(|event| event["body"]["kind"] == "answered").count();
    assert_eq!(given, answers, "each answer once");
}

#[test]
fn five_runs_at_once_make_one_pull_request_five_times_out_of_five() {
    for _ in 0..5 {
        let forge = ready();
        assert_eq!(at_once(&forge, 5), [0; 5]);
        is_whole(&forge, 0);
        forge.review("alice", "APPROVED", &forge.head(), "");
        assert_eq!(at_once(&forge, 5), [0; 5]);
        is_whole(&forge, 1);
        assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    }
}

#[test]
fn an_event_that_comes_twice_changes_nothing() {
    let forge = ready();
    apply(&forge).ends_with(0);
    let writes = |forge: &Forge| forge.state().log.iter().filter(|line| !line.starts_with("GET")).count();
    let before = writes(&forge);
    for _ in 0..2 {
        apply(&forge).ends_with(0);
    }
    assert_eq!(writes(&forge), before);
    is_whole(&forge, 0);
}

#[test]
fn events_lead_to_the_same_end_whatever_their_order_and_number() {
    let events = |forge: &Forge| {
        let comment = json!({"action": "created", "issue": {"number": 100, "pull_request": {"url": "x"}}});
        let review = json!({"action": "submitted", "pull_request": {"head": {"ref": "reqgate/prd-7"}}});
        let label = json!({"action": "labeled", "issue": {"number": 7}});
        let _ = forge;
        vec![("issues", label), ("issue_comment", comment), ("pull_request_review", review), ("schedule", json!({}))]
    };
    let mut ends = Vec::new();
    for order in [vec![0, 1, 2, 3], vec![3, 2, 1, 0], vec![2, 2, 0, 0], vec![3, 3]] {
        let forge = ready();
        apply(&forge).ends_with(0);
        forge.review("alice", "APPROVED", &forge.head(), "");
        for index in order {
            let (name, payload) = &events(&forge)[index];
            let sandbox = Sandbox::new();
            sandbox.file("event.json", payload.to_string());
            let mut environment = environment(&forge, "writer");
            environment[0].1 = name;
            sandbox.run_with(&["github", "prd", "apply"], &environment, "").ends_with(0);
        }
        is_whole(&forge, 1);
        ends.push(forge.ask());
    }
    ends.dedup();
    assert_eq!(ends.len(), 1, "{ends:?}");
}

#[test]
fn a_run_that_ends_between_push_and_pull_request_is_completed_by_the_next() {
    for (to, status) in [("POST /pulls", 500), ("POST /check-runs", 500), ("POST /issues", 500), ("GET /pulls", 500)] {
        let forge = ready();
        // The first request of this kind is before the push; all later ones of the run fail.
        if to == "GET /pulls" {
            forge.fail("POST /pulls", 500, "Server Error", false, 8);
        }
        forge.fail(to, status, "Server Error", false, if to == "GET /pulls" { 0 } else { 8 });
        apply(&forge).ends_with(3);
        let pushed = forge.head();
        forge.state().faults.clear();
        assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"), "{to}");
        assert_eq!(forge.head(), pushed, "{to}");
        is_whole(&forge, 0);
    }
}

#[test]
fn an_answer_that_is_lost_on_the_way_is_not_carried_out_twice() {
    for to in ["POST /git/refs", "POST /pulls", "POST /issues/100/comments", "POST /git/commits"] {
        let forge = ready();
        forge.fail(to, 502, "Bad Gateway", true, 1);
        apply(&forge).ends_with(0);
        is_whole(&forge, 0);
    }
    let forge = ready();
    apply(&forge).ends_with(0);
    forge.review("alice", "APPROVED", &forge.head(), "");
    forge.fail("PATCH /git/refs", 502, "Bad Gateway", true, 1);
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    is_whole(&forge, 1);
}

#[test]
fn where_pull_requests_are_forbidden_a_comment_has_the_document_and_the_link() {
    let forge = ready();
    let refusal = "GitHub Actions is not permitted to create or approve pull requests.";
    forge.fail("POST /pulls", 403, refusal, false, 100);
    for _ in 0..2 {
        let ran = apply(&forge).ends_with(3);
        assert!(ran.stderr.contains("not permitted"), "{ran:#?}");
    }
    let comments = forge.own_comments();
    assert_eq!(comments.len(), 1);
    assert!(
        comments[0].contains("/compare/main...reqgate/prd-7?expand=1") && comments[0].contains("# Feature brief"),
        "{}",
        comments[0]
    );
    // A person opens the pull request; after that, runs proceed as usual.
    forge.state().pulls.push(
        json!({"number": 100, "state": "open", "head": {"ref": "reqgate/prd-7", "repo": {"full_name": "octo/shop"}}}),
    );
    apply(&forge).ends_with(0);
    is_whole(&forge, 0);
}

#[test]
fn where_the_branch_cannot_be_written_a_comment_has_the_document() {
    for (status, refusal) in
        [(403, "Resource not accessible by integration"), (422, "Repository rule violations found")]
    {
        let forge = ready();
        forge.fail("POST /git/refs", status, refusal, false, 100);
        let ran = apply(&forge).ends_with(3);
        assert!(ran.stderr.contains(refusal), "{ran:#?}");
        let comments = forge.own_comments();
        assert!(comments[0].contains("contents: write") && comments[0].contains("# Feature brief"), "{}", comments[0]);
        assert!(forge.state().pulls.is_empty());
    }
}

#[test]
fn where_check_runs_are_forbidden_the_comment_is_written_all_the_same() {
    let forge = ready();
    forge.fail("POST /check-runs", 403, "Resource not accessible by integration", false, 100);
    let ran = apply(&forge).ends_with(3);
    assert!(ran.stderr.contains("the check run is not allowed"), "{ran:#?}");
    is_whole(&forge, 0);
}

/// The list of pull requests can only be filtered by owner, and a fork may belong to the same owner.
#[test]
fn a_pull_request_of_a_fork_is_not_taken_for_ours() {
    let forge = ready();
    let head = json!({"ref": "reqgate/prd-7", "repo": {"full_name": "octo/shop-fork"}});
    forge
        .state()
        .pulls
        .push(json!({"number": 99, "state": "closed", "merged_at": "2026-11-24T08:00:00Z", "head": head}));
    forge.state().pulls.push(json!({"number": 98, "state": "open", "head": {"ref": "reqgate/prd-7", "repo": null}}));
    let ran = apply(&forge);
    assert!(ran.stdout.contains("waits for brief_review") || ran.stderr.contains("already exists"), "{ran:#?}");
    let state = forge.state();
    assert!(!state.comments.iter().any(|comment| comment["issue"] == 98 || comment["issue"] == 99));
}

#[test]
fn a_file_that_cannot_be_read_is_told_in_the_comment() {
    let forge = ready();
    apply(&forge).ends_with(0);
    let files = forge.state().files("reqgate/prd-7");
    let brief = files.keys().find(|path| path.ends_with("feature-brief.md")).expect("a brief");
    for path in [brief, ".reqgate/threads/7.jsonl"] {
        let whole = files[path].clone();
        forge.push("carol", path, Some("not text"));
        apply(&forge).ends_with(1);
        let comment = forge.own_comments().pop().expect("a comment");
        assert!(comment.contains("cannot be read") && comment.contains("not UTF-8"), "{comment}");
        forge.push("carol", path, Some(&whole));
        apply(&forge).ends_with(0);
    }
}

#[test]
fn a_token_without_the_right_to_write_writes_nothing() {
    let forge = ready();
    run(&forge, &["apply"], "reader", &[]).ends_with(3);
    assert!(forge.state().pulls.is_empty() && forge.state().refs.len() == 1 && forge.state().comments.is_empty());
}
