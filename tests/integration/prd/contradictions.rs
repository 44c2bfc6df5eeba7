//! A reader compares statements that speak of the same things, and a person decides about each contradiction.

use serde_json::{Value, json};

use super::{answered, approved, project, started, submitted};
use crate::cli::Sandbox;
use crate::model::server::{Behaviour, Server};

const BRIEF: &str =
    "# Feature brief: Route sheets\n\n## Constraints\n\n- A submitted sheet is locked for every role.\n";
const REQUIREMENTS: &str = "# Requirements: Route sheets\n\n## Approved\n\n### FR-001: Submit\n\nA guide submits the sheet of a \
    tour.\n\nAcceptance criteria:\n- Missing values of a submitted sheet are filled in by the guide later.\n";

fn conflict(quote: &str, other: &str) -> Value {
    json!({
        "kind": "cannot-both-hold", "quote": quote, "other": other, "requirements": ["FR-001"],
        "title": "A locked sheet is changed", "what": "A submitted sheet is locked, and the guide fills in values.",
        "impact": "The guide cannot save.", "fix": "After submission, a sheet is […].",
    })
}

fn good() -> Value {
    conflict("A submitted sheet is locked", "filled in by the guide later")
}

fn feature() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("f/feature-brief.md", BRIEF).file("f/requirements.md", REQUIREMENTS);
    sandbox
}

#[test]
fn pairs_are_ordered_and_an_answer_is_checked() {
    let sandbox = feature();
    let order = sandbox.run(&["gaps", "f", "--order", "conflicts"]).ends_with(0).json();
    assert_eq!((&order["step"], &order["inputs"]["pairs"]["pairs"]), (&json!("conflicts"), &json!(["S01 S02"])));
    let statements = &order["inputs"]["pairs"]["statements"];
    assert_eq!(statements["S02"], "feature-brief.md:5: A submitted sheet is locked for every role.", "{order:#}");
    assert_eq!(order["submit_with"], "reqgate gaps f --conflicts FILE");
    assert_eq!(sandbox.run(&["gaps", "f", "--order"]).ends_with(0).json()["step"], "gaps");
    let answer = json!({ "conflicts": [good()] });
    assert!(jsonschema::validator_for(&order["result_schema"]).expect("a schema").is_valid(&answer));
    sandbox.file("good.json", answer.to_string());
    let arguments = ["gaps", "f", "--conflicts", "good.json", "--format", "json"];
    let found = sandbox.run(&arguments).ends_with(0).json();
    let gap = &found["gaps"][0];
    assert_eq!((&gap["category"], &gap["requirements"]), (&json!("contradiction"), &json!(["FR-001"])), "{found:#}");
    assert_eq!((&gap["place"]["source"], &gap["place"]["line"]), (&json!("f/feature-brief.md"), &json!(5)));
    assert_eq!((&gap["against"]["source"], &gap["against"]["line"]), (&json!("f/requirements.md"), &json!(10)));
    sandbox.run(&["gaps", "f", "--conflicts", "good.json", "--fail-under", "0.5"]).ends_with(1);

    // A reading that has the contradiction already is combined with it once.
    let mut read = good();
    let known = read.as_object_mut().expect("an object");
    known.remove("kind");
    known.extend([("category".to_owned(), json!("contradiction")), ("severity".to_owned(), json!("high"))]);
    known.insert("title".to_owned(), json!("Lock against filling in"));
    sandbox.file("reading.json", json!({ "gaps": [read] }).to_string());
    let both = ["gaps", "f", "--reading", "reading.json", "--conflicts", "good.json", "--format", "json"];
    assert_eq!(sandbox.run(&both).ends_with(0).json()["gaps"].as_array().map(Vec::len), Some(1));

    let mut decided = good();
    decided["fix"] = json!("A sheet stays locked.");
    let bad = [conflict("words that no document has", "filled in by the guide later"), decided];
    sandbox.file("bad.json", json!({ "conflicts": bad }).to_string());
    let ran = sandbox.run(&["gaps", "f", "--conflicts", "bad.json"]).ends_with(2);
    assert!(ran.stderr.contains("conflicts[0].quote") && ran.stderr.contains("conflicts[1].fix"), "{ran:?}");
    assert!(ran.stdout.is_empty());
    for hostile in
        ["", "null", "{\"conflicts\": 3}", "[[[[[[[[", "{\"conflicts\": [{\"kind\": \"\\u0000\"}]}", "{\"gaps\": []}"]
    {
        sandbox.file("hostile.json", hostile);
        sandbox.run(&["gaps", "f", "--conflicts", "hostile.json"]).ends_with(2);
    }
    sandbox.file("f/requirements.md", "# Requirements: X\n\n## Approved\n\n### FR-001: Weather\n\nIt rains.\n");
    let ran = sandbox.run(&["gaps", "f", "--order", "conflicts"]).ends_with(0);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("nothing to compare"), "{ran:?}");
}

#[test]
fn a_model_reads_for_gaps_and_compares_statements() {
    let sandbox = feature();
    let server = Server::new([
        ("prd_gaps_v1", Behaviour::Says(json!({ "gaps": [] }).to_string())),
        ("prd_conflicts_v1", Behaviour::Says(json!({ "conflicts": [good()] }).to_string())),
    ]);
    let arguments = ["gaps", "f", "--format", "json", "--model", "openai/served", "--base-url", &server.url];
    let ran = sandbox.run_with(&arguments, &[("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", "off")], "");
    assert_eq!(ran.ends_with(0).json()["gaps"][0]["title"], "A locked sheet is changed");
    assert_eq!(server.requests.lock().expect("no test panics here").len(), 2);
}

#[test]
fn statements_of_different_features_are_compared() {
    let sandbox = Sandbox::new();
    let other = "# Requirements: Tours\n\n## Approved\n\n### FR-001: Lock\n\nA submitted sheet is locked for every guide.\n\n\
        ### FR-002: Reopen\n\nThe office reopens a submitted sheet.\n";
    sandbox.file("prd/001-sheets/requirements.md", REQUIREMENTS).file("prd/001-sheets/feature-brief.md", BRIEF);
    sandbox.file("prd/002-tours/requirements.md", other).file("prd/notes/readme.md", "# Notes\n");
    let order = sandbox.run(&["gaps", "prd", "--order", "conflicts"]).ends_with(0).json();
    assert_eq!(order["inputs"]["documents"].as_array().map(Vec::len), Some(3), "{order:#}");
    for words in order["inputs"]["pairs"]["statements"].as_object().expect("statements").values() {
        let words = words.as_str().unwrap_or_default();
        assert!(words.contains("prd/001-sheets/") || words.contains("prd/002-tours/"), "{words}");
    }
    let found = conflict("locked for every guide", "filled in by the guide later");
    sandbox.file("found.json", json!({ "conflicts": [found] }).to_string());
    let analysis = sandbox.run(&["gaps", "prd", "--conflicts", "found.json", "--format", "json"]).ends_with(0).json();
    assert_eq!((&analysis["requirements"], &analysis["withoutGaps"]), (&json!(3), &json!(1)), "{analysis:#}");
    assert_eq!(analysis["gaps"][0]["place"]["source"], "prd/002-tours/requirements.md");
    assert_eq!(analysis["gaps"][0]["against"]["source"], "prd/001-sheets/requirements.md");
    sandbox.run(&["gaps", "prd", "--conflicts", "found.json", "--fail-under", "0.5"]).ends_with(1);
    // Both statements are of one feature.
    let found = conflict("locked for every guide", "The office reopens a submitted sheet");
    sandbox.file("found.json", json!({ "conflicts": [found] }).to_string());
    let ran = sandbox.run(&["gaps", "prd", "--conflicts", "found.json"]).ends_with(2);
    assert!(ran.stderr.contains("conflicts[0].other"), "{ran:?}");
    for arguments in [&["gaps", "prd"][..], &["gaps", "prd", "--reading", "found.json"], &["gaps", "prd", "--order"]] {
        sandbox.run(arguments).ends_with(2);
    }
}

#[test]
fn a_dismissed_contradiction_stays_dismissed_whatever_its_title() {
    let sandbox = project();
    started(&sandbox, &["--author", "agent"]).ends_with(4);
    let submit = |result: &Value| submitted(&sandbox, result);
    let quote = || json!({ "source": "ticket.md", "line": 1, "quote": "export the orders of one customer" });
    let rule = json!({ "text": "An export always has all orders of one customer.", "source": quote() });
    submit(&json!({ "title": "Export", "language": "en", "constraints": [rule] })).ends_with(4);
    approved(&sandbox).ends_with(4);
    submit(&json!({ "functionalRequirements": [{ "id": "FR-001", "title": "Export",
        "description": "An export has only the paid orders of one customer.", "priority": "high", "category": "Functional",
        "acceptance_criteria": ["A file orders.csv with 3 rows is downloaded."], "sources": [quote()] }] }))
    .ends_with(4);
    approved(&sandbox).ends_with(4);
    let found = |title: &str| {
        let mut found = conflict("always has all orders of one customer", "only the paid orders of one customer");
        (found["title"], found["fix"]) = (json!(title), json!("An export has […] orders."));
        json!({ "conflicts": [found] })
    };
    let report = submit(&json!({ "gaps": [] })).ends_with(4).json();
    assert_eq!(report["order"]["step"], "conflicts", "{report:#}");
    let text = sandbox.run(&["prd", "next", "export"]).ends_with(4).stdout;
    assert!(text.contains("pairs (") && text.contains("feature-brief.md:"), "{text}");
    let refused =
        submit(&json!({ "conflicts": [conflict("words that no document has", "the paid orders")] })).ends_with(2);
    assert!(refused.stderr.contains("conflicts[0].quote"), "{refused:?}");
    let report = submit(&found("All or paid orders")).ends_with(4).json();
    let gap = &report["ask"]["request"]["identifiedGaps"][0];
    assert_eq!(
        (&report["ask"]["kind"], &gap["category"]),
        (&json!("gap_decision"), &json!("contradiction")),
        "{report:#}"
    );
    let dismissed = json!({ "decision": "dismiss", "reason": "the paid ones are all" });
    let again = json!({ "userIterationOverride": true, "gaps": { gap["id"].as_str().expect("an id"): dismissed } });
    answered(&sandbox, &again).ends_with(4);
    submit(&json!({ "functionalRequirements": [{ "id": "FR-002", "title": "Empty", "priority": "low", "category": "Functional",
        "description": "Without orders the button is grey.", "acceptance_criteria": ["A customer without orders."],
        "sources": [quote()] }] }))
    .ends_with(4);
    approved(&sandbox).ends_with(4);
    submit(&json!({ "gaps": [] })).ends_with(4);
    let refused = submit(&found("Another title")).ends_with(2);
    assert!(refused.stderr.contains("known gaps"), "{refused:?}");
    let report = submit(&json!({ "conflicts": [] })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "prd_review", "{report:#}");
}

/// The requirements, or the document, that a statement of the order is in: `FR-003`, `feature-brief.md`.
fn owner(statement: &str) -> &str {
    statement.split([',', ':']).next().unwrap_or_default()
}

/// Returns true if a pair of statements is one of the requirement, or of the requirement and the statement of the brief, of a contradiction.
fn shows(pair: [&str; 2], known: &Value, brief: &str) -> bool {
    let ids: Vec<&str> = known["ids"].as_array().expect("ids").iter().filter_map(Value::as_str).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|id| *id != "brief").collect();
    match ids.as_slice() {
        [only] => {
            let quotes = ["a", "b"].map(|side| known[side].as_str().expect("a quote"));
            let of_brief = quotes.into_iter().find(|quote| brief.contains(quote)).expect("a quote of the brief");
            let has = |statement: &str| owner(statement).ends_with(".md") && statement.contains(of_brief);
            pair.iter().any(|one| owner(one) == *only) && pair.iter().any(|one| has(one))
        }
        [first, second] => {
            let owners = pair.map(owner);
            owners == [*first, *second] || owners == [*second, *first]
        }
        _ => false,
    }
}

/// The sets a and b, on which the ranking was tuned; c and d are sealed (tests/contradictions/README.md).
#[test]
fn the_pairs_contain_nine_of_ten_known_contradictions_of_the_tuning_sets() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contradictions");
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).expect("a file of the set");
    let (mut all, mut among) = (0, 0);
    for set in ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "b3", "b4", "b5", "b6"] {
        let sandbox = Sandbox::new();
        let brief = read(&format!("{set}/feature-brief.md"));
        sandbox.file("f/feature-brief.md", &brief).file("f/requirements.md", read(&format!("{set}/requirements.md")));
        let order = sandbox.run(&["gaps", "f", "--order", "conflicts"]).ends_with(0).json();
        let statement = |id: &str| order["inputs"]["pairs"]["statements"][id].as_str().expect("a statement");
        let pairs = order["inputs"]["pairs"]["pairs"].as_array().expect("a list");
        assert!(pairs.len() <= 60, "{set}: {}", pairs.len());
        let pairs: Vec<[&str; 2]> = pairs
            .iter()
            .filter_map(|pair| pair.as_str()?.split_once(' '))
            .map(|(one, other)| [statement(one), statement(other)])
            .collect();
        let key: Value = serde_json::from_str(&read(&format!("{set}/key.json"))).expect("a key");
        for known in key["conflicts"].as_array().expect("a list") {
            all += 1;
            among += usize::from(pairs.iter().any(|pair| shows(*pair, known, &brief)));
        }
    }
    println!("{among} of {all} known contradictions are among the pairs");
    assert!(all == 72 && among * 10 >= all * 9, "{among} of {all}");
}
