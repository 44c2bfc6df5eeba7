//! Inspection of the past: earlier positions, forks without effects, differences, archives, and verification of the
//! chain.

use reqgate::workflow::{
    ArchiveError, Difference, Durability, Event, Incoming, MemoryStore, Phase, Run, RunError, Snapshot, SqliteStore,
    Store, StoreError, ThreadId, ThreadRecord, difference, export, fork, imported_until, position_at, prune, verify,
};
use serde_json::json;

use super::demo::{self, Demo};
use super::{NOON, begin, finish, id, until};

/// A store with one thread that has ended.
fn ended(folder: &std::path::Path) -> MemoryStore {
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("one", folder)).expect("a thread");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
    store
}

#[test]
fn the_log_alone_gives_every_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ended(folder.path());
    let head = verify::<Demo, _>(&store, &id("one")).expect("nothing was changed");
    for at in 1..=head {
        position_at::<Demo, _>(&store, &id("one"), at).expect("a position");
    }
    for at in [0, head + 1] {
        assert!(matches!(position_at::<Demo, _>(&store, &id("one"), at), Err(RunError::NotNow(_))));
    }
}

#[test]
fn a_fork_goes_another_way_and_shows_nothing_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ended(folder.path());
    std::fs::remove_dir_all(folder.path().join("demo")).expect("a folder");
    let events = store.events_after(&id("one"), 0).expect("events");
    let asked = events.iter().find(|event| event.body["ask"]["kind"] == "approval").expect("it was asked").seq;
    let mut run = fork(&Demo, &store, &NOON, &id("one"), Some(asked), id("two"), "bob", |state| {
        state["prd"] = json!("# Changed");
    })
    .expect("a fork");
    assert_eq!(run.record().parent, Some(id("one")));
    let ask = until(&mut run, &mut demo::Writer, "approval");
    run.answer(&ask, &json!({ "approved": false }), "bob", "test").expect("an answer");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
    assert!(!folder.path().join("demo").exists(), "a fork writes no file");
    drop(run);
    verify::<Demo, _>(&store, &id("two")).expect("nothing was changed");
    let differences = difference::<Demo, _>(&store, &id("one"), &id("two")).expect("an answer");
    assert!(matches!(differences[0], Difference::Path { steps: 0, .. }), "{differences:?}");
    assert!(
        differences
            .iter()
            .any(|difference| matches!(difference, Difference::State { path, .. } if path == "instructions"))
    );
    let same = difference::<Demo, _>(&store, &id("one"), &id("one")).expect("an answer");
    assert_eq!(same, []);
    let wrong = fork(&Demo, &store, &NOON, &id("one"), None, id("three"), "bob", |state| state["prd"] = json!(3)).err();
    assert!(matches!(&wrong, Some(RunError::NotNow(message)) if message.contains("prd")), "{wrong:?}");
}

#[test]
fn an_archive_comes_back_and_a_changed_one_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ended(folder.path());
    let mut archive = Vec::new();
    export(&store, &id("one"), &mut archive).expect("an archive");
    let other = SqliteStore::open(&folder.path().join("state")).expect("a store");
    let read = |bytes: &[u8]| Incoming::<Demo>::read(&mut &*bytes);
    let come = read(&archive).expect("an archive");
    let back = come.clone().keep(&other, &NOON, "/elsewhere", "bob").expect("a thread");
    assert_eq!(back, id("one"));
    verify::<Demo, _>(&other, &back).expect("nothing was changed");
    let mut events = other.events_after(&back, 0).expect("events");
    let last = events.pop().expect("an event");
    assert_eq!((last.body["kind"].as_str(), last.actor.as_str()), (Some("imported"), "bob"));
    assert_eq!(imported_until::<Demo>(&back, &[events.clone(), vec![last.clone()]].concat()).ok(), Some(last.seq));
    assert_eq!(events, store.events_after(&back, 0).expect("events"));
    let exists = come.keep(&other, &NOON, "/elsewhere", "bob");
    assert!(matches!(exists, Err(ArchiveError::Store(_))), "{exists:?}");

    let text = String::from_utf8(archive).expect("it is text");
    let lines: Vec<&str> = text.lines().collect();
    let changed = [
        text.replace("Only CSV.", "Only XML."),
        text.replace("\"ann\"", "\"eve\""),
        [&lines[..3], &lines[4..]].concat().join("\n"),
        lines[..lines.len() - 1].join("\n"),
        text.replacen("reqgate/thread/v1", "reqgate/thread/v9", 1),
        text.replacen("\"workflow\":\"demo\"", "\"workflow\":\"other\"", 1),
        "{}".to_owned(),
        String::new(),
        "\u{0}".repeat(1000),
    ];
    for text in changed {
        let refused = read(text.as_bytes()).map(|come| come.record().id.clone());
        assert!(matches!(refused, Err(ArchiveError::Line { .. })), "{refused:?}");
    }
}

#[test]
fn what_was_changed_in_the_store_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(folder.path()).expect("a store");
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("one", folder.path())).expect("a thread");
    finish(&mut run, &mut demo::Writer);
    drop(run);
    verify::<Demo, _>(&store, &id("one")).expect("nothing was changed");
    let tampered = [
        "UPDATE event SET event = replace(event, 'Only CSV.', 'Only XML.') WHERE event LIKE '%Only CSV.%'",
        "DELETE FROM event WHERE seq = 5",
        "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)",
        "UPDATE snapshot SET position = replace(position, 'Only CSV.', 'Only XML.')",
        "UPDATE thread SET record = replace(record, 'completed', 'running')",
    ];
    for change in tampered {
        let copy = tempfile::tempdir().expect("a folder");
        let mut archive = Vec::new();
        export(&store, &id("one"), &mut archive).expect("an archive");
        let other = SqliteStore::open(copy.path()).expect("a store");
        let come = Incoming::<Demo>::read(&mut archive.as_slice()).expect("an archive");
        come.keep(&other, &NOON, "/nowhere", "bob").expect("a thread");
        verify::<Demo, _>(&other, &id("one")).expect("nothing was changed yet");
        let raw = rusqlite::Connection::open(copy.path().join("state.db")).expect("a database");
        assert!(raw.execute(change, []).expect("a change") > 0, "{change}");
        let found = verify::<Demo, _>(&other, &id("one"));
        assert!(found.is_err(), "{change} was not found");
    }
}

#[test]
fn only_threads_that_have_ended_are_pruned() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ended(folder.path());
    let mut open = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("open", folder.path())).expect("a thread");
    until(&mut open, &mut demo::Writer, "approval");
    drop(open);
    assert_eq!(prune(&store, "2026-01-01T00:00:00Z", &[]).expect("a list"), []);
    assert_eq!(prune(&store, "2027-01-01T00:00:00Z", &[id("one")]).expect("a list"), []);
    assert_eq!(prune(&store, "2027-01-01T00:00:00Z", &[]).expect("a list"), [id("one")]);
    assert!(store.record(&id("open")).expect("an answer").is_some());
}

/// A store in which another process is faster: before each claim, it changes the thread.
struct Overtaken<'a>(&'a MemoryStore, &'a dyn Fn(&ThreadId));

impl Store for Overtaken<'_> {
    type Claim = <MemoryStore as Store>::Claim;

    fn claim(&self, thread: &ThreadId) -> Result<Self::Claim, StoreError> {
        self.1(thread);
        self.0.claim(thread)
    }

    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        self.0.is_claimed(thread)
    }

    fn create(&self, _: &Self::Claim, _: &ThreadRecord, _: &[Event], _: &Snapshot) -> Result<(), StoreError> {
        unreachable!("nothing is created")
    }

    fn append(&self, _: &Self::Claim, _: u64, _: &ThreadRecord, _: &[Event], _: &Snapshot) -> Result<(), StoreError> {
        unreachable!("nothing is appended")
    }

    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError> {
        self.0.record(thread)
    }

    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError> {
        self.0.records()
    }

    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError> {
        self.0.events_after(thread, seq)
    }

    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError> {
        self.0.snapshot(thread)
    }

    fn delete(&self, claim: &Self::Claim, thread: &ThreadId) -> Result<(), StoreError> {
        self.0.delete(claim, thread)
    }
}

#[test]
fn a_thread_that_somebody_took_up_or_deleted_meanwhile_is_not_pruned() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ended(folder.path());
    let taken_up = |thread: &ThreadId| {
        let claim = store.claim(thread).expect("a claim");
        let before = store.record(thread).expect("an answer").expect("a record");
        let snapshot = store.snapshot(thread).expect("an answer").expect("a snapshot");
        let record = ThreadRecord { phase: Phase::Running, ..before.clone() };
        store.append(&claim, before.head, &record, &[], &snapshot).expect("an append");
    };
    assert_eq!(prune(&Overtaken(&store, &taken_up), "2027", &[]).expect("a list"), []);
    assert!(store.record(&id("one")).expect("an answer").is_some(), "it is being worked on");
    let store = ended(folder.path());
    let deleted = |thread: &ThreadId| {
        let claim = store.claim(thread).expect("a claim");
        store.delete(&claim, thread).expect("it was there");
    };
    assert_eq!(prune(&Overtaken(&store, &deleted), "2027", &[]).expect("a list"), []);
}

#[test]
fn a_thread_of_another_version_is_refused_with_the_ways_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(folder.path()).expect("a store");
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("old", folder.path())).expect("a thread");
    until(&mut run, &mut demo::Writer, "approval");
    drop(run);
    let raw = rusqlite::Connection::open(folder.path().join("state.db")).expect("a database");
    raw.execute("UPDATE thread SET record = json_set(record, '$.fingerprint', 'another')", []).expect("a change");
    let error = Run::open(&Demo, &store, &NOON, Durability::Step, &id("old")).err().expect("it is refused").to_string();
    for way in ["the program that started it", "--migrate", "prd fork"] {
        assert!(error.contains(way), "{error}");
    }
    let mut run =
        Run::migrate(&Demo, &store, &NOON, Durability::Step, &id("old"), "ann").expect("the state is the same");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
    drop(run);
    raw.execute("UPDATE thread SET record = json_set(record, '$.workflow', 'another')", []).expect("a change");
    let other = Run::open(&Demo, &store, &NOON, Durability::Step, &id("old")).err();
    assert!(matches!(other, Some(RunError::OtherWorkflow { .. })), "{other:?}");
}
