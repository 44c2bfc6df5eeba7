//! Measures the workflow engine: a step stored in SQLite, six steps in memory, and loading a thread of a thousand
//! events.
//!
//! The steps only count, so the engine is measured. Set `TMPDIR` to a folder in memory to exclude the disk.

#![allow(unreachable_pub, reason = "several test programs share files")]

use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use reqgate::workflow::{
    Answer, Approval, Ask, Begin, CallResult, Durability, Edge, Enter, Executor, MemoryStore, NodeError, Order,
    Outcome, Performed, Problem, Run, SqliteStore, Step, Stop, Store, ThreadId, Workflow, World, edge, end, loop_edge,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number of steps of the long thread; each is an event.
const MANY: u32 = 1_000;

reqgate::names! {
    /// The steps of the measured workflow.
    pub(crate) enum Node {
        /// Counts down by one.
        Count => "count",
        /// Asks a person a question.
        Pause => "pause",
        /// The failure node, which is never entered.
        Failure => "failure",
    }
}

reqgate::names! {
    /// The labels that steps return.
    pub(crate) enum Label {
        /// Repeat the counting step.
        Again => "again",
        /// Continue with the next step.
        Next => "next",
        /// The work failed.
        Error => "error",
    }
}

/// The number of steps that are left, and true if a person is asked after them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    left: u32,
    pauses: bool,
}

/// The changes of the state.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Patch {
    Begin(u32, bool),
    Counted,
}

/// An empty type, because the workflow makes no calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Call {}

#[derive(Debug, Clone, Copy, Default)]
struct Counting;

impl Workflow for Counting {
    const NAME: &'static str = "counting";
    const VERSION: u32 = 1;
    const START: Node = Node::Count;
    const FAILURE: Node = Node::Failure;
    const EDGES: &'static [Edge<Node, Label>] = &[
        loop_edge(Node::Count, Label::Again, Node::Count, MANY + 1),
        edge(Node::Count, Label::Next, Node::Pause),
        edge(Node::Count, Label::Error, Node::Failure),
        edge(Node::Pause, Label::Error, Node::Failure),
        end(Node::Pause, Label::Next),
        end(Node::Failure, Label::Next),
    ];

    type Node = Node;
    type Label = Label;
    type State = State;
    type Patch = Patch;
    type Call = Call;
    type Ask = Ask;

    fn apply(state: &mut State, patch: &Patch) {
        match patch {
            Patch::Begin(left, pauses) => *state = State { left: *left, pauses: *pauses },
            Patch::Counted => state.left -= 1,
        }
    }

    fn enter(&self, node: Node, state: &State) -> Enter<Self> {
        match node {
            Node::Count if state.left > 1 => Enter::Done(Outcome::go(Label::Again).patch(Patch::Counted)),
            Node::Count => Enter::Done(Outcome::go(Label::Next).patch(Patch::Counted)),
            Node::Pause if state.pauses => Enter::Ask(Ask::Approval(Approval {
                summary: "Go on?".into(),
                details: None,
                instructions: "Say yes.".into(),
            })),
            Node::Pause | Node::Failure => Enter::Done(Outcome::go(Label::Next)),
        }
    }

    fn fold(&self, _: Node, _: &State, _: &[CallResult]) -> Result<Step<Self>, NodeError> {
        Err(NodeError::new("nothing was called"))
    }

    fn answered(&self, _: Node, _: &State, _: &Ask, _: &Answer<'_>) -> Result<Outcome<Self>, NodeError> {
        Ok(Outcome::go(Label::Next))
    }

    fn check(&self, call: &Call, _: &Value) -> Result<(), Vec<Problem>> {
        match *call {}
    }

    fn failed(_: &[String]) -> Option<Patch> {
        None
    }
}

/// An executor without work.
struct Nobody;

impl Executor<Call> for Nobody {
    fn perform(&mut self, call: &Call, _: &Order) -> Performed {
        match *call {}
    }
}

fn noon() -> String {
    "2026-01-02T12:00:00Z".to_owned()
}

const NOON: World<'static> = World { now: &noon };

fn id() -> ThreadId {
    "thread".parse().expect("a thread id")
}

/// Counts this many steps down; `pauses` leaves the thread with a question.
fn run<S: Store>(store: &S, root: &Path, steps: u32, pauses: bool) {
    let begin = Begin {
        id: id(),
        title: "Counting".to_owned(),
        root: root.to_owned(),
        input: vec![Patch::Begin(steps, pauses)],
        actor: "bench".to_owned(),
    };
    let mut run = Run::begin(&Counting, store, &NOON, Durability::Step, begin).expect("it begins");
    let stop = run.advance(&mut Nobody).expect("it goes on");
    assert_eq!(matches!(stop, Stop::Asking(..)), pauses, "it stopped at {stop:?}");
}

fn steps(criterion: &mut Criterion) {
    let root = tempfile::tempdir().expect("a folder");
    criterion.bench_function("six steps, kept in memory", |bencher| {
        bencher.iter(|| run(black_box(&MemoryStore::default()), root.path(), 5, false));
    });
    let opened = || {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(folder.path()).expect("a store");
        (folder, store)
    };
    criterion.bench_function("a hundred steps, each kept in SQLite", |bencher| {
        bencher.iter_batched(
            opened,
            |(folder, store)| {
                run(&store, folder.path(), 99, false);
                (folder, store)
            },
            BatchSize::PerIteration,
        );
    });
}

fn resume(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(folder.path()).expect("a store");
    run(&store, folder.path(), MANY, true);
    let events = store.events_after(&id(), 0).expect("a log").len();
    criterion.bench_function(&format!("a thread of {events} events is taken up"), |bencher| {
        bencher.iter(|| {
            let mut run = Run::open(&Counting, black_box(&store), &NOON, Durability::Step, &id()).expect("it is there");
            let stop = run.advance(&mut Nobody).expect("it goes on");
            assert!(matches!(stop, Stop::Asking(..)), "it stopped at {stop:?}");
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = steps, resume
}
criterion_main!(benches);
