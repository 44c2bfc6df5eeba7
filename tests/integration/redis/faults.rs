//! Servers that die, pause or do not answer, connections that break, and a claim holder that continues after its lease.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use reqgate::workflow::{Phase, Store, StoreError};

use super::proxy::{Next, Proxy};
use super::server::{Server, signal};
use super::{append, begun, event, numbers, open, record, snapshot};
use crate::workflow::id;

/// Appends while the server is killed three times, until an append is refused; returns the acknowledged number, the
/// stored events, and the refusal.
fn appended_over_deaths(fsync: &str) -> (u64, Vec<u64>, Option<StoreError>) {
    let server = Server::start(&["--appendfsync", fsync]);
    let store = open(&server.address("killed"));
    let claim = begun(&store, "killed");
    let mut head = 1;
    let refused = thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..3 {
                thread::sleep(Duration::from_millis(400));
                server.kill();
                thread::sleep(Duration::from_millis(300));
                server.start_again();
            }
        });
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(4) {
            match append(&store, &claim, "killed", head, Phase::Running) {
                Ok(()) => head += 1,
                Err(error) => return Some(error),
            }
        }
        None
    });
    (head, numbers(&store, "killed"), refused)
}

#[test]
#[ignore = "needs redis-server"]
fn no_acknowledged_append_is_lost_when_the_server_is_killed() {
    let (head, kept, refused) = appended_over_deaths("always");
    assert!(refused.is_none(), "{refused:?}");
    assert_eq!(kept, (1..=head).collect::<Vec<_>>(), "each once, in order");
    println!("{head} appends over 3 deaths of the server: none lost, none doubled");
}

/// With `everysec`, Redis answers before it writes its file while the disk is busy. A loss is detected and not
/// overwritten.
#[test]
#[ignore = "needs redis-server"]
fn appends_that_the_server_lost_are_noticed() {
    let (head, kept, refused) = appended_over_deaths("everysec");
    match refused {
        None => assert_eq!(kept, (1..=head).collect::<Vec<_>>(), "each once, in order"),
        Some(StoreError::Stale(_)) => {
            let last = kept.last().copied().unwrap_or_default();
            assert!(last < head, "{last} of {head}");
            assert_eq!(kept, (1..=last).collect::<Vec<_>>(), "nothing was written after the hole");
            println!("{} of {head} acknowledged appends were lost by the server", head - last);
        }
        Some(other) => panic!("{other}"),
    }
}

#[test]
#[ignore = "needs redis-server"]
fn a_server_that_pauses_or_drops_its_clients_is_waited_for() {
    let server = Server::start(&[]);
    let store = open(&server.address("paused"));
    let claim = begun(&store, "paused");
    let mut head = 1;
    let mut taken = |command: &[&str], at_least: u64| {
        let asked: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
        let port = server.port;
        // `DEBUG SLEEP` answers after its end.
        let asking = thread::spawn(move || {
            let client = redis::Client::open(("127.0.0.1", port)).expect("a client");
            let mut connection = client.get_connection().expect("a connection");
            let _ = redis::cmd(&asked[0]).arg(&asked[1..]).query::<redis::Value>(&mut connection);
        });
        thread::sleep(Duration::from_millis(200));
        let begun = Instant::now();
        append(&store, &claim, "paused", head, Phase::Running).expect("it is waited for");
        head += 1;
        assert!(begun.elapsed() >= Duration::from_millis(at_least), "{command:?} took {:?}", begun.elapsed());
        asking.join().expect("it was asked");
    };
    taken(&["CLIENT", "PAUSE", "2000", "ALL"], 1500);
    taken(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"], 0);
    taken(&["DEBUG", "SLEEP", "2"], 1500);
    // The pause is longer than one attempt: the first request is carried out later, and the second one finds its
    // result.
    taken(&["CLIENT", "PAUSE", "6500", "WRITE"], 6000);
    assert_eq!(numbers(&store, "paused"), [1, 2, 3, 4, 5]);
    assert!(store.is_claimed(&id("paused")).expect("an answer"));
}

#[test]
#[ignore = "needs redis-server"]
fn a_server_that_stays_away_is_an_error_in_seconds() {
    let server = Server::start(&[]);
    let store = open(&server.address("away"));
    server.kill();
    let begun = Instant::now();
    let said = store.record(&id("away")).expect_err("nobody answers").to_string();
    assert!(said.contains("cannot be reached") && said.contains(&server.port.to_string()), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(16), "{:?}", begun.elapsed());
    let begun = Instant::now();
    let gone = reqgate::workflow::RedisStore::open(&server.address("away"), &|_| None).err();
    assert!(gone.is_some_and(|error| error.to_string().contains("cannot be reached")));
    assert!(begun.elapsed() < Duration::from_secs(16), "{:?}", begun.elapsed());
}

/// A command that begins while the server restarts or still reads its file.
#[test]
#[ignore = "needs redis-server"]
fn a_server_that_starts_is_waited_for() {
    let server = Server::start(&[]);
    drop(begun(&open(&server.address("starts")), "thread"));
    server.kill();
    let numbers = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(700));
            server.start_again();
        });
        numbers(&open(&server.address("starts")), "thread")
    });
    assert_eq!(numbers, [1]);
}

/// The answer to every request is cut off or lost in a half-open connection; the request is sent again and counts once.
#[test]
#[ignore = "needs redis-server"]
fn an_answer_that_is_lost_changes_nothing() {
    let server = Server::start(&[]);
    for (fate, waits) in [(Next::Cut, 0), (Next::Lost, 5)] {
        let proxy = Proxy::to(server.port);
        let name = format!("{fate:?}").to_lowercase();
        // A lease that is longer than the wait for the lost answer.
        let address = format!("redis://127.0.0.1:{}/0?prefix={name}&lease_seconds=60", proxy.port);
        let store = open(&address);
        let lost = |request: &str, run: &mut dyn FnMut() -> Result<(), StoreError>| {
            proxy.next(fate);
            let begun = Instant::now();
            run().unwrap_or_else(|error| panic!("{request}, {fate:?}: {error}"));
            assert!(proxy.is_done() && begun.elapsed() >= Duration::from_secs(waits), "{request}, {fate:?}");
        };
        let thread = id("thread");
        let mut claim = None;
        lost("claim", &mut || store.claim(&thread).map(|taken| claim = Some(taken)));
        let claim = claim.expect("a claim");
        lost("create", &mut || store.create(&claim, &record("thread", 1, Phase::Running), &[event(1)], &snapshot(1)));
        lost("append", &mut || append(&store, &claim, "thread", 1, Phase::Running));
        lost("record", &mut || store.record(&thread).map(drop));
        assert_eq!(numbers(&store, "thread"), [1, 2]);
        // A different append at the same position does not count as a repeated one.
        let mut other = event(2);
        other.hash = "another".to_owned();
        let late = store.append(&claim, 1, &record("thread", 2, Phase::Running), &[other], &snapshot(2));
        assert!(matches!(late, Err(StoreError::Stale(_))), "{late:?}");
        lost("delete", &mut || store.delete(&claim, &thread));
        assert_eq!(store.record(&thread).expect("an answer"), None);
    }
}

/// The child of the test below: claims a thread, reports that, waits for a line, and writes.
#[test]
#[ignore = "the child of the test of a holder that is stopped, which runs it"]
fn child() {
    let store = open(&std::env::var("REQGATE_TEST_ADDRESS").expect("the test says where"));
    let claim = store.claim(&id("zombie")).expect("a claim");
    eprintln!("claimed");
    std::io::stdin().read_line(&mut String::new()).expect("a line");
    match append(&store, &claim, "zombie", 1, Phase::Running) {
        Ok(()) => eprintln!("written"),
        Err(StoreError::Stale(_)) => eprintln!("stale"),
        Err(error) => eprintln!("{error}"),
    }
}

#[test]
#[ignore = "needs redis-server"]
fn a_holder_that_was_stopped_for_longer_than_its_lease_writes_nothing() {
    let server = Server::start(&[]);
    let address = server.address("zombie");
    let store = open(&address);
    drop(begun(&store, "zombie"));
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--ignored", "--exact", "redis::faults::child", "--nocapture"]).env("REQGATE_TEST_ADDRESS", &address);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a child");
    let mut said = BufReader::new(child.stderr.take().expect("its words")).lines();
    assert_eq!(said.next().expect("a line").expect("a text"), "claimed");
    assert!(matches!(store.claim(&id("zombie")), Err(StoreError::Busy { .. })));
    signal(&child, "STOP");
    thread::sleep(Duration::from_millis(1500));
    let claim = store.claim(&id("zombie")).expect("the lease has run out");
    append(&store, &claim, "zombie", 1, Phase::Running).expect("an append");
    drop(claim);
    signal(&child, "CONT");
    child.stdin.take().expect("its input").write_all(b"go on\n").expect("it reads");
    assert_eq!(said.next().expect("a line").expect("a text"), "stale");
    child.wait().expect("it ended");
    assert_eq!(numbers(&store, "zombie"), [1, 2]);
}
