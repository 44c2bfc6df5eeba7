//! Effects: a file that another person changed is not overwritten, and the thread asks instead of getting stuck.

use std::fs;

use reqgate::workflow::{Durability, MemoryStore, Phase, Run, Stop, Store};
use serde_json::json;

use super::demo::{self, Demo};
use super::{NOON, agreeing, begin, finish, id, until};

#[test]
fn a_file_that_is_in_the_way_leads_to_a_person() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("demo/prd.md");
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, "theirs").expect("a file");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("file", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "interrupt");
    run.answer(&ask, &json!({ "action": "continue" }), "ann", "test").expect("it confirms");
    let Stop::Asking(ask, question) = run.advance(&mut demo::Writer).expect("it stops") else { panic!("no question") };
    assert!(question.title().contains("somebody else keeps changing"), "{}", question.title());
    assert_eq!(fs::read_to_string(&path).expect("a file"), "theirs");
    // A person moves the file out of the way.
    fs::remove_file(&path).expect("a file");
    run.answer(&ask, &json!({ "action": "continue" }), "ann", "test").expect("an answer");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
    assert!(fs::read_to_string(&path).expect("a file").starts_with("# An export"));
    let refused = store.events_after(&id("file"), 0).expect("events");
    assert!(refused.iter().any(|event| event.body["kind"] == "effect-refused"));
}

#[test]
fn a_run_whose_file_was_refused_too_often_can_be_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("demo/prd.md");
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, "theirs").expect("a file");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("ends", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "interrupt");
    run.answer(&ask, &json!({ "action": "continue" }), "ann", "test").expect("it confirms");
    let Stop::Asking(ask, _) = run.advance(&mut demo::Writer).expect("it stops") else { panic!("no question") };
    run.answer(&ask, &json!({ "action": "abort" }), "ann", "test").expect("an answer");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Failed);
    run.reopen("ann").expect("it failed");
    fs::remove_file(&path).expect("a file");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
}

#[test]
fn a_disk_that_refuses_is_an_error_and_the_thread_goes_on_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("disk", folder.path())).expect("a thread");
    let ask = until(&mut run, &mut demo::Writer, "interrupt");
    // A file at the path of the folder.
    fs::write(folder.path().join("demo"), "in the way").expect("a file");
    run.answer(&ask, &json!({ "action": "continue" }), "ann", "test").expect("an answer");
    let error = run.advance(&mut demo::Writer).expect_err("it cannot be written").to_string();
    assert!(error.contains("demo/prd.md") && error.contains("resume"), "{error}");
    drop(run);
    fs::remove_file(folder.path().join("demo")).expect("a file");
    let mut run = Run::open(&Demo, &store, &NOON, Durability::Step, &id("disk")).expect("a thread");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
}

/// A store may be shared by machines that do not share their folders.
#[test]
fn a_thread_writes_nothing_on_a_machine_without_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let root = folder.path().join("elsewhere");
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("away", &root)).expect("a thread");
    let said = loop {
        match run.advance(&mut demo::Writer) {
            Ok(Stop::Asking(ask, question)) => {
                run.answer(&ask, &agreeing(question.kind()), "ann", "test").expect("a good answer");
            }
            Ok(other) => panic!("stopped at {other:?}"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(said.contains("does not exist on this machine") && !root.exists(), "{said}");
    std::fs::create_dir(&root).expect("a folder");
    drop(run);
    let mut run = Run::open(&Demo, &store, &NOON, Durability::Step, &id("away")).expect("a thread");
    assert_eq!(finish(&mut run, &mut demo::Writer), Phase::Completed);
}
