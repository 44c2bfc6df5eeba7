//! Tests of the client: which requests are sent, repeated, delayed and refused.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use super::stand_in::{Fault, StandIn};
use super::*;

fn shop() -> Repository {
    "octo/shop".parse().expect("a repository")
}

#[test]
fn update_of_a_comment_is_a_patch() {
    let github = StandIn::with_issue("t", "b");
    let client = github.client();
    let made = client.create_comment(&shop(), 7, "one").unwrap();
    client.update_comment(&shop(), made.id, "two").unwrap();
    assert_eq!(github.lines(), ["POST /issues/7/comments", &format!("PATCH /issues/comments/{}", made.id)]);
    assert_eq!(github.own_comments(), ["two"]);
}

#[test]
fn retry_after_is_waited_for_within_the_budget() {
    let github = StandIn::with_issue("t", "b");
    github.fail("POST", 429, &[("retry-after", "3")], "{}", false);
    github.client().create_comment(&shop(), 7, "one").unwrap();
    assert_eq!(github.0.borrow().waited, Duration::from_secs(3));

    let github = StandIn::with_issue("t", "b");
    github.fail("GET", 403, &[("retry-after", "121")], "{}", false);
    let error = github.client().issue(&shop(), 7).unwrap_err();
    assert!(matches!(error, GithubError::RateLimited { seconds: 121, .. }), "{error}");
    assert_eq!(github.0.borrow().waited, Duration::ZERO);
}

#[test]
fn comment_is_never_posted_twice_by_itself() {
    let github = StandIn::with_issue("t", "b");
    github.fail("POST", 502, &[], "{}", true);
    let error = github.client().create_comment(&shop(), 7, "one").unwrap_err();
    assert!(error.may_have_landed());
    github.0.borrow_mut().faults.push(Fault { to: "POST", reply: None, lands: true });
    assert!(github.client().create_comment(&shop(), 7, "one").unwrap_err().may_have_landed());
    assert_eq!(github.lines().len(), 2);
}

#[test]
fn failure_of_the_server_is_repeated_where_that_is_harmless() {
    let github = StandIn::with_issue("t", "b");
    github.fail("GET", 502, &[], "<html>", false);
    github.fail("GET", 503, &[], "", false);
    assert_eq!(github.client().issue(&shop(), 7).unwrap().title, "t");
    assert_eq!(github.lines().len(), 3);
}

#[test]
fn refusal_names_the_permission_that_is_missing() {
    let github = StandIn::with_issue("t", "b");
    let body = r#"{"message":"Resource not accessible\n by integration"}"#;
    github.fail("POST", 403, &[("x-accepted-github-permissions", "issues=write")], body, false);
    let words = github.client().create_comment(&shop(), 7, "one").unwrap_err().to_string();
    assert_eq!(
        words,
        "commenting on issue 7 of octo/shop: GitHub answered 403 (Resource not accessible  by integration); the token needs \
         issues=write: set it under `permissions:` in the workflow"
    );
}

#[test]
fn a_branch_is_missing_in_an_empty_repository_too() {
    let github = StandIn::with_issue("t", "b");
    github.fail("GET", 404, &[], r#"{"message":"Not Found"}"#, false);
    assert_eq!(github.client().branch_head(&shop(), "main").unwrap(), None);
    github.fail("GET", 409, &[], r#"{"message":"Git Repository is empty."}"#, false);
    assert_eq!(github.client().branch_head(&shop(), "main").unwrap(), None);
    github.fail("GET", 403, &[], r#"{"message":"Forbidden"}"#, false);
    assert_eq!(github.client().branch_head(&shop(), "main").unwrap_err().status(), Some(403));
}

#[test]
fn page_on_another_server_is_not_asked() {
    let github = StandIn::with_issue("t", "b");
    let client = github.client();
    let stored: PageAddress = serde_json::from_str("\"https://evil.test/issues\"").unwrap();
    assert!(matches!(client.issues(&stored, None), Err(GithubError::ForeignPage { .. })));
    github.fail("GET /issues?", 200, &[("link", "<https://evil.test/x>; rel=\"next\"")], "[]", false);
    let first = client.first_page(&shop(), &IssuesWanted::default());
    assert!(matches!(client.issues(&first, None), Err(GithubError::ForeignPage { .. })));
    github.fail("GET /issues?", 301, &[("location", "https://evil.test/x")], "", false);
    assert!(matches!(client.issues(&first, None), Err(GithubError::ForeignPage { .. })));
    assert_eq!(client.requests(), 2);
}

#[test]
fn unchanged_page_is_told_apart() {
    let github = StandIn::with_issue("t", "b");
    let client = github.client();
    let first = client.first_page(&shop(), &IssuesWanted { closed_too: true, ..IssuesWanted::default() });
    assert!(first.as_str().starts_with("/repos/octo/shop/issues?state=all&sort=created&direction=asc&per_page=100"));
    github.fail("GET /issues?", 304, &[], "", false);
    assert_eq!(client.issues(&first, Some("\"abc\"")).unwrap(), Fetched::Unchanged);
    let body = r#"[{"number":1,"title":"a"},{"number":2,"title":"b","pull_request":{}}]"#;
    github.fail("GET /issues?", 200, &[("etag", "W/\"1\""), ("link", "</x?page=2>; rel=\"next\"")], body, false);
    let Fetched::New(page) = client.issues(&first, None).unwrap() else { panic!("it is new") };
    assert_eq!((page.items.len(), page.etag.as_deref()), (2, Some("W/\"1\"")));
    assert!(page.items[1].is_pull_request && page.next.is_some());
}

#[test]
fn comments_are_read_to_the_last_page() {
    let github = StandIn::with_issue("t", "b");
    github.0.borrow_mut().comments = (1..=250).map(|id| (id, "alice".to_owned(), format!("talk {id}"))).collect();
    let (comments, last) = github.client().comments_from(&shop(), 7, 1).unwrap();
    assert_eq!((comments.len(), last), (250, 3));
}

#[test]
fn only_safe_addresses_are_spoken_to() {
    for good in ["https://api.github.com", "https://ghe.example/api/v3/", "http://127.0.0.1:4000/api/v3"] {
        assert!(Client::new(good, None).is_ok(), "{good}");
    }
    for bad in ["http://ghe.example/api/v3", "ftp://x", "", "api.github.com", "https://a@b.example", "https://x/?a=b"] {
        assert!(Client::new(bad, None).is_err(), "{bad}");
    }
}

/// Checks the request that octocrab and reqwest actually send.
#[test]
fn request_on_the_wire_has_length_token_and_version() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/api/v3", listener.local_addr().expect("an address"));
    let server = std::thread::spawn(move || {
        let mut seen = Vec::new();
        for reply in
            ["HTTP/1.1 201 Created\r\ncontent-length: 20\r\nconnection: close\r\n\r\n{\"id\":5,\"body\":\"hi\"}"]
        {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut text = Vec::new();
            let mut buffer = [0; 4096];
            while !String::from_utf8_lossy(&text).ends_with('}') {
                let read = stream.read(&mut buffer).expect("bytes");
                assert!(read > 0, "{}", String::from_utf8_lossy(&text));
                text.extend_from_slice(&buffer[..read]);
            }
            stream.write_all(reply.as_bytes()).expect("it is written");
            seen.push(String::from_utf8_lossy(&text).into_owned());
        }
        seen
    });
    let client = Client::new(&address, Token::new("ghs_secret")).unwrap();
    let made = client.create_comment(&shop(), 7, "hi").unwrap();
    assert_eq!(made.id, 5);
    let seen = server.join().expect("the server ends").remove(0).to_lowercase();
    assert!(seen.starts_with("post /api/v3/repos/octo/shop/issues/7/comments http/1.1\r\n"), "{seen}");
    for line in [
        "authorization: bearer ghs_secret",
        "user-agent: reqgate/",
        "accept: application/vnd.github+json",
        "x-github-api-version: 2022-11-28",
        "content-length: 13",
        "content-type: application/json",
    ] {
        assert!(seen.contains(line), "no `{line}` in {seen}");
    }
}
