//! Webhooks of `reqgate serve`: signatures, repetitions, failures, and strangers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::cli::Sandbox;
use crate::service::{Response, Service};

/// The signature of a body.
pub fn signed(secret: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key");
    mac.update(body.as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// A tracker that answers, and records its requests.
pub fn tracker(answer: fn(&str, &str) -> (u16, Value)) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut line = String::new();
            if reader.read_line(&mut line).is_err() || line.is_empty() {
                continue;
            }
            let mut length = 0;
            loop {
                let mut header = String::new();
                if reader.read_line(&mut header).is_err() || header.trim().is_empty() {
                    break;
                }
                if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
            }
            let mut body = vec![0; length];
            let _ = reader.read_exact(&mut body);
            let mut words = line.split(' ');
            let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let (status, found) = answer(method, path);
            kept.lock().expect("no panic").push(format!("{} {}", line.trim(), String::from_utf8_lossy(&body)));
            let text = found.to_string();
            let _ = write!(
                reader.get_mut(),
                "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{text}",
                text.len()
            );
        }
    });
    (address, asked)
}

/// A GitHub with one issue.
pub fn github(method: &str, path: &str) -> (u16, Value) {
    let found = match method {
        "GET" if path.ends_with("/issues/7") => json!({
            "number": 7, "title": "App crashes", "body": "It crashes.", "state": "open",
            "user": { "login": "bob", "type": "User" }, "labels": [], "created_at": "2026-11-01T00:00:00Z",
            "updated_at": "2026-11-01T00:00:00Z", "html_url": "",
        }),
        "GET" if path.ends_with("/issues/8") => return (401, json!({ "message": "Bad credentials" })),
        "POST" if path.ends_with("/comments") => json!({
            "id": 1, "body": "", "html_url": "", "user": { "login": "b", "type": "Bot" },
            "created_at": "2026-11-01T00:00:00Z", "updated_at": "2026-11-01T00:00:00Z",
        }),
        _ => json!([]),
    };
    (200, found)
}

/// A Jira with one issue.
fn jira(method: &str, path: &str) -> (u16, Value) {
    match method {
        "GET" if path.contains("/properties/") => (404, json!({})),
        "GET" if path.contains("/comment") => (200, json!({ "comments": [] })),
        "GET" if path.contains("/myself") => (200, json!({ "accountId": "me", "key": "me" })),
        "GET" => {
            let fields = json!({ "summary": "App crashes", "description": "It crashes.",
                "issuetype": { "name": "Bug" }, "status": { "name": "To Do", "statusCategory": { "key": "new" } } });
            (200, json!({ "id": "1", "key": "PAY-1", "fields": fields }))
        }
        "POST" => (201, json!({ "id": "10" })),
        _ => (200, json!({})),
    }
}

/// The comments in the recorded requests.
pub fn comments(asked: &Mutex<Vec<String>>) -> Vec<String> {
    let asked = asked.lock().expect("no panic");
    asked.iter().filter(|one| one.starts_with("POST") && one.contains("/comment")).cloned().collect()
}

/// A delivery of GitHub about a new issue.
pub fn opened(issue: u64) -> String {
    json!({
        "action": "opened",
        "repository": { "full_name": "octo/shop" },
        "sender": { "login": "bob", "type": "User" },
        "issue": { "number": issue, "title": "a forged title", "body": "forged", "state": "open", "user": { "login": "bob", "type": "User" } },
    })
    .to_string()
}

fn deliver(service: &Service, signature: &str, event: &str, body: &str) -> Response {
    let headers = [
        ("Content-Type", "application/json"),
        ("X-Hub-Signature-256", signature),
        ("X-GitHub-Event", event),
        ("X-GitHub-Delivery", "72d3162e"),
    ];
    service.send("POST", "/webhooks/github", &headers, body)
}

#[test]
fn a_signed_delivery_of_github_gets_its_issue_judged_once() {
    let sandbox = Sandbox::new();
    let (address, asked) = tracker(github);
    let url = format!("http://{address}");
    let environment = [
        ("REQGATE_GITHUB_WEBHOOK_SECRET", "hush"),
        ("GITHUB_API_URL", url.as_str()),
        ("GITHUB_TOKEN", "ghs_test"),
        ("REQGATE_COMMENT_AUTHOR", "b"),
    ];
    let service = Service::start(&sandbox, &[], &environment);
    let body = opened(7);
    let right = signed("hush", &body);
    deliver(&service, &signed("other", &body), "issues", &body).problem(401);
    deliver(&service, "", "issues", &body).problem(401);
    assert_eq!(deliver(&service, &right, "ping", &body).json(202)["status"], "ignored");
    assert_eq!(deliver(&service, &right, "issues", &body).json(202)["status"], "queued");
    assert_eq!(deliver(&service, &right, "issues", &body).json(202)["status"], "repeated");
    service.send("POST", "/webhooks/jira", &[("X-Hub-Signature", &right)], &body).problem(404);
    // Accepted deliveries are processed before the end.
    assert_eq!(service.end(), 0);
    let comments = comments(&asked);
    assert_eq!(comments.len(), 1, "{asked:#?}");
    assert!(!comments[0].contains("forged"), "the issue is read anew: {comments:#?}");
}

#[test]
fn a_delivery_that_failed_is_worked_on_when_it_is_sent_again() {
    let sandbox = Sandbox::new();
    let url = format!("http://{}", tracker(github).0);
    let environment = [
        ("REQGATE_GITHUB_WEBHOOK_SECRET", "hush"),
        ("GITHUB_API_URL", url.as_str()),
        ("GITHUB_TOKEN", "ghs_test"),
        ("REQGATE_COMMENT_AUTHOR", "b"),
    ];
    let service = Service::start(&sandbox, &[], &environment);
    let body = opened(8);
    let right = signed("hush", &body);
    let again = || deliver(&service, &right, "issues", &body).json(202)["status"].clone();
    assert_eq!(again(), "queued");
    let is_taken_again = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        again() == "queued"
    });
    assert!(is_taken_again);
}

#[test]
fn a_signed_delivery_of_jira_gets_its_issue_judged_once() {
    let sandbox = Sandbox::new();
    let (address, asked) = tracker(jira);
    let url = format!("http://{address}");
    let environment = [
        ("REQGATE_JIRA_WEBHOOK_SECRET", "hush"),
        ("JIRA_BASE_URL", url.as_str()),
        ("JIRA_API", "2"),
        ("JIRA_TOKEN", "test"),
    ];
    let service = Service::start(&sandbox, &[], &environment);
    let body = |event: &str, kind: &str| {
        json!({ "webhookEvent": event, "issue_event_type_name": kind, "issue": { "key": "PAY-1" } }).to_string()
    };
    let deliver = |signature: &str, body: &str| {
        let headers = [
            ("Content-Type", "application/json"),
            ("X-Hub-Signature", signature),
            ("X-Atlassian-Webhook-Identifier", "b1946ac9"),
        ];
        service.send("POST", "/webhooks/jira", &headers, body)
    };
    let created = body("jira:issue_created", "issue_created");
    deliver(&signed("other", &created), &created).problem(401);
    // Our own comment is an update of the issue.
    for ignored in [body("jira:issue_updated", "issue_commented"), body("comment_created", "")] {
        assert_eq!(deliver(&signed("hush", &ignored), &ignored).json(202)["status"], "ignored", "{ignored}");
    }
    assert_eq!(deliver(&signed("hush", &created), &created).json(202)["status"], "queued");
    assert_eq!(deliver(&signed("hush", &created), &created).json(202)["status"], "repeated");
    assert_eq!(service.end(), 0);
    assert_eq!(comments(&asked).len(), 1, "{asked:#?}");
}

#[test]
fn strangers_are_refused_unread_and_keep_out_no_delivery() {
    let sandbox = Sandbox::new();
    let environment =
        [("REQGATE_GITHUB_WEBHOOK_SECRET", "hush"), ("GITHUB_TOKEN", "ghs_test"), ("REQGATE_COMMENT_AUTHOR", "b")];
    let service = Service::start(&sandbox, &["--rate", "1"], &environment);
    // The body never arrives, and the service does not wait for it.
    let head = |path: &str| {
        format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n")
    };
    service.raw(&head("/webhooks/github")).problem(401);
    service.raw(&head("/webhooks/jira")).problem(404);
    assert!((0..4).any(|_| deliver(&service, "", "issues", "").status == 429), "what is refused counts");
    let body = json!({ "action": "deleted" }).to_string();
    for _ in 0..5 {
        assert_eq!(deliver(&service, &signed("hush", &body), "ping", &body).json(202)["status"], "ignored");
    }
}

#[test]
fn webhooks_of_github_need_the_account_of_their_comment() {
    let sandbox = Sandbox::new();
    let secret = ("REQGATE_GITHUB_WEBHOOK_SECRET", "hush");
    for rest in [("GITHUB_TOKEN", "ghs_test"), ("REQGATE_COMMENT_AUTHOR", "our-app[bot]")] {
        let refused = sandbox.run_with(&["serve", "--listen", "127.0.0.1:0"], &[secret, rest], "").ends_with(2);
        assert!(refused.stderr.contains("REQGATE_COMMENT_AUTHOR"), "{refused:#?}");
    }
}
