//! Questions to people: the accepted answers, each recorded once, and their effect on the thread.

use reqgate::workflow::{
    AnswerError, AskId, Durability, MemoryStore, Phase, Receipt, Run, RunError, Stop, Store, position_at,
};
use serde_json::json;

use super::demo::{self, Demo};
use super::{Failing, NOON, begin, finish, id, until};

#[test]
fn one_door_takes_an_answer_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("door", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "approval");
    let head = run.record().head;

    let nobody = AskId { thread: id("door"), seq: 999 };
    for seq in [0, 1, 2, head + 1] {
        let unknown = run.answer(&AskId { seq, ..nobody.clone() }, &json!({ "approved": true }), "ann", "test");
        assert!(matches!(unknown, Err(AnswerError::Unknown(_) | AnswerError::Conflict(_))), "{seq}: {unknown:?}");
    }
    let unknown = run.answer(&nobody, &json!({ "approved": true }), "ann", "test");
    assert!(matches!(unknown, Err(AnswerError::Unknown(_))), "{unknown:?}");

    let wrong = run.answer(&ask, &json!({ "approved": "yes" }), "ann", "test");
    assert!(wrong.as_ref().is_err_and(|error| error.to_string().contains("approved: ")), "the words name the place");
    let Err(AnswerError::WrongShape(problems)) = wrong else { panic!("{wrong:?}") };
    assert_eq!(problems[0].path, "approved");
    assert_eq!(run.record().head, head, "a wrong answer changes nothing");

    let no = json!({ "approved": false, "feedback": "too long" });
    let first = run.answer(&ask, &no, "ann", "test").expect("an answer");
    let Receipt::Accepted { seq } = first else { panic!("{first:?}") };
    assert_eq!(run.answer(&ask, &no, "ann", "page").expect("the same"), Receipt::Duplicate { seq });
    let other = run.answer(&ask, &json!({ "approved": true }), "bob", "test");
    assert!(matches!(other, Err(AnswerError::Conflict(_))), "{other:?}");

    let events = store.events_after(&id("door"), head).expect("events");
    assert_eq!(events[0].actor, "ann");
    assert_eq!(events[0].body["channel"], "test");
    assert_eq!(events[1].body["kind"], "stepped", "the answer and what follows from it are one");
}

#[test]
fn a_clarification_takes_answers_to_its_own_questions_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("own", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "clarification");
    let wrong = run.answer(&ask, &json!({ "answers": { "budget": "1" } }), "ann", "test");
    let Err(AnswerError::WrongShape(problems)) = wrong else { panic!("{wrong:?}") };
    assert_eq!(problems[0].path, "answers.budget");
    run.answer(&ask, &json!({ "answers": {} }), "ann", "test").expect("everything stays open");
}

#[test]
fn a_loop_that_has_used_its_rounds_asks_whether_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("loop", folder.path())).expect("a thread");
    for _ in 0..4 {
        let ask = until(&mut run, &mut demo::Writer, "approval");
        run.answer(&ask, &json!({ "approved": false }), "ann", "test").expect("an answer");
    }
    let Stop::Asking(ask, question) = run.advance(&mut demo::Writer).expect("it stops") else { panic!("no question") };
    assert_eq!(question.title(), "approval has taken the edge “rejected” back 3 times");
    run.answer(&ask, &json!({ "action": "continue" }), "ann", "test").expect("an answer");
    for _ in 0..4 {
        let ask = until(&mut run, &mut demo::Writer, "approval");
        run.answer(&ask, &json!({ "approved": false }), "ann", "test").expect("an answer");
    }
    let Stop::Asking(ask, _) = run.advance(&mut demo::Writer).expect("it stops") else { panic!("no question") };
    run.answer(&ask, &json!({ "action": "abort" }), "ann", "test").expect("an answer");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Failed);
}

#[test]
fn whoever_skips_the_rest_is_not_asked_for_instructions_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("skip", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "add_instructions");
    let skip = json!({ "additionalInstructions": "", "skipRemaining": true });
    run.answer(&ask, &skip, "ann", "test").expect("an answer");
    assert!(run.position().skip_instructions);
    let at = position_at::<Demo, _>(&store, &id("skip"), ask.seq).expect("a position");
    assert!(!at.skip_instructions);
}

#[test]
fn a_node_that_fails_asks_and_a_failed_thread_can_be_taken_up_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("fail", folder.path())).expect("a thread");
    let broken = &mut Failing("no network");
    for action in ["continue", "abort"] {
        let ask = until(&mut run, broken, "interrupt");
        run.answer(&ask, &json!({ "action": action }), "ann", "test").expect("an answer");
    }
    assert_eq!(finish(&mut run, broken), Phase::Failed);
    let error = run.position().state.clone();
    assert!(format!("{error:?}").contains("the research came to nothing"), "{error:?}");
    let again = run.cancel("no use", "ann");
    assert!(matches!(again, Err(RunError::NotNow(_))), "{again:?}");
    run.reopen("ann").expect("an operator can");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
}

#[test]
fn a_cancelled_thread_takes_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("stop", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "approval");
    run.cancel("the project was stopped", "ann").expect("it can be");
    let late = run.answer(&ask, &json!({ "approved": true }), "ann", "test");
    assert!(matches!(late, Err(AnswerError::Conflict(_))), "{late:?}");
    assert!(matches!(run.advance(&mut demo::Writer), Ok(Stop::Ended(Phase::Cancelled))));
    assert!(run.reopen("ann").is_err());
}
