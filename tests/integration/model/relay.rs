//! The relay of `tests/real-model/relay`: a careful reader writes answers into files, and the program reads them as a
//! model's answers.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::cli::{READY, Sandbox, UNREADY};

/// A running relay; it ends with the test.
struct Relay {
    process: Child,
    url: String,
}

impl Relay {
    /// Starts a relay; `None` without Python.
    fn start(folder: &Path) -> Option<Self> {
        let script = crate::cli::source("real-model/relay/relay.py");
        let mut command = Command::new("python3");
        command.arg(script).arg(folder).args(["--port", "0"]).stdout(Stdio::piped());
        let mut process = command.spawn().ok()?;
        let mut url = String::new();
        let said = process.stdout.take().map(BufReader::new);
        said.expect("its output is read").read_line(&mut url).expect("it says where it listens");
        Some(Self { process, url: url.trim().to_owned() })
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn score(sandbox: &Sandbox, relay: &Relay, provider: &str) -> Value {
    let model = format!("{provider}/reader");
    let arguments =
        ["score", "t.jsonl", "--exit-zero", "--format", "json", "--model", &model, "--base-url", &relay.url];
    let environment = [("OPENAI_API_KEY", "none"), ("ANTHROPIC_API_KEY", "none"), ("REQGATE_CACHE", "off")];
    sandbox.run_with(&arguments, &environment, "").ends_with(0).json()["outcomes"].clone()
}

#[test]
fn a_reader_who_writes_files_is_heard_as_a_model() {
    for provider in ["openai", "anthropic"] {
        let sandbox = Sandbox::new();
        let rows = [READY, UNREADY].map(|text| json!({"text": text}).to_string());
        sandbox.file("t.jsonl", rows.join("\n"));
        let Some(relay) = Relay::start(&sandbox.path("answers")) else {
            eprintln!("NOT RUN: python3 is not installed");
            return;
        };
        // The first pass writes the requests; the rules' verdict is used.
        let first = score(&sandbox, &relay, provider);
        let step = &first[0]["model"]["steps"][0];
        assert_eq!((&step["task"], &step["status"]), (&json!("reading"), &json!("failed")), "{first:#}");
        assert!(step["reason"].to_string().contains("no answer yet"), "{step}");
        let names = sandbox.names("answers");
        let requests: Vec<&String> = names.iter().filter(|name| name.ends_with(".request.txt")).collect();
        assert_eq!((names.len(), requests.len()), (4, 2), "one request a ticket: {names:?}");
        let of_unready = requests.iter().find(|name| sandbox.read(&format!("answers/{name}")).contains("dashboard"));
        let stem = of_unready.expect("the ticket stands in its request").trim_end_matches(".request.txt");
        let answer = json!({
            "kind": "feature",
            "evidence": [],
            "questions": [{
                "code": "done", "quote": "I want the dashboard\nto LOAD faster", "must": true,
                "ask": "Within how many seconds must the dashboard load?",
            }],
            "ready": 1,
        });
        sandbox.file(&format!("answers/{stem}.answer.json"), answer.to_string());
        // The second pass finds the answers.
        let second = score(&sandbox, &relay, provider);
        let outcome = &second[1];
        assert_eq!(outcome["model"]["reading"]["ready"], 1, "{provider}: {outcome:#}");
        assert_eq!(outcome["reading"]["questions"][0]["ask"], "Within how many seconds must the dashboard load?");
        assert_eq!(outcome["reading"]["questions"][0]["place"]["line"], 3);
        assert_eq!(outcome["decision"]["verdict"], "REJECT", "{outcome:#}");
        assert_eq!(second[0]["model"]["steps"][0]["status"], "failed");
        assert_eq!(sandbox.names("answers").len(), 5, "no request is written twice");
    }
}
