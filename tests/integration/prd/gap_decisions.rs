//! One decision per gap: dismissed with a reason, made an open question, or to be fixed. It is recorded, and the gap is
//! not asked about again.

use serde_json::{Value, json};

use super::{answered, approved, approved_until, open_ask, started, with_gaps};
use crate::cli::Sandbox;

const BRIEF: &str = "docs/prd/001-export/feature-brief.md";

/// A thread that asks about its gaps.
fn asks_about_gaps() -> (Sandbox, Value) {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved_until(&sandbox, "gap_decision");
    let ask = open_ask(&sandbox);
    (sandbox, ask["request"]["identifiedGaps"].clone())
}

/// The id of the gap of a requirement.
fn id_of<'g>(gaps: &'g Value, requirement: &str) -> &'g str {
    let found = gaps.as_array().expect("a list").iter().find(|gap| gap["requirements"] == json!([requirement]));
    found.unwrap_or_else(|| panic!("{requirement}: {gaps:#}"))["id"].as_str().expect("an id")
}

#[test]
fn each_gap_is_decided_recorded_and_not_asked_again() {
    let (sandbox, gaps) = asks_about_gaps();
    let (first, second) = (id_of(&gaps, "FR-001"), id_of(&gaps, "FR-002"));
    for (wrong, path) in [
        (json!({ "gaps": { first: { "decision": "dismiss", "reason": " " } } }), format!("gaps.{first}.reason")),
        (json!({ "gaps": { "GAP-099": { "decision": "fix" } } }), "gaps.GAP-099".to_owned()),
    ] {
        let ran = answered(&sandbox, &wrong).ends_with(2);
        assert!(ran.stderr.contains(&path), "{}", ran.stderr);
    }
    let fix = json!({ "gaps": {
        first: { "decision": "dismiss", "reason": "one click shows it" },
        second: { "decision": "fix", "how": "name the columns" },
    } });
    let report = answered(&sandbox, &fix).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "what is to be fixed makes another round");
    let shown = sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Requested of this round:\n") && shown.contains(": name the columns"), "{shown}");
    let again = approved(&sandbox).ends_with(4).json();
    assert_eq!(again["ask"]["kind"], "gap_decision");
    let left = &again["ask"]["request"]["identifiedGaps"];
    assert!(!left.to_string().contains("FR-001"), "what was dismissed is not told again: {left:#}");
    let ask =
        json!({ "decision": "ask", "question": "Which columns does the file have?", "owner": "Mei", "due": "12 Dec" });
    let gaps: serde_json::Map<String, Value> = left
        .as_array()
        .expect("a list")
        .iter()
        .map(|gap| (gap["id"].as_str().expect("an id").to_owned(), ask.clone()))
        .collect();
    let report = answered(&sandbox, &json!({ "gaps": gaps })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "prd_review", "everything is decided");
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD").to_owned();
    assert!(prd.contains(": Which columns does the file have? (owner: Mei; due: 12 Dec) [blocks FR-002]"), "{prd}");
    let log = prd.split("## Change log").nth(1).expect("a log");
    assert!(log.contains("gap dismissed: one click shows it"), "{log}");
    assert!(!prd.contains("## Known gaps"), "{prd}");
    // The question is in the brief once, in a place where it can be answered.
    let brief = sandbox.read(BRIEF);
    let asked = ": Which columns does the file have?";
    assert!(brief.matches(asked).count() == 1 && brief.contains("  Owner: Mei\n  Due: 12 Dec\n"), "{brief}");
    assert!(brief.starts_with("---\ndocument: "), "its front matter stays: {brief}");
    let (before, after) = brief.split_once(asked).expect("the question");
    let after = after.replacen("Answer: ______", "Answer: Number, date and total.", 1);
    sandbox.file(BRIEF, format!("{before}{asked}{after}"));
    let approve = json!({ "prdApproved": true, "gateOverride": "the rest is open" });
    let report = answered(&sandbox, &approve).ends_with(4).json();
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD").to_owned();
    let line = "### Answered questions\n\n- Q-006: Which columns does the file have? Number, date and total.\n";
    assert!(prd.contains(line), "{prd}");
    answered(&sandbox, &approve).ends_with(0);
    let data: Value = serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON");
    let choices: Vec<&str> = data["gapDecisions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["choice"]["decision"].as_str())
        .collect();
    assert!(choices.starts_with(&["dismiss", "fix"]) || choices.starts_with(&["fix", "dismiss"]), "{choices:?}");
    assert!(choices[2..].iter().all(|choice| *choice == "ask") && choices.len() > 2, "{choices:?}");
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains("one click shows it"), "{history}");
}

/// A requirement that was approved and is shown again because of its gap can still be deferred.
#[test]
fn a_deferral_in_a_later_round_takes_the_approval_back() {
    let (sandbox, gaps) = asks_about_gaps();
    let fix = json!({ "gaps": { id_of(&gaps, "FR-001"): { "decision": "fix" } } });
    answered(&sandbox, &fix).ends_with(4);
    let approved_part = || {
        let file = sandbox.read("docs/prd/001-export/requirements.md");
        file.split("## Approved").nth(1).expect("a section").split("\n## ").next().unwrap_or_default().to_owned()
    };
    assert!(approved_part().contains("FR-001"));
    let defer = json!({ "verdicts": [{ "id": "FR-001", "verdict": "defer" }], "userIterationPreference": true });
    let report = answered(&sandbox, &defer).ends_with(4).json();
    assert!(!approved_part().contains("### FR-001"), "{}", approved_part());
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD");
    assert!(!prd.contains("| FR-001 |"), "{prd}");
}

/// A gap that a new criterion closes is closed at once, without another draft.
#[test]
fn a_criterion_closes_a_gap_at_once() {
    const FILE: &str = "docs/prd/001-export/requirements.md";
    const CRITERION: &str = "The file has the columns number, day and amount.";
    let (sandbox, gaps) = asks_about_gaps();
    let (first, second) = (id_of(&gaps, "FR-001").to_owned(), id_of(&gaps, "FR-002").to_owned());
    let fix_of = |requirement: Value, criterion: &str| json!({ "decision": "fix", "criterion": criterion, "requirement": requirement });
    let fix = |criterion: &str| fix_of(json!("FR-001"), criterion);
    let elsewhere = fix_of(json!("FR-099"), CRITERION);
    let nowhere = fix_of(Value::Null, CRITERION);
    for (wrong, field) in [
        (fix(" "), "criterion"),
        (fix("It has […] columns."), "criterion"),
        (elsewhere, "requirement"),
        (nowhere, "requirement"),
    ] {
        let ran = answered(&sandbox, &json!({ "gaps": { &first: wrong } })).ends_with(2);
        assert!(ran.stderr.contains(&format!("gaps.{first}.{field}")), "{}", ran.stderr);
    }
    // A criterion that was meanwhile added to another requirement is still reviewed.
    let file = sandbox.read(FILE);
    let (before, after) = file.split_at(file.find("### FR-002").expect("a requirement"));
    let by_hand = after.replacen("\n\n", "\n\nWithin 5 seconds: ", 1);
    sandbox.file(FILE, format!("{before}{by_hand}"));
    let keep = json!({ "decision": "dismiss", "reason": "known" });
    let rest = gaps.as_array().expect("a list").iter().map(|gap| gap["id"].as_str().expect("an id").to_owned());
    let mut decided: serde_json::Map<String, Value> = rest.map(|id| (id, keep.clone())).collect();
    decided.insert(first, fix(CRITERION));
    decided.insert(second, keep);
    let report = answered(&sandbox, &json!({ "gaps": decided })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    assert_eq!(report["ask"]["request"]["changedByHand"][0]["id"], "FR-002", "{report:#}");
    let file = sandbox.read(FILE);
    assert!(file.contains(&format!("- {CRITERION}")) && file.contains("Within 5 seconds: "), "{file}");
    let report = approved(&sandbox).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "prd_review", "{report:#}");
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD").to_owned();
    assert!(prd.contains(CRITERION) && !prd.contains("## Known gaps"), "{prd}");
}

/// New words of a requirement, and further requirements, close a gap at once too.
#[test]
fn whoever_decides_may_say_what_closes_a_gap() {
    let (sandbox, gaps) = asks_about_gaps();
    let (first, second) = (id_of(&gaps, "FR-001").to_owned(), id_of(&gaps, "FR-002").to_owned());
    let changes = |requirement: &str, changes: Value| json!({ "decision": "fix", "requirement": requirement, "changes": changes });
    let added = |words: &str| json!({ "decision": "fix", "added": [{ "title": "Columns", "description": words }] });
    for (wrong, field) in [
        (changes("FR-099", json!({ "description": "It exports CSV." })), "requirement"),
        (changes("FR-001", json!({})), "changes"),
        (changes("FR-001", json!({ "acceptanceCriteria": ["It has ____ columns."] })), "changes"),
        (added("It has [TBD] columns."), "added[0].description"),
        (json!({ "decision": "fix", "how": "ask Mei", "requirement": "FR-001", "criterion": "It opens." }), "how"),
    ] {
        let ran = answered(&sandbox, &json!({ "gaps": { &first: wrong } })).ends_with(2);
        assert!(ran.stderr.contains(&format!("gaps.{first}.{field}")), "{}", ran.stderr);
    }
    let keep = json!({ "decision": "dismiss", "reason": "known" });
    let rest = gaps.as_array().expect("a list").iter().map(|gap| gap["id"].as_str().expect("an id").to_owned());
    let mut decided: serde_json::Map<String, Value> = rest.map(|id| (id, keep.clone())).collect();
    decided.insert(first, changes("FR-001", json!({ "acceptanceCriteria": ["The file is UTF-8."] })));
    // A gap may be closed in a requirement that it does not name.
    let mut both = added("The file has the columns number, day and amount.");
    both["requirement"] = "FR-001".into();
    both["criterion"] = "It opens in a spreadsheet.".into();
    decided.insert(second, both);
    let ran = answered(&sandbox, &json!({ "gaps": decided })).ends_with(4);
    assert!(ran.stderr.contains("recorded – gaps: 2"), "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(report["ask"]["kind"], "prd_review", "nobody writes or reviews another round: {report:#}");
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD").to_owned();
    assert!(!prd.contains("## Known gaps"), "{prd}");
    let file = sandbox.read("docs/prd/001-export/requirements.md");
    let approved = file.split("## Approved").nth(1).expect("a section");
    for words in [
        "- The file is UTF-8.",
        "- It opens in a spreadsheet.",
        ": Columns\n",
        "The file has the columns number, day and amount.",
        "ask:gap_decision:1",
    ] {
        assert!(approved.contains(words), "{words}: {file}");
    }
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains("is closed"), "{history}");
}

/// A criterion for an undecided requirement is part of it in the next review, and reaches every document.
#[test]
fn a_criterion_for_an_undecided_requirement_is_not_lost() {
    const CRITERION: &str = "A lead sees the 31 exports of January.";
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved_until(&sandbox, "requirements_review");
    let shown = open_ask(&sandbox)["request"]["requirements"].clone();
    let of = |words: &str| {
        let found = shown.as_array().expect("a list").iter().find(|one| one["description"].to_string().contains(words));
        found.unwrap_or_else(|| panic!("{shown:#}"))["id"].clone()
    };
    let (first, second) = (of("one customer"), of("Team leads"));
    let verdicts = json!({ "verdicts": [{ "id": first, "verdict": "approve" }, { "id": second, "verdict": "defer" }] });
    answered(&sandbox, &verdicts).ends_with(4);
    let ask = open_ask(&sandbox);
    assert_eq!(ask["kind"], "gap_decision", "{ask:#}");
    let gaps = ask["request"]["identifiedGaps"].clone();
    let gap = gaps
        .as_array()
        .expect("a list")
        .iter()
        .find(|gap| gap["requirements"].to_string().contains(second.as_str().expect("an id")));
    let gap = gap.unwrap_or_else(|| panic!("{gaps:#}"))["id"].as_str().expect("an id").to_owned();
    let fix = json!({ "gaps": { gap: { "decision": "fix", "requirement": second, "criterion": CRITERION } } });
    let report = answered(&sandbox, &fix).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    let review = &report["ask"]["request"];
    assert!(review["requirements"].to_string().contains(CRITERION), "{review:#}");
    assert_eq!(review.get("changedByHand"), None, "it is the person's own decision: {review:#}");
    answered(&sandbox, &json!({ "verdicts": [], "others": "approve" })).ends_with(4);
    while open_ask(&sandbox)["kind"] != "prd_review" {
        answered(&sandbox, &json!({ "userIterationOverride": false })).ends_with(4);
    }
    let prd = open_ask(&sandbox)["request"]["document"].clone();
    assert!(prd.to_string().contains(CRITERION), "{prd}");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot first" })).ends_with(0);
    for file in ["prd.md", "prd.json", "requirements.md"] {
        let text = sandbox.read(&format!("docs/prd/001-export/{file}"));
        assert!(text.contains(CRITERION), "{file}: {text}");
    }
    let page = sandbox.run(&["prd", "view", "export"]).ends_with(0).stdout;
    assert!(page.contains(CRITERION));
}
