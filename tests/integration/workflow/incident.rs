//! The incident report of `examples/`: an agent, a model, answers from other processes, a page, and files that are written once a person
//! has approved them.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{NOON, id};
use crate::cli::Sandbox;
use crate::service::Service;
use crate::service_pages::{field, header, post};
use incident_report::{Call, Incident, Patch, State};
use reqgate::model::Language;
use reqgate::workflow::{
    Begin, Durability, Executor, GraphFault, Order, Performed, Phase, Run, SqliteStore, Stop, Workflow, Workplace,
};

#[path = "../../../examples/incident_report.rs"]
#[allow(dead_code)]
pub mod incident_report;

/// A model that gives these replies in order, and keeps the bodies of its requests.
struct FakeModel {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl FakeModel {
    fn new(replies: Vec<(u16, Value)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for (stream, (status, reply)) in listener.incoming().flatten().zip(replies) {
                let body = received(&stream);
                kept.lock().expect("no panic").push(body);
                let message = json!({ "role": "assistant", "content": reply.to_string() });
                let answer = json!({
                    "model": "fake", "choices": [{ "message": message, "finish_reason": "stop" }],
                    "usage": { "prompt_tokens": 10, "completion_tokens": 5 },
                });
                let text =
                    if status == 200 { answer.to_string() } else { r#"{"error":{"message":"it burns"}}"#.to_owned() };
                let mut stream = stream;
                let length = text.len();
                let head = format!(
                    "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                );
                stream.write_all((head + &text).as_bytes()).expect("it is sent");
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}

/// The body of a request.
fn received(mut stream: &TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let read = stream.read(&mut part).expect("a request");
        bytes.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.to_ascii_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if read == 0 || body.len() >= length.unwrap_or(0) {
            return body.to_owned();
        }
    }
}

/// A folder with a log, a runbook, and an agent that reads the log, changes the runbook, and tries to reach other files.
fn folder(quote: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("logs/app.log", "09:02 pool exhausted\n").file("runbook.md", "Restart it.\n");
    let facts = json!({ "facts": [{ "text": "The pool was full.", "file": "logs/app.log", "quote": quote }] });
    sandbox.file("said.json", json!({ "result": facts }).to_string());
    let here = sandbox.path("").display().to_string();
    let script = format!(
        "#!/bin/sh\nprintf '%s' \"$1\" > {here}/tools\nprintf 'Enlarge the pool.\\n' >> runbook.md\nln -s /etc/passwd leak.txt\n\
         echo 'run me' > .envrc\ncat {here}/said.json\n"
    );
    sandbox.file("program", script);
    fs::set_permissions(sandbox.path("program"), fs::Permissions::from_mode(0o755)).expect("it is executable");
    sandbox.file(
        "agents/stand-in.yaml",
        format!(
            "id: stand-in\nprogram: {here}/program\narguments: []\nwork_arguments: [\"{{tools}}\"]\nmessage: {{at: [/result]}}\n"
        ),
    );
    sandbox
}

/// The example as another process.
fn program(sandbox: &Sandbox, model: &FakeModel, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command
        .args(["--ignored", "--exact", "workflow::incident::child", "--test-threads", "1", "--nocapture"])
        .current_dir(sandbox.path(""))
        .env("INCIDENT_ARGUMENTS", arguments.join("\n"))
        .env("INCIDENT_MODEL", "openai/fake")
        .env("INCIDENT_BASE_URL", &model.address)
        .env("INCIDENT_AGENT", "agent/stand-in")
        .env("REQGATE_AGENTS", sandbox.path("agents"))
        .env("USER", "ann")
        .env_remove("REDIS_URL")
        .stdin(Stdio::null());
    command
}

#[test]
#[ignore = "the example, run by other tests"]
fn child() {
    let Ok(arguments) = std::env::var("INCIDENT_ARGUMENTS") else { return };
    let arguments: Vec<String> = arguments.lines().map(str::to_owned).collect();
    let code = incident_report::run(&arguments).expect("the example works");
    println!("\nended {code:?}");
}

fn report(action: &str) -> Value {
    json!({ "title": "Checkout outage", "summary": "The pool was full.", "actions": [action] })
}

#[test]
fn the_graph_is_sound_and_an_old_state_is_migrated() {
    assert_eq!(Incident::graph().faults(), Vec::<GraphFault>::new());
    let mut old = serde_json::to_value(State::default()).expect("JSON");
    let fields = old.as_object_mut().expect("an object");
    fields.remove("impact");
    fields.insert("customers".to_owned(), json!("300"));
    let new: State = serde_json::from_value(Incident::migrate(1, old).expect("a way")).expect("the new state");
    assert_eq!(serde_json::to_value(new).expect("JSON")["impact"], "300");
    assert_eq!(Incident::migrate(3, json!({})), None);
}

#[test]
fn an_incident_is_reported_over_rest_and_a_page_and_nothing_is_written_before_the_approval() {
    let sandbox = folder("09:02 pool exhausted");
    let model = FakeModel::new(vec![
        (500, Value::Null),
        (200, report("enlarge the pool")),
        (200, report("Ann: enlarge the pool")),
        (200, report("Ann: double the pool")),
    ]);
    let started = program(&sandbox, &model, &["start", "The checkout was down"]).status().expect("a process");
    assert!(started.success());
    let service = Service::of(program(&sandbox, &model, &["serve", "--listen", "127.0.0.1:0"]));

    let workflows = service.get("/v1/workflows", "").json(200);
    let names: Vec<&Value> = workflows.as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["prd", "incident-report"]);
    let asks = service.get("/v1/asks", "").json(200);
    let first = asks[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(asks[0]["kind"], "clarification");
    let ask = service.get(&format!("/v1/asks/{first}"), "").json(200);
    assert_eq!(
        ask["fields"][0],
        json!({ "id": "answer.impact", "label": "How many customers were affected?", "kind": "words" })
    );
    let answer = format!("/v1/asks/{first}/answer");
    service.post(&answer, "", &json!({ "answers": { "other": "?" } })).problem(422);
    assert!(!sandbox.path("tools").exists(), "a wrong answer starts no agent");
    let impact = json!({ "answers": { "impact": "300 customers" } });
    let taken = service.post(&answer, "", &impact).json(200);
    assert_eq!((&taken["status"], &taken["thread"]["ask"]["kind"]), (&json!("accepted"), &json!("approval")));
    assert_eq!(service.post(&answer, "", &impact).json(200)["status"], "duplicate");

    // The failure of the server is retried and not passed on; the missing owner is.
    let asked = model.asked();
    assert_eq!(asked.len(), 3);
    assert!(!asked[1].contains("it burns") && asked[2].contains("names no owner"), "{asked:?}");
    assert_eq!(sandbox.read("tools"), "Read,Grep,Edit");

    let page = format!("/inbox/{}", taken["thread"]["ask"]["id"].as_str().expect("an id"));
    let shown = service.send("GET", &page, &[], "").body;
    for part in ["Publish this report?", "Checkout outage", "Enlarge the pool.", "leak.txt", ".envrc"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let send = |page: &str, fields: &str| {
        let form = service.send("GET", page, &[], "").body;
        post(&service, page, &[("Sec-Fetch-Site", "same-origin")], &format!("csrf={}{fields}", field(&form, "csrf")))
    };
    assert_eq!(send(&page, "").status, 422, "no decision");
    let changed = send(&page, "&decision=change&feedback=Double+it");
    assert_eq!((changed.status, header(&changed, "location")), (303, page.as_str()));
    assert!(model.asked()[3].contains("Double it"));
    assert_eq!(sandbox.read("runbook.md"), "Restart it.\n");
    assert!(!sandbox.path("incidents").exists());

    let asks = service.get("/v1/asks", "").json(200);
    let page = format!("/inbox/{}", asks[0]["id"].as_str().expect("an id"));
    assert_eq!(send(&page, "&decision=approve").status, 303);
    assert_eq!(sandbox.read("runbook.md"), "Restart it.\nEnlarge the pool.\n");
    assert!(sandbox.read("incidents/the-checkout-was-down.md").contains("Ann: double the pool"));
    assert!(!sandbox.path("leak.txt").exists() && !sandbox.path(".envrc").exists());

    let thread = service.send("GET", "/threads/the-checkout-was-down", &[], "").body;
    assert!(thread.contains("the-checkout-was-down.md") && thread.contains("approved by ann"), "{thread}");
    let document = "/v1/threads/the-checkout-was-down/documents/the-checkout-was-down.md";
    assert!(service.get(document, "").body.contains("300 customers"));
    let history = service.get("/v1/threads/the-checkout-was-down/history", "").json(200);
    assert!(history.as_array().is_some_and(|events| events.len() > 10), "{history}");
    let tool = json!({ "name": "prd_status", "arguments": { "thread": "the-checkout-was-down" } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool });
    let told = service.post("/mcp", "", &call);
    assert!(told.body.contains("the-checkout-was-down.md"), "{told:?}");
}

#[test]
fn an_agent_that_misquotes_is_asked_again_and_then_the_thread_fails_with_the_reason() {
    let sandbox = folder("words that are in no file");
    let model = FakeModel::new(Vec::new());
    assert!(program(&sandbox, &model, &["start", "Search was slow"]).status().expect("a process").success());
    let service = Service::of(program(&sandbox, &model, &["serve", "--listen", "127.0.0.1:0"]));
    let asks = service.get("/v1/asks", "").json(200);
    let answer = format!("/v1/asks/{}/answer", asks[0]["id"].as_str().expect("an id"));
    let done = service.post(&answer, "", &json!({ "answers": {} })).json(200);
    assert_eq!(done["thread"]["status"], "failed", "{done}");
    let page = service.send("GET", "/threads/search-was-slow", &[], "").body;
    assert!(page.contains("facts[0].quote: is not in the file"), "{page}");
    assert_eq!(model.asked(), Vec::<String>::new());
    assert_eq!(sandbox.read("runbook.md"), "Restart it.\n");
}

/// Finds and writes without an agent and a model.
struct Scripted(Value);

impl Executor<Call> for Scripted {
    fn perform(&mut self, call: &Call, _: &Order) -> Performed {
        let result = match call {
            Call::Facts { .. } => self.0.clone(),
            Call::Draft { .. } => report("Ann: enlarge the pool"),
        };
        Performed::Done { result, usage: Value::Null }
    }
}

/// The step with the approval is recorded before its effects, so that the next process performs them, but never over another change.
#[test]
fn changes_are_written_by_the_next_process_if_the_first_one_is_killed_after_the_approval() {
    for is_changed in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("project");
        fs::create_dir(&root).expect("a folder");
        let runbook = root.join("runbook.md");
        fs::write(&runbook, "one\n").expect("a file");
        let place = Workplace::copy_of(&root).expect("a copy");
        fs::write(place.folder().join("runbook.md"), "two\n").expect("a file");
        let changes = place.changes(&root, Language::En).expect("changes");
        let mut team = Scripted(json!({ "facts": [], "changes": changes }));
        let store = SqliteStore::open(&folder.path().join("state")).expect("a store");
        let begin = Begin {
            id: id("killed"),
            title: "Search was slow".to_owned(),
            root: root.clone(),
            input: vec![Patch::Incident("Search was slow".to_owned())],
            actor: "ann".to_owned(),
        };
        let mut run = Run::begin(&Incident, &store, &NOON, Durability::Step, begin).expect("a thread");
        for answer in [json!({ "answers": {} }), json!({ "approved": true })] {
            let Stop::Asking(ask, _) = run.advance(&mut team).expect("it goes on") else { panic!("a question") };
            run.answer(&ask, &answer, "ann", "test").expect("a good answer");
        }
        drop(run);
        assert_eq!(fs::read_to_string(&runbook).expect("a file"), "one\n");
        if is_changed {
            fs::write(&runbook, "ann\n").expect("a file");
        }
        let mut run = Run::open(&Incident, &store, &NOON, Durability::Step, &id("killed")).expect("a thread");
        let stop = run.advance(&mut team).expect("it goes on");
        let text = fs::read_to_string(&runbook).expect("a file");
        match is_changed {
            false => assert!(matches!(stop, Stop::Ended(Phase::Completed)) && text == "two\n", "{stop:?} {text}"),
            true => assert!(matches!(stop, Stop::Asking(..)) && text == "ann\n", "{stop:?} {text}"),
        }
    }
}

/// The terminal of the author's program lists and answers questions of their workflow.
#[test]
fn questions_are_listed_and_answered_on_the_terminal() {
    let sandbox = folder("09:02 pool exhausted");
    let model = FakeModel::new(vec![(200, report("Ann: enlarge the pool"))]);
    let run = |arguments: &[&str]| {
        let ran = program(&sandbox, &model, arguments).output().expect("a process");
        String::from_utf8(ran.stdout).expect("text") + &String::from_utf8_lossy(&ran.stderr)
    };
    let started = run(&["start", "The checkout was down"]);
    let ask = "the-checkout-was-down.2";
    assert!(started.contains(ask), "{started}");
    let listed = run(&["inbox"]);
    assert!(listed.contains(ask) && listed.contains("How many customers were affected?"), "{listed}");
    let json = run(&["inbox", "--format", "json"]);
    assert!(json.contains("\"kind\": \"clarification\""), "{json}");
    let shape = run(&["answer", ask]);
    assert!(shape.contains("--json FILE with this shape"), "{shape}");
    for flags in [vec!["--approve"], vec!["--reject", "about 40"]] {
        let refused = run(&[&["answer", ask], flags.as_slice()].concat());
        assert!(refused.contains("--json FILE with this shape"), "{refused}");
    }
    sandbox.file("impact.json", r#"{"answers": {"impact": "about 40"}}"#);
    let next = run(&["answer", ask, "--json", "impact.json"]);
    assert!(next.contains("Publish this report?"), "{next}");
    let id = next.split_whitespace().find(|word| word.starts_with("the-checkout-was-down.")).expect("an id").to_owned();
    let undone = run(&["answer", ask, "--reject", "no"]);
    assert!(undone.contains("error"), "{undone}");
    let reasoned = run(&["answer", &id, "--approve", "--because", "it is urgent"]);
    assert!(reasoned.contains("error") && reasoned.contains("--because"), "{reasoned}");
    let done = run(&["answer", &id, "--approve"]);
    assert!(done.contains("completed"), "{done}");
    assert_eq!(sandbox.read("runbook.md"), "Restart it.\nEnlarge the pool.\n");
}

/// A title in Chinese or of many words has a name too.
#[test]
fn any_title_starts_an_incident() {
    let sandbox = folder("");
    let model = FakeModel::new(Vec::new());
    for title in ["支付页面在九点宕机", "搜索很慢", &"word ".repeat(100), &"x".repeat(300)] {
        let ran = program(&sandbox, &model, &["start", title]).output().expect("a process");
        assert!(String::from_utf8_lossy(&ran.stdout).contains("How many customers were affected?"), "{ran:?}");
    }
}

/// A failed thread is continued where it failed, once the reason is mended.
#[test]
fn a_failed_thread_is_continued_on_the_terminal() {
    let sandbox = folder("words that are in no file");
    let model = FakeModel::new(vec![(200, report("Ann: enlarge the pool"))]);
    let run = |arguments: &[&str]| {
        let ran = program(&sandbox, &model, arguments).output().expect("a process");
        String::from_utf8(ran.stdout).expect("text") + &String::from_utf8_lossy(&ran.stderr)
    };
    run(&["start", "Search was slow"]);
    sandbox.file("impact.json", r#"{"answers": {}}"#);
    let failed = run(&["answer", "search-was-slow.2", "--json", "impact.json"]);
    assert!(failed.contains("search-was-slow  failed"), "{failed}");
    let still = run(&["prd", "resume", "search-was-slow"]);
    assert!(still.contains("search-was-slow  failed"), "{still}");
    let said = sandbox.read("said.json").replace("words that are in no file", "09:02 pool exhausted");
    sandbox.file("said.json", said);
    let retried = run(&["prd", "resume", "search-was-slow", "--retry"]);
    assert!(
        retried.contains("Publish this report?") && retried.contains("reqgate answer search-was-slow."),
        "{retried}"
    );
}

/// With `REDIS_URL` the threads of all processes are on the server.
#[cfg(feature = "redis")]
#[test]
#[ignore = "needs redis-server"]
fn with_the_address_of_a_server_the_threads_are_there() {
    let server = crate::redis::server::Server::start(&[]);
    let sandbox = folder("09:02 pool exhausted");
    let model = FakeModel::new(vec![(200, report("Ann: enlarge the pool"))]);
    let run = |arguments: &[&str]| {
        let mut command = program(&sandbox, &model, arguments);
        let ran = command.env("REDIS_URL", server.address("incident")).output().expect("a process");
        String::from_utf8(ran.stdout).expect("text")
    };
    assert!(run(&["start", "The checkout was down"]).contains("the-checkout-was-down.2"));
    assert!(!sandbox.path(".reqgate/state.db").exists());
    sandbox.file("impact.json", r#"{"answers": {}}"#);
    assert!(run(&["answer", "the-checkout-was-down.2", "--json", "impact.json"]).contains("Publish this report?"));
    assert!(run(&["inbox"]).contains("Publish this report?"));
}

/// Every block of the guide that is not a complete program is a part of the example.
#[test]
fn the_guide_shows_the_code_of_the_example() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let read = |path: &str| fs::read_to_string(format!("{root}{path}")).expect("a file");
    let (guide, example) = (read("docs/workflow-authoring.md"), read("examples/incident_report.rs"));
    let lines = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let example = lines(&example);
    let parts: Vec<&str> =
        guide.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(parts.len() >= 8, "{} parts", parts.len());
    for part in parts {
        assert!(example.contains(&lines(part)), "not in the example:\n{part}");
    }
}
