//! Whole runs of the team, recorded with careful readers and writers and replayed offline.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answered;
use crate::cli::Sandbox;

/// A recorded run: the vision and its sources, each result by its step and round, each answer, and the expected end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    #[serde(rename = "about")]
    _about: String,
    vision: String,
    sources: Vec<String>,
    options: Vec<String>,
    results: Map<String, Value>,
    answers: Vec<Value>,
    expected: Value,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(name)
}

fn recorded(name: &str) -> Recorded {
    let text = fs::read_to_string(folder(name).join("run.json")).expect("the run is in the repository");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Replays a run: each order of a step gets the next recorded result of the step, each question the next answer. With
/// `backwards`, orders that are open at the same time are carried out in reverse order.
fn replayed(name: &str, backwards: bool) -> (Sandbox, Value) {
    let mut run = recorded(name);
    let sandbox = Sandbox::new();
    let mut start = vec!["prd", "start", &run.vision, "--id", "x", "--flow", "team", "--author", "agent"];
    for source in &run.sources {
        sandbox.file(source, fs::read_to_string(folder(name).join(source)).expect("a source"));
        start.extend(["--from", source.as_str()]);
    }
    start.extend(run.options.iter().map(String::as_str));
    let mut ran = sandbox.run(&[start.as_slice(), &["--format", "json"]].concat()).ends_with(4);
    loop {
        let report = ran.json();
        if report["status"] == "completed" {
            break;
        }
        if !report["ask"].is_null() {
            ran = answered(&sandbox, &run.answers.remove(0));
            continue;
        }
        let others = report["other_orders"].as_array().into_iter().flatten();
        let mut orders: Vec<&Value> = std::iter::once(&report["order"]).chain(others).collect();
        if backwards {
            orders.reverse();
        }
        for order in orders {
            let (step, id) = (order["step"].as_str().expect("a step"), order["id"].as_str().expect("an id"));
            let results = run.results.get_mut(step).and_then(Value::as_array_mut);
            let result = results.filter(|all| !all.is_empty()).map(|all| all.remove(0));
            // The runs were recorded before requirements were compared.
            let result = result.or_else(|| (step == "conflicts").then(|| json!({ "conflicts": [] })));
            let result = result.unwrap_or_else(|| panic!("{name}: no more results of {step}")).to_string();
            let submit = ["prd", "submit", id, "--json", "-", "--format", "json"];
            ran = sandbox.run_with(&submit, &[], &result);
            assert!([0, 4].contains(&ran.code), "{name}, {step}: {}", ran.stderr);
        }
    }
    let left: Vec<&String> = run.results.iter().filter(|(_, left)| left != &&json!([])).map(|(step, _)| step).collect();
    assert!(left.is_empty() && run.answers.is_empty(), "{name}: not everything was asked for: {left:?}");
    let folder = sandbox.names("docs/prd").into_iter().next().expect("a folder");
    let data = sandbox.read(&format!("docs/prd/{folder}/prd.json"));
    (sandbox, serde_json::from_str(&data).expect("JSON"))
}

fn ends_as_recorded(name: &str, backwards: bool) {
    let expected = recorded(name).expected;
    let (sandbox, data) = replayed(name, backwards);
    for (field, value) in expected.as_object().expect("fields") {
        assert_eq!(&data[field], value, "{name}: {field}");
    }
    let folder = sandbox.names("docs/prd").into_iter().next().expect("a folder");
    let prd = sandbox.read(&format!("docs/prd/{folder}/prd.md"));
    // Every cited source is listed, and no others.
    assert!(!prd.contains("<cite:"), "{prd}");
    for line in prd.lines().filter(|line| line.starts_with("- [src-")) {
        assert!(recorded(name).sources.iter().any(|source| line.ends_with(source)), "{line}");
    }
}

#[test]
fn a_run_about_instrument_trays_ends_on_a_plateau() {
    ends_as_recorded("tray-tracking", false);
}

#[test]
fn a_run_about_late_checkout_ends_as_recorded() {
    ends_as_recorded("yanchi-tuifang", false);
}

/// The orders of critics and of researchers do not depend on each other.
#[test]
fn a_run_about_hot_work_ends_the_same_when_orders_come_back_backwards() {
    ends_as_recorded("hot-work-permit", true);
}

#[test]
fn a_run_about_discounts_ends_after_the_only_revision() {
    ends_as_recorded("linqi-dazhe", false);
}

/// Three critics submit at the same moment, and one of them is refused.
#[test]
fn critics_may_hand_in_at_the_same_time() {
    let run = recorded("linqi-dazhe");
    let sandbox = Sandbox::new();
    let mut start =
        vec!["prd", "start", &run.vision, "--id", "x", "--flow", "team", "--author", "agent", "--ask-at", "final"];
    for source in &run.sources {
        sandbox.file(source, fs::read_to_string(folder("linqi-dazhe").join(source)).expect("a source"));
        start.extend(["--from", source.as_str()]);
    }
    sandbox.run(&start).ends_with(4);
    let submit = |id: &str, result: &Value| {
        sandbox.run_with(&["prd", "submit", id, "--json", "-", "--format", "json"], &[], &result.to_string())
    };
    for step in ["outline", "team-draft"] {
        let next = sandbox.run(&["prd", "next", "x", "--json"]).json();
        assert_eq!(next["order"]["step"], step);
        submit(next["order"]["id"].as_str().expect("an id"), &run.results[step][0]).ends_with(4);
    }
    let next = sandbox.run(&["prd", "next", "x", "--json"]).json();
    let open: Vec<(&str, &str)> = next["open_orders"]
        .as_array()
        .expect("four orders")
        .iter()
        .map(|one| (one["id"].as_str().expect("an id"), one["step"].as_str().expect("a step")))
        .collect();
    let steps: Vec<&str> = open.iter().map(|(_, step)| *step).collect();
    assert_eq!(steps, ["director-critique", "design-critique", "engineering-critique", "conflicts"]);
    let shown = sandbox.run(&["prd", "next", "x"]).ends_with(4).stdout;
    assert!(shown.contains("要求和结果格式：同工作单"), "what is the same is shown once: {shown}");
    let resumed = sandbox.run(&["prd", "resume", "x"]).ends_with(4).stdout;
    assert!(open.iter().all(|(id, _)| resumed.contains(&format!("prd submit {id}"))), "{resumed}");
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let results = &run.results;
        let threads: Vec<_> = open
            .iter()
            .map(|(id, step)| {
                let result = match *step {
                    "design-critique" => json!({}),
                    "conflicts" => json!({ "conflicts": [] }),
                    step => results[step][0].clone(),
                };
                let submit = &submit;
                scope.spawn(move || submit(id, &result).code)
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert_eq!(codes, [4, 2, 4, 4], "all are taken or refused, none is told to come again");
    let next = sandbox.run(&["prd", "next", "x", "--json"]).json();
    assert_eq!((&next["order"]["step"], &next["order"]["attempt"]), (&json!("design-critique"), &json!(2)));
    assert!(next["open_orders"].is_null(), "the other three are in: {next:#}");
    // A repeated submission is not recorded again, and a different one is refused.
    let again = submit(open[0].0, &run.results[open[0].1][0]).ends_with(4);
    assert!(again.stderr.contains("already submitted"), "{}", again.stderr);
    assert!(submit(open[0].0, &json!({ "role": "director" })).ends_with(2).stderr.contains("is not open"));
    let id = next["order"]["id"].as_str().expect("an id").to_owned();
    let after = submit(&id, &run.results["design-critique"][0]).ends_with(4).json();
    assert_eq!(after["order"]["step"], "team-revision");
    let shown = sandbox.run(&["prd", "resume", "x"]).ends_with(4).stdout;
    let outline = shown.lines().find(|line| line.starts_with("outline")).expect("the outline");
    assert!(outline.ends_with("/outline.md"), "a document on disk is named and not shown again: {outline}");
    assert!(after["open_orders"].is_null());
    sandbox.run(&["prd", "verify", "x"]).ends_with(0);
}
