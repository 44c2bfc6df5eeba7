//! The kill sweep: a process is killed at every possible point, another one continues, and the result is that of an
//! undisturbed run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use reqgate::workflow::{
    Body, Durability, Executor, Order, Performed, Run, RunError, StatePlace, StateStore, Stop, Store, StoreError,
    decode, verify,
};
use serde_json::Value;

use super::demo::{self, Call, Demo};
use super::{NOON, agreeing, begin, id};

/// Writes a line for every call that is made.
struct Counting<'a>(&'a Path);

impl Executor<Call> for Counting<'_> {
    fn perform(&mut self, call: &Call, order: &Order) -> Performed {
        use std::io::Write as _;
        let mut file = fs::OpenOptions::new().append(true).create(true).open(self.0).expect("a file");
        writeln!(file, "{}", order.id).expect("a line");
        demo::Writer.perform(call, order)
    }
}

/// The store of a sweep: at the location in the file `place`, or else in the folder.
fn store_of(folder: &Path) -> StateStore {
    let place = fs::read_to_string(folder.join("place")).map(std::ffi::OsString::from);
    let place = place.unwrap_or_else(|_| folder.join("state").into_os_string());
    StateStore::open(&StatePlace::try_from(place).expect("a place"), &|_| None).expect("a store")
}

/// The run of the child, from the current position to the end.
fn live(folder: &Path, durability: Durability) {
    let store = store_of(folder);
    let thread = id("kill");
    let mut run = loop {
        let run = if store.record(&thread).expect("an answer").is_some() {
            Run::open(&Demo, &store, &NOON, durability, &thread)
        } else {
            Run::begin(&Demo, &store, &NOON, durability, begin("kill", &folder.join("files")))
        };
        match run {
            // The lease of the killed process must expire first.
            Err(RunError::Store(StoreError::Busy { lease: Some(_), .. })) => {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            run => break run.expect("a thread"),
        }
    };
    for _ in 0..100 {
        match run.advance(&mut Counting(&folder.join("calls"))).expect("it goes on") {
            Stop::Ended(_) => return,
            Stop::Ordering(..) => panic!("nothing is handed out"),
            Stop::Asking(ask, question) => {
                run.answer(&ask, &agreeing(question.kind()), "ann", "test").expect("an answer");
            }
        }
    }
    panic!("the run never ended");
}

#[test]
#[ignore = "the child of the kill sweep, which runs it"]
fn child() {
    let folder = std::env::var("REQGATE_TEST_FOLDER").expect("the sweep says where");
    let durability = match std::env::var("REQGATE_TEST_DURABILITY").as_deref() {
        Ok("exit") => Durability::Exit,
        _ => Durability::Step,
    };
    live(Path::new(&folder), durability);
}

/// Runs the child, which is killed at the boundary with this number; returns true if it was not killed.
fn run_child(folder: &Path, durability: &str, crash_at: Option<usize>) -> bool {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command
        .args(["--ignored", "--exact", "workflow::kill::child", "--test-threads", "1"])
        .env("REQGATE_TEST_FOLDER", folder)
        .env("REQGATE_TEST_DURABILITY", durability)
        .env("REQGATE_CRASH_LOG", folder.join("boundaries"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(number) = crash_at {
        command.env("REQGATE_CRASH_AT", number.to_string());
    }
    command.status().expect("a child").success()
}

/// The compared end state.
#[derive(Debug, PartialEq)]
struct End {
    /// The actors and bodies of the events, without times.
    events: Vec<(String, Value)>,
    state: Value,
    /// The names and contents of files.
    files: Vec<(String, String)>,
}

fn end_of(folder: &Path) -> End {
    let store = store_of(folder);
    let thread = id("kill");
    verify::<Demo, _>(&store, &thread).expect("the log is whole");
    let events = store.events_after(&thread, 0).expect("events");
    let state = store.snapshot(&thread).expect("an answer").expect("a snapshot").position["state"].clone();
    let last = decode::<Demo>(&thread, events.last().expect("events")).expect("an event");
    assert!(matches!(last, Body::Ended), "{last:?}");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder.join("files/demo")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        files.push((name, fs::read_to_string(&path).expect("a file")));
    }
    let told = events.into_iter().map(|event| {
        let mut body = event.body;
        // A file that was written just before the kill is recorded as unchanged.
        if body["receipt"] == "unchanged" {
            body["receipt"] = "written".into();
        }
        (event.actor, body)
    });
    End { events: told.collect(), state, files }
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map(|text| text.lines().count()).unwrap_or_default()
}

/// A folder with a subfolder `files/`.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("files")).expect("a folder");
    folder
}

/// Kills at every `stride`-th boundary, and compares with an undisturbed run; `folder` creates a folder with a separate
/// store.
pub fn sweep(durability: &str, stride: usize, folder: &dyn Fn() -> tempfile::TempDir) {
    let clean = folder();
    assert!(run_child(clean.path(), durability, None), "the clean run lives");
    let expected = end_of(clean.path());
    let boundaries = lines(&clean.path().join("boundaries"));
    let calls = lines(&clean.path().join("calls"));
    assert!(boundaries > 20, "only {boundaries} boundaries were reached: is this a build without debug assertions?");
    let (mut kills, mut repeated) = (0, 0);
    for number in (1..=boundaries).step_by(stride) {
        let folder = folder();
        assert!(!run_child(folder.path(), durability, Some(number)), "boundary {number} kills");
        assert!(run_child(folder.path(), durability, None), "after boundary {number} another process goes on");
        let end = end_of(folder.path());
        assert_eq!(end, expected, "boundary {number} of {boundaries}, {durability}");
        let made = lines(&folder.path().join("calls"));
        let most = if durability == "step" { calls + 1 } else { 2 * calls };
        assert!((calls..=most).contains(&made), "boundary {number}: {made} calls instead of {calls}");
        kills += 1;
        repeated += made - calls;
    }
    // Every other result would have failed an assertion above.
    println!(
        "durability {durability}: 0 of {kills} kills at {boundaries} boundaries end with an abandoned run, 0 steps missing, \
         0 effects doubled, {repeated} calls repeated"
    );
}

/// The stride of the sweep: every boundary if the long tests are requested, or else some of them.
pub fn stride(few: usize) -> usize {
    if std::env::var_os("EXTENDED").is_some_and(|value| value == "1") { 1 } else { few }
}

#[test]
fn a_process_may_die_at_any_boundary_when_every_step_is_kept() {
    sweep("step", stride(2), &folder);
}

#[test]
fn a_process_may_die_at_any_boundary_when_steps_are_kept_at_the_end() {
    sweep("exit", stride(2), &folder);
}

#[test]
fn a_process_may_die_again_and_again() {
    // With EXTENDED=1, a hundred of them.
    again_and_again(if stride(2) == 1 { 100 } else { 5 }, &folder);
}

/// Kills at random boundaries; a failing seed is named in the message.
pub fn again_and_again(seeds: u64, folder: &dyn Fn() -> tempfile::TempDir) {
    let clean = folder();
    assert!(run_child(clean.path(), "step", None));
    let expected = end_of(clean.path());
    for seed in 0..seeds {
        let mut random = fastrand::Rng::with_seed(seed);
        let folder = folder();
        let mut lives = 0;
        while !run_child(folder.path(), "step", (lives < 12).then(|| random.usize(1..25))) {
            lives += 1;
        }
        assert_eq!(end_of(folder.path()), expected, "seed {seed}");
    }
}

#[test]
fn of_many_processes_one_works_on_a_thread() {
    one_of_many(&folder);
}

/// Four processes begin the same thread.
pub fn one_of_many(folder: &dyn Fn() -> tempfile::TempDir) {
    let clean = folder();
    assert!(run_child(clean.path(), "step", None));
    let expected = end_of(clean.path());
    let folder = folder();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| run_child(folder.path(), "step", None));
        }
    });
    // The late processes were refused because the thread was busy; another run finishes it.
    run_child(folder.path(), "step", None);
    assert_eq!(end_of(folder.path()), expected);
    assert_eq!(lines(&folder.path().join("calls")), lines(&clean.path().join("calls")), "no call was made twice");
}
