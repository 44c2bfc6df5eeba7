//! A thread as spans: one coherent trace, however often it was stopped, and contents only on request.

use std::collections::BTreeSet;

use reqgate::workflow::trace::{Span, names, seconds_at_work, spans, trace_id, write};
use reqgate::workflow::{Durability, Event, Executor, MemoryStore, Order, Performed, Run, Stop, Store};
use serde_json::{Value, json};

use super::demo::{Call, Demo};
use super::{NOON, agreeing, begin, id, view};

fn told(store: &MemoryStore, thread: &str, contents: bool) -> Vec<Span> {
    let record = store.record(&id(thread)).expect("a store").expect("a thread");
    let events = store.events_after(&id(thread), 0).expect("events");
    spans::<Demo>(&record, &events, contents).expect("spans")
}

fn text(spans: &[Span]) -> String {
    let mut out = Vec::new();
    write(spans, &mut out).expect("memory takes everything");
    String::from_utf8(out).expect("it is text")
}

/// Only the seconds in which the thread was carried out count.
#[test]
fn idle_days_are_no_time_at_work() {
    let recorded = [
        ("started", "01T12:00:00Z"),
        ("call-done", "01T12:00:05Z"),
        ("stepped", "01T12:00:06Z"),
        ("asked", "01T12:00:06Z"),
        ("amended", "02T12:00:00Z"),
        ("answered", "03T12:00:00Z"),
        ("stepped", "03T12:00:02Z"),
        ("handed-out", "03T12:00:02Z"),
        ("call-done", "04T12:00:00Z"),
        ("stepped", "04T12:00:01Z"),
        ("ended", "04T12:00:01Z"),
        ("amended", "05T12:00:00Z"),
        ("call-done", "05T12:00:03Z"),
        ("ended", "05T12:00:03Z"),
        ("reopened", "06T12:00:00Z"),
        ("interrupted", "06T12:00:04Z"),
        ("migrated", "07T12:00:00Z"),
        ("cancelled", "08T12:00:00Z"),
    ];
    let event = |(kind, at): (&str, &str)| {
        Event::new(1, format!("2026-11-{at}"), "ann".to_owned(), json!({ "kind": kind }), String::new())
    };
    let events: Vec<Event> = recorded.into_iter().map(event).collect();
    assert_eq!(seconds_at_work(&events), 6 + 2 + 1 + 3 + 4);
}

#[test]
fn a_run_is_one_trace_with_the_names_of_the_conventions() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    view::rejected_once(&store, folder.path(), true);
    let spans = told(&store, "seen", false);
    let ids: BTreeSet<&str> = spans.iter().map(|span| span.span.as_str()).collect();
    assert_eq!(ids.len(), spans.len(), "every span has an id of its own");
    let run = &spans[0];
    assert_eq!((run.name.as_str(), run.parent.as_deref()), ("invoke_workflow demo", None));
    assert_eq!(run.attributes[names::CONVERSATION], "seen");
    assert_eq!(run.attributes[names::PHASE], "completed");
    for span in &spans {
        assert_eq!((span.trace.len(), span.span.len()), (32, 16));
        assert_eq!(span.trace, trace_id(&id("seen")));
        assert!(span.start_unix_ms >= run.start_unix_ms && span.duration_ms <= run.duration_ms, "{span:?}");
        assert!(!span.attributes.contains_key(names::OPEN), "{span:?}");
        if let Some(parent) = &span.parent {
            assert!(ids.contains(parent.as_str()), "{span:?}");
        }
    }
    let told: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    let expected = [
        "invoke_workflow demo",
        "clarify",
        "ask clarification",
        "instruct",
        "ask add_instructions",
        "invoke_agent research",
        "chat small",
        "invoke_agent generate_prd",
        "execute_tool generate_prd",
        "chat small",
        "approval",
        "ask approval",
        "invoke_agent generate_prd",
        "chat small",
        "approval",
        "ask approval",
        "confirm",
        "ask interrupt",
        "publish",
        "execute_tool file",
    ];
    assert_eq!(told, expected);
    let chat = spans.iter().find(|span| span.kind == "client").expect("a chat");
    assert_eq!((&chat.attributes[names::MODEL], &chat.attributes[names::OUTPUT_TOKENS]), (&json!("small"), &json!(20)));
    let failed = spans.iter().find(|span| span.attributes.contains_key(names::ERROR)).expect("a failure");
    assert_eq!(failed.attributes[names::ATTEMPT], 1);
}

#[test]
fn contents_are_told_only_where_they_are_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    view::rejected_once(&store, folder.path(), true);
    let without = text(&told(&store, "seen", false));
    for word in ["Say who may export", "An export", "\"ann\"", "Only CSV", "must not be empty"] {
        assert!(!without.contains(word), "{word}");
    }
    let with = text(&told(&store, "seen", true));
    assert!(with.contains("Say who may export") && with.contains("must not be empty"));
    for line in without.lines() {
        let line: Value = serde_json::from_str(line).expect("every line is JSON");
        let keys: Vec<&String> = line.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["name", "kind", "start_unix_ms", "duration_ms", "trace", "span", "parent", "attributes"]);
    }
}

/// Hands out every call.
struct Elsewhere;

impl Executor<Call> for Elsewhere {
    fn perform(&mut self, _: &Call, _: &Order) -> Performed {
        Performed::HandedOut
    }
}

#[test]
fn a_thread_that_is_taken_up_again_and_again_is_one_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    drop(Run::begin(&Demo, &store, &NOON, Durability::Step, begin("often", folder.path())).expect("a thread"));
    let mut before: Vec<String> = Vec::new();
    for _ in 0..30 {
        // Each time as if another process had died.
        store.forget_claims();
        let mut run = Run::open(&Demo, &store, &NOON, Durability::Step, &id("often")).expect("a thread");
        let stop = run.advance(&mut Elsewhere).expect("it goes on");
        let spans = told(&store, "often", false);
        let ids: Vec<String> = spans.iter().map(|span| span.span.clone()).collect();
        assert_eq!(ids[..before.len()], before, "what was told stays as it was told");
        before = ids;
        match stop {
            Stop::Ended(_) => {
                assert!(spans.iter().all(|span| !span.attributes.contains_key(names::OPEN)), "{spans:?}");
                return;
            }
            Stop::Asking(ask, question) => {
                assert!(spans[0].attributes.contains_key(names::OPEN));
                run.answer(&ask, &agreeing(question.kind()), "ann", "test").expect("an answer");
            }
            Stop::Ordering(order, call) => {
                let result = match call {
                    Call::Agent { .. } => json!("nothing"),
                    Call::Draft { .. } => json!({ "title": "T", "body": "B" }),
                };
                run.submit(&order.id, &result, "agent").expect("a result");
            }
        }
    }
    panic!("it never ended");
}
