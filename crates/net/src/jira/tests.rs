//! Tests of the client against a fake Jira with state; each request is checked against Atlassian's documented
//! operations.

use serde_json::{Value, json};

use super::stand_in::{Jira, StandIn, answer};
use super::{Api, Client, IssueKey, JiraError, Site};
use crate::sticky_comment::Kept;
use crate::{Method, Reply, SystemClock};

/// A comment in the format of the site.
fn saying(api: Api, words: &str) -> Value {
    let text = json!({ "type": "text", "text": words });
    match api {
        Api::Cloud => {
            json!({ "version": 1, "type": "doc", "content": [{ "type": "paragraph", "content": [text] }] })
        }
        Api::Server => json!(words),
    }
}

fn key() -> IssueKey {
    "PAY-7".parse().unwrap()
}

#[test]
fn comment_is_made_once_and_then_kept_up_to_date_on_both_apis() {
    for api in [Api::Cloud, Api::Server] {
        let stand_in = StandIn::new(api);
        let client = stand_in.client();
        assert_eq!(client.keep_comment(&key(), &saying(api, "one"), "1", false), Ok(Kept::None));
        let id = "10001".to_owned();
        assert_eq!(client.keep_comment(&key(), &saying(api, "one"), "1", true), Ok(Kept::Created(id.clone())));
        let before = stand_in.jira.borrow().requests.len();
        assert_eq!(client.keep_comment(&key(), &saying(api, "one"), "1", true), Ok(Kept::Unchanged(id.clone())));
        let reads = stand_in.jira.borrow().requests[before..].iter().all(|request| request.method == Method::Get);
        assert!(reads, "an unchanged comment is not written");
        assert_eq!(client.keep_comment(&key(), &saying(api, "two"), "2", false), Ok(Kept::Updated(id)));
        let jira = stand_in.jira.borrow();
        assert_eq!(jira.comments.len(), 1);
        let said = jira.comments[0].2.to_string();
        assert!(said.contains("two"), "{said}");
        assert_eq!(jira.comments[0].2.is_object(), api == Api::Cloud);
    }
}

#[test]
fn property_that_points_at_somebody_elses_comment_is_not_obeyed() {
    let stand_in = StandIn::new(Api::Cloud);
    stand_in.jira.borrow_mut().comments.push(("77".to_owned(), "boss".to_owned(), json!("mine")));
    for comment in ["77", "../../9/comment/77", "", "12"] {
        stand_in.jira.borrow_mut().property = Some(json!({ "comment": comment, "digest": "1" }));
        let kept = stand_in.client().keep_comment(&key(), &saying(Api::Cloud, &format!("seen {comment}")), "1", true);
        assert!(matches!(kept, Ok(Kept::Created(_))), "{comment}: {kept:?}");
        assert_eq!(stand_in.jira.borrow().comments[0].2, json!("mine"));
    }
}

#[test]
fn comment_that_was_deleted_is_made_again() {
    let stand_in = StandIn::new(Api::Server);
    let client = stand_in.client();
    client.keep_comment(&key(), &saying(Api::Server, "one"), "1", true).unwrap();
    stand_in.jira.borrow_mut().comments.clear();
    assert_eq!(
        client.keep_comment(&key(), &saying(Api::Server, "one"), "1", true),
        Ok(Kept::Created("10002".to_owned()))
    );
}

#[test]
fn comment_whose_answer_got_lost_is_found_again_on_both_apis() {
    for api in [Api::Cloud, Api::Server] {
        let stand_in = StandIn::new(api);
        stand_in.jira.borrow_mut().comments.push(("77".to_owned(), "boss".to_owned(), json!("one")));
        stand_in.jira.borrow_mut().loses_an_answer = true;
        let client = stand_in.client();
        let id = "10001".to_owned();
        assert_eq!(client.keep_comment(&key(), &saying(api, "one"), "1", true), Ok(Kept::Created(id.clone())));
        // A run that was killed before it could write the property.
        stand_in.jira.borrow_mut().property = None;
        assert_eq!(client.keep_comment(&key(), &saying(api, "one"), "1", true), Ok(Kept::Unchanged(id.clone())));
        assert_eq!(client.keep_comment(&key(), &saying(api, "two"), "2", true), Ok(Kept::Updated(id)));
        assert_eq!(stand_in.jira.borrow().comments.len(), 2);
    }
}

#[test]
fn comment_of_a_faster_run_stays_and_ours_goes() {
    let stand_in = StandIn::new(Api::Cloud);
    stand_in.jira.borrow_mut().rival = Some("9000".to_owned());
    let kept = stand_in.client().keep_comment(&key(), &saying(Api::Cloud, "one"), "1", true);
    assert_eq!(kept, Ok(Kept::Updated("9000".to_owned())));
    let ids: Vec<String> = stand_in.jira.borrow().comments.iter().map(|comment| comment.0.clone()).collect();
    assert_eq!(ids, ["9000"]);
}

#[test]
fn limits_are_waited_for_and_failures_repeated_except_where_twice_would_make_two() {
    let stand_in = StandIn::new(Api::Cloud);
    let client = stand_in.client();
    let limit = Reply::new(429, &[("retry-after", "7")], Vec::new());
    stand_in.jira.borrow_mut().faults.push_back((Method::Post, "comment", limit));
    assert!(matches!(client.keep_comment(&key(), &saying(Api::Cloud, "one"), "1", true), Ok(Kept::Created(_))));
    assert_eq!(stand_in.waited.get(), 7);

    stand_in.jira.borrow_mut().faults.push_back((Method::Get, "issue", answer(502, json!({}))));
    assert!(client.issue(&key()).is_ok());

    stand_in.jira.borrow_mut().property = None;
    stand_in.jira.borrow_mut().comments.clear();
    let posts = |jira: &Jira| jira.requests.iter().filter(|request| request.method == Method::Post).count();
    let before = posts(&stand_in.jira.borrow());
    stand_in.jira.borrow_mut().faults.push_back((Method::Post, "comment", answer(502, json!({}))));
    assert!(client.keep_comment(&key(), &saying(Api::Cloud, "one"), "1", true).is_err());
    assert_eq!(posts(&stand_in.jira.borrow()), before + 1);
}

#[test]
fn refusals_say_what_to_do_and_hold_no_secret() {
    for (status, words) in
        [(401, "JIRA_API_TOKEN"), (403, "permission"), (404, "does not exist"), (302, "JIRA_BASE_URL")]
    {
        let stand_in = StandIn::new(Api::Cloud);
        let reply = answer(status, json!({ "errorMessages": ["secret words of somebody"] }));
        stand_in.jira.borrow_mut().faults.push_back((Method::Get, "issue", reply));
        let message = stand_in.client().issue(&key()).unwrap_err().to_string();
        assert!(message.contains(words) && !message.contains("secret"), "{message}");
    }
    let site = Site::new("https://nordwind.example", None, None).unwrap();
    let client = Client::with(site, Box::new(StandIn::new(Api::Server)), Box::new(SystemClock));
    assert_eq!(client.keep_comment(&key(), &saying(Api::Cloud, "x"), "1", true), Err(JiraError::NoCredentials));
}
