//! The output of eval, calibrate, rubric diff and dispute, and the use of it.

use std::fmt::Write;

use super::root;
use super::sandbox::{READY, Sandbox, UNREADY};

const SUITE: &str = "\
version: 1
name: <b>mine</b>
benchmarks:
  - id: verdicts
    title: <script>alert(1)</script>
    data: { file: rows.jsonl }
    task: { verdict: {} }
    label: { class: { field: verdict } }
    measures:
      - { measure: accuracy, at_least: 0.5 }
      - { measure: macro-f1 }
";

fn suite_with_rows(sandbox: &Sandbox) {
    sandbox.file("s.yaml", SUITE);
    let row = |at: usize| {
        let (text, verdict) = if at.is_multiple_of(2) { (READY, "PASS") } else { (UNREADY, "REJECT") };
        format!("{}\n", serde_json::json!({ "id": format!("r{at}"), "text": text, "verdict": verdict }))
    };
    sandbox.file("rows.jsonl", (0..30).map(row).collect::<String>());
}

#[test]
fn an_evaluation_fits_its_schema_and_a_later_run_is_compared_with_it() {
    let sandbox = Sandbox::new();
    suite_with_rows(&sandbox);
    sandbox.file(".reqgate.yaml", "policy: strict\n");
    let ran = sandbox.run(&["eval", "s.yaml", "--format", "json", "--output", "json=e.json"]).ends_with(0);
    assert_eq!(ran.stdout, sandbox.read("e.json"));
    let schema = sandbox.run(&["schema", "eval"]).ends_with(0).json();
    let validator = jsonschema::validator_for(&schema).expect("the schema is well formed");
    let errors: Vec<String> = validator.iter_errors(&ran.json()).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert_eq!(ran.json()["benchmarks"][0]["figures"][0]["result"]["value"], 1.0);

    let same = sandbox.run(&["eval", "s.yaml", "--baseline", "e.json"]).ends_with(0);
    assert!(same.stdout.contains("2 figures are the same"), "{same:?}");
    sandbox.file(".reqgate.yaml", "policy: strict\nthresholds: { feature: 100 }\n");
    let worse = sandbox.run(&["eval", "s.yaml", "--baseline", "e.json"]).ends_with(1);
    assert!(worse.stdout.contains("verdicts accuracy: 1.000 → .500") && worse.stdout.contains("lost"), "{worse:?}");
    std::fs::remove_file(sandbox.path("rows.jsonl")).expect("it is there");
    sandbox.run(&["eval", "s.yaml", "--baseline", "e.json"]).ends_with(2);
}

#[test]
fn the_page_loads_nothing_and_shows_words_as_words() {
    let sandbox = Sandbox::new();
    suite_with_rows(&sandbox);
    sandbox.run(&["eval", "s.yaml", "--output", "html=e.html", "--output", "markdown=e.md"]).ends_with(0);
    let page = sandbox.read("e.html");
    for forbidden in ["<script", "<b>", "http:", "https:", "url(", "src=", " style="] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;script&gt;") && page.contains("<svg"));
    let page = sandbox.read("e.md");
    assert!(page.contains("\\<script\\>") && !page.replace("\\<", "").contains("<script"), "{page}");
    sandbox.file("e.md", format!("# Kept\n\n{page}\nKept too.\n"));
    sandbox.run(&["eval", "s.yaml", "--output", "markdown=e.md"]).ends_with(0);
    assert_eq!(sandbox.read("e.md"), format!("# Kept\n\n{page}\nKept too.\n"));
}

/// Forty tickets of one kind: those with three criteria were accepted, those with one long list of wishes returned.
fn history() -> String {
    let mut rows = String::new();
    for at in 0..44 {
        let good = at % 2 == 0;
        let criteria = if good {
            format!(
                "- When the clerk presses Print, {at} labels are printed.\n- When the printer is off, the message “off” is shown.\n"
            )
        } else {
            format!("- When the clerk presses Print, {at} labels are printed.\n- The message “done {at}” is shown.\n")
        };
        let story = if good {
            "As a clerk I want to print labels, so that parcels leave today.\n\n"
        } else {
            "Print labels, some of them, quickly.\n\n"
        };
        let text = format!("# Print {at} labels at once\n\n{story}## Acceptance criteria\n\n{criteria}");
        let label = if good { "ready" } else { "needs-info" };
        let row = serde_json::json!({ "number": at, "title": "", "body": text, "labels": [{ "name": label }] });
        let row = serde_json::json!({ "text": row["body"], "labels": row["labels"] });
        let _ = writeln!(rows, "{row}");
    }
    rows
}

#[test]
fn a_rubric_is_fitted_written_and_shows_what_it_turns() {
    let sandbox = Sandbox::new();
    sandbox.file("h.jsonl", history()).file(".reqgate.yaml", "policy: strict\n");
    let maps = ["--map", "ready=accepted", "--map", "needs-info=returned"];
    let mut arguments = vec![
        "calibrate",
        "h.jsonl",
        "--rubric",
        "feature",
        "--output",
        "q/scorecards/feature.yaml",
        "--format",
        "json",
    ];
    arguments.extend(maps);
    sandbox.file("q/scorecards/.keep", "");
    let ran = sandbox.run(&arguments).ends_with(0);
    let proposal = &ran.json()["proposal"];
    assert_eq!((&proposal["version"], &proposal["new_version"]), (&"1.0.0".into(), &"1.1.0".into()), "{ran:?}");
    let weights = proposal["weights"].as_array().expect("a list");
    let sum: f64 = weights.iter().filter_map(|row| row[2].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-6, "{weights:?}");
    assert!(
        proposal["cross_validated"]["cost"].is_number() && proposal["before"]["wrong_blocks"]["n"] == 22,
        "{proposal}"
    );
    assert_eq!(sandbox.run(&arguments).code, 2, "it must not overwrite");
    // The new rubric loads and is used, and the comparison lists the verdicts that it changes.
    let score = sandbox.run(&["score", "h.jsonl", "--rules", "q", "--format", "json"]);
    assert!(score.stdout.contains("1.1.0"), "{score:?}");
    let mut diff =
        vec!["rubric", "diff", "feature", "q/scorecards/feature.yaml", "--on", "h.jsonl", "--format", "json"];
    diff.extend(maps);
    let diff = sandbox.run(&diff).ends_with(0).json();
    assert_eq!(diff["flips"].as_array().map(Vec::len), proposal["flips"].as_array().map(Vec::len), "{diff}");
    let human = sandbox.run(&["calibrate", "h.jsonl", maps[0], maps[1], maps[2], maps[3]]).ends_with(0);
    assert!(human.stdout.contains("on unseen tickets"), "{human:?}");
}

#[test]
fn the_policy_that_agrees_most_with_a_team_is_recommended() {
    let sandbox = Sandbox::new();
    // A team that accepted tickets that state a demand, with or without criteria, and returned the others.
    let mut rows = String::new();
    for at in 0..60 {
        let good = at % 2 == 0;
        let text = if good {
            format!(
                "Show the net total in invoice list {at}\n\nAs a clerk I want the invoice list to show the net total of each invoice, so that I book the right sum. Today only the gross amount is there."
            )
        } else {
            format!(
                "Make dashboard {at} faster\n\nAs a manager I want the dashboard to load faster so that I lose less time in the morning meeting."
            )
        };
        let _ = writeln!(rows, "{}", serde_json::json!({ "text": text, "accepted": good }));
    }
    sandbox.file("h.jsonl", rows).file(".reqgate.yaml", "policy: strict\n");
    let told = sandbox.run(&["calibrate", "h.jsonl", "--format", "json"]).ends_with(0).json();
    let advice = &told["policy"];
    assert_eq!((&advice["rows"], &advice["in_force"]["policy"]), (&60.into(), &"strict".into()), "{advice}");
    assert_eq!(advice["before"]["wrong_blocks"]["hits"], 30, "{advice}");
    assert_eq!(advice["policies"].as_array().map(Vec::len), Some(3), "{advice}");
    assert_ne!(advice["best"]["policy"], "strict", "{advice}");
    assert_eq!(told["policy_worth_it"], true, "{advice}");
    let human = sandbox.run(&["calibrate", "h.jsonl"]).ends_with(0);
    let line = format!("  policy: {}\n", advice["best"]["policy"].as_str().expect("a name"));
    assert!(human.stdout.contains("Recommended, in .reqgate.yaml") && human.stdout.contains(&line), "{human:?}");
    // The recommended settings give the predicted result.
    let sure = advice["best"]["sure"].as_f64().map(|sure| format!("sure: {sure}\n")).unwrap_or_default();
    sandbox.file(".reqgate.yaml", format!("{}{sure}", line.trim_start()));
    let again = sandbox.run(&["calibrate", "h.jsonl", "--format", "json"]).ends_with(0).json();
    assert_eq!(again["policy"]["before"], advice["fitted"], "{again}");
}

const TICKETS: &str = "\
version: 1
name: own-tickets
benchmarks:
  - id: real-tickets-ready
    title: Ready or not
    data: { file: rows.jsonl }
    input: { title_body: [title, text] }
    slices: [origin, language]
    groups: { origin: { \"board *\": \"board *\" } }
    policy: ready
    task: { real-tickets: { asks: ready } }
    measures:
      - { measure: wrong-as, title: wrong blocks, of: [PASS], given: [REJECT, GUARDRAIL_REJECTED], at_most: 0.5 }
      - { measure: wrong-as, title: clear wrong blocks, clear: true, of: [PASS], given: [REJECT, GUARDRAIL_REJECTED] }
      - { measure: given-as, title: stopped, of: [REJECT], given: [REJECT, GUARDRAIL_REJECTED], at_least: 0.5 }
      - { measure: auc }
      - { measure: cost }
      - { measure: brier }
  - id: real-tickets-kind
    title: Kind
    data: { file: rows.jsonl }
    input: { title_body: [title, text] }
    task: { real-tickets: { asks: kind } }
    measures: [{ measure: accuracy }]
  - id: real-tickets-criteria
    title: Criteria
    data: { file: rows.jsonl }
    input: { title_body: [title, text] }
    task: { real-tickets: { asks: criteria } }
    measures: [{ measure: accuracy }]
  - id: real-tickets-expected
    title: Expected
    data: { file: rows.jsonl }
    input: { title_body: [title, text] }
    task: { real-tickets: { asks: expected } }
    measures: [{ measure: accuracy }]
  - id: asked-back
    title: Asked
    data: { file: rows.jsonl }
    input: { title_body: [title, text] }
    policy: triage
    task: { asked-back: { field: asked } }
    measures: [{ measure: wrong-as, of: [PASS], given: [REJECT] }]
  - id: estimated
    title: Estimated
    data: { file: rows.jsonl }
    input: { title_body: [title, text] }
    policy: no-such-policy
    task: { estimated: {} }
    measures: [{ measure: wrong-as, of: [PASS], given: [REJECT] }]
";

fn tickets(sandbox: &Sandbox) {
    let reader = |ready: &str, kind: &str, criteria: Option<u64>, expected: Option<&str>| serde_json::json!({ "ready": ready, "kind": kind, "criteria": criteria, "expected": expected, "confidence": "clear" });
    let bug = "Steps:\n1. Open the calendar in version 2.4 on Windows 11.\n2. Press Print twice.\n\nThe program crashes with a null pointer.";
    let split = |text: &'static str| text.trim_start_matches("# ").split_once("\n\n").expect("a title and a body");
    let (ready, unready) = (split(READY), split(UNREADY));
    let rows = [
        (ready, vec![reader("PASS", "feature", Some(3), None); 2], "no"),
        (unready, vec![reader("REJECT", "feature", Some(0), None); 2], "yes"),
        (
            unready,
            vec![reader("PASS", "feature", Some(0), None), reader("REJECT", "feature", Some(0), None)],
            "unclear",
        ),
        (("Printing twice crashes the calendar", bug), vec![reader("PASS", "bug", None, Some("implied"))], "no"),
        // A reader with the opposite opinion, so that the report lists a wrong verdict.
        (ready, vec![reader("REJECT", "prd", Some(2), None)], "no"),
    ];
    let mut text = String::new();
    for (at, ((title, body), readers, asked)) in rows.into_iter().enumerate() {
        let row = serde_json::json!({ "id": format!("t{at}"), "origin": format!("board alpha T-{at}"), "title": title,
                                      "text": body, "readers": readers, "asked": asked });
        let _ = writeln!(text, "{row}");
    }
    sandbox.file("s.yaml", TICKETS).file("rows.jsonl", text);
}

#[test]
fn verdicts_facets_and_certainty_are_measured_against_readers() {
    let sandbox = Sandbox::new();
    tickets(&sandbox);
    let ran = sandbox
        .run(&["eval", "s.yaml", "--format", "json", "--output", "html=e.html", "--output", "markdown=e.md"])
        .ends_with(0);
    let run = ran.json();
    let schema = sandbox.run(&["schema", "eval"]).ends_with(0).json();
    let validator = jsonschema::validator_for(&schema).expect("the schema is well formed");
    let errors: Vec<String> = validator.iter_errors(&run).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let benchmark = |id: &str| {
        let all = run["benchmarks"].as_array().expect("a list");
        all.iter().find(|own| own["id"] == id).expect("it is there").clone()
    };
    let counts = |id: &str, at: usize| {
        let result = benchmark(id)["figures"][at]["result"].clone();
        (result["hits"].clone(), result["n"].as_u64().expect("a count"))
    };
    let ready = benchmark("real-tickets-ready");
    // The row on which the readers disagree is left out.
    assert_eq!(
        (&ready["n"], counts("real-tickets-ready", 0), counts("real-tickets-ready", 2).1),
        (&4.into(), (0.into(), 2), 2)
    );
    assert_eq!(ready["figures"][3]["result"]["n"], 4);
    assert_eq!(ready["reliability"].as_array().map(Vec::len), Some(10));
    assert_eq!((&ready["worst"][0]["id"], &ready["worst"][0]["origin"]), (&"t4".into(), &"board alpha T-4".into()));
    assert_eq!(ready["figures"][0]["slices"][0]["value"], "board alpha");
    assert_eq!(counts("real-tickets-kind", 0), (5.into(), 5));
    assert_eq!(counts("real-tickets-criteria", 0), (4.into(), 4));
    assert_eq!(counts("real-tickets-expected", 0), (1.into(), 1));
    assert_eq!((counts("asked-back", 0), &benchmark("asked-back")["n"]), ((0.into(), 3), &4.into()));
    assert_eq!(benchmark("estimated")["state"]["message"], "there is no policy `no-such-policy`");

    let table = sandbox.run(&["eval", "s.yaml", "--only", "real-tickets"]).ends_with(0);
    assert!(
        table.stdout.contains("certainty   mean")
            && table.stdout.contains("t4  (board alpha T-4): PASS instead of REJECT"),
        "{table:?}"
    );
    assert!(table.stdout.contains("4 of 4 benchmarks measured"), "{table:?}");
    let page = sandbox.read("e.html");
    assert!(page.contains("class=\"diagram\"") && page.contains("<td>t4</td>"), "{page}");
    assert!(sandbox.read("e.md").contains("| t4 | board alpha T-4 | REJECT | PASS |"));
    // Rows are named without their text.
    for shown in [&ran.stdout, &table.stdout, &page, &sandbox.read("e.md")] {
        assert!(!shown.contains("accountant") && !shown.contains("dashboard"), "{shown}");
    }
    sandbox.run(&["eval", "s.yaml", "--only", "real-tickets", "--output", "json=e.json"]).ends_with(0);
    let same = sandbox.run(&["eval", "s.yaml", "--only", "real-tickets", "--baseline", "e.json"]).ends_with(0);
    assert!(same.stdout.contains("9 figures are the same"), "{same:?}");
}

#[test]
fn a_dispute_is_recorded_without_personal_data_and_counts() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", UNREADY).file(".reqgate.yaml", "policy: strict\n");
    let outcome = sandbox.run(&["score", "t.md", "--format", "json"]).ends_with(1).json();
    let issue = &outcome["outcomes"][0]["score_report"]["blocking_issues"][0];
    let issue = if issue.is_null() { &outcome["score_report"]["blocking_issues"][0] } else { issue };
    let (fingerprint, rule) = (issue["fingerprint"].as_str().expect("text"), issue["rule_id"].as_str().expect("text"));
    let because = "Ask jane.miller@acme-corp.com or call +49 30 901820";
    let dispute = ["dispute", fingerprint, "--because", because, "t.md"];
    let ran = sandbox.run(&dispute).ends_with(0);
    assert!(ran.stdout.contains(rule), "{ran:?}");
    let rows = sandbox.read("reqgate-disputes.jsonl");
    assert!(!rows.contains("jane.miller") && rows.contains(fingerprint) && rows.contains("\"wrong\""), "{rows}");
    // A repeated dispute is recorded once. A different opinion is a new row, and the latest one is used.
    assert!(sandbox.run(&dispute).ends_with(0).stdout.contains("already"));
    assert_eq!(sandbox.read("reqgate-disputes.jsonl"), rows);
    let explained = sandbox.run(&["explain", rule]).ends_with(0);
    assert!(explained.stdout.contains("disputes recorded here: 0 right, 1 wrong"), "{explained:?}");
    sandbox.run(&["dispute", fingerprint, "--right", "--because", "it really was open", "t.md"]).ends_with(0);
    let explained = sandbox.run(&["explain", rule]).ends_with(0);
    assert!(explained.stdout.contains("disputes recorded here: 1 right, 0 wrong"), "{explained:?}");
}

#[test]
fn a_rule_below_the_floor_warns_and_says_why() {
    let sandbox = Sandbox::new();
    let ticket = "# Print labels\n\nAs a clerk I want to print labels, so that parcels leave today.\n\nAcceptance criteria\n- The format is TBD.\n";
    sandbox.file("t.md", ticket).file(".reqgate.yaml", "policy: strict\nprecision_floor: 1.0\n");
    let ran = sandbox.run(&["score", "t.md", "--format", "json"]);
    let report = ran.json().to_string();
    assert!(report.contains("demoted from BLOCKER: measured precision"), "{report}");
    let human = sandbox.run(&["score", "t.md", "--verbose"]);
    assert!(human.stdout.contains("demoted from BLOCKER"), "{human:?}");
    let rules = sandbox.run(&["rules", "--format", "json"]).ends_with(0).json();
    let demoted = rules["rules"].as_array().expect("a list").iter().filter(|rule| rule["demoted"] == true).count();
    assert!(demoted > 0, "{rules}");
    sandbox.file(".reqgate.yaml", "policy: strict\nprecision_floor: 0\n");
    let ran = sandbox.run(&["score", "t.md", "--format", "json"]).ends_with(1);
    assert!(!ran.stdout.contains("demoted"), "{ran:?}");
}

#[test]
fn the_gold_suite_runs_from_its_file() {
    let sandbox = Sandbox::new();
    let suite = root("tests/suites/gold.yaml");
    let suite = suite.to_str().expect("a path");
    let ran = sandbox.run(&["eval", suite, "--only", "development-types", "--write-precision", "p.yaml"]).ends_with(0);
    assert!(ran.stdout.contains("n=226") && ran.stdout.contains("≥ .750"), "{ran:?}");
    assert!(sandbox.read("p.yaml").ends_with("rules: {}\n"));
}
