//! The fallback levels through the program: for every failure of the model, the run ends with the rules' verdict and
//! reports the failure.

use serde_json::{Value, json};

use super::server::{Behaviour, Server, closed};
use crate::cli::{READY, Ran, Sandbox, UNREADY};

/// One attempt each, to save the waits between retries, under the policy that asks a model up to three
/// questions.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("MAX_LLM_RETRIES", "1"),
    ("OPENAI_API_KEY", "sk-canary-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c"),
    ("OPENAI_TIMEOUT", "20"),
    LETTER,
];
const LETTER: (&str, &str) = ("REQGATE_POLICY", "strict");

fn run(sandbox: &Sandbox, url: &str, more: &[&str], environment: &[(&str, &str)]) -> Ran {
    let mut arguments = vec!["score", "t.md", "--model", "openai/served", "--base-url", url];
    arguments.extend(more);
    let all: Vec<(&str, &str)> = ENVIRONMENT.iter().chain(environment).copied().collect();
    let ran = sandbox.run_with(&arguments, &all, "");
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains("sk-canary"), "the key is shown: {text}");
    }
    ran
}

fn sandbox(ticket: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", ticket);
    sandbox
}

/// The report without the parts that differ from run to run.
fn steady(ran: &Ran) -> Value {
    let mut report = ran.json();
    for outcome in report["outcomes"].as_array_mut().expect("there are outcomes") {
        outcome["execution_times"] = Value::Null;
    }
    report
}

/// The outcome without the parts that a model may only add to.
fn of_rules(mut outcome: Value) -> Value {
    let fields = outcome.as_object_mut().expect("an outcome is an object");
    for field in ["model", "error_logs", "retry_count"] {
        fields.shift_remove(field);
    }
    outcome
}

fn good() -> Vec<(&'static str, Behaviour)> {
    let sorted = json!({"title": "", "story": [], "acceptance_criteria": [], "edge_cases": [], "resources": [], "open_points": []});
    let problem = json!({"quote": "the dashboard to load faster", "reason": "which widgets count is open"});
    let evidence = json!({"criteria": [{"id": "model-unclear-need", "problems": [problem], "grade": "unclear"}]});
    let clarified = json!({
        "questions": [{"about": 1, "question": "Within how many seconds must the dashboard be shown?"}],
        "rewrites": [],
    });
    vec![
        ("structuring_v1", Behaviour::Says(sorted.to_string())),
        ("scoring_v1", Behaviour::Says(evidence.to_string())),
        ("clarify_v1", Behaviour::Says(clarified.to_string())),
    ]
}

#[test]
fn with_the_engine_rules_a_model_changes_nothing() {
    let fixtures = crate::cli::source("fixtures/tickets");
    for entry in std::fs::read_dir(fixtures).expect("the fixtures are there") {
        let path = entry.expect("it can be listed").path();
        let sandbox = sandbox(&std::fs::read_to_string(&path).expect("it is text"));
        for format in ["json", "human", "markdown", "html", "sarif", "github"] {
            let plain = sandbox.run_with(&["score", "t.md", "--format", format], &[LETTER], "");
            let with = run(&sandbox, &closed(), &["--engine", "rules", "--format", format], &[]);
            if format == "json" {
                assert_eq!(steady(&plain), steady(&with), "{}", path.display());
                assert!(!plain.stdout.contains("\"model\""));
            } else {
                assert_eq!(plain.stdout, with.stdout, "{} {format}", path.display());
            }
            assert_eq!(plain.code, with.code);
        }
    }
}

#[test]
fn a_closed_port_leaves_the_verdict_of_the_rules_and_is_told() {
    for (ticket, code, level) in [(READY, 0, "rules"), (UNREADY, 1, "raw_text")] {
        let sandbox = sandbox(ticket);
        let plain = sandbox.run_with(&["score", "t.md", "--format", "json"], &[LETTER], "").ends_with(code);
        let with = run(&sandbox, &closed(), &["--format", "json"], &[]).ends_with(code);
        let (plain, with) = (steady(&plain)["outcomes"][0].clone(), steady(&with)["outcomes"][0].clone());
        let model = &with["model"];
        assert_eq!((model["structuring"].as_str(), model["scoring"].as_str()), (Some(level), Some("rules")));
        assert_eq!(model["steps"][0]["status"], "failed");
        assert_eq!(model["steps"][1]["status"], "not_asked");
        assert!(with["error_logs"].to_string().contains("Model structuring failed, the r"), "{with}");
        assert_eq!(of_rules(plain), of_rules(with));
        let shown = run(&sandbox, &closed(), &[], &[]).ends_with(code);
        assert!(shown.stdout.contains("Model structuring: no answer"), "{shown:?}");
    }
}

#[test]
fn only_a_required_model_turns_an_outage_into_3() {
    let sandbox = sandbox(READY);
    let ran = run(&sandbox, &closed(), &["--require-model"], &[]).ends_with(3);
    assert!(ran.stdout.contains("PASS") && ran.stderr.contains("gave no answer for 1 of 1 inputs"), "{ran:?}");
    let server = Server::new(good());
    run(&sandbox, &server.url, &["--require-model"], &[]).ends_with(0);
    sandbox.file(".reqgate.yaml", "model: {name: openai/served, required: true}\n");
    let (url, agreed) = (("REQGATE_BASE_URL", closed()), ("REQGATE_ENGINE", "model"));
    sandbox.run_with(&["score", "t.md"], &[(url.0, &url.1), agreed, ENVIRONMENT[0]], "").ends_with(3);
}

#[test]
fn a_server_that_fails_or_hangs_costs_no_verdict() {
    let sandbox = sandbox(UNREADY);
    let broken = Server::new([("structuring_v1", Behaviour::Status(500)), ("scoring_v1", Behaviour::Status(500))]);
    let ran = run(&sandbox, &broken.url, &["--format", "json"], &[]).ends_with(1);
    assert!(ran.json()["outcomes"][0]["error_logs"].to_string().contains("not available (status 500)"), "{ran:?}");
    let hanging = Server::new([("structuring_v1", Behaviour::Hangs)]);
    let start = std::time::Instant::now();
    let ran = run(&sandbox, &hanging.url, &["--format", "json"], &[("STRUCTURING_TIMEOUT", "0.4")]).ends_with(1);
    assert!(start.elapsed().as_secs() < 15, "the deadline was not kept");
    assert_eq!(ran.json()["outcomes"][0]["model"]["scoring"], "rules", "{ran:?}");
}

#[test]
fn flags_set_the_time_that_a_model_has() {
    let sandbox = sandbox(READY);
    let hanging = Server::new([("structuring_v1", Behaviour::Hangs)]);
    let start = std::time::Instant::now();
    let ran = run(&sandbox, &hanging.url, &["--timeout", "0.4", "--deadline", "0.6", "--format", "json"], &[]);
    assert!(start.elapsed().as_secs() < 15, "the flags were not kept");
    // One exchange, although three were allowed: the remaining time is less than an exchange may take.
    let model = &ran.ends_with(0).json()["outcomes"][0]["model"];
    assert!(model["steps"][0]["reason"].as_str().is_some_and(|reason| reason.contains("model.timeout")), "{model}");
    let ran = sandbox.run(&["score", "t.md", "--timeout", "0"]).ends_with(2);
    assert!(ran.stderr.contains("write seconds, a number from 0.001 to 3600"), "{ran:?}");
}

#[test]
fn each_level_holds_for_itself() {
    let sandbox = sandbox(UNREADY);
    let refuses = |question: &'static str| {
        let replies = good().into_iter().filter(move |(id, _)| *id != question);
        Server::new(replies.chain([(question, Behaviour::Status(400))]))
    };
    let model = |server: &Server| {
        run(&sandbox, &server.url, &["--format", "json"], &[]).ends_with(1).json()["outcomes"][0]["model"].clone()
    };
    let without_structuring = model(&refuses("structuring_v1"));
    assert_eq!(without_structuring["structuring"], "raw_text");
    assert_eq!(without_structuring["scoring"], "rules_and_model");
    assert_eq!(without_structuring["added_findings"], 1);
    let without_judge = model(&refuses("scoring_v1"));
    assert_eq!(
        (&without_judge["structuring"], &without_judge["scoring"]),
        (&json!("rules_and_model"), &json!("rules"))
    );
    assert_eq!(without_judge["questions"].as_array().map(Vec::len), Some(1));
    let without_questions = model(&refuses("clarify_v1"));
    assert_eq!(without_questions["questions"], json!([]));
    assert_eq!(without_questions["usage"]["input_tokens"], 1400);
}

#[test]
fn everything_a_model_added_is_told_in_every_report() {
    let sandbox = sandbox(UNREADY);
    let server = Server::new(good());
    for format in ["human", "markdown", "html"] {
        let ran = run(&sandbox, &server.url, &["--format", format, "--explain-model"], &[]).ends_with(1);
        let host = server.url.trim_start_matches("http://").trim_end_matches("/v1");
        for words in [host, "2100 input tokens", "1 finding", "Within how many seconds", "The rules alone give REJECT"]
        {
            assert!(ran.stdout.replace('\\', "").contains(words), "{format}: {words}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_dry_run_prints_what_would_be_sent_and_sends_nothing() {
    let sandbox = sandbox(&format!("{UNREADY}\nAsk mira.canary@kestrel-ledger.com about the widgets.\n"));
    let server = Server::new(good());
    let ran = run(&sandbox, &server.url, &["--dry-run"], &[]).ends_with(0);
    assert!(server.requests.lock().expect("no test panics here").is_empty(), "something was sent");
    assert!(ran.stdout.contains(&format!("{}/chat/completions", server.url)), "{ran:?}");
    for question in super::QUESTIONS {
        assert!(ran.stdout.contains(question), "{question}: {ran:?}");
    }
    assert!(ran.stdout.contains("| As a manager I want") && !ran.stdout.contains("mira.canary"), "{ran:?}");
    let asked = run(&sandbox, &server.url, &[], &[]).ends_with(1);
    let sent = server.requests.lock().expect("no test panics here").clone();
    assert_eq!(sent.len(), 3, "{asked:?}");
    for body in &sent[..2] {
        let body: Value = serde_json::from_str(body).expect("a request is JSON");
        let shown = serde_json::to_string(&body["messages"][1]["content"]).expect("it is JSON");
        assert!(ran.stdout.contains(&shown), "what is shown is not what is sent: {shown}");
        assert!(!body.to_string().contains("mira.canary"));
    }
}

#[test]
fn a_recorded_run_is_repeated_byte_for_byte_without_a_network() {
    let sandbox = sandbox(UNREADY);
    let server = Server::new(good());
    let recorded = run(&sandbox, &server.url, &["--format", "json", "--record", "recording"], &[]).ends_with(1);
    let replay = || run(&sandbox, &server.url, &["--format", "json", "--replay", "recording"], &[]).ends_with(1);
    let sent = server.requests.lock().expect("no test panics here").len();
    let (first, second) = (steady(&replay()), steady(&replay()));
    assert_eq!(serde_json::to_string(&first).expect("JSON"), serde_json::to_string(&second).expect("JSON"));
    assert_eq!(server.requests.lock().expect("no test panics here").len(), sent, "a replay asked the server");
    // Compared with the recording, only two things differ: the responder, and the cost of zero.
    let (mut live, mut replayed) = (steady(&recorded), first);
    for report in [&mut live, &mut replayed] {
        let model = &mut report["outcomes"][0]["model"];
        model["usage"] = Value::Null;
        for step in model["steps"].as_array_mut().expect("there are steps") {
            step["origin"] = Value::Null;
            step["usage"] = Value::Null;
        }
    }
    assert_eq!(live, replayed);
    // Another ticket was not recorded: that is an error without a verdict.
    sandbox.file("t.md", format!("{UNREADY}\nThe widgets are sorted by name.\n"));
    let ran = run(&sandbox, &server.url, &["--replay", "recording"], &[]).ends_with(3);
    assert!(ran.stderr.contains("the recording has no reply to") && !ran.stdout.contains("REJECT"), "{ran:?}");
    for name in sandbox.names("recording") {
        let recording = sandbox.read(&format!("recording/{name}"));
        assert!(!recording.contains("sk-canary"), "the key is on the recording");
    }
}

#[test]
fn a_flag_that_needs_a_model_says_so() {
    let sandbox = sandbox(READY);
    for flag in ["--dry-run", "--require-model"] {
        let ran = sandbox.run(&["score", "t.md", flag]).ends_with(2);
        assert!(ran.stderr.contains(&format!("{flag} needs a model: name one with --model")), "{ran:?}");
    }
    let ran = sandbox.run(&["score", "t.md", "--model", "gpt"]).ends_with(2);
    assert!(ran.stderr.contains("`gpt` is not a model: write openai/NAME"), "{ran:?}");
    let ran = sandbox.run(&["score", "t.md", "--engine", "model"]).ends_with(2);
    assert!(ran.stderr.contains("the engine `model` needs a model"), "{ran:?}");
    let named = sandbox.run_with(&["score", "t.md"], &[("OPENAI_MODEL", "some"), ENVIRONMENT[1]], "").ends_with(0);
    assert!(!named.stdout.contains("Model"), "a name for other programs was enough: {named:?}");
}
