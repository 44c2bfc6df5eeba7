//! Threads in Redis, tested on a real server that each test starts: every guarantee of a store, killed processes, and
//! broken connections.
//!
//! A plain `cargo test` ignores them, because they need `redis-server` (`apt-get install redis-server`) and take
//! minutes: `cargo test --test integration redis:: -- --ignored` runs them, and so does `.ci/run`.

mod costs;
mod faults;
mod kill;
mod program;
mod proxy;
pub mod server;

use std::time::Duration;

use reqgate::workflow::{
    Durability, Event, Phase, RedisStore, Run, Snapshot, StateStore, Store, StoreError, ThreadId, ThreadRecord,
};
use server::Server;

use crate::workflow::demo::{self, Demo};
use crate::workflow::{NOON, begin, conformance, finish, id};

/// A store on the server; claims outlive their process by a second.
fn open(address: &str) -> RedisStore {
    RedisStore::open(address, &|_| None).expect("a store")
}

/// A record whose log ends at the event `head`.
fn record(name: &str, head: u64, phase: Phase) -> ThreadRecord {
    ThreadRecord {
        id: id(name),
        workflow: "test".to_owned(),
        version: 1,
        fingerprint: "f".to_owned(),
        title: "A thread".to_owned(),
        root: "/nowhere".to_owned(),
        parent: None,
        created: "2026".to_owned(),
        updated: "2026".to_owned(),
        head,
        head_hash: format!("hash-{head}"),
        node: "a".to_owned(),
        phase,
        ask: None,
    }
}

fn event(seq: u64) -> Event {
    Event::new(seq, "2026".to_owned(), "ann".to_owned(), serde_json::json!({ "n": seq }), String::new())
}

fn snapshot(seq: u64) -> Snapshot {
    Snapshot { seq, position: serde_json::json!({ "at": seq }) }
}

/// A thread with one event; returns its claim.
fn begun(store: &RedisStore, name: &str) -> <RedisStore as Store>::Claim {
    let claim = store.claim(&id(name)).expect("a claim");
    store.create(&claim, &record(name, 1, Phase::Running), &[event(1)], &snapshot(1)).expect("a thread");
    claim
}

/// Appends the event after `head`.
fn append(
    store: &RedisStore,
    claim: &<RedisStore as Store>::Claim,
    name: &str,
    head: u64,
    phase: Phase,
) -> Result<(), StoreError> {
    store.append(claim, head, &record(name, head + 1, phase), &[event(head + 1)], &snapshot(head + 1))
}

fn numbers(store: &RedisStore, name: &str) -> Vec<u64> {
    store.events_after(&id(name), 0).expect("events").iter().map(|event| event.seq).collect()
}

#[test]
#[ignore = "needs redis-server"]
fn redis_keeps_every_promise_of_a_store() {
    let server = Server::start(&[]);
    let address = server.address("conformance");
    conformance::try_all(|| open(&address));
    conformance::try_all(|| {
        let place = std::ffi::OsString::from(server.address("state")).try_into().expect("a place");
        StateStore::open(&place, &|_| None).expect("a store")
    });
}

#[test]
#[ignore = "needs redis-server"]
fn a_run_reaches_its_end_and_threads_of_another_prefix_are_not_seen() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    for durability in [Durability::Step, Durability::Exit] {
        let store = open(&server.address(&format!("{durability:?}")));
        let mut run = Run::begin(&Demo, &store, &NOON, durability, begin("all", folder.path())).expect("a thread");
        assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
        assert_eq!(
            reqgate::workflow::verify::<Demo, _>(&store, &id("all")).expect("the log is whole"),
            run.record().head
        );
        assert_eq!(store.records().expect("a list").len(), 1);
    }
}

/// More threads and events than fit into one answer, between keys of other applications.
#[test]
#[ignore = "needs redis-server"]
fn long_lists_and_long_logs_are_read_in_pages() {
    let server = Server::start(&[]);
    let store = open(&server.address("many"));
    server.ask(&["SET", "many:{x}:thread", "a text of somebody else"]);
    server.ask(&["HSET", "many:{Not An Id}:thread", "record", "x"]);
    for number in 0..1200 {
        drop(begun(&store, &format!("t{number}")));
    }
    assert_eq!(store.records().expect("a list").len(), 1200);
    let claim = store.claim(&id("t7")).expect("a claim");
    let events: Vec<Event> = (2..=1501).map(event).collect();
    store.append(&claim, 1, &record("t7", 1501, Phase::Running), &events, &snapshot(1501)).expect("an append");
    assert_eq!(numbers(&store, "t7"), (1..=1501).collect::<Vec<_>>());
    assert_eq!(store.events_after(&id("t7"), 1000).expect("events").len(), 501);
}

/// An expired thread is deleted as a whole; a thread that waits for a person does not expire.
#[test]
#[ignore = "needs redis-server"]
fn only_whole_ended_threads_expire() {
    let server = Server::start(&[]);
    let store = open(&format!("{}&ttl_seconds=1", server.address("ttl")));
    let claim = begun(&store, "ends");
    append(&store, &claim, "ends", 1, Phase::Completed).expect("an append");
    let other = begun(&store, "waits");
    append(&store, &other, "waits", 1, Phase::WaitingForPerson).expect("an append");
    let again = begun(&store, "again");
    append(&store, &again, "again", 1, Phase::Failed).expect("an append");
    append(&store, &again, "again", 2, Phase::Running).expect("taken up again");
    for key in ["ttl:{ends}:thread", "ttl:{ends}:events"] {
        assert!((1..=1000).contains(&server.number(&["PTTL", key])), "{key}");
    }
    for key in ["ttl:{waits}:thread", "ttl:{waits}:events", "ttl:{again}:thread", "ttl:{again}:events"] {
        assert_eq!(server.number(&["PTTL", key]), -1, "{key}");
    }
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(store.record(&id("ends")).expect("an answer"), None);
    assert!(numbers(&store, "ends").is_empty());
    assert_eq!(numbers(&store, "again"), [1, 2, 3]);
    let kept = open(&server.address("ttl"));
    let claim = kept.claim(&id("waits")).err();
    assert!(claim.is_some_and(|error| error.to_string().contains("its claim ends within 1 s")), "somebody works on it");
}

#[test]
#[ignore = "needs redis-server"]
fn a_claim_is_renewed_while_it_is_held_and_ends_with_its_holder() {
    let server = Server::start(&[]);
    let store = open(&server.address("lease"));
    let claim = begun(&store, "held");
    std::thread::sleep(Duration::from_millis(2500));
    let other = open(&server.address("lease"));
    assert!(other.is_claimed(&id("held")).expect("an answer"), "renewed past its second");
    assert!(matches!(other.claim(&id("held")), Err(StoreError::Busy { lease: Some(_), .. })));
    drop(claim);
    assert!(!other.is_claimed(&id("held")).expect("an answer"));
    // No other process claimed it while the lease was missing, so the holder can continue.
    let claim = other.claim(&id("held")).expect("a claim");
    server.ask(&["DEL", "lease:{held}:lease"]);
    std::thread::sleep(Duration::from_millis(500));
    append(&other, &claim, "held", 1, Phase::Running).expect("nobody else claimed it");
    std::thread::sleep(Duration::from_millis(2000));
    assert!(store.is_claimed(&id("held")).expect("an answer"), "and it is held again, for longer than a lease");
    // Another process did, so writing and deleting are refused.
    server.ask(&["DEL", "lease:{held}:lease"]);
    let later = store.claim(&id("held")).expect("a free claim");
    assert!(matches!(append(&other, &claim, "held", 2, Phase::Running), Err(StoreError::Stale(_))));
    assert!(matches!(other.delete(&claim, &id("held")), Err(StoreError::Stale(_))));
    drop(claim);
    assert!(store.is_claimed(&id("held")).expect("an answer"), "a late release takes nothing from the new holder");
    append(&store, &later, "held", 2, Phase::Running).expect("the holder writes");
    // The same before a thread exists.
    let early = store.claim(&id("new")).expect("a claim");
    server.ask(&["DEL", "lease:{new}:lease"]);
    let _later = other.claim(&id("new")).expect("a free claim");
    let refused = store.create(&early, &record("new", 1, Phase::Running), &[event(1)], &snapshot(1));
    assert!(matches!(refused, Err(StoreError::Busy { .. })), "{refused:?}");
}

#[test]
#[ignore = "needs redis-server"]
fn a_full_server_takes_the_whole_append_or_nothing() {
    let server = Server::start(&[]);
    let store = open(&server.address("full"));
    let claim = begun(&store, "full");
    let ended = begun(&store, "ended");
    append(&store, &ended, "ended", 1, Phase::Completed).expect("an append");
    server.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    let refused = append(&store, &claim, "full", 1, Phase::Running).expect_err("no memory").to_string();
    assert!(refused.contains("is full, so nothing was written"), "{refused}");
    assert_eq!(numbers(&store, "full"), [1]);
    // Operations that free memory still work: threads stay claimed, and can be released, claimed and deleted.
    std::thread::sleep(Duration::from_millis(1500));
    assert!(store.is_claimed(&id("full")).expect("an answer"), "renewed");
    drop(ended);
    assert!(!store.is_claimed(&id("ended")).expect("an answer"), "released");
    assert_eq!(reqgate::workflow::prune(&store, "2027", &[]).expect("a list"), [id("ended")]);
    server.ask(&["CONFIG", "SET", "maxmemory", "0"]);
    append(&store, &claim, "full", 1, Phase::Running).expect("an append");
    assert_eq!(numbers(&store, "full"), [1, 2]);
}

#[test]
#[ignore = "needs redis-server"]
fn keys_of_another_version_are_refused() {
    let server = Server::start(&[]);
    let store = open(&server.address("layout"));
    drop(begun(&store, "later"));
    server.ask(&["HSET", "layout:{later}:thread", "layout", "2"]);
    let refused = store.record(&id("later")).expect_err("another layout").to_string();
    assert!(refused.contains("layout 2") && refused.contains("use the program that wrote them"), "{refused}");
}

#[test]
#[ignore = "needs redis-server and openssl"]
fn a_connection_is_encrypted_and_the_server_must_prove_its_name() {
    let server = Server::start_encrypted();
    let address = server.encrypted_address("localhost");
    // Trusted certificates are read from the environment, so another process has to connect.
    let tried = |address: &str, trusted: bool| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("reqgate"));
        command.args(["prd", "list", "--state", address]).env_clear();
        if trusted {
            command.env("SSL_CERT_FILE", server.authority());
        }
        let output = command.output().expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(tried(&address, true), (Some(0), String::new()));
    let (code, said) = tried(&address, false);
    assert_eq!(code, Some(3), "{said}");
    let (code, said) = tried(&server.encrypted_address("127.0.0.1"), true);
    assert!(code == Some(3) && said.contains("127.0.0.1"), "another name than the certificate's: {said}");
}

/// The id of a thread with this number.
fn numbered(number: usize) -> ThreadId {
    id(&format!("t{number}"))
}
