//! `reqgate-lab learn` on the tickets of a team: from a stand-in for GitHub and from saved exports, with labels corrected
//! by a person, up to the use of the weights.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::sandbox::{READY, Ran, Sandbox};

/// The number of issues on a page of the stand-in.
const PAGE: u64 = 50;

/// An issue of a team that asks back whenever a report does not name the version, which matters more to it than to
/// other teams.
fn issue(number: u64, answers: bool) -> Value {
    let names_version = !number.is_multiple_of(3);
    let version = if names_version { format!("Version: 4.{number}.0 on Linux\n\n") } else { String::new() };
    let body = format!(
        "The export of list {number} stops after the first page.\n\n{version}Steps to reproduce\n1. Open list {number}\n2. Press Export\n\n\
         Expected: all pages are in the file. Actual: the file ends after page one."
    );
    let answer = if names_version { "Thanks, fixed on the main branch." } else { "Which version are you using?" };
    let comments = json!([
        {"author": {"login": "builder", "__typename": "Bot"}, "authorAssociation": "NONE", "body": "Built.", "createdAt": "2026-01-01T00:00:00Z"},
        {"author": {"login": "mia"}, "authorAssociation": "MEMBER", "body": answer, "createdAt": "2026-01-02T00:00:00Z"},
    ]);
    json!({"number": number, "title": format!("Export of list {number} ends early"), "body": body, "state": "CLOSED",
        "stateReason": "COMPLETED", "url": format!("https://github.com/octo/shop/issues/{number}"),
        "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-03T00:00:00Z", "author": {"login": "ann"},
        "labels": {"nodes": [{"name": "bug"}]}, "comments": if answers { json!({"nodes": comments}) } else { Value::Null },
        "timelineItems": {"nodes": []}})
}

/// A GitHub that answers GraphQL, and drops one connection if requested. Its thread ends with the process.
struct GitHub {
    url: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl GitHub {
    fn new(issues: u64, broken: Option<usize>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(stream, issues, broken, &seen);
            }
        });
        Self { url, requests }
    }
}

fn serve(stream: TcpStream, issues: u64, broken: Option<usize>, seen: &Mutex<Vec<Value>>) {
    let Ok(mut writer) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    let (mut length, mut line, mut head) = (0, String::new(), String::new());
    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
        let header = line.to_ascii_lowercase();
        length = header.strip_prefix("content-length:").map_or(length, |n| n.trim().parse().expect("a length"));
        head.push_str(&line);
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body comes whole");
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let variables = request["variables"].clone();
    let mut seen = seen.lock().expect("no test panics here");
    seen.push(json!({"line": head.lines().next(), "variables": variables}));
    let from = variables["after"].as_str().map_or(0, |after| after.parse().expect("a cursor"));
    let last = (from + PAGE).min(issues);
    let nodes: Vec<Value> = (from + 1..=last).map(|number| issue(number, true)).collect();
    let page = json!({"hasNextPage": last < issues, "endCursor": last.to_string()});
    let answer = json!({"data": {"repository": {"issues": {"pageInfo": page, "nodes": nodes}}}}).to_string();
    let status = if broken == Some(seen.len()) { 404 } else { 200 };
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}",
        answer.len()
    );
    // A client that gave up does not read the answer.
    let _ = write!(writer, "{head}\r\n\r\n{answer}");
}

fn learn(sandbox: &Sandbox, github: &GitHub, more: &[&str]) -> Ran {
    let cache = sandbox.path("cache").display().to_string();
    let environment =
        [("GITHUB_API_URL", github.url.as_str()), ("GITHUB_TOKEN", "ghs_test"), ("REQGATE_CACHE", &cache)];
    let arguments = ["learn", "--repo", "octo/shop"].iter().chain(more).copied().collect::<Vec<_>>();
    sandbox.run_with(&arguments, &environment, "")
}

#[test]
fn team_weights_are_learned_from_a_repository_corrected_and_used() {
    let (sandbox, github) = (Sandbox::new(), GitHub::new(120, Some(2)));
    // The second request fails; the next run continues there without repeating requests.
    let broken = learn(&sandbox, &github, &[]).ends_with(3);
    assert!(broken.stderr.contains("run it again to resume"), "{broken:?}");
    let told =
        learn(&sandbox, &github, &["--write-labels", "labels.jsonl", "--output", "team.yaml", "--format", "json"]);
    let told = told.ends_with(0).json();
    let asked: Vec<Value> = github.requests.lock().expect("no test panics here").clone();
    let cursors: Vec<&Value> = asked.iter().map(|request| &request["variables"]["after"]).collect();
    assert_eq!(cursors, [&json!(null), &json!("50"), &json!("50"), &json!("100")], "{asked:?}");
    assert!(asked.iter().all(|request| request["line"] == "POST /graphql HTTP/1.1"), "{asked:?}");

    assert_eq!(
        told["history"]["returned"],
        json!({"tickets": 40, "signs": [{"because": "first-answer", "tickets": 40}]})
    );
    assert_eq!((&told["history"]["accepted"]["tickets"], &told["team_worth_it"]), (&json!(80), &json!(true)), "{told}");
    let auc = |which: &str| told["team"][which]["auc"].as_f64().expect("a figure");
    assert!(auc("team") > auc("shipped") && auc("team") > 0.75, "{told}");
    let labels = sandbox.read("labels.jsonl");
    let first: Value = serde_json::from_str(labels.lines().nth(2).expect("a line")).expect("JSON");
    assert_eq!(
        (&first["id"], &first["label"], &first["quote"]),
        (&json!("#3"), &json!("returned"), &json!("Which version are you using?"))
    );

    // The file contains only features of the shipped table.
    let team = sandbox.read("team.yaml");
    for word in ["list", "mia", "ann", "octo/shop/issues"] {
        assert!(!team.contains(&format!("b:{word}:")) && !team.contains(&format!(" {word} ")), "{team}");
    }

    // Labels corrected by a person are used.
    let mut corrected = String::new();
    for line in labels.lines() {
        let _ = writeln!(corrected, "{}", line.replace("\"returned\"", "\"unclear\""));
    }
    sandbox.file("corrected.jsonl", corrected);
    let again = learn(&sandbox, &github, &["--labels", "corrected.jsonl", "--format", "json"]).ends_with(2);
    assert!(again.stderr.contains("too few"), "{again:?}");

    // The weights are used once the configuration names them, and the report says so.
    let body = issue(3, false)["body"].as_str().expect("a text").to_owned();
    sandbox.file("t.md", format!("# Export of list 3 ends early\n\n{body}\n"));
    let score = |sandbox: &Sandbox| sandbox.run(&["score", "t.md", "--policy", "triage", "--format", "json"]).json();
    let before = score(&sandbox);
    sandbox.file(".reqgate.yaml", "version: 1\nteam_weights: team.yaml\n");
    let after = score(&sandbox);
    let reading = |report: &Value| report["outcomes"][0]["reading"].clone();
    let (before, after) = (reading(&before), reading(&after));
    assert!(before["team_weights"].is_null() && after["team_weights"]["from"] == "octo/shop", "{before} {after}");
    assert!(after["not_actionable"].as_f64() > before["not_actionable"].as_f64(), "{before} {after}");
    let human = sandbox.run(&["score", "t.md", "--policy", "triage", "-v"]);
    assert!(
        human
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("by the weights of octo/shop (120 tickets)"),
        "{human:?}"
    );
    let shown = sandbox.run(&["config"]).ends_with(0);
    assert!(shown.stdout.contains("team_weights") && shown.stdout.contains(".reqgate.yaml:2"), "{shown:?}");
}

#[test]
fn of_what_was_sent_back_at_random_only_the_share_is_learned() {
    let sandbox = Sandbox::new();
    // In these rows the outcome does not depend on the text.
    let mut rows = String::new();
    for number in 1..=90 {
        let mut row = issue(number * 3, false);
        row["labels"] = if number % 4 == 0 { json!([{"name": "needs-info"}]) } else { json!([]) };
        row["comments"] = json!([]);
        let _ = writeln!(rows, "{row}");
    }
    sandbox.file("issues.jsonl", rows);
    let ran = sandbox.run(&["learn", "issues.jsonl", "--output", "team.yaml", "--policy", "ready"]).ends_with(0);
    assert!(ran.stdout.contains("a label 22") && ran.stdout.contains("a status or resolution 68"), "{ran:?}");
    // The rate of returned tickets is learned. No question subject gets a weight, and no verdict changes.
    assert!(ran.stdout.contains("No verdict changes") && !sandbox.read("team.yaml").contains("subjects"), "{ran:?}");
    // Patterns of the user replace the shipped ones.
    let patterns = sandbox.run(&["learn", "--print-outcomes"]).ends_with(0).stdout;
    sandbox.file("own.yaml", patterns.replace("    - more (info|", "    - never\n    - more (info|"));
    sandbox.run(&["learn", "issues.jsonl", "--outcomes", "own.yaml"]).ends_with(0);
    sandbox.file("broken.yaml", patterns.replace("    - more (info|", "    - (broken\n    - more (info|"));
    let broken = sandbox.run(&["learn", "issues.jsonl", "--outcomes", "broken.yaml"]).ends_with(2);
    assert!(broken.stderr.contains("the pattern `(broken` is not valid"), "{broken:?}");
}

#[test]
fn broken_team_weights_are_named_with_their_place() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY).file(".reqgate.yaml", "version: 1\nteam_weights: gone.yaml\n");
    let gone = sandbox.run(&["score", "t.md"]).ends_with(2);
    assert!(gone.stderr.contains(".reqgate.yaml:2") && gone.stderr.contains("`gone.yaml` cannot be read"), "{gone:?}");
    sandbox.file("gone.yaml", "schema: reqgate/team-weights/v1\nfeatures: {}\n");
    let old = sandbox.run(&["score", "t.md"]).ends_with(2);
    assert!(old.stderr.contains("`gone.yaml` is of an older version"), "{old:?}");
    sandbox.file("gone.yaml", "schema: reqgate/team-weights/v2\nslope: -3\n");
    let broken = sandbox.run(&["score", "t.md"]).ends_with(2);
    assert!(broken.stderr.contains("the team weights `gone.yaml`"), "{broken:?}");
}
