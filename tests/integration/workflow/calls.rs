//! Calls: tried three times with the errors of the previous attempt, recorded one by one, or handed out and submitted.

use reqgate::workflow::{
    Durability, Executor, MemoryStore, Order, OrderId, Performed, Phase, Problem, Receipt, Run, RunError, Stop, Store,
};
use serde_json::{Value, json};

use super::demo::{Call, Demo};
use super::{NOON, agreeing, begin, finish, id, until};

/// Answers with these drafts in order, and records its orders.
struct Scripted {
    drafts: Vec<Value>,
    told: Vec<Vec<String>>,
}

impl Executor<Call> for Scripted {
    fn perform(&mut self, call: &Call, order: &Order) -> Performed {
        match call {
            Call::Agent { .. } => Performed::Done { result: json!("nothing"), usage: Value::Null },
            Call::Draft { .. } => {
                self.told.push(order.problems.iter().map(ToString::to_string).collect());
                Performed::Done { result: self.drafts.remove(0), usage: json!({ "tokens": 7 }) }
            }
        }
    }
}

#[test]
fn the_errors_of_an_attempt_go_into_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("again", folder.path())).expect("a thread");
    let good = json!({ "title": "T", "body": "B" });
    let mut executor = Scripted {
        drafts: vec![json!({ "title": 3, "body": "" }), json!({ "title": "" , "body": "B" }), good],
        told: vec![],
    };
    until(&mut run, &mut executor, "approval");
    assert_eq!(executor.told[0], Vec::<String>::new());
    assert!(executor.told[1][0].starts_with("title: invalid type"), "{:?}", executor.told[1]);
    assert_eq!(executor.told[2], ["title: must not be empty"]);
    let kinds: Vec<Value> = store
        .events_after(&id("again"), 0)
        .expect("events")
        .into_iter()
        .map(|event| event.body["kind"].clone())
        .collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "call-failed").count(), 2);
}

/// Performs a draft in these ways, and records its orders.
struct Troubled {
    ways: Vec<Performed>,
    told: Vec<Vec<String>>,
}

impl Executor<Call> for Troubled {
    fn perform(&mut self, call: &Call, order: &Order) -> Performed {
        match call {
            Call::Agent { .. } => Performed::Done { result: json!("nothing"), usage: Value::Null },
            Call::Draft { .. } => {
                self.told.push(order.problems.iter().map(ToString::to_string).collect());
                self.ways.remove(0)
            }
        }
    }
}

#[test]
fn a_failure_of_the_server_is_not_passed_on_as_a_fault_of_the_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("500", folder.path())).expect("a thread");
    let done = |title: &str| Performed::Done { result: json!({ "title": title, "body": "B" }), usage: Value::Null };
    let down = || Performed::Failed("status 500: overloaded".to_owned());
    let faulty = Performed::Faulty(vec![Problem::whole("the answer held no JSON object")]);
    let mut executor = Troubled { ways: vec![down(), done(""), done("T")], told: vec![] };
    until(&mut run, &mut executor, "approval");
    assert_eq!(executor.told, [vec![], vec![], vec!["title: must not be empty".to_owned()]]);

    // The fault of an earlier answer is still passed on, and the last failure is the reason of the whole.
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("503", folder.path())).expect("a thread");
    let mut executor = Troubled { ways: vec![faulty, down(), down()], told: vec![] };
    assert_eq!(finish(&mut run, &mut executor), Phase::Failed);
    let passed_on = vec![".: the answer held no JSON object".to_owned()];
    assert_eq!(executor.told, [vec![], passed_on.clone(), passed_on]);
    assert!(format!("{:?}", run.position().state).contains("status 500: overloaded"));
}

#[test]
fn three_attempts_and_the_node_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("three", folder.path())).expect("a thread");
    let mut executor = Scripted { drafts: vec![json!(null); 4], told: vec![] };
    assert_eq!(finish(&mut run, &mut executor), Phase::Failed);
    assert_eq!(executor.told.len(), 3);
    assert!(format!("{:?}", run.position().state).contains("PRD generation failed: .: invalid type"));
}

/// Hands out every call.
struct Elsewhere;

impl Executor<Call> for Elsewhere {
    fn perform(&mut self, _: &Call, _: &Order) -> Performed {
        Performed::HandedOut
    }
}

/// The open order of the demo's draft.
fn draft_order<S: Store>(run: &mut Run<'_, Demo, S>) -> OrderId {
    loop {
        match run.advance(&mut Elsewhere).expect("it goes on") {
            Stop::Ordering(order, Call::Agent { .. }) => {
                run.submit(&order.id, &json!("nothing"), "agent").expect("a result");
            }
            Stop::Ordering(order, Call::Draft { .. }) => return order.id,
            Stop::Asking(ask, question) => {
                run.answer(&ask, &agreeing(question.kind()), "ann", "test").expect("an answer");
            }
            Stop::Ended(phase) => panic!("{phase:?}"),
        }
    }
}

#[test]
fn a_work_order_is_handed_out_and_its_result_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("order", folder.path())).expect("a thread");
    let order = draft_order(&mut run);
    let head = run.record().head;
    assert!(matches!(run.advance(&mut Elsewhere), Ok(Stop::Ordering(again, _)) if again.id == order));
    assert_eq!(run.record().head, head, "asking again hands the same order out and records nothing");

    let bad = json!({ "title": "T", "body": "" });
    let rejected = run.submit(&order, &bad, "agent").expect("a receipt");
    assert!(matches!(&rejected, Receipt::Rejected { problems, .. } if problems[0].path == "body"), "{rejected:?}");
    assert_eq!(run.submit(&order, &bad, "agent").expect("the same again"), rejected);

    let next = draft_order(&mut run);
    assert_eq!((next.attempt, next.index), (2, 0));
    let stale = run.submit(&order, &json!({ "title": "T", "body": "B" }), "agent");
    assert!(matches!(&stale, Err(RunError::NotNow(message)) if message.contains(&next.to_string())), "{stale:?}");
    let good = json!({ "title": "T", "body": "B" });
    let accepted = run.submit(&next, &good, "agent").expect("a receipt");
    let Receipt::Accepted { seq } = accepted else { panic!("{accepted:?}") };
    assert_eq!(run.submit(&next, &good, "agent").expect("a receipt"), Receipt::Duplicate { seq });
    assert_eq!(finish(&mut run, &mut Elsewhere), Phase::Completed);
}

#[test]
fn after_three_bad_results_nothing_is_ordered_any_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("bad", folder.path())).expect("a thread");
    for result in [json!("x".repeat(10_000_000)), json!([]), json!({ "title": "", "body": "", "extra": 1 })] {
        let order = draft_order(&mut run);
        let receipt = run.submit(&order, &result, "agent").expect("a receipt");
        assert!(matches!(receipt, Receipt::Rejected { .. }), "{receipt:?}");
    }
    assert_eq!(finish(&mut run, &mut Elsewhere), Phase::Failed);
}
