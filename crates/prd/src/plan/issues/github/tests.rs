//! Tests of the issues against the fake GitHub: opened once, updated if the plan changed, never overwritten after an
//! edit by a person.

use super::*;
use crate::plan::issues::{IssueChange, carried_out, compared};
use crate::plan::tests::planned;
use reqgate_net::github::stand_in::{OWN, StandIn};

fn shop() -> Repository {
    "octo/shop".parse().expect("a repository")
}

/// Runs once with `--yes` and returns the changes.
fn run(github: &StandIn, plan: &ExecutionPlan) -> Vec<IssueChange> {
    let (client, shop) = (github.client(), shop());
    let issues = GithubIssues::new(&client, &shop);
    let compared = compared(&issues, plan).expect("GitHub answers");
    let changes = compared.changes.clone();
    carried_out(&issues, plan, compared, |_, _| ()).expect("GitHub takes them");
    changes
}

/// Runs without `--yes` and returns the listed changes.
fn listed(github: &StandIn, plan: &ExecutionPlan) -> Vec<IssueChange> {
    compared(&GithubIssues::new(&github.client(), &shop()), plan).expect("GitHub answers").changes
}

/// The titles and bodies of the issues.
fn issues(github: &StandIn) -> Vec<(String, String)> {
    let text = |issue: &serde_json::Value, key: &str| issue[key].as_str().unwrap_or_default().to_owned();
    github.0.borrow().issues.iter().map(|issue| (text(issue, "title"), text(issue, "body"))).collect()
}

fn writes(github: &StandIn) -> Vec<String> {
    github.lines().into_iter().filter(|line| !line.starts_with("GET")).collect()
}

fn edit(github: &StandIn, index: usize, key: &str, change: impl FnOnce(&str) -> String) {
    let mut state = github.0.borrow_mut();
    let new = change(state.issues[index][key].as_str().unwrap_or_default());
    state.issues[index][key] = new.into();
}

#[test]
fn a_dry_run_writes_nothing_and_a_second_run_changes_nothing() {
    let (github, plan) = (StandIn::default(), planned());
    let dry = listed(&github, &plan);
    assert_eq!((dry.len(), writes(&github).len()), (3, 0));
    assert!(dry.iter().all(|change| matches!(change, IssueChange::Open { .. })), "{dry:?}");
    run(&github, &plan);
    assert_eq!(writes(&github), ["POST /issues", "POST /issues", "POST /issues"]);
    let (title, body) = &issues(&github)[1];
    assert_eq!(title, "Put the file into the folder at night");
    assert!(body.starts_with("<!-- reqgate-story plan=004-export-orders story=shp-exp-002 "), "{body}");
    assert!(body.contains("- **Needs**: #1\n") && body.contains("- [ ] At 02:05 the folder has the file."), "{body}");
    let again = run(&github, &plan);
    assert!(again.iter().all(|change| matches!(change, IssueChange::Same { .. })), "{again:?}");
    assert_eq!((writes(&github).len(), issues(&github).len()), (3, 3));
}

#[test]
fn what_a_person_wrote_and_ticked_stays_when_the_plan_changes() {
    let (github, mut plan) = (StandIn::default(), planned());
    run(&github, &plan);
    let crlf = |body: &str| {
        let ticked = body.replace("- [ ] At 02:05", "- [x] At 02:05");
        format!("Ask Bo first.\n\n{ticked}\nSee also #77.\n").replace('\n', "\r\n")
    };
    edit(&github, 1, "body", crlf);
    edit(&github, 2, "title", |_| "Fast export (Q1)".to_owned());
    // Ticks, text around the block and another title do not cause an update.
    assert!(run(&github, &plan).iter().all(|change| matches!(change, IssueChange::Same { .. })), "nothing changed");
    plan.stories[1].story.acceptance_criteria.push("The file has a header.".to_owned());
    plan.stories[1].story.title = "Put the file there at night".to_owned();
    plan.stories[2].story.title = "Export quickly".to_owned();
    plan.stories[2].story.complexity = Some(2);
    run(&github, &plan);
    let issues = issues(&github);
    assert_eq!((issues[1].0.as_str(), issues[2].0.as_str()), ("Put the file there at night", "Fast export (Q1)"));
    let body = &issues[1].1;
    assert!(body.starts_with("Ask Bo first.\n\n<!-- reqgate-story ") && body.ends_with("\nSee also #77.\n"), "{body}");
    assert!(body.contains("- [x] At 02:05") && body.contains("- [ ] The file has a header."), "{body}");
    let before = writes(&github).len();
    run(&github, &plan);
    assert_eq!(writes(&github).len(), before, "the second run has nothing to do");
}

#[test]
fn a_block_that_was_changed_by_hand_and_a_closed_issue_stay() {
    let (github, mut plan) = (StandIn::default(), planned());
    run(&github, &plan);
    edit(&github, 0, "body", |body| body.replace("a file with 3 rows", "a file with 4 rows"));
    edit(&github, 1, "state", |_| "closed".to_owned());
    for planned in &mut plan.stories {
        planned.story.complexity = Some(7);
    }
    plan.stories.remove(2);
    let changes = run(&github, &plan);
    let [
        IssueChange::EditedByHand { issue: first, .. },
        IssueChange::Closed { issue: second, .. },
        IssueChange::NotPlanned { issue: third, .. },
    ] = changes.as_slice()
    else {
        panic!("{changes:?}")
    };
    assert_eq!([first, second, third], ["#1", "#2", "#3"]);
    assert_eq!(writes(&github).len(), 3, "nothing was written after the first run");
    assert!(issues(&github)[0].1.contains("a file with 4 rows"));
}

#[test]
fn the_marker_of_a_stranger_takes_nobody_in() {
    let (github, plan) = (StandIn::default(), planned());
    run(&github, &plan);
    let own: Vec<_> = std::mem::take(&mut github.0.borrow_mut().issues);
    let mut copy = own[0].clone();
    copy["user"] = serde_json::json!({ "login": "mallory", "type": "User" });
    github.0.borrow_mut().issues.push(copy);
    let changes = listed(&github, &plan);
    assert!(matches!(changes[0], IssueChange::Open { .. }), "{changes:?}");
    github.0.borrow_mut().permissions.insert("mallory".to_owned(), "write".to_owned());
    let changes = listed(&github, &plan);
    assert!(matches!(changes[0], IssueChange::Same { .. }), "{changes:?}");
    assert_eq!(own[0]["user"]["login"], OWN);
}

#[test]
fn words_of_a_story_are_no_markup_of_the_issue() {
    let (github, mut plan) = (StandIn::default(), planned());
    plan.stories[0].story.acceptance_criteria =
        vec!["<!-- reqgate-story-end --> @octocat closes #7 ![x](http://e.example/p.png)\n# h".to_owned()];
    run(&github, &plan);
    let body = &issues(&github)[0].1;
    assert_eq!(body.matches(END).count(), 1, "{body}");
    assert!(
        !body.contains("@octocat") && !body.contains("#7") && !body.contains("![x]") && !body.contains("\n# h"),
        "{body}"
    );
    assert!(run(&github, &plan).iter().all(|change| matches!(change, IssueChange::Same { .. })));
}

#[test]
fn a_run_that_broke_off_goes_on_where_it_ended() {
    let (github, plan) = (StandIn::default(), planned());
    let (client, shop) = (github.client(), shop());
    let tracker = GithubIssues::new(&client, &shop);
    let first = compared(&tracker, &plan).expect("GitHub answers");
    github.fail("POST /issues", 502, &[], "{}", true);
    carried_out(&tracker, &plan, first, |_, _| ()).expect_err("the server failed");
    assert_eq!(issues(&github).len(), 1, "it was opened all the same");
    run(&github, &plan);
    assert_eq!(issues(&github).len(), 3);
}
