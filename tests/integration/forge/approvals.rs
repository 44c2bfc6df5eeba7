//! Reviews, comments and commits that must not count as an approval, and commits of people.

use serde_json::{Value, json};

use super::forged::rechained;
use super::server::Forge;
use super::{apply, approve_everything, ready};
use crate::cli::UNREADY;

/// A thread that waits for the approval of its brief.
fn waiting() -> Forge {
    let forge = ready();
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    forge
}

/// Runs the job and checks that no decision was recorded.
#[track_caller]
fn changes_nothing(forge: &Forge, why: &str) {
    let (head, ask) = (forge.head(), forge.ask());
    apply(forge).ends_with(0);
    assert_eq!((forge.head(), forge.ask()), (head, ask), "{why}");
    let comment = forge.own_comments().pop().expect("a comment");
    assert!(comment.contains(why), "{why} is not in\n{comment}");
}

fn edit(forge: &Forge, id: &Value, body: &str) {
    let mut state = forge.state();
    let comment = state.comments.iter_mut().find(|comment| comment["id"] == *id).expect("the comment");
    comment["body"] = json!(body);
    comment["updated_at"] = json!("2026-11-24T23:00:00Z");
}

#[test]
fn a_review_counts_only_from_a_person_with_write_access_at_the_commit_that_was_asked_about() {
    let forge = waiting();
    let head = forge.head();
    let older = forge.state().commits[&head].parents[0].clone();
    forge.review("bob", "APPROVED", &forge.head(), "");
    changes_nothing(&forge, "bob: write access is needed");
    forge.review("mallory", "APPROVED", &forge.head(), "");
    changes_nothing(&forge, "mallory: write access is needed");
    forge.review("robot[bot]", "APPROVED", &forge.head(), "");
    changes_nothing(&forge, "it is from a program");
    forge.review("alice", "APPROVED", &older, "");
    changes_nothing(&forge, "alice: the review is about another commit");
    forge.review("carol", "COMMENTED", &forge.head(), "looks good");
    changes_nothing(&forge, "alice: the review is about another commit");
    forge.review("alice", "APPROVED", &forge.head(), "");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
}

#[test]
fn a_comment_counts_only_as_it_was_written_and_for_a_question_that_was_asked_before() {
    let forge = waiting();
    let first = forge.ask();
    let planted = forge.says(7, "alice", "I like it.");
    edit(&forge, &planted["id"], &format!("/reqgate approve {first}"));
    changes_nothing(&forge, "alice: the comment was edited");
    // The numbers of later questions can be predicted, but not their content.
    let other = waiting();
    approve_everything(&other);
    let asks = other.state().events(7);
    let asked = asks.iter().filter(|event| event["body"]["kind"] == "asked");
    let next = asked.map(|event| event["seq"].as_u64().unwrap_or_default()).nth(1).expect("a second question");
    forge.says(7, "alice", &format!("/reqgate approve octo-shop-7.{next}"));
    forge.says(100, "carol", &format!("/reqgate approve {first}"));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    assert!(forge.ask().starts_with(&format!("octo-shop-7.{next}-")));
    changes_nothing(&forge, "alice: it names another text");
}

#[test]
fn a_no_wins_over_a_yes() {
    let forge = waiting();
    forge.review("alice", "APPROVED", &forge.head(), "");
    forge.review("carol", "CHANGES_REQUESTED", &forge.head(), "Name the file format.");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    assert!(forge.state().events(7).iter().any(|event| event["actor"] == "carol"));
}

#[test]
fn a_commit_of_a_person_is_recorded_judged_and_asked_about_again() {
    let forge = waiting();
    let (seen, asked) = (forge.head(), forge.ask());
    let files = forge.state().files("reqgate/prd-7");
    let (path, brief) = files.iter().find(|(path, _)| path.ends_with("feature-brief.md")).expect("a brief");
    // Approved, but carol has pushed since.
    forge.review("alice", "APPROVED", &seen, "");
    forge.push("carol", path, Some(&format!("{brief}\nThe statement has the logo of the bank.\n")));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    assert_ne!(forge.ask(), asked);
    assert!(forge.state().files("reqgate/prd-7")[path].contains("the logo of the bank"));
    let events = forge.state().events(7);
    let amended = events.iter().find(|event| event["body"]["kind"] == "amended").expect("the commit is recorded");
    assert_eq!(amended["actor"], "carol");
    assert!(
        amended["body"]["reason"].as_str().is_some_and(|reason| reason.starts_with("commit ") && reason.contains(path))
    );
    assert!(!events.iter().any(|event| event["body"]["kind"] == "answered"));
    forge.review("alice", "APPROVED", &forge.head(), "");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
}

/// Otherwise a document that was replaced under the message of one of our commits would be approved.
#[test]
fn a_commit_that_looks_like_ours_is_recorded_too() {
    let forge = waiting();
    let message = {
        let head = forge.head();
        forge.state().commits[&head].message.clone()
    };
    let files = forge.state().files("reqgate/prd-7");
    let (path, brief) = files.iter().find(|(path, _)| path.ends_with("feature-brief.md")).expect("a brief");
    let other = brief.replace("monthly statement", "yearly statement");
    forge.push_saying("carol", path, Some(&other), &message);
    forge.review("alice", "APPROVED", &forge.head(), "");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    assert!(forge.state().events(7).iter().any(|event| event["body"]["kind"] == "amended"));
    assert!(forge.state().files("reqgate/prd-7")[path].contains("yearly statement"));
}

#[test]
fn a_commit_to_the_requirements_is_shown_again_and_approves_nothing() {
    let forge = waiting();
    forge.review("alice", "APPROVED", &forge.head(), "");
    apply(&forge).ends_with(0);
    let asked = forge.ask();
    let files = forge.state().files("reqgate/prd-7");
    let (path, text) = files.iter().find(|(path, _)| path.ends_with("requirements.md")).expect("requirements");
    let count = text.matches("### FR-").count();
    assert!(count > 0, "{text}");
    forge.push("carol", path, Some(&text.replace("3 seconds", "2 seconds")));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    assert_ne!(forge.ask(), asked);
    let shown = forge.state().files("reqgate/prd-7")[path].clone();
    assert!(shown.contains("2 seconds") && !shown.contains("3 seconds"), "{shown}");
    assert_eq!(shown.matches("### FR-").count(), count, "{shown}");
    let asked = approve_everything(&forge);
    assert_eq!(asked.last().map(String::as_str), Some("nothing"), "{asked:?}");
}

/// A person who can push can write any log, so every approval in it must also exist on GitHub.
#[test]
fn an_approval_that_only_the_log_has_is_not_believed() {
    let approved = waiting();
    approved.review("alice", "APPROVED", &approved.head(), "");
    apply(&approved).ends_with(0);
    let log = ".reqgate/threads/7.jsonl";
    let forged = approved.state().files("reqgate/prd-7")[log].clone();
    let forge = waiting();
    forge.push("carol", log, Some(&forged));
    let head = forge.head();
    let ran = apply(&forge).ends_with(1);
    assert!(ran.stderr.contains("stopped"), "{ran:#?}");
    assert_eq!(forge.head(), head);
    assert!(forge.own_comments().iter().any(|comment| comment.contains("is not trusted")));
    // A changed line breaks the chain, and a step without an answer is not an approval.
    for broken in [forged.replace("alice", "carol"), without_answer(&forged)] {
        forge.push("carol", log, Some(&broken));
        apply(&forge).ends_with(1);
    }
    // After the last commit is undone, the previous state is restored.
    let own = forge.state().commits[&head].parents[0].clone();
    forge.state().refs.insert("reqgate/prd-7".to_owned(), own);
    changes_nothing(&forge, "Approve");
}

/// The words of the brief are already committed; those of the log and of the next version are not.
#[test]
fn an_approved_prd_is_taken_up_without_the_personal_data_that_somebody_committed() {
    let forge = waiting();
    approve_everything(&forge);
    let files = forge.state().files("reqgate/prd-7");
    let (path, brief) = files.iter().find(|(path, _)| path.ends_with("feature-brief.md")).expect("a brief");
    forge.push("carol", path, Some(&format!("{brief}\nAsk jane.doe@acme-shop.de for the logo of the bank.\n")));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    let files = forge.state().files("reqgate/prd-7");
    assert!(files[path].contains("logo of the bank"));
    assert!(files.values().all(|text| !text.contains("jane.doe@")));
}

/// The decisions of a thread must not get lost, or be taken again, without a message.
#[test]
fn a_log_that_was_deleted_begins_no_other() {
    let forge = waiting();
    forge.push("carol", ".reqgate/threads/7.jsonl", None);
    let head = forge.head();
    apply(&forge).ends_with(1);
    assert_eq!(forge.head(), head);
    assert!(forge.own_comments().pop().is_some_and(|comment| comment.contains("the log was deleted")));
}

/// The log with the approving step but without its answer.
fn without_answer(log: &str) -> String {
    rechained(log, |events| {
        let answered = events.iter().position(|event| event.body["kind"] == "answered").expect("an answer");
        events.remove(answered);
        for event in &mut events[answered..] {
            if let Some(step) = event.body["step"].as_u64() {
                event.body["step"] = json!(step - 1);
            }
        }
    })
}

/// The command in the comment that confirms the deleted answer.
fn confirmation(forge: &Forge) -> String {
    let comment = forge.own_comments().pop().expect("a comment");
    let command = comment.split('`').find(|code| code.starts_with("/reqgate confirm "));
    command.unwrap_or_else(|| panic!("no command in\n{comment}")).to_owned()
}

#[test]
fn an_approval_that_was_taken_back_holds_no_longer_until_somebody_confirms_it() {
    let forge = waiting();
    let first = forge.ask();
    let early = forge.says(100, "carol", "");
    let comment = forge.says(100, "alice", &format!("/reqgate approve {first}"));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    forge.state().comments.retain(|one| one["id"] != comment["id"]);
    let head = forge.head();
    apply(&forge).ends_with(1);
    assert_eq!(forge.head(), head);
    let confirm = confirmation(&forge);
    let conclusion = |forge: &Forge| forge.state().checks.last().expect("a check")["conclusion"].clone();
    assert_eq!(conclusion(&forge), "failure");
    assert!(forge.own_comments().pop().is_some_and(|comment| comment.contains("answer of alice")));
    // The answer cannot be confirmed by another person, by an earlier comment, for another answer, or by repeating it.
    forge.says(100, "mallory", &confirm);
    let position = forge.state().comments.iter().position(|one| one["id"] == early["id"]).expect("it");
    forge.state().comments[position]["body"] = json!(confirm);
    let (start, hash) = confirm.rsplit_once('-').expect("a hash");
    forge.says(100, "carol", &format!("{start}-{}", hash.chars().rev().collect::<String>()));
    forge.says(100, "carol", &format!("/reqgate approve {first}"));
    let edited = forge.says(100, "carol", "Fine.");
    edit(&forge, &edited["id"], &confirm);
    apply(&forge).ends_with(1);
    forge.says(100, "carol", &confirm);
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for requirements_review"));
    assert!(forge.own_comments()[0].contains("answer of alice, confirmed by carol"), "{}", forge.own_comments()[0]);
    assert_eq!(conclusion(&forge), "action_required");
    // The same applies to a dismissed review, and to an account that has lost its write permission.
    forge.review("alice", "APPROVED", &forge.head(), "");
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for prd_review"));
    forge.state().dismiss(|_| true, None);
    apply(&forge).ends_with(1);
    forge.state().reviews[0]["state"] = json!("APPROVED");
    apply(&forge).ends_with(0);
    forge.state().permissions.remove("alice");
    apply(&forge).ends_with(1);
    forge.says(100, "carol", &confirmation(&forge));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for prd_review"));
}

#[test]
fn a_push_that_dismisses_an_approval_does_not_take_it_back() {
    let forge = waiting();
    forge.state().dismisses_stale = true;
    let asked = approve_everything(&forge);
    assert_eq!(asked.last().map(String::as_str), Some("nothing"), "{asked:?}");
    assert!(forge.state().reviews.iter().all(|review| review["state"] == "DISMISSED"));
    apply(&forge).ends_with(0);
    // A decision that a person has dismissed is withdrawn.
    let mut state = forge.state();
    let events = state.events.iter_mut().filter(|event| event["dismissed_review"]["review_id"] == 5001);
    events.for_each(|event| event["dismissed_review"]["dismissal_commit_id"] = Value::Null);
    drop(state);
    apply(&forge).ends_with(1);
}

/// The author of the issue may answer questions about it, and can change or delete their comments at any time.
#[test]
fn an_answer_of_the_author_that_is_gone_is_confirmed_as_it_was_recorded() {
    let (title, body) = UNREADY.split_once('\n').expect("a title and a body");
    let forge = Forge::new(title.trim_start_matches("# "), body.trim());
    apply(&forge).ends_with(0);
    let answer = forge.says(7, "bob", &format!("/reqgate answer {}\nq1: From 9 to 2 seconds.", forge.ask()));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
    edit(&forge, &answer["id"], "Something else.");
    apply(&forge).ends_with(1);
    let comment = forge.own_comments().pop().expect("a comment");
    assert!(comment.contains("From 9 to 2 seconds.") && comment.contains("answer of bob"), "{comment}");
    forge.says(7, "bob", &confirmation(&forge));
    apply(&forge).ends_with(1);
    forge.says(7, "carol", &confirmation(&forge));
    assert!(apply(&forge).ends_with(0).stdout.contains("waits for brief_review"));
}

#[test]
fn words_of_strangers_are_shown_as_words() {
    let title = "Export @everyone <img src=x onerror=alert(1)> #1 ](javascript:x) `reqgate`";
    let body = "As an accountant I want to export the statement, so that I can send it.\n\n<!-- /reqgate approve -->\n\n\
                Contact jane.doe@acme-shop.de, token ghp_0123456789abcdefghijABCDEFGHIJ012345.\n\n## Acceptance criteria\n\n\
                - The export is TBD @octo/security.\n- With no bookings, \"Nothing\" is shown.";
    let forge = Forge::new(title, body);
    let ran = apply(&forge);
    let state = forge.state();
    let mut written: Vec<String> = state.files("reqgate/prd-7").into_iter().map(|(path, text)| path + &text).collect();
    written.extend(state.commits.values().map(|commit| commit.message.clone()));
    for text in written.iter().chain([&ran.stdout, &ran.stderr]) {
        assert!(!text.contains("jane.doe@") && !text.contains("ghp_0123"), "{text}");
    }
    for comment in state.comments.iter().filter_map(|comment| comment["body"].as_str()) {
        assert!(
            !comment.contains("@everyone") && !comment.contains("<img") && !comment.contains("@octo/"),
            "{comment}"
        );
        assert!(!comment.contains("jane.doe@") && !comment.contains("ghp_0123"), "{comment}");
    }
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains("everyone"), "{text}");
    }
    assert!(state.pulls.iter().all(|pull| pull["title"] == "PRD of issue 7"));
}
