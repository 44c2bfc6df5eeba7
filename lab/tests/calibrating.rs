//! `reqgate-lab calibrate --model` through the program: labelled tickets and a model's answers become a file that is then
//! used.

use serde_json::{Value, json};

use super::sandbox::{Ran, Sandbox};
use super::server::{Behaviour, Server};

/// The id of the order that a model carries out.
const READ: &str = "read_ticket_v1";

const ENVIRONMENT: [(&str, &str); 2] = [("OPENAI_API_KEY", "none"), ("REQGATE_CACHE", "off")];

/// Tickets that the rules cannot distinguish.
fn ticket(colour: &str, number: usize) -> String {
    format!(
        "Colour of row {number}\n\nClerks overlook late invoices in list {number}. The row of such an invoice gets the colour {colour} \
         on the counter page, as the clerks know it from the old program."
    )
}

fn answer(ready: u8, questions: Value) -> String {
    json!({"kind": "feature", "evidence": [], "questions": questions, "ready": ready}).to_string()
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    sandbox.run_with(arguments, &ENVIRONMENT, "")
}

#[test]
fn answers_about_labelled_tickets_become_a_file_that_counts() {
    let sandbox = Sandbox::new();
    let rows = (0..60).map(|at| match at % 2 {
        0 => json!({"text": ticket("blue", at), "reading": {"kind": "feature", "ready": 4}}),
        _ => json!({"text": ticket("pink", at), "reading": {"kind": "feature", "ready": 1}}),
    });
    sandbox.file("labelled.jsonl", rows.map(|row| row.to_string()).collect::<Vec<_>>().join("\n"));
    let asks =
        json!([{"code": "what", "quote": "gets the colour pink", "must": true, "ask": "Which pink does the row get?"}]);
    let answers = vec![("pink", answer(1, asks)), ("blue", answer(4, json!([])))];
    let server = Server::new([(READ, Behaviour::SaysOf(answers))]);
    let asked = ["labelled.jsonl", "--model", "openai/served", "--base-url", &server.url];
    let live = [&["calibrate"], &asked[..], &["--record", "answers"]].concat();
    let shown = run(&sandbox, &live).ends_with(0);
    for words in ["60 tickets with an answer, 30 of them not ready", "in force now: default", "Write it with --output"]
    {
        assert!(shown.stdout.contains(words), "{words}: {}", shown.stdout);
    }
    assert_eq!(server.requests.lock().expect("no test panics here").len(), 60, "one request a ticket");
    let replayed =
        [&["calibrate"], &asked[..], &["--replay", "answers", "--output", "own/models/served.yaml"]].concat();
    std::fs::create_dir_all(sandbox.path("own/models")).expect("works in a fresh folder");
    let written = run(&sandbox, &replayed).ends_with(0);
    assert!(written.stdout.contains("Written to own/models/served.yaml"), "{written:?}");
    assert_eq!(server.requests.lock().expect("no test panics here").len(), 60, "a replay asked the server");
    let file = sandbox.read("own/models/served.yaml");
    assert!(file.contains("id: openai-served") && file.contains("60 labelled tickets"), "{file}");
    sandbox.file("t.md", ticket("pink", 99));
    let score =
        ["score", "t.md", "--exit-zero", "--format", "json", "--model", "openai/served", "--base-url", &server.url];
    let of = |more: &[&str]| run(&sandbox, &[&score[..], more].concat()).ends_with(0).json()["outcomes"][0].clone();
    let (before, after) = (of(&[]), of(&["--rules", "own"]));
    assert_eq!(after["model"]["reading"]["calibration"], "openai-served", "{after:#}");
    let total = |outcome: &Value| outcome["score_report"]["total_score"].as_f64().expect("it is scored");
    assert!(total(&after) < total(&before), "{} {}", total(&after), total(&before));
    assert_eq!(after["decision"]["verdict"], "REJECT", "{after:#}");
}

#[test]
fn too_few_answers_are_an_error_with_their_number() {
    let sandbox = Sandbox::new();
    let rows = (0..4).map(|at| json!({"text": ticket("blue", at), "label": "accepted"}).to_string());
    sandbox.file("labelled.jsonl", rows.collect::<Vec<_>>().join("\n"));
    let server = Server::new([(READ, Behaviour::Says(answer(4, json!([]))))]);
    let ran = run(&sandbox, &["calibrate", "labelled.jsonl", "--model", "openai/served", "--base-url", &server.url]);
    let ran = ran.ends_with(2);
    assert!(ran.stderr.contains("4 about accepted and 0 about returned"), "{ran:?}");
}
