//! Measures an append in SQLite and in Redis in one run; prints the figures of `lab/MEASUREMENTS.md`.

use std::time::{Duration, Instant};

use reqgate::workflow::{Phase, SqliteStore, Store};

use super::server::Server;
use super::{event, open, record};
use crate::workflow::id;

/// Appends of about 2 kB, each measured alone.
fn appends<S: Store>(store: &S, count: u64) -> Vec<Duration> {
    let thread = id("costs");
    let claim = store.claim(&thread).expect("a claim");
    let snapshot =
        |seq| reqgate::workflow::Snapshot { seq, position: serde_json::json!({ "draft": "x".repeat(1500) }) };
    store.create(&claim, &record("costs", 1, Phase::Running), &[event(1)], &snapshot(1)).expect("a thread");
    (1..=count)
        .map(|head| {
            let (next, events, snapshot) =
                (record("costs", head + 1, Phase::Running), [event(head + 1)], snapshot(head + 1));
            let begun = Instant::now();
            store.append(&claim, head, &next, &events, &snapshot).expect("an append");
            begun.elapsed()
        })
        .collect()
}

fn told(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    println!("{name}: n = {}, median {:.2} ms, p10 {:.2}, p90 {:.2}", times.len(), at(50), at(10), at(90));
}

#[test]
#[ignore = "needs redis-server; prints costs"]
fn costs() {
    let folder = tempfile::tempdir().expect("a folder");
    told("SQLite", appends(&SqliteStore::open(folder.path()).expect("a store"), 500));
    for fsync in ["everysec", "always"] {
        let server = Server::start(&["--appendfsync", fsync]);
        told(&format!("Redis, appendfsync {fsync}"), appends(&open(&server.address("costs")), 500));
    }
}
