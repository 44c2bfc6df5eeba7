//! The reports for editors, code hosts and reviewdog over real files, and the reference of the rules.

use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::Value;

use super::{READY, Sandbox};

const HOSTILE: &str = "##vso[task.setvariable variable=x]y;%0A ::error::z";

/// Files in both languages, with emoji, both kinds of line ends, and words that steer other tools.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("d/en.md", "Export 😀 of orders\n\n- 😀 The format is TBD\n");
    sandbox.file("d/中文.md", "# 导出😀对账单\r\n\r\n导出😀要快，格式待定。\r\n\r\n- 😀 谁来审批？TBD\r\n");
    sandbox.file("d/hostile.md", format!("Export {HOSTILE}\n\n- The {HOSTILE} is TBD\n"));
    sandbox.file("d/ready.md", READY);
    sandbox
}

#[test]
fn ranges_of_reviewdog_cut_the_quoted_bytes_out_of_the_file() {
    let sandbox = sandbox();
    let report = sandbox.run(&["check", "d", "--format", "rdjson"]).ends_with(1).json();
    let mut checked = 0;
    for finding in report["diagnostics"].as_array().expect("a list") {
        let at = |key: &str| finding.pointer(&format!("/location/range/{key}")).and_then(Value::as_u64);
        let (Some(line), Some(from), Some(to)) = (at("start/line"), at("start/column"), at("end/column")) else {
            continue;
        };
        let text = sandbox.read(finding["location"]["path"].as_str().expect("a path"));
        let line = text.split('\n').nth(line as usize - 1).expect("the line exists");
        let words = line.get(from as usize - 1..to as usize - 1).expect("the range ends between characters");
        if finding["code"]["value"] == "open-point" {
            assert!(words.contains("TBD") || words.contains("待定"), "{words}: {finding}");
            checked += 1;
        }
    }
    assert!(checked >= 3, "{report:#}");
    let page = &report["diagnostics"][1]["code"]["url"];
    assert!(page.as_str().is_some_and(|page| page.contains("rule-reference.md#")), "{page}");
}

#[test]
fn every_line_of_the_concise_report_has_a_place_and_a_level() {
    let ran = sandbox().run(&["check", "d", "--format", "concise"]).ends_with(1);
    let form =
        Regex::new(r"^d/[^:]+\.md:[1-9]\d*:[1-9]\d*: (blocker|warning|question)\[[a-z-]+\] .").expect("a constant");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let (counts, findings) = lines.split_last().expect("there are lines");
    assert_eq!(*counts, "4 inputs: 1 passed, 3 rejected");
    assert!(findings.iter().all(|line| form.is_match(line)), "{ran:?}");
    for file in ["d/en.md", "d/中文.md", "d/hostile.md"] {
        assert!(findings.iter().any(|line| line.starts_with(file) && line.contains(" blocker[")), "{file}: {ran:?}");
    }
    assert!(!ran.stdout.contains("##"), "{ran:?}");
}

#[test]
fn an_unreadable_file_is_an_entry_of_every_report() {
    let sandbox = Sandbox::new();
    for (format, expected) in [
        ("concise", "no.md:1:1: error[unreadable-input] "),
        ("azure", "sourcepath=no.md;linenumber=1;columnnumber=1;code=unreadable-input;]"),
        ("gitlab", "\"severity\": \"critical\""),
        ("rdjson", "\"severity\": \"ERROR\""),
    ] {
        let ran = sandbox.run(&["score", "no.md", "--format", format]).ends_with(2);
        assert!(ran.stdout.contains(expected), "{format}: {ran:?}");
        assert_eq!(ran.stderr.is_empty(), format == "concise", "{format}: {ran:?}");
    }
}

#[test]
fn no_name_issues_a_command_to_azure() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["score", "##vso[task.complete result=Succeeded;]x.md", "--format", "azure"]).ends_with(2);
    assert_eq!(ran.stdout.matches("##").count(), 1, "{ran:?}");
    assert!(!ran.stderr.contains("##"), "{ran:?}");
}

/// An estimate of the local reader is called one; a fact is not.
#[test]
fn estimates_are_called_estimates() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", "Error in the list\n\nI get an error in the list sometimes.\n");
    sandbox.file("f.md", "Export of orders\n\n- The format is TBD\n");
    for format in ["concise", "gitlab", "rdjson", "azure"] {
        let ran = sandbox.run(&["score", "t.md", "--policy", "triage", "--format", format]).ends_with(1);
        assert!(ran.stdout.contains("estimate: "), "{format}: {ran:?}");
        let ran = sandbox.run(&["score", "f.md", "--format", format]).ends_with(1);
        let fact = ran.stdout.lines().find(|line| line.contains("“The format is TBD”") && !line.contains("ot ready"));
        assert!(fact.is_some_and(|line| !line.contains("estimate: ")), "{format}: {ran:?}");
    }
}

/// `UPDATE=1` writes it.
#[test]
fn the_reference_of_the_rules_is_that_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rule-reference.md");
    let ran = Sandbox::new().run(&["explain", "--all", "--format", "markdown"]).ends_with(0);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &ran.stdout).expect("the reference can be written");
    }
    let there = fs::read_to_string(&path).expect("the reference exists");
    assert!(
        there == ran.stdout,
        "docs/rule-reference.md is out of date: UPDATE=1 cargo test --test integration reference_of_the_rules"
    );
}

#[test]
fn every_page_of_a_rule_is_a_heading_of_the_reference() {
    let reference = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rule-reference.md"));
    let reference = reference.expect("the reference exists");
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    let report = sandbox.run(&["score", "t.md", "--format", "sarif"]).ends_with(0).json();
    let rules = report["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a list").clone();
    assert!(rules.len() > 100, "{}", rules.len());
    for rule in rules {
        let page = rule["helpUri"].as_str().expect("every rule of the program has a page");
        let file = page.split_once("/blob/HEAD/").expect("a page of the repository").1;
        match file.split_once('#') {
            Some(("docs/rule-reference.md", id)) => assert!(reference.contains(&format!("\n## {id}\n")), "{page}"),
            _ => assert_eq!(file, "docs/verdicts.md"),
        }
    }
}
