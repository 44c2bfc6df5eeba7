//! The workflow engine, tested with the demo workflow of `examples/`: every question, every loop, every store.

mod answers;
mod calls;
pub mod conformance;
#[path = "../../../examples/demo_workflow.rs"]
#[allow(dead_code)]
pub mod demo;
mod effects;
mod history;
#[cfg(all(unix, feature = "service"))]
mod incident;
pub mod kill;
mod trace;
mod view;
mod walks;

use std::path::Path;

use demo::{Call, Demo, Patch};
use reqgate::workflow::{
    AskId, Begin, Durability, Executor, GraphFault, MemoryStore, Order, Performed, Phase, Run, RunError, SqliteStore,
    Stop, Store, ThreadId, Workflow, World,
};
use serde_json::{Value, json};

/// A clock that does not advance.
fn noon() -> String {
    "2026-01-02T12:00:00Z".to_owned()
}

pub const NOON: World<'static> = World { now: &noon };

pub fn id(name: &str) -> ThreadId {
    name.parse().expect("a thread id")
}

pub fn begin(name: &str, root: &Path) -> Begin<Demo> {
    Begin {
        id: id(name),
        title: "An export".to_owned(),
        root: root.to_owned(),
        input: vec![Patch::Input("An export".to_owned())],
        actor: "ann".to_owned(),
    }
}

/// The agreeing answer to a question of this kind.
fn agreeing(kind: &str) -> Value {
    match kind {
        "clarification" => json!({ "answers": { "scope": "orders" } }),
        "approval" => json!({ "approved": true }),
        "add_instructions" => json!({ "additionalInstructions": "Only CSV." }),
        _ => json!({ "action": "continue" }),
    }
}

/// Continues until the thread asks a question of this kind, and agrees to everything before it.
fn until<S: Store>(run: &mut Run<'_, Demo, S>, executor: &mut dyn Executor<Call>, kind: &str) -> AskId {
    for _ in 0..50 {
        match run.advance(executor).expect("it goes on") {
            Stop::Asking(ask, question) if question.kind() == kind => return ask,
            Stop::Asking(ask, question) => {
                run.answer(&ask, &agreeing(question.kind()), "ann", "test").expect("a good answer");
            }
            other => panic!("stopped at {other:?} before {kind}"),
        }
    }
    panic!("no {kind} was asked");
}

/// Continues to the end, and agrees to everything.
pub fn finish<S: Store>(run: &mut Run<'_, Demo, S>, executor: &mut dyn Executor<Call>) -> Phase {
    for _ in 0..50 {
        match run.advance(executor).expect("it goes on") {
            Stop::Ended(phase) => return phase,
            Stop::Asking(ask, question) => {
                run.answer(&ask, &agreeing(question.kind()), "ann", "test").expect("a good answer");
            }
            Stop::Ordering(order, _) => panic!("{order:?} was handed out"),
        }
    }
    panic!("it never ended");
}

/// Fails at every call with these words.
struct Failing(&'static str);

impl Executor<Call> for Failing {
    fn perform(&mut self, _: &Call, _: &Order) -> Performed {
        Performed::Failed(self.0.to_owned())
    }
}

#[test]
fn the_graph_of_the_demo_is_sound_and_drawn() {
    assert_eq!(Demo::graph().faults(), Vec::<GraphFault>::new());
    insta::assert_snapshot!("demo_graph", Demo::graph().mermaid());
    assert_eq!(Demo::graph().json()["nodes"].as_array().map(Vec::len), Some(8));
}

#[test]
fn every_store_keeps_its_promises() {
    let memory = MemoryStore::default();
    conformance::try_all(|| memory.clone());
    let folder = tempfile::tempdir().expect("a folder");
    conformance::try_all(|| SqliteStore::open(folder.path()).expect("a store"));
}

#[test]
fn a_run_reaches_its_end_on_every_store() {
    fn reaches<S: Store>(store: &S, durability: Durability) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut run = Run::begin(&Demo, store, &NOON, durability, begin("all", folder.path())).expect("a thread");
        assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
        let text = std::fs::read_to_string(folder.path().join("demo/prd.md")).expect("the file is there");
        assert!(text.starts_with("# An export\n\nOnly CSV."), "{text}");
    }
    for durability in [Durability::Step, Durability::Exit] {
        reaches(&MemoryStore::default(), durability);
        let folder = tempfile::tempdir().expect("a folder");
        reaches(&SqliteStore::open(folder.path()).expect("a store"), durability);
    }
}

#[test]
fn another_process_goes_on_where_this_one_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    {
        let store = SqliteStore::open(&folder.path().join("state")).expect("a store");
        let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("on", folder.path())).expect("a thread");
        until(&mut run, &mut demo::Writer, "approval");
        // The view of another process.
        let other = SqliteStore::open(&folder.path().join("state")).expect("a store");
        let busy = Run::open(&Demo, &other, &NOON, Durability::Step, &id("on")).err();
        assert!(matches!(busy, Some(RunError::Store(reqgate::workflow::StoreError::Busy { .. }))), "{busy:?}");
    }
    let store = SqliteStore::open(&folder.path().join("state")).expect("a store");
    let mut run = Run::open(&Demo, &store, &NOON, Durability::Step, &id("on")).expect("a thread");
    assert_eq!(finish(&mut run, &mut Failing("nothing is asked again")), Phase::Completed);
}

#[test]
fn the_status_of_a_thread_comes_from_its_log_and_its_claim() {
    use reqgate::workflow::Status;
    assert_eq!(Status::of(Phase::Running, true), Status::Running);
    assert_eq!(Status::of(Phase::Running, false), Status::Interrupted);
    assert_eq!(Status::of(Phase::WaitingForPerson, false), Status::WaitingForPerson);
    assert_eq!(Status::of(Phase::Failed, true), Status::Failed);
}
