//! A thread as a page: its content, and the escaping of hostile texts in a log.

use reqgate::model::Language;
use reqgate::workflow::view::page_in;
use reqgate::workflow::{
    Begin, Durability, Event, Executor, MemoryStore, Order, Performed, Run, Status, Stop, Store, World,
};
use serde_json::{Value, json};
use std::cell::Cell;

use super::demo::{self, Call, Demo, Patch, State};
use super::{NOON, agreeing, begin, finish, id, until};

/// The drafts of the demo.
pub(super) fn drafts(state: &State) -> Vec<(String, String)> {
    let state = serde_json::to_value(state).expect("a state is data");
    vec![("demo/prd.md".to_owned(), state["prd"].as_str().unwrap_or_default().to_owned())]
}

/// The page of a thread.
fn shown(store: &MemoryStore, thread: &str) -> String {
    let record = store.record(&id(thread)).expect("a store").expect("a thread");
    let events = store.events_after(&id(thread), 0).expect("events");
    page_in::<Demo>(Language::En, &record, Status::of(record.phase, false), &events, &drafts).expect("a page")
}

/// Writes drafts, the first of which is empty, and reports their cost.
pub(super) struct Costly(pub u32);

impl Executor<Call> for Costly {
    fn perform(&mut self, call: &Call, order: &Order) -> Performed {
        self.0 += 1;
        if self.0 == 2 {
            return Performed::Done { result: json!({ "title": "", "body": "x" }), usage: Value::Null };
        }
        let usage = json!({ "model": "small", "input_tokens": 100 + self.0, "output_tokens": 20 });
        match demo::Writer.perform(call, order) {
            Performed::Done { result, .. } => Performed::Done { result, usage },
            other => other,
        }
    }
}

/// A run in which a draft is rejected once, up to the confirmation or to the end. A minute passes between two events.
pub(super) fn rejected_once(store: &MemoryStore, root: &std::path::Path, whole: bool) {
    let minute = Cell::new(0);
    let clock = || {
        minute.set(minute.get() + 1);
        format!("2026-01-02T12:{:02}:00Z", minute.get() % 60)
    };
    let world = World { now: &clock };
    let mut run = Run::begin(&Demo, store, &world, Durability::Step, begin("seen", root)).expect("a thread");
    let mut executor = Costly(0);
    let ask = until(&mut run, &mut executor, "approval");
    let no = json!({ "approved": false, "feedback": "Say who may export.\nAnd how often." });
    run.answer(&ask, &no, "ann", "terminal").expect("an answer");
    let ask = until(&mut run, &mut executor, "approval");
    run.answer(&ask, &json!({ "approved": true }), "bob", "command").expect("an answer");
    if whole {
        finish(&mut run, &mut executor);
    } else {
        until(&mut run, &mut executor, "interrupt");
    }
}

#[test]
fn a_page_shows_the_way_the_questions_the_drafts_and_the_cost() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    rejected_once(&store, folder.path(), false);
    let page = shown(&store, "seen");
    insta::with_settings!({ filters => vec![
        (r"(?s)<style>.*</style>", "<style>…</style>"),
        (r"sha256-[A-Za-z0-9+/=&#x;]+", "sha256-…"),
        (r"reqgate [0-9]+\.[0-9]+\.[0-9]+", "reqgate 0.0.0"),
        (r"last hash [0-9a-f]{12}", "last hash …"),
    ] }, {
        insta::assert_snapshot!("page", page);
    });
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    rejected_once(&store, folder.path(), true);
    let page = shown(&store, "seen");
    for loaded in ["http:", "https:", "url(", "src=", "@import", " style=", "<script", "<iframe", "<link", "onload"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    assert!(page.contains("default-src &#x27;none&#x27;") || page.contains("default-src 'none'"));
    if let Some(path) = std::env::var_os("REQGATE_TEST_PAGE") {
        std::fs::write(path, page).expect("the page is kept for a look at it");
    }
}

/// Texts that would do harm if they were not escaped.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)> \" ' ]]> --> \u{1b}[31m\u{7}\u{0}\
    \u{202e}gnp.exe\u{2066}\u{200b}{{ 7*7 }}{% raw %}\u{2028}</style><style>*{}</style>";

/// Returns hostile texts in every result.
struct Hostile;

impl Executor<Call> for Hostile {
    fn perform(&mut self, call: &Call, order: &Order) -> Performed {
        let usage = json!({ HOSTILE: 1, "model": HOSTILE });
        match call {
            Call::Agent { .. } => Performed::Done { result: json!(HOSTILE), usage },
            Call::Draft { .. } if order.id.attempt == 1 => Performed::Failed(HOSTILE.to_owned()),
            Call::Draft { .. } => Performed::Done { result: json!({ "title": HOSTILE, "body": HOSTILE }), usage },
        }
    }
}

#[test]
fn hostile_texts_come_out_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let hostile = Begin {
        title: HOSTILE.to_owned(),
        input: vec![Patch::Input(HOSTILE.to_owned())],
        actor: HOSTILE.to_owned(),
        ..begin("bad", folder.path())
    };
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, hostile).expect("a thread");
    for _ in 0..20 {
        let Stop::Asking(ask, question) = run.advance(&mut Hostile).expect("it goes on") else { break };
        let answer = match question.kind() {
            "clarification" => json!({ "answers": { "scope": HOSTILE } }),
            "add_instructions" => json!({ "additionalInstructions": HOSTILE }),
            "approval" if ask.seq < 20 => json!({ "approved": false, "feedback": HOSTILE }),
            kind => agreeing(kind),
        };
        run.answer(&ask, &answer, HOSTILE, HOSTILE).expect("an answer");
    }
    drop(run);
    let page = shown(&store, "bad");
    assert_harmless(&page);
    assert!(page.contains("gnp.exe") && page.contains("{{ 7*7 }}"), "it is shown as it is");

    // A log with values that no program would write.
    let record = store.record(&id("bad")).expect("a store").expect("a thread");
    let mut events = store.events_after(&id("bad"), 0).expect("events");
    let wrong = json!({ "kind": HOSTILE, HOSTILE: { "a": [HOSTILE] } });
    let last = events.last().expect("events").clone();
    events.push(Event::new(last.seq + 1, HOSTILE.to_owned(), HOSTILE.to_owned(), wrong, last.hash));
    let page = page_in::<Demo>(Language::En, &record, Status::Failed, &events, &drafts).expect("a page");
    assert_harmless(&page);
    assert!(page.contains("cannot read the log from event"), "it says so");
}

fn assert_harmless(page: &str) {
    assert_eq!(page.matches("<style").count(), 1, "its own style sheet");
    assert!(!page.contains("<script") && !page.contains("<img"));
    let unsafe_character = page.chars().find(|c| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}')
    });
    assert_eq!(unsafe_character, None);
}

#[test]
fn a_page_of_huge_texts_stays_small() {
    struct Huge;
    impl Executor<Call> for Huge {
        fn perform(&mut self, call: &Call, _: &Order) -> Performed {
            let result = match call {
                Call::Agent { .. } => json!("word ".repeat(400_000)),
                Call::Draft { .. } => json!({ "title": "T".repeat(2_000_000), "body": "line\n".repeat(200_000) }),
            };
            Performed::Done { result, usage: Value::Null }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("huge", folder.path())).expect("a thread");
    finish(&mut run, &mut Huge);
    drop(run);
    let page = shown(&store, "huge");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}

#[test]
fn a_thread_that_has_ended_stands_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = MemoryStore::default();
    rejected_once(&store, folder.path(), true);
    let whole = shown(&store, "seen");
    assert!(!whole.contains("· here") && whole.contains("node end visited"));
    let mut run = Run::begin(&Demo, &store, &NOON, Durability::Step, begin("none", folder.path())).expect("a thread");
    run.cancel("the project was stopped", "ann").expect("it can be");
    drop(run);
    assert!(shown(&store, "none").contains("No questions were asked."));
}
