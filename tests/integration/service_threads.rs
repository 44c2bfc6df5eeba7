//! Threads over `reqgate serve`: orders, questions with all that a person needs, events that resume, and the names in
//! documents.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use reqgate::workflow::{SqliteStore, Store};
use serde_json::{Value, json};

use crate::cli::{READY, Sandbox};
use crate::prd::TICKET;
use crate::service::{Service, token};

/// Approves every question of a thread until one of this kind is open; returns that one, or null at the end.
fn answered_until(service: &Service, thread: &str, token: &str, kind: &str) -> Value {
    for _ in 0..12 {
        let ask = service.get(&format!("/v1/threads/{thread}"), token).json(200)["ask"].clone();
        let Some(id) = ask["id"].as_str() else { return Value::Null };
        if ask["kind"] == kind {
            return service.get(&format!("/v1/asks/{id}"), token).json(200);
        }
        let answer = match ask["kind"].as_str() {
            Some("clarification") => json!({ "answers": {} }),
            Some("requirements_review") => {
                let all = ask["request"]["requirements"].as_array().cloned().unwrap_or_default();
                let verdict = |one: &Value| json!({ "id": one["id"], "verdict": "approve" });
                json!({ "verdicts": all.iter().map(verdict).collect::<Vec<_>>() })
            }
            Some("gap_decision") => json!({ "userIterationOverride": false }),
            Some("prd_review") => json!({ "prd_approved": true, "gate_override": "good enough to start" }),
            _ => json!({ "approved": true }),
        };
        service.post(&format!("/v1/asks/{id}/answer"), token, &answer).json(200);
    }
    panic!("the thread does not end");
}

#[test]
fn a_person_sees_all_that_is_needed_and_is_named_in_documents() {
    let sandbox = Sandbox::new();
    let (starter, person) = (token(&sandbox, "rob", "write"), token(&sandbox, "dana", "answer"));
    let service = Service::start(&sandbox, &[], &[]);
    let start = json!({ "sources": [{ "name": "ticket.md", "text": TICKET }] });
    let started = service.post("/v1/threads", &starter, &start).json(201);
    let thread = started["thread"].as_str().expect("an id");
    let view = answered_until(&service, thread, &person, "brief_review");
    assert_eq!(view["ask"]["id"], started["ask"]["id"], "{view:#}");
    assert!(view["documents"].is_array() && view["last_approval"].is_null(), "{view:#}");
    let view = answered_until(&service, thread, &person, "prd_review");
    let document = view["ask"]["request"]["document"].as_str().expect("a document");
    // The account that runs the service is not named in documents.
    assert!(document.contains("dana") && !document.contains("alice"), "{document}");
    assert_eq!(answered_until(&service, thread, &person, "none"), Value::Null);
    // Manual changes are shown compared with the last approval, and masked.
    let path = view["ask"]["request"]["path"].as_str().expect("a path").replace("prd.md", "requirements.md");
    let edited = sandbox.read(&path).replace("with 3 rows", "with 3 rows and a copy to bob.smith@shop-group.de");
    assert!(edited.contains("bob.smith"), "{edited}");
    sandbox.file(&path, edited);
    sandbox.run(&["prd", "revise", thread, "--because", "the contact has changed"]).ends_with(4);
    let cookie = format!("reqgate_token={person}");
    let page = |path: &str| service.send("GET", path, &[("Cookie", &cookie)], "").body;
    let inbox = |view: &Value| format!("/inbox/{}", view["ask"]["id"].as_str().expect("an id"));
    let masked = |words: &str| !words.contains("bob.smith") && words.contains("xport");
    let view = answered_until(&service, thread, &person, "requirements_review");
    assert!(masked(&view.to_string()) && masked(&page("/inbox")), "{view:#}");
    // The mask is not put back in place of the words: the field for new ones is empty.
    let shown = page(&inbox(&view));
    assert!(masked(&shown) && shown.contains("id=\"masked\""), "{shown}");
    let field =
        shown.split_once("name=\"text.").and_then(|(_, rest)| rest.split_once("</textarea>")).expect("a field").0;
    assert!(field.split_once('>').is_some_and(|(_, words)| words.trim().is_empty()), "{field}");
    let view = answered_until(&service, thread, &person, "prd_review");
    assert_eq!(view["last_approval"]["actor"], "dana", "{view:#}");
    assert!(masked(&view.to_string()), "{view:#}");
    let shown = page(&inbox(&view));
    assert!(masked(&shown) && shown.contains("id=\"masked\"") && !shown.contains("name=\"document\""), "{shown}");
    assert!(masked(&page(&format!("/threads/{thread}"))) && masked(&page("/threads")));
    let csrf =
        shown.split_once("name=\"csrf\" value=\"").and_then(|(_, rest)| rest.split_once('"')).expect("a proof").0;
    let headers = [("Cookie", cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let edited = service.send("POST", &inbox(&view), &headers, &format!("csrf={csrf}&decision=edit&document=Mine"));
    assert!(edited.status == 422 && edited.body.contains("cannot be edited on this page"), "{edited:#?}");
}

#[test]
fn an_agent_carries_out_orders() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let start = json!({ "utterance": "Orders can be exported as CSV.", "author": "agent", "idempotency_key": "k1" });
    let first = service.post("/v1/threads", "", &start).json(201);
    assert_eq!(service.post("/v1/threads", "", &start).json(200)["thread"], first["thread"]);
    let thread = first["thread"].as_str().expect("an id").to_owned();
    let mut other = start.clone();
    other["utterance"] = "Something else entirely.".into();
    service.post("/v1/threads", "", &other).problem(409);
    let order = service.get(&format!("/v1/threads/{thread}/order"), "").json(200);
    let submit = json!({ "order_id": order["id"], "result": { "no": "brief" } });
    let rejected = service.post(&format!("/v1/threads/{thread}/results"), "", &submit).json(200);
    assert_eq!(rejected["status"], "rejected", "{rejected:#}");
    let stale = json!({ "order_id": order["id"], "result": { "another": "one" } });
    assert_eq!(service.post(&format!("/v1/threads/{thread}/results"), "", &stale).json(200)["status"], "stale");
    assert_eq!(service.get("/v1/health", "").json(200)["threads"], 1);
}

#[test]
fn a_thread_that_somebody_works_on_is_looked_at_and_keeps_nobody_else_waiting() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let start = json!({ "utterance": "Orders can be exported as CSV.", "author": "agent" });
    let thread = service.post("/v1/threads", "", &start).json(201)["thread"].as_str().expect("an id").to_owned();
    let store = SqliteStore::open(&sandbox.path(".reqgate")).expect("the store");
    let claim = store.claim(&thread.parse().expect("an id")).expect("nobody works on it");
    let order = format!("/v1/threads/{thread}/order");
    let order = service.get(&order, "").json(200)["id"].clone();
    // More results than there are cores wait for the thread; a text is judged meanwhile.
    let results = format!("/v1/threads/{thread}/results");
    let submit = json!({ "order_id": order, "result": { "no": "brief" } });
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let waiting: Vec<_> = (0..=cores).map(|_| scope.spawn(|| service.post(&results, "", &submit).status)).collect();
        std::thread::sleep(Duration::from_millis(500));
        let begun = std::time::Instant::now();
        service.post("/v1/judge", "", &json!({ "text": READY })).json(200);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        drop(claim);
        for answer in waiting {
            assert_eq!(answer.join().expect("no panic"), 200);
        }
    });
}

#[test]
fn events_resume_where_a_client_left_off() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let start = json!({ "utterance": "Shop managers need to export the orders of a month as CSV within 10 seconds." });
    let started = service.post("/v1/threads", "", &start).json(201);
    let (thread, last) = (started["thread"].as_str().expect("an id"), started["events"].as_u64().expect("a number"));
    let watch = |after: u64| {
        let mut stream = service.connect();
        let request =
            format!("GET /v1/threads/{thread}/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: {after}\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        BufReader::new(stream)
    };
    let ids = |stream: &mut BufReader<TcpStream>, count: usize| -> Vec<u64> {
        let lines = stream.lines().map(|line| line.expect("it sends"));
        lines.filter_map(|line| line.strip_prefix("id: ").and_then(|id| id.parse().ok())).take(count).collect()
    };
    assert_eq!(ids(&mut watch(0), 3), [1, 2, 3]);
    let mut live = watch(last - 1);
    assert_eq!(ids(&mut live, 1), [last]);
    // Later events of another process are sent too.
    sandbox.run(&["prd", "cancel", thread, "--reason", "no time"]).ends_with(0);
    assert_eq!(ids(&mut live, 1), [last + 1]);
    let over =
        service.send("GET", &format!("/v1/threads/{thread}/events"), &[("Last-Event-ID", &(last + 1).to_string())], "");
    assert_eq!(over.status, 204, "there is nothing more to wait for: {over:#?}");
    service.send("GET", &format!("/v1/threads/{thread}/events"), &[("Last-Event-ID", "x")], "").problem(400);
}

#[test]
fn a_watcher_whose_token_is_removed_sees_nothing_more() {
    let sandbox = Sandbox::new();
    let (watcher, _) = (token(&sandbox, "rob", "write"), token(&sandbox, "dana", "answer"));
    let service = Service::start(&sandbox, &[], &[]);
    let start = json!({ "utterance": "Shop managers need to export the orders of a month as CSV within 10 seconds." });
    let started = service.post("/v1/threads", &watcher, &start).json(201);
    let thread = started["thread"].as_str().expect("an id");
    let mut stream = service.connect();
    let request = format!(
        "GET /v1/threads/{thread}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {watcher}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut lines = BufReader::new(stream).lines().map(|line| line.expect("it sends"));
    assert!(lines.any(|line| line.starts_with("id: 1")));
    sandbox.run(&["serve", "token", "remove", "rob"]).ends_with(0);
    std::thread::sleep(Duration::from_millis(100));
    sandbox.run(&["prd", "cancel", thread, "--reason", "no time"]).ends_with(0);
    let last = started["events"].as_u64().expect("a number") + 1;
    assert!(!lines.any(|line| line == format!("id: {last}")), "the stream has ended before");
}

/// A team over REST has the settings of the command line.
#[test]
fn a_team_has_the_settings_that_a_request_gives() {
    let sandbox = Sandbox::new();
    let starter = token(&sandbox, "rob", "write");
    let service = Service::start(&sandbox, &[], &[]);
    let start = |team: Value, flow: &str| {
        let text = format!("{TICKET}\n## Vision\n\nA clerk finds each order within a minute.\n");
        json!({ "sources": [{ "name": "ticket.md", "text": text }], "flow": flow, "team": team })
    };
    let team = json!({ "min_score": 90, "unanimous": true, "citations": "apa", "second_opinion": ["design", "users"], "ask_at": ["draft"] });
    // Without a reader the first question of this team is that about the draft.
    let started = service.post("/v1/threads", &starter, &start(team, "team")).json(201);
    assert_eq!(started["ask"]["kind"], "draft_approval", "{started:#}");
    let thread = started["thread"].as_str().expect("an id");
    let state = sandbox.run(&["prd", "show", thread, "--format", "json"]).ends_with(0).json();
    let settings = &state["team"]["settings"];
    assert_eq!(settings["rounds"]["min_approval_score"], 90, "{state:#}");
    assert_eq!((&settings["citation_style"], &settings["second_opinions"]), (&json!("apa"), &json!(["design"])));
    assert_eq!(settings["second_researchers"], json!(["users"]));
    let refused = |team: Value, flow: &str| service.post("/v1/threads", &starter, &start(team, flow)).problem(422);
    assert_eq!(refused(json!({ "max_iterations": 21 }), "team")["problems"][0]["path"], "team.max_iterations");
    assert_eq!(refused(json!({ "min_score": 80 }), "documents")["problems"][0]["path"], "team");
    let api = service.get("/openapi.json", &starter).json(200);
    assert!(api.to_string().contains("min_improvement"), "{api:#}");
}
