//! Overrides if reqgate's comment cannot be read: the label is the state, if a person with write access set it.

use super::test_support::{edited, serve};
use super::*;
use reqgate_net::github::stand_in::StandIn;

const POOR: &str =
    "The export should be fast and easy to use. The format is TBD. Everybody is waiting for it since spring.";

fn never() -> Options {
    Options::read(|name| (name == "REQGATE_COMMENT").then(|| "never".to_owned())).expect("the options are valid")
}

/// An issue with the label, set by a person with this permission.
fn overridden(permission: &str) -> StandIn {
    let github = StandIn::with_issue("Export orders", POOR);
    {
        let mut state = github.0.borrow_mut();
        state.labels.push(labels::OVERRIDE.to_owned());
        state.permissions.insert("bob".to_owned(), permission.to_owned());
        state.permissions.insert("carol".to_owned(), "write".to_owned());
        state.label_events = vec![
            ("labeled", labels::OVERRIDE, "carol"),
            ("labeled", "bug", "carol"),
            ("unlabeled", labels::OVERRIDE, "carol"),
            ("labeled", labels::OVERRIDE, "bob"),
            ("unlabeled", "bug", "carol"),
        ];
    }
    github
}

#[test]
fn label_is_the_state_where_no_comment_is_kept() {
    for (permission, conclusion) in [("write", Conclusion::Overridden), ("triage", Conclusion::Blocked)] {
        let github = overridden(permission);
        let run = serve(&github, &Request::Trigger(Trigger::Text), &never());
        assert_eq!(run.judged.map(|judged| judged.conclusion), Ok(conclusion), "{permission}");
        let is_blocked = github.0.borrow().labels.iter().any(|label| label == labels::BLOCKED);
        assert_eq!(is_blocked, conclusion == Conclusion::Blocked, "{permission}");
    }
    // The label has been removed, so the override does not hold, and GitHub is not asked.
    let github = overridden("write");
    github.0.borrow_mut().labels.clear();
    let run = serve(&github, &Request::Trigger(Trigger::Text), &never());
    assert_eq!(run.judged.map(|judged| judged.conclusion), Ok(Conclusion::Blocked));
    assert!(!run.requests.iter().any(|line| line.contains("events")), "{:?}", run.requests);
}

#[test]
fn nothing_is_changed_after_a_lookup_that_failed() {
    for (permission, conclusion) in [("write", Conclusion::Overridden), ("triage", Conclusion::Blocked)] {
        let github = overridden(permission);
        github.fail("GET /issues/7/comments", 403, &[], "{}", false);
        let run = edited(&github);
        assert_eq!(run.judged.map(|judged| judged.conclusion), Ok(conclusion), "{permission}");
        assert_eq!(run.kept.action, CommentAction::Failed);
        assert!(run.requests.iter().all(|line| line.starts_with("GET ")), "{:?}", run.requests);
        assert_eq!(github.0.borrow().labels, [labels::OVERRIDE]);
    }
    // The lookup of the person who set the label fails.
    let github = overridden("write");
    github.fail("GET /issues/7/events", 403, &[], "{}", false);
    let run = serve(&github, &Request::Trigger(Trigger::Text), &never());
    assert!(run.requests.iter().all(|line| line.starts_with("GET ")), "{:?}", run.requests);
    assert!(run.judged.expect("it is judged").warnings.iter().any(|warning| warning.contains("403")));
}

#[test]
fn override_by_command_that_nothing_keeps_is_told_to_hold_for_one_run() {
    let github = StandIn::with_issue("Export orders", POOR);
    github.0.borrow_mut().permissions.insert("bob".to_owned(), "write".to_owned());
    let command = super::command::parse("/reqgate override agreed").expect("a command");
    let run = serve(&github, &Request::Command { by: "bob".to_owned(), comment: 1, command }, &never());
    let judged = run.judged.expect("it is judged");
    assert_eq!(judged.conclusion, Conclusion::Overridden);
    assert!(judged.warnings.iter().any(|warning| warning.contains("reqgate:override")), "{:?}", judged.warnings);
}

/// A captured event can be sent again at any time, with a valid signature.
#[test]
fn override_that_was_taken_back_does_not_count_again() {
    let github = StandIn::with_issue("Export orders", POOR);
    edited(&github);
    github.0.borrow_mut().permissions.insert("bob".to_owned(), "write".to_owned());
    let run = |comment: u64, words: &str| {
        let command = super::command::parse(words).expect("a command");
        let request = Request::Command { by: "bob".to_owned(), comment, command };
        let options = Options::read(|_| None).expect("the options are valid");
        serve(&github, &request, &options).judged.map(|judged| judged.conclusion)
    };
    assert_eq!(run(21, "/reqgate override agreed"), Ok(Conclusion::Overridden));
    assert_eq!(run(22, "/reqgate recheck"), Ok(Conclusion::Blocked));
    assert_eq!(run(21, "/reqgate override agreed"), Ok(Conclusion::Blocked), "a repeat");
    assert_eq!(run(23, "/reqgate override agreed again"), Ok(Conclusion::Overridden));
    assert_eq!(run(22, "/reqgate recheck"), Ok(Conclusion::Overridden), "nor does the repeat of a recheck");
}

#[test]
fn label_of_another_person_does_not_count_by_an_old_event() {
    let github = overridden("triage");
    edited(&github);
    let old = Request::Trigger(Trigger::OverrideSet { by: "carol".to_owned() });
    let options = Options::read(|_| None).expect("the options are valid");
    let run = serve(&github, &old, &options);
    assert_eq!(run.judged.map(|judged| judged.conclusion).unwrap_err(), Skip::NotAllowed("write access"));
}
