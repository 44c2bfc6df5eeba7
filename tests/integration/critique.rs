//! The critics on golden PRDs, on the same with one fault planted, and as a command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use reqgate::prd::GapSeverity;
use reqgate::prd::critique::{
    self, CategoryGrade, Critique, Document, FLOOR, FindingCode, Grade, PASS_MARK, ReadCritique, ReadIssue, Readable,
    Role, perspective,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::Sandbox;
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

/// One fault planted in a golden PRD.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutation {
    document: String,
    kind: String,
    #[serde(default)]
    section: Option<String>,
    #[serde(default)]
    find: Option<String>,
    #[serde(default)]
    replace: Option<String>,
    role: Role,
    category: String,
    /// Without it the fault is for a reader.
    #[serde(default)]
    code: Option<FindingCode>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gold/prd")
}

fn golden(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.md"))).expect("the golden PRDs are in the repository")
}

fn mutations() -> Vec<Mutation> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/critique/mutations.yaml"))
        .expect("the mutations are in the repository");
    reqgate::yaml::read(&text).expect("valid YAML")
}

impl Mutation {
    /// The words that are taken out of the document.
    fn taken(&self, text: &str) -> String {
        match (&self.section, &self.find) {
            (Some(heading), None) => section(text, heading).to_owned(),
            (None, Some(find)) => find.clone(),
            _ => panic!("{self:?}: write `section` or `find`"),
        }
    }

    fn mutated(&self, text: &str) -> String {
        let taken = self.taken(text);
        assert_eq!(text.matches(&taken).count(), 1, "{self:?}");
        text.replacen(&taken, self.replace.as_deref().unwrap_or_default(), 1)
    }
}

/// A section from its heading to the next one of its kind.
fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let start = text.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{heading}")) + 1;
    let mark: String = heading.chars().take_while(|c| matches!(c, '#' | '*')).collect();
    let next = if mark.starts_with('#') { format!("\n{mark} ") } else { format!("\n{mark}") };
    let rest = &text[start + heading.len()..];
    // `**FR-001** …` begins a paragraph, not a section.
    let ends =
        |at: &usize| mark.starts_with('#') || rest[at + 1..].lines().next().is_some_and(|line| line.ends_with("**"));
    let end =
        rest.match_indices(&next).map(|(at, _)| at).find(ends).map_or(text.len(), |at| start + heading.len() + at + 1);
    &text[start..end]
}

fn forms(text: &str) -> Vec<Critique> {
    let document = Document::new("prd.md", text);
    Role::ALL.iter().map(|role| critique::form(&document, *role)).collect()
}

/// The findings of every critic, as (critic, code).
fn found(text: &str) -> Vec<(Role, String)> {
    let all = forms(text).into_iter();
    all.flat_map(|one| one.issues_found.into_iter().map(move |issue| (one.critic_role, issue.code))).collect()
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

#[test]
fn a_planted_fault_of_form_is_found_by_its_critic_and_nothing_else_is_said() {
    let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    let all = mutations();
    assert!(all.len() >= 40, "{}", all.len());
    for mutation in &all {
        let text = mutation.mutated(&golden(&mutation.document));
        let wanted: Vec<(Role, String)> = mutation.code.iter().map(|code| (mutation.role, code.name())).collect();
        let found = found(&text);
        let row = table.entry(mutation.kind.clone()).or_default();
        row[0] += 1;
        row[1] += usize::from(mutation.code.is_some());
        row[2] += usize::from(!wanted.is_empty() && wanted.iter().all(|one| found.contains(one)));
        // Who has lost their only story is not served any more, and words that are gone may have named today's value, too.
        let is_right = wanted.iter().all(|one| found.contains(one));
        let others: Vec<_> = found.iter().filter(|one| !wanted.contains(one)).collect();
        let follows = |code: &str| {
            let pair = (mutation.kind.as_str(), code);
            matches!(pair, ("metric blurred", "metric-without-baseline") | ("persona undefined", "persona-unused"))
        };
        if !is_right || others.iter().any(|(_, code)| !follows(code)) {
            wrong.push(format!("{} {}: wanted {wanted:?}, found {found:?}", mutation.document, mutation.kind));
        }
    }
    println!("{:28} {:>7} {:>9} {:>6}", "fault", "planted", "provable", "found");
    table.iter().for_each(|(kind, [all, provable, found])| println!("{kind:28} {all:>7} {provable:>9} {found:>6}"));
    assert_eq!(wrong, Vec::<String>::new());
}

/// A careful reader of one document: each category is graded 90 with a quote, and 40 with an issue if the words are gone on which
/// one of its mutations rests.
fn careful(role: Role, original: &str, text: &str, mutations: &[&Mutation]) -> ReadCritique {
    let title = original.lines().find(|line| line.starts_with('#')).expect("a title").trim_start_matches('#').trim();
    let mut issues = Vec::new();
    let grades = perspective(role).categories.iter().map(|category| {
        let own = mutations.iter().filter(|one| one.role == role && one.category == category.id);
        let is_gone = own.into_iter().any(|one| !text.contains(&one.taken(original)));
        if is_gone {
            issues.push(ReadIssue {
                category: category.id.clone(),
                code: "requirement".to_owned(),
                severity: GapSeverity::High,
                quote: "NOWHERE".to_owned(),
                what: "The document no longer says it clearly".to_owned(),
                suggestion: "Write it again with […] filled in".to_owned(),
            });
        }
        CategoryGrade {
            category: category.id.clone(),
            grade: if is_gone { 40 } else { 90 },
            quotes: vec![if is_gone { "NOWHERE".to_owned() } else { title.to_owned() }],
            absent: is_gone.then(|| "the words that were taken out".to_owned()),
        }
    });
    let grades = grades.collect();
    ReadCritique { role, grades, issues, commendations: Vec::new() }
}

fn read(role: Role, original: &str, text: &str, mutations: &[&Mutation]) -> Critique {
    let document = Document::new("prd.md", text);
    let readable = Readable::new(&document, role);
    let read = careful(role, original, text, mutations);
    assert_eq!(readable.problems(&read), [], "{read:?}");
    readable.critique(&read, PASS_MARK, &critique::form(&document, role))
}

#[test]
fn with_a_careful_reader_the_score_falls_where_a_fault_was_planted() {
    let all = mutations();
    for mutation in &all {
        let original = golden(&mutation.document);
        let text = mutation.mutated(&original);
        let own: Vec<&Mutation> = all.iter().filter(|one| one.document == mutation.document).collect();
        for role in Role::ALL {
            let before = read(role, &original, &original, &own);
            let after = read(role, &original, &text, &own);
            assert_eq!((before.grade, before.score), (Grade::Pass, Some(90)));
            match role == mutation.role {
                true => {
                    assert!(after.score < before.score, "{mutation:?}");
                    assert!(after.issues_found.iter().any(|issue| issue.category == mutation.category), "{mutation:?}");
                }
                false => {
                    assert_eq!(after.score, before.score, "{mutation:?}: the other critics do not change their minds")
                }
            }
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
    ReadCritique { role, grades: grades.collect(), issues, commendations: Vec::new() }
}

#[test]
fn a_perfect_document_passes_and_an_empty_one_fails_for_every_critic() {
    // with the weights as the source adds them up, nothing could ever pass.
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
        let nothing = ReadCritique { role, grades: Vec::new(), issues: Vec::new(), commendations: Vec::new() };
        assert_eq!(readable.critique(&nothing, PASS_MARK, &form).score, Some(0));
        assert_eq!(readable.problems(&nothing).len(), 5, "every category that is not graded is told");
    }
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
    // Two of three pass.
    let report = run(&["--format", "json"]).ends_with(0).json();
    assert_eq!(report["schema"], "reqgate/critique/v1");
    assert_eq!(report["consolidated"]["overallGrade"], "pass");
    assert_eq!(report["consolidated"]["averageScore"].as_f64().map(f64::round), Some(77.0));
    assert_eq!(report["critiques"][2]["grade"], "needs_revision");
    run(&["--fail-under", "76"]).ends_with(0);
    run(&["--fail-under", "77"]).ends_with(1);
    let human = run(&[]).ends_with(0).stdout;
    assert!(human.contains("Head of Engineering  needs revision, 60/100") && !human.contains("not read"), "{human}");
    // One reading of three is no majority; alone it is.
    sandbox.run(&["critique", "x", "--reading", "director.json"]).ends_with(1);
    sandbox.run(&["critique", "x", "--role", "director", "--reading", "director.json"]).ends_with(0);
    let twice =
        sandbox.run(&["critique", "x", "--reading", "director.json", "--reading", "director.json"]).ends_with(2);
    assert!(twice.stderr.contains("two readings"), "{twice:?}");
    let other = sandbox.run(&["critique", "x", "--role", "design", "--reading", "director.json"]).ends_with(2);
    assert!(other.stderr.contains("`director` is not asked"), "{other:?}");
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
    let good = sandbox.run(&["critique", "good"]).ends_with(0).stdout;
    assert!(good.contains("checked for form, not read: 0 findings") && !good.contains("  pass"), "{good}");
    sandbox.run(&["critique", "good", "--fail-under", "0"]).ends_with(1);
    sandbox.file("bad.md", golden("rate-limits").replace("- Owner: Platform lead\n", ""));
    let bad = sandbox.run(&["critique", "bad.md", "--role", "director"]).ends_with(1).stdout;
    for words in ["risk-without-owner  bad.md:79", "The counter store becomes the bottleneck", "Write: Name the person"]
    {
        assert!(bad.contains(words), "{words}: {bad}");
    }
    sandbox.run(&["critique", "bad.md", "--role", "design"]).ends_with(0);
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
