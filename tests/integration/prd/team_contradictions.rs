//! A reader of the team compares requirements; which of two contradicting statements holds is decided by a person, and never
//! by a writer.

use serde_json::{Value, json};

use super::team::{Grades, Team, document};
use super::{answered, open_ask};
use crate::cli::Ran;

const LOCKED: &str = "A submitted export is locked for every role";
const CHANGED: &str = "An agent changes a submitted export later";
const QUESTION: &str = "Which holds: FR-001 “A submitted export is locked for every role” or FR-002 “An agent changes a submitted export later”?";

fn start(rounds: &[Grades]) -> Team {
    Team::start(rounds, &["--ask-at", "final"])
}

fn next(team: &Team) -> Value {
    let report = team.sandbox.run(&["prd", "next", "export", "--json"]);
    if report.code == 2 { Value::Null } else { report.json()["order"].clone() }
}

#[track_caller]
fn submit(team: &Team, result: &Value) -> Ran {
    let id = next(team)["id"].as_str().expect("an order").to_owned();
    team.sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &result.to_string())
}

/// The draft whose requirements contradict each other.
fn draft(team: &Team) -> Value {
    let mut draft = document(&team.vision, 0);
    draft["functional_requirements"] = json!([
        { "id": "FR-001", "title": "Lock", "priority": "must", "description": format!("{LOCKED}."), "acceptance_criteria": ["A lock is shown."] },
        { "id": "FR-002", "title": "Change", "priority": "should", "description": format!("{CHANGED}."), "acceptance_criteria": ["[…]"] },
    ]);
    draft
}

fn conflict(quote: &str, other: &str) -> Value {
    json!({ "conflicts": [{
        "kind": "cannot-both-hold", "quote": quote, "other": other, "requirements": ["FR-001", "FR-002"],
        "title": "A locked export is changed", "what": "A submitted export is locked, and an agent changes it.",
        "impact": "The agent cannot save.", "fix": "After submission, an export is […].",
    }] })
}

/// Carries out the open orders until one of this step, or until a person is asked.
fn work_until(team: &mut Team, step: &str, found: &Value) -> Value {
    loop {
        let order = next(team);
        if order.is_null() || order["step"] == step {
            return order;
        }
        let result = match order["step"].as_str().expect("a step") {
            "team-draft" => draft(team),
            "conflicts" => found.clone(),
            _ => team.result(&order),
        };
        submit(team, &result).ends_with(4);
    }
}

/// A revision of the requirements, with this one in the place of the second.
fn requirements(second: &str) -> Value {
    let rest = |priority: &str| format!("- Priority: {priority}\n- Acceptance criteria:\n  - A lock is shown.\n");
    let first = format!("### FR-001: Lock\n\n{LOCKED}.\n\n{}", rest("Must"));
    let text = format!("{first}\n### FR-002: Change\n\n{second}\n\n{}", rest("Should"));
    json!({ "sections": [{ "heading": "Functional Requirements", "text": text }] })
}

#[test]
fn an_invented_quote_is_refused() {
    let mut team = start(&[(80, 80, 80)]);
    let order = work_until(&mut team, "conflicts", &Value::Null);
    let statements = order["inputs"]["pairs"]["statements"].to_string();
    assert!(statements.contains("FR-001, prd:") && statements.contains("FR-002, prd:"), "{order:#}");
    let refused = |quote: &str, other: &str, field: &str, told: &str| {
        let ran = submit(&team, &conflict(quote, other)).ends_with(2);
        assert!(ran.stderr.contains(field) && ran.stderr.contains(told), "{field}: {}", ran.stderr);
    };
    refused("An export is deleted after a year", CHANGED, "conflicts[0].quote", "is not in");
    refused(LOCKED, "A lock is shown", "conflicts[0].other", "both quotes are from one requirement");
    submit(&team, &conflict(LOCKED, CHANGED)).ends_with(4);
}

#[test]
fn a_contradiction_is_a_question_in_the_document_until_a_person_dismisses_it() {
    let mut team = start(&[(60, 60, 60), (80, 80, 80)]);
    let found = conflict(LOCKED, CHANGED);
    let order = work_until(&mut team, "team-revision", &found);
    let gap = &order["inputs"]["gaps"][0];
    assert_eq!((&gap["id"], &gap["requirements"]), (&json!("GAP-001"), &json!(["FR-001", "FR-002"])), "{order:#}");
    let shown = team.sandbox.run(&["prd", "next", "export"]).ends_with(4).stdout;
    assert!(shown.contains("FR-001:") && shown.contains(LOCKED) && shown.contains("today: 20"), "{shown}");
    // The writer may not choose, not even by leaving one statement out.
    let ran = submit(&team, &requirements("An agent reads a submitted export later.")).ends_with(2);
    assert!(ran.stderr.contains("a person decides which statement holds"), "{}", ran.stderr);
    let revision = team.result(&order);
    submit(&team, &revision).ends_with(4);
    let second = team.sandbox.read("docs/prd/001-export/prd_v2.md");
    assert!(second.contains(&format!("- Who decides?\n- {QUESTION}\n")), "{second}");
    // Unchanged requirements are not compared again.
    assert_eq!(work_until(&mut team, "conflicts", &found), Value::Null);

    let ask = open_ask(&team.sandbox);
    let request = &ask["request"];
    let contradiction = &request["contradictions"][0];
    assert_eq!((&ask["kind"], &contradiction["place"]["source"]), (&json!("final_approval"), &json!("prd")), "{ask:#}");
    let lines: Vec<&str> = request["document"].as_str().expect("a document").lines().collect();
    for (place, words) in [("place", LOCKED), ("against", CHANGED)] {
        let line = contradiction[place]["line"].as_u64().expect("a line") as usize;
        assert!(lines[line - 1].contains(words), "{contradiction:#}");
    }
    assert!(request["summary"].as_str().is_some_and(|text| text.contains("GAP-001: FR-001 ↔ FR-002")), "{request:#}");
    let shown = team.sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Requirements that contradict each other") && shown.contains(CHANGED), "{shown}");

    let refused = |answer: Value, told: &str| {
        let ran = answered(&team.sandbox, &answer).ends_with(2);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    };
    refused(json!({ "approved": true }), "because");
    refused(json!({ "approved": false, "dismiss": { "GAP-007": "x" } }), "no contradiction with this id");
    refused(json!({ "approved": false, "dismiss": { "GAP-001": " " } }), "why both statements can hold");
    refused(
        json!({ "approved": true, "because": "x", "dismiss": { "GAP-001": "x" } }),
        "dismiss it without an approval",
    );
    answered(&team.sandbox, &json!({ "approved": false, "dismiss": { "GAP-001": "Agents change a copy." } }))
        .ends_with(4);
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!((&request["checkpoint"], &request["version"]), (&json!("final_approval"), &json!(2)), "{request:#}");
    assert!(request.get("contradictions").is_none() && !request.to_string().contains("Which holds"), "{request:#}");

    // After another change of the requirements, the dismissed pair is known.
    answered(&team.sandbox, &json!({ "approved": false, "userFeedback": "Say who sees the lock." })).ends_with(4);
    work_until(&mut team, "team-revision", &found);
    submit(&team, &requirements(&format!("{CHANGED}. The office sees the lock."))).ends_with(4);
    let order = work_until(&mut team, "conflicts", &found);
    assert_eq!(order["inputs"]["gaps"][0]["id"], "GAP-001", "{order:#}");
    let ran = submit(&team, &found).ends_with(2);
    assert!(ran.stderr.contains("known gaps"), "{}", ran.stderr);
    work_until(&mut team, "", &json!({ "conflicts": [] }));
    answered(&team.sandbox, &json!({ "approved": true, "because": "read" })).ends_with(0);
    let data = team.data();
    let dismissed = &data["dismissed_contradictions"][0]["choice"];
    assert_eq!(
        (&data["contradictions"], &dismissed["reason"]),
        (&json!([]), &json!("Agents change a copy.")),
        "{data:#}"
    );
    let prd = team.sandbox.read("docs/prd/001-export/prd.md");
    assert!(!prd.contains("Which holds") && prd.contains("FR-001 ↔ FR-002 do not contradict"), "{prd}");
    assert!(team.sandbox.read("docs/prd/001-export/critiques.md").contains(LOCKED));
}

#[test]
fn a_person_says_which_statement_holds() {
    let mut team = start(&[(80, 80, 80)]);
    let found = conflict(LOCKED, CHANGED);
    work_until(&mut team, "", &found);
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!((&request["version"], &request["criticsApprove"]), (&json!(1), &json!(true)), "{request:#}");
    assert!(
        request["document"].as_str().is_some_and(|text| text.contains(QUESTION)),
        "critics who approve hide nothing"
    );
    answered(&team.sandbox, &json!({ "approved": false, "userFeedback": "FR-001 holds." })).ends_with(4);
    work_until(&mut team, "team-revision", &found);
    submit(&team, &requirements("An agent reads a submitted export later.")).ends_with(4);
    work_until(&mut team, "", &json!({ "conflicts": [] }));
    let request = open_ask(&team.sandbox)["request"].clone();
    assert!(
        request.get("contradictions").is_none() && !request["document"].to_string().contains("Which holds"),
        "{request:#}"
    );
}

#[test]
fn an_accepted_contradiction_stays_an_open_question() {
    let mut team = start(&[(80, 80, 80)]);
    work_until(&mut team, "", &conflict(LOCKED, CHANGED));
    answered(&team.sandbox, &json!({ "approved": true, "because": "the office decides in May" })).ends_with(0);
    let prd = team.sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains(&format!("- Q-002: {QUESTION}")) && prd.contains("accepted_open_questions:"), "{prd}");
    assert_eq!(team.data()["contradictions"].as_array().map(Vec::len), Some(1));
    assert!(team.sandbox.run(&["inbox"]).ends_with(0).stdout.contains("Which holds"));
}

#[test]
fn a_reader_who_finds_none_stays_quiet() {
    let mut team = start(&[(80, 80, 80)]);
    work_until(&mut team, "", &json!({ "conflicts": [] }));
    let request = open_ask(&team.sandbox)["request"].clone();
    assert!(request.get("contradictions").is_none() && !request.to_string().contains("ontradict"), "{request:#}");
    answered(&team.sandbox, &json!({ "approved": true, "because": "read" })).ends_with(0);
    let data = team.data();
    assert_eq!((&data["contradictions"], &data["feedback_rounds"][0]["contradictions"]), (&json!([]), &json!([])));
}
