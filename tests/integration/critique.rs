//! The critics on reference PRDs, and as a command. Planted faults are measured by `reqgate-lab eval
//! tests/suites/prd.yaml`.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use reqgate::prd::GapSeverity;
use reqgate::prd::critique::{
    self, Advice, CategoryGrade, Critique, Document, FLOOR, Grade, PASS_MARK, ReadCritique, ReadIssue, Readable, Role,
    perspective,
};
use serde_json::{Value, json};

use crate::cli::Sandbox;
use crate::model::server::{Behaviour, Server};
use crate::properties::soup;

const DOCUMENTS: [&str; 8] = [
    "clinic-reminders",
    "cycle-count",
    "energy-portal",
    "hetong-guidang",
    "library-app",
    "rate-limits",
    "shebei-dianjian",
    "shequ-shitang",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gold/prd")
}

fn golden(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.md"))).expect("the golden PRDs are in the repository")
}

fn forms(text: &str) -> Vec<Critique> {
    let document = Document::new("prd.md", text);
    Role::ALL.iter().map(|role| critique::form(&document, *role)).collect()
}

#[test]
fn nothing_is_found_in_golden_documents_and_nothing_passes_unread() {
    for name in DOCUMENTS {
        for critique in forms(&golden(name)) {
            assert_eq!(critique.issues_found, [], "{name}");
            assert_eq!((critique.grade, critique.score), (Grade::NotRead, None), "form alone never passes");
        }
    }
}

fn uniform(role: Role, grade: u8) -> ReadCritique {
    let issue = |category: &str| ReadIssue {
        category: category.to_owned(),
        code: "requirement".to_owned(),
        severity: GapSeverity::High,
        quote: "NOWHERE".to_owned(),
        what: "The whole part is absent from the document".to_owned(),
        suggestion: "Write this part with […] filled in".to_owned(),
    };
    let categories = &perspective(role).categories;
    let issues = if grade < FLOOR { categories.iter().map(|one| issue(&one.id)).collect() } else { Vec::new() };
    let grades = categories.iter().map(|one| CategoryGrade {
        category: one.id.clone(),
        grade,
        quotes: vec!["NOWHERE".to_owned()],
        absent: Some("everything that was looked for".to_owned()),
    });
    ReadCritique { role, grades: grades.collect(), issues, commendations: Vec::new(), advice: Advice::default() }
}

#[test]
fn two_readings_of_one_critic_are_a_second_opinion() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", "# A PRD\n\nIt says everything.\n");
    for (name, grade) in [("a.json", 90), ("b.json", 60), ("c.json", 60)] {
        let read = serde_json::to_string(&uniform(Role::Director, grade)).expect("it is JSON");
        sandbox.file(name, read);
    }
    let two = ["critique", "prd.md", "--role", "director", "--reading", "a.json", "--reading", "b.json"];
    let found = sandbox.run(&[two.as_slice(), &["--format", "json"]].concat()).ends_with(0).json();
    assert_eq!(found["critiques"][0]["score"], 75, "{found:#}");
    assert_eq!(found["critiques"][0]["secondOpinion"]["scores"], json!([90, 60]), "{found:#}");
    let shown = sandbox.run(&two).ends_with(0).stdout;
    assert!(shown.contains("Two readings: 90 and 60") && shown.contains("(one of two readings)"), "{shown}");
    let third = sandbox.run(&[two.as_slice(), &["--reading", "c.json"]].concat()).ends_with(2);
    assert!(third.stderr.contains("two readings of `director` already"), "{}", third.stderr);
}

#[test]
fn a_perfect_document_passes_and_an_empty_one_fails_for_every_critic() {
    // With the sum of weights in the source document, no PRD could pass.
    for role in Role::ALL {
        let document = Document::new("prd.md", "# A PRD\n\nIt says everything.\n");
        let readable = Readable::new(&document, role);
        let form = critique::form(&document, role);
        for (grade, result) in
            [(100, Grade::Pass), (75, Grade::Pass), (74, Grade::NeedsRevision), (0, Grade::NeedsRevision)]
        {
            let read = uniform(role, grade);
            assert_eq!(readable.problems(&read), []);
            let critique = readable.critique(&read, PASS_MARK, &form);
            assert_eq!((critique.grade, critique.score), (result, Some(grade)), "{role}");
        }
        let lowest = readable.critique(&uniform(role, 69), 10, &form);
        assert_eq!(lowest.grade, Grade::NeedsRevision, "never below the floor");
        let nothing = ReadCritique {
            role,
            grades: Vec::new(),
            issues: Vec::new(),
            commendations: Vec::new(),
            advice: Advice::default(),
        };
        assert_eq!(readable.critique(&nothing, PASS_MARK, &form).score, Some(0));
        assert_eq!(readable.problems(&nothing).len(), 5, "every category that is not graded is told");
    }
}

/// Other ways, the timeline and the tests: only from the head of engineering, and without invented figures.
#[test]
fn the_head_of_engineering_gives_advice() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", "# A PRD\n\nIt says everything.\n");
    let advice = Advice {
        alternatives: vec!["Use the export of the order service, which exists".to_owned()],
        timeline_adjustments: vec!["Plan […] weeks for the review of security".to_owned()],
        testing_strategy: vec!["Test the file with an empty list and with a full one".to_owned()],
    };
    let read = |role, advice: Advice| serde_json::to_string(&ReadCritique { advice, ..uniform(role, 90) });
    let ran = |role: Role, advice: &Advice| {
        sandbox.file("reading.json", read(role, advice.clone()).expect("it is JSON"));
        sandbox.run(&["critique", "prd.md", "--role", role.name(), "--reading", "reading.json"])
    };
    let shown = ran(Role::Engineering, &advice).ends_with(0).stdout;
    for words in ["Alternative: Use the export", "Timeline: Plan […] weeks", "Tests: Test the file"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(ran(Role::Design, &advice).ends_with(2).stderr.contains("only the head of engineering gives it"));
    let invented =
        Advice { timeline_adjustments: vec!["Plan 37 weeks for the review".to_owned()], ..Advice::default() };
    let told = ran(Role::Engineering, &invented).ends_with(2).stderr;
    assert!(told.contains("timelineAdjustments[0]") && told.contains("37 weeks"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_text_nothing_panics_and_every_place_is_in_it(text in soup()) {
        let lines = u32::try_from(text.lines().count().max(1)).expect("a small text");
        for critique in forms(&text) {
            prop_assert!(critique.keyword_heuristic <= 100 && critique.grade == Grade::NotRead);
            for place in critique.issues_found.iter().filter_map(|issue| issue.place.as_ref()) {
                prop_assert!((1..=lines).contains(&place.line), "{place:?}");
            }
        }
    }

    #[test]
    fn scores_are_means_whatever_the_grades_and_their_order(
        grades in proptest::collection::vec(0_u8..=255, 15),
        order in Just([Role::Director, Role::Design, Role::Engineering]).prop_shuffle(),
    ) {
        let document = Document::new("prd.md", "# A PRD\n\nIt says everything.\n");
        let critiques: Vec<Critique> = Role::ALL.iter().enumerate().map(|(at, role)| {
            let mut read = uniform(*role, 50);
            for (grade, own) in read.grades.iter_mut().zip(&grades[at * 5..]) {
                grade.grade = *own;
            }
            Readable::new(&document, *role).critique(&read, PASS_MARK, &critique::form(&document, *role))
        }).collect();
        for (at, critique) in critiques.iter().enumerate() {
            let own: Vec<u8> = grades[at * 5..at * 5 + 5].iter().map(|grade| (*grade).min(100)).collect();
            let score = critique.score.expect("it was read");
            prop_assert!((*own.iter().min().expect("five")..=*own.iter().max().expect("five")).contains(&score));
        }
        let shuffled: Vec<Critique> = order.iter().map(|role| {
            critiques.iter().find(|one| one.critic_role == *role).expect("each once").clone()
        }).collect();
        let (one, other) = (critique::consolidate(&critiques), critique::consolidate(&shuffled));
        prop_assert!((0.0..=100.0).contains(&one.average_score.expect("they were read")));
        prop_assert_eq!(one, other);
    }
}

fn reading_json(role: Role, grade: u8) -> Value {
    serde_json::to_value(uniform(role, grade)).expect("it is JSON")
}

#[test]
fn orders_are_handed_out_and_their_results_checked() {
    let sandbox = Sandbox::new();
    sandbox.file("x/prd.md", golden("cycle-count") + "\nAsk jane.roe@corp-mail.com for access.\n");
    let printed = sandbox.run(&["critique", "x", "--order"]).ends_with(0);
    assert!(!printed.stdout.contains("jane.roe"), "personal data is masked");
    let orders = printed.json();
    assert_eq!(orders["orders"].as_array().map(Vec::len), Some(3));
    let validator = jsonschema::validator_for(&orders["orders"][0]["result_schema"]).expect("a schema");
    let mut readings = Vec::new();
    for (role, grade) in Role::ALL.into_iter().zip([90, 80, 60]) {
        let reading = reading_json(role, grade);
        assert!(validator.is_valid(&reading));
        sandbox.file(&format!("{role}.json"), reading.to_string());
        readings.extend(["--reading".to_owned(), format!("{role}.json")]);
    }
    let run = |more: &[&str]| {
        let own: Vec<&str> = ["critique", "x"]
            .into_iter()
            .chain(readings.iter().map(String::as_str))
            .chain(more.iter().copied())
            .collect();
        sandbox.run(&own)
    };
    // Two of three critics approve.
    let report = run(&["--format", "json"]).ends_with(0).json();
    assert_eq!(report["schema"], "reqgate/critique/v1");
    assert_eq!(report["consolidated"]["overallGrade"], "pass");
    assert_eq!(report["consolidated"]["averageScore"].as_f64().map(f64::round), Some(77.0));
    assert_eq!(report["critiques"][2]["grade"], "needs_revision");
    run(&["--fail-under", "76"]).ends_with(0);
    run(&["--fail-under", "77"]).ends_with(1);
    let human = run(&[]).ends_with(0).stdout;
    assert!(human.contains("Head of Engineering  needs revision, 60/100") && !human.contains("not read"), "{human}");
    // One reading of three is not a majority; alone it decides.
    sandbox.run(&["critique", "x", "--reading", "director.json"]).ends_with(1);
    sandbox.run(&["critique", "x", "--role", "director", "--reading", "director.json"]).ends_with(0);
    let twice =
        sandbox.run(&["critique", "x", "--reading", "director.json", "--reading", "director.json"]).ends_with(2);
    assert!(twice.stderr.contains("two readings"), "{twice:?}");
    let other = sandbox.run(&["critique", "x", "--role", "design", "--reading", "director.json"]).ends_with(2);
    assert!(other.stderr.contains("`director` is not asked"), "{other:?}");
}

/// With a second opinion, a model reads a file twice; a variable can name another model for the second reading.
#[test]
fn a_file_is_read_twice_where_a_second_opinion_is_wanted() {
    let server = Server::new([("critique_prd_v1", Behaviour::Says(reading_json(Role::Director, 80).to_string()))]);
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", golden("cycle-count"));
    let (cache, url) = (sandbox.path("cache").display().to_string(), server.url.clone());
    let usual = [("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", cache.as_str())];
    let read = |more: &[&str], variables: &[(&str, &str)]| {
        let command = ["critique", "prd.md", "--role", "director", "--model", "openai/first", "--base-url", &url];
        let arguments: Vec<&str> =
            command.into_iter().chain(["--format", "json"]).chain(more.iter().copied()).collect();
        let environment: Vec<(&str, &str)> = usual.iter().chain(variables).copied().collect();
        sandbox.run_with(&arguments, &environment, "").ends_with(0).json()["critiques"][0]["secondOpinion"].clone()
    };
    let models = || -> Vec<String> {
        let requests = server.requests.lock().expect("no test panics here").clone();
        let body = |body: &String| serde_json::from_str::<Value>(body).expect("JSON");
        requests.iter().filter_map(|one| body(one)["model"].as_str().map(str::to_owned)).collect()
    };
    assert!(read(&[], &[]).is_null());
    assert_eq!(models(), ["first"]);
    // The same model is asked again instead of being answered from the cache.
    assert_eq!(read(&["--second-opinion", "director"], &[])["scores"], json!([80, 80]));
    assert_eq!(models(), ["first", "first"]);
    assert_eq!(read(&[], &[("PRD_CRITIC_SECOND_MODEL", "openai/second")])["scores"], json!([80, 80]));
    assert_eq!(models(), ["first", "first", "second"]);
    let told = sandbox.run(&["critique", "prd.md", "--second-opinion", "director"]).ends_with(2).stderr;
    assert!(told.contains("a second opinion takes a reader"), "{told}");
    let printed = sandbox.run(&["critique", "prd.md", "--order", "--second-opinion", "director"]).ends_with(0).json();
    assert_eq!(printed["orders"].as_array().map(Vec::len), Some(4), "{printed:#}");
    assert_eq!(printed["orders"][1]["inputs"]["secondOpinion"], true);
    let submit = "reqgate critique prd.md --reading director.json --reading director-2.json --reading design.json \
                  --reading engineering.json";
    assert_eq!(printed["submit_with"], submit);
}

#[test]
fn every_fault_of_a_reading_is_told_at_once() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", golden("cycle-count"));
    let mut reading = reading_json(Role::Director, 90);
    reading["grades"][0]["grade"] = json!(20);
    reading["grades"][1]["quotes"] = json!(["words that nobody wrote at all"]);
    reading["grades"][2]["absent"] = Value::Null;
    reading["grades"][3]["category"] = json!("usability");
    reading["grades"][4]["grade"] = json!(101);
    reading["issues"] = json!([{
        "category": "success_metrics", "code": "money", "severity": "high", "quote": "nobody wrote this either",
        "what": "ok", "suggestion": "Finish within 17 days, see https://evil.example/x",
    }]);
    reading["commendations"] = json!([{ "quote": "praise for nothing" }]);
    sandbox.file("r.json", reading.to_string());
    let ran = sandbox.run(&["critique", "prd.md", "--role", "director", "--reading", "r.json"]).ends_with(2);
    for told in [
        "grades[0].grade: below 70",
        "grades[1].quotes[0]",
        "grades[2].absent",
        "grades[3].category: there is no category `usability`",
        "grades[4].grade: write a number from 0 to 100",
        "`risk_assessment` is not graded",
        "issues[0].code",
        "issues[0].quote",
        "issues[0].what",
        "17 days",
        "leave out the address",
        "commendations[0].quote",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    for hostile in ["", "null", "{\"role\": \"director\"}", "{\"role\": \"king\"}", "[[[[[[[["] {
        sandbox.file("hostile.json", hostile);
        sandbox.run(&["critique", "prd.md", "--reading", "hostile.json"]).ends_with(2);
    }
}

#[test]
fn without_a_reader_findings_end_with_1_and_a_clean_form_is_not_called_a_pass() {
    let sandbox = Sandbox::new();
    sandbox.file("good/prd.md", golden("clinic-reminders"));
    let good = sandbox.run(&["critique", "good"]).ends_with(1).stdout;
    assert!(good.contains("checked for form, not read: 0 findings") && !good.contains("  pass"), "{good}");
    sandbox.run(&["critique", "good", "--form-only"]).ends_with(0);
    for poor in [
        "",
        "x",
        "# Poor\n\nWe want a better app. It should be nice. Everybody will like it.\n",
        "# 差\n\n做一个更好的应用。\n",
    ] {
        sandbox.file("poor.md", poor);
        let told = sandbox.run(&["critique", "poor.md", "--form-only"]).ends_with(1).stdout;
        for code in ["missing-problem", "missing-metrics", "missing-risks", "missing-requirements"] {
            assert!(told.contains(code), "{poor}: {code}: {told}");
        }
    }
    sandbox.run(&["critique", "good", "--fail-under", "0"]).ends_with(1);
    sandbox.file("bad.md", golden("rate-limits").replace("- Owner: Platform lead\n", ""));
    let bad = sandbox.run(&["critique", "bad.md", "--role", "director"]).ends_with(1).stdout;
    for words in ["risk-without-owner  bad.md:79", "The counter store becomes the bottleneck", "Write: Name the person"]
    {
        assert!(bad.contains(words), "{words}: {bad}");
    }
    sandbox.run(&["critique", "bad.md", "--role", "design", "--form-only"]).ends_with(0);
    let chinese = golden("shebei-dianjian").replace("| 试点前逐台核对 |", "| 待补充 |");
    sandbox.file("zh.md", chinese);
    let told = sandbox.run(&["critique", "zh.md", "--format", "markdown"]).ends_with(1).stdout;
    assert!(told.contains("没有应对措施：“设备台账不准”") && !told.contains("Write"), "{told}");
    sandbox.run(&["critique", "nowhere.md"]).ends_with(2);
    sandbox.run(&["critique", "bad.md", "--role", "king"]).ends_with(2);
}

#[test]
fn hostile_words_of_a_document_reach_no_terminal_and_no_markup() {
    let sandbox = Sandbox::new();
    let text = "# X\n\n## Risks\n\n- \u{1b}[31m<script>alert(1)</script> @everyone fails\n- The `vendor` [x](javascript:1) is late\n\n## Goals\n\n## Users\n";
    sandbox.file("prd.md", text);
    let human = sandbox.run(&["critique", "prd.md"]).stdout;
    assert!(!human.contains('\u{1b}'), "{human:?}");
    let markdown = sandbox.run(&["critique", "prd.md", "--format", "markdown"]).stdout;
    assert!(!markdown.contains("<script>") && !markdown.contains("@everyone"), "{markdown}");
}
