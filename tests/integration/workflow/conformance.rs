//! The guarantees of a store, tested one by one. Every store passes the same suite.

use std::fmt::Debug;

use reqgate::workflow::{Event, Phase, Snapshot, Store, StoreError, ThreadRecord};

use super::id;

/// Tests every guarantee of a store. `open` returns another handle to the same store, as another process would have.
pub fn try_all<S: Store>(open: impl Fn() -> S)
where
    S::Claim: Debug,
{
    what_is_kept_comes_back(&open());
    a_thread_is_made_once(&open());
    an_append_to_another_head_is_stale(&open());
    a_claim_is_held_by_one(&open(), &open());
    nothing_of_a_refused_append_stays(&open());
    a_deleted_thread_is_gone(&open());
    what_is_not_there_is_not_there(&open());
    lists_are_in_order(&open());
    odd_texts_come_back(&open());
}

fn events(from: u64, count: u64, before: Option<&Event>) -> Vec<Event> {
    let mut previous = before.map(|event| event.hash.clone()).unwrap_or_default();
    (from..from + count)
        .map(|seq| {
            let body = serde_json::json!({ "kind": "test", "seq": seq, "float": 0.1 });
            let event = Event::new(seq, "2026-01-02T03:04:05Z".to_owned(), "tester".to_owned(), body, previous.clone());
            previous.clone_from(&event.hash);
            event
        })
        .collect()
}

fn record(name: &str, head: u64) -> ThreadRecord {
    ThreadRecord {
        id: id(name),
        workflow: "test".to_owned(),
        version: 1,
        fingerprint: "f".to_owned(),
        title: format!("thread {name}"),
        root: "/nowhere".to_owned(),
        parent: None,
        created: "2026-01-02T03:04:05Z".to_owned(),
        updated: format!("2026-01-02T03:04:{head:02}Z"),
        head,
        head_hash: String::new(),
        node: "a".to_owned(),
        phase: Phase::Running,
        ask: None,
    }
}

fn snapshot(seq: u64) -> Snapshot {
    Snapshot { seq, position: serde_json::json!({ "at": seq, "text": "é 中 \u{0} \"" }) }
}

fn begun<S: Store>(store: &S, name: &str) -> (S::Claim, Vec<Event>) {
    let claim = store.claim(&id(name)).expect("a claim");
    let first = events(1, 2, None);
    store.create(&claim, &record(name, 2), &first, &snapshot(2)).expect("a thread");
    (claim, first)
}

fn what_is_kept_comes_back<S: Store>(store: &S) {
    let (claim, mut all) = begun(store, "kept");
    let more = events(3, 3, all.last());
    store.append(&claim, 2, &record("kept", 5), &more, &snapshot(5)).expect("an append");
    all.extend(more);
    assert_eq!(store.events_after(&id("kept"), 0).expect("events"), all);
    assert_eq!(store.events_after(&id("kept"), 3).expect("events"), all[3..]);
    assert_eq!(store.events_after(&id("kept"), 99).expect("events"), []);
    assert_eq!(store.record(&id("kept")).expect("a record"), Some(record("kept", 5)));
    assert_eq!(store.snapshot(&id("kept")).expect("a snapshot"), Some(snapshot(5)));
    let mut before = None;
    for event in store.events_after(&id("kept"), 0).expect("events") {
        assert!(event.follows(before.as_ref()), "the chain holds after {before:?}");
        before = Some(event);
    }
}

fn a_thread_is_made_once<S: Store>(store: &S) {
    let (claim, first) = begun(store, "once");
    let again = store.create(&claim, &record("once", 1), &events(1, 1, None), &snapshot(1));
    assert!(matches!(again, Err(StoreError::Exists(_))), "{again:?}");
    assert_eq!(store.events_after(&id("once"), 0).expect("events"), first);
}

fn an_append_to_another_head_is_stale<S: Store>(store: &S) {
    let (claim, first) = begun(store, "head");
    for head in [0, 1, 3] {
        let late = store.append(&claim, head, &record("head", head + 1), &events(head + 1, 1, None), &snapshot(9));
        assert!(matches!(late, Err(StoreError::Stale(_))), "{head}: {late:?}");
    }
    assert_eq!(store.events_after(&id("head"), 0).expect("events"), first);
}

fn a_claim_is_held_by_one<S: Store>(store: &S, other: &S)
where
    S::Claim: Debug,
{
    let (claim, first) = begun(store, "claim");
    assert!(store.is_claimed(&id("claim")).expect("an answer"));
    assert!(other.is_claimed(&id("claim")).expect("an answer"));
    let busy = other.claim(&id("claim"));
    assert!(matches!(busy, Err(StoreError::Busy { .. })), "{busy:?}");
    drop(claim);
    assert!(!other.is_claimed(&id("claim")).expect("an answer"));
    let claim = other.claim(&id("claim")).expect("a free claim");
    other.append(&claim, 2, &record("claim", 3), &events(3, 1, first.last()), &snapshot(3)).expect("an append");
}

fn nothing_of_a_refused_append_stays<S: Store>(store: &S) {
    let (claim, first) = begun(store, "refused");
    let mut changed = record("refused", 9);
    changed.title = "changed".to_owned();
    store.append(&claim, 7, &changed, &events(8, 2, None), &snapshot(9)).expect_err("it is stale");
    assert_eq!(store.record(&id("refused")).expect("a record"), Some(record("refused", 2)));
    assert_eq!(store.snapshot(&id("refused")).expect("a snapshot"), Some(snapshot(2)));
    assert_eq!(store.events_after(&id("refused"), 0).expect("events"), first);
}

fn a_deleted_thread_is_gone<S: Store>(store: &S) {
    let (claim, _) = begun(store, "deleted");
    store.delete(&claim, &id("deleted")).expect("a deletion");
    assert_eq!(store.record(&id("deleted")).expect("an answer"), None);
    assert_eq!(store.snapshot(&id("deleted")).expect("an answer"), None);
    assert_eq!(store.events_after(&id("deleted"), 0).expect("an answer"), []);
    assert!(matches!(store.delete(&claim, &id("deleted")), Err(StoreError::Unknown(_))));
    let gone = store.append(&claim, 2, &record("deleted", 3), &events(3, 1, None), &snapshot(3));
    assert!(matches!(gone, Err(StoreError::Unknown(_))), "{gone:?}");
}

fn what_is_not_there_is_not_there<S: Store>(store: &S) {
    assert_eq!(store.record(&id("nobody")).expect("an answer"), None);
    assert_eq!(store.snapshot(&id("nobody")).expect("an answer"), None);
    assert_eq!(store.events_after(&id("nobody"), 0).expect("an answer"), []);
    assert!(!store.is_claimed(&id("nobody")).expect("an answer"));
}

fn lists_are_in_order<S: Store>(store: &S) {
    for (name, head) in [("list-b", 20), ("list-c", 30), ("list-a", 20)] {
        let claim = store.claim(&id(name)).expect("a claim");
        store.create(&claim, &record(name, head), &events(1, 1, None), &snapshot(1)).expect("a thread");
    }
    let records = store.records().expect("a list");
    let order: Vec<&str> =
        records.iter().map(|record| record.id.as_str()).filter(|name| name.starts_with("list-")).collect();
    assert_eq!(order, ["list-c", "list-a", "list-b"]);
}

fn odd_texts_come_back<S: Store>(store: &S) {
    let claim = store.claim(&id("odd")).expect("a claim");
    let mut odd = record("odd", 1);
    odd.title = "'; DROP TABLE event; -- \u{0}\u{1F600}\r\n中文".to_owned();
    let body =
        serde_json::json!({ "z": 1e300, "a": [null, "\u{2028}", { "deep": { "deeper": "x".repeat(100_000) } }] });
    let event = Event::new(1, "2026".to_owned(), "o'neil".to_owned(), body, String::new());
    store.create(&claim, &odd, std::slice::from_ref(&event), &snapshot(1)).expect("a thread");
    assert_eq!(store.record(&id("odd")).expect("a record"), Some(odd));
    let back = store.events_after(&id("odd"), 0).expect("events");
    assert_eq!(back, [event]);
    assert!(back[0].follows(None));
}
