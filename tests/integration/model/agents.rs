//! Coding agents as writers: a script in place of the program, called by `reqgate prd`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::cli::{READY, Sandbox};

/// A folder of agents with `stand-in`, a script that knows the sandbox as `$HERE`.
fn agent(sandbox: &Sandbox, script: &str) -> String {
    let program = sandbox.path("program");
    let here = sandbox.path("").display().to_string();
    fs::write(&program, format!("#!/bin/sh\nHERE='{here}'\n{script}\n")).expect("it is written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is executable");
    let file = format!(
        "id: stand-in\nprogram: {}\narguments: [\"{{system}}\"]\nstdin: \"{{prompt}}\"\nmessage: {{at: [/result]}}\n",
        program.display()
    );
    sandbox.file("agents/stand-in.yaml", file);
    sandbox.path("agents").display().to_string()
}

const START: [&str; 8] = ["prd", "start", "--from", "ticket.md", "--author", "model", "--model", "agent/stand-in"];

/// The agent's draft passes the same checks as a model's, and a person is asked about it.
#[test]
fn an_agent_writes_the_brief() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    let quote = "As an accountant I want to export the monthly statement as a PDF";
    let brief = |quote: &str| {
        let source = serde_json::json!({ "source": "ticket.md", "line": 3, "quote": quote });
        let goals = [serde_json::json!({ "text": "Statements can be exported.", "source": source })];
        serde_json::json!({ "title": "Export statements", "language": "en", "goals": goals })
    };
    sandbox.file("wrong.json", serde_json::json!({ "result": brief("words that nobody wrote") }).to_string());
    sandbox.file("right.json", serde_json::json!({ "result": brief(quote) }).to_string());
    let agents = agent(
        &sandbox,
        "cat > $HERE/prompt\nif [ -e $HERE/asked ]; then cat $HERE/right.json; else touch $HERE/asked; cat $HERE/wrong.json; fi",
    );
    let environment = [("REQGATE_AGENTS", agents.as_str())];
    let mut ran = sandbox.run_with(&START, &environment, "");
    // Questions of the gate about the ticket come first, if it has any.
    if ran.code == 4 && !sandbox.path("asked").exists() {
        let listed = sandbox.run(&["inbox", "--format", "json"]).ends_with(0).stdout;
        let asks: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
        let ask = asks[0]["ask_id"].as_str().or_else(|| asks["asks"][0]["id"].as_str()).expect("an id").to_owned();
        ran = sandbox.run_with(&["answer", &ask, "--approve"], &environment, "");
    }
    assert_eq!(ran.code, 4, "a person is asked: {ran:?}");
    assert!(sandbox.read("prompt").contains("is not in the source"), "asked again with what was wrong");
    assert!(ran.stdout.contains("Statements can be exported."), "{ran:?}");
}

/// The address belongs to the model that writes; an agent may be the critic in the same thread.
#[test]
fn an_agent_takes_no_address_of_a_server() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    let agents = agent(&sandbox, "touch $HERE/asked; exit 1");
    let environment = [("REQGATE_AGENTS", agents.as_str()), ("REQGATE_BASE_URL", "http://127.0.0.1:9/v1")];
    let ran = sandbox.run_with(&START, &environment, "");
    assert_ne!(ran.code, 2, "{ran:?}");
    assert!(sandbox.path("asked").exists(), "{ran:?}");
}

/// Killing reqgate also ends the agent that it started.
#[test]
fn an_agent_does_not_outlive_the_program_that_called_it() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    let agents = agent(&sandbox, "trap '' TERM HUP INT\necho $$ > $HERE/pid\nwhile :; do sleep 1; done");
    let mut command = sandbox.command();
    command.args(START).env("REQGATE_AGENTS", agents).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let is_there = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.ends_with('\n'));
    let pid = sandbox.path("pid");
    wait_until("the agent runs", || is_there(&pid));
    let stat = Path::new("/proc").join(sandbox.read("pid").trim()).join("stat");
    assert!(stat.exists());
    child.kill().expect("it was running");
    child.wait().expect("it ends");
    let is_gone = || fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z"));
    wait_until("the agent is gone", is_gone);
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(30), "not yet: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
