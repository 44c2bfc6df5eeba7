//! Random walks: with any answers and failures, a thread ends within its budgets, and its log contains everything.

use proptest::prelude::*;
use reqgate::workflow::{
    Durability, Executor, MemoryStore, Order, Performed, Phase, Run, Stop, Store, position_at, verify,
};
use serde_json::{Value, json};

use super::demo::{self, Call, Demo};
use super::{NOON, begin, id};

/// Works well, badly, not at all, or hands out the call, as the numbers determine.
struct Moody<'a>(&'a mut dyn FnMut() -> u8);

fn result(number: u8) -> Value {
    match number % 4 {
        0 | 1 => json!({ "title": "T", "body": "B" }),
        2 => json!("a text"),
        _ => json!({ "title": "" }),
    }
}

impl Executor<Call> for Moody<'_> {
    fn perform(&mut self, call: &Call, order: &Order) -> Performed {
        match (self.0)() % 5 {
            0 => Performed::Failed("no".to_owned()),
            1 => Performed::HandedOut,
            2 => Performed::Done { result: result((self.0)()), usage: Value::Null },
            _ => demo::Writer.perform(call, order),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_walk_ends_and_can_be_told_again(numbers in proptest::collection::vec(any::<u8>(), 1..60)) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = MemoryStore::default();
        let mut at = 0;
        let mut next = || {
            at += 1;
            // After the chosen answers all further ones agree, so that every walk can end.
            numbers.get(at - 1).copied().unwrap_or(4)
        };
        let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("walk", folder.path())).expect("a thread");
        let mut phase = Phase::Running;
        for _ in 0..500 {
            match run.advance(&mut Moody(&mut next)).expect("it goes on") {
                Stop::Ended(end) => { phase = end; break; }
                Stop::Ordering(order, _) => { run.submit(&order.id, &result(next()), "agent").expect("a receipt"); }
                Stop::Asking(ask, question) => {
                    let answer = match (next() % 5, question.kind()) {
                        (0, _) => json!({ "wrong": true }),
                        (1, "approval") => json!({ "approved": false, "feedback": "no" }),
                        (1, "interrupt") => json!({ "action": "abort" }),
                        (1, "add_instructions") => json!({ "additionalInstructions": "", "skipRemaining": true }),
                        (_, kind) => super::agreeing(kind),
                    };
                    let _ = run.answer(&ask, &answer, "ann", "test");
                }
            }
            if next() % 7 == 0 {
                drop(run);
                store.forget_claims();
                run = Run::open(&Demo, &store, &NOON, Durability::Step, &id("walk")).expect("a thread");
            }
        }
        prop_assert!(phase.is_terminal(), "{:?}", run.position());
        let head = verify::<Demo, _>(&store, &id("walk")).expect("the log is whole");
        let told = position_at::<Demo, _>(&store, &id("walk"), head).expect("a position");
        prop_assert_eq!(&told.state, &run.position().state);
        prop_assert_eq!(store.record(&id("walk")).expect("a record").expect("it is there").phase, phase);
    }
}
