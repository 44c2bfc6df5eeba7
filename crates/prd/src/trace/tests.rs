//! Tests of the mentions that are found, and of the report on them.

use std::fs;
use std::path::Path;

use super::{
    Commits, Evidence, Feature, FileSets, Input, StrayReason, Trace, TraceError, html, human, markdown, trace,
};
use crate::gaps::Terminal;
use crate::requirements::parse_anyway;

const DOCUMENT: &str = "\
# Requirements: Export

## Approved

### FR-001: Export the orders of a month

### FR-002: Refuse large exports

### NFR-003: Five seconds

## Pending Review

### FR-004: Choose columns

## Rejected

### FR-005: Export as PDF

## Review History

FR-006 was merged into FR-001.
";

fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("works in a fresh folder");
        fs::write(path, text).expect("works in a fresh folder");
    }
    folder
}

fn traced_in(root: &Path, path: &str, commits: &Commits, required: &[Evidence]) -> Result<Trace, TraceError> {
    let root = root.canonicalize().expect("it is there");
    let text = fs::read_to_string(root.join(path)).expect("the document is there");
    let document = parse_anyway(&text).0;
    let sets = FileSets::new(&[], &[]).expect("the customs are valid");
    let feature = Feature::of(&root.join(path), &root);
    let (document, feature, sets) = (&document, &feature, &sets);
    trace(&Input { name: path, text: &text, document, feature, root: &root, sets, commits, required })
}

const PATH: &str = "docs/prd/004-export/requirements.md";

fn none() -> Commits {
    Commits::NotRead("--no-commits".to_owned())
}

/// The numbers of mentions in tests and code, by id.
fn numbers(trace: &Trace) -> Vec<(&str, usize, usize)> {
    trace.requirements.iter().map(|one| (one.id.as_str(), one.mentions.tests.count, one.mentions.code.count)).collect()
}

#[test]
fn mentions_are_counted_by_kind_and_line_outside_the_documents() {
    let folder = repository(&[
        (PATH, DOCUMENT),
        ("docs/prd/004-export/prd.md", "FR-002 FR-777"),
        ("README.md", "FR-002"),
        (".gitignore", "out/\n"),
        ("out/a.rs", "FR-002"),
        ("tests/export.py", "def test_fr_001_lines():\n    pass  # FR-001 FR-001\ndef test_fr_0010(): pass\n"),
        ("src/export.rs", "// FR-001\n"),
        ("src/logo.bin", "\0FR-002"),
    ]);
    let trace = traced_in(folder.path(), PATH, &none(), &[Evidence::Tests, Evidence::Code]).expect("it has ids");
    let expected = [("FR-001", 2, 1), ("FR-002", 0, 0), ("NFR-003", 0, 0), ("FR-004", 0, 0), ("FR-005", 0, 0)];
    assert_eq!(numbers(&trace), expected);
    assert_eq!((trace.searched.test_files, trace.searched.code_files), (1, 1));
    let missing: Vec<_> = trace.required.iter().map(|one| one.missing.join(" ")).collect();
    assert_eq!(missing, ["FR-002 NFR-003", "FR-002 NFR-003"]);
    assert!(!trace.passes());
}

#[test]
fn what_nobody_wants_any_more_is_named_with_its_reason() {
    let folder = repository(&[
        (PATH, DOCUMENT),
        (
            "docs/prd/005-labels/requirements.md",
            "# Requirements: Labels\n## Approved\n### FR-001: Print\n### FR-009: Reprint\n",
        ),
        ("src/a.rs", "// FR-005 FR-006 FR-404 FR-009\nlet fr_405 = 1;\n"),
        ("tests/a.rs", "fn fr_406() {}\n"),
    ]);
    let trace = traced_in(folder.path(), PATH, &none(), &[]).expect("it has ids");
    let strays: Vec<_> = trace.strays.iter().map(|stray| (stray.id.as_str(), stray.reason)).collect();
    let (rejected, removed, unknown) = (StrayReason::Rejected, StrayReason::Removed, StrayReason::Unknown);
    assert_eq!(strays, [("FR-005", rejected), ("FR-006", removed), ("FR-404", unknown), ("FR-406", unknown)]);
}

#[test]
fn a_line_or_path_that_names_another_feature_is_that_ones() {
    let labels = "# Requirements: Labels\n## Approved\n### FR-001: Print\n";
    let folder = repository(&[
        (PATH, DOCUMENT),
        ("docs/prd/005-labels/requirements.md", labels),
        ("tests/a.rs", "// 005-labels FR-001\n// FR-001 of 004-export\n"),
        ("tests/005-labels/b.rs", "// FR-001\n"),
    ]);
    let trace = traced_in(folder.path(), PATH, &none(), &[]).expect("it has ids");
    assert_eq!(numbers(&trace)[0], ("FR-001", 1, 0));
    assert_eq!(trace.requirements[0].shared_with, ["005-labels"]);
    assert!(markdown(&trace).contains("`005-labels FR-001`"), "{}", markdown(&trace));
}

#[test]
fn commits_are_counted_and_where_nobody_looked_no_number_is_said() {
    let folder = repository(&[(PATH, DOCUMENT), ("src/a.rs", "// FR-001\n")]);
    let messages =
        vec![("c2".to_owned(), "Refuse (FR-002)\n\nFR-002 fr_001".to_owned()), ("c1".to_owned(), "Begin".to_owned())];
    let read = traced_in(folder.path(), PATH, &Commits::Read { messages, cut: None }, &[Evidence::Commits]);
    let read = read.expect("it has ids");
    let commits: Vec<_> = read.requirements.iter().map(|one| one.mentions.count(Evidence::Commits)).collect();
    assert_eq!(commits, [Some(1), Some(1), Some(0), Some(0), Some(0)]);
    assert_eq!(read.required[0].missing, ["NFR-003"]);
    let unread = traced_in(folder.path(), PATH, &none(), &[]).expect("it has ids");
    assert_eq!(unread.requirements[0].mentions.count(Evidence::Commits), None);
    let words = human(&unread, Terminal { colour: false, width: 100 }, false);
    assert!(words.contains("Commits were not searched: --no-commits"), "{words}");
    assert!(!words.contains("tests  code  commits"), "{words}");
    let json = serde_json::to_value(&unread).expect("it can be written");
    assert!(json["requirements"][0].get("commits").is_none() && json["searched"].get("commits").is_none());
}

#[test]
fn a_silent_repository_is_told_in_one_line_how_to_begin() {
    let folder = repository(&[(PATH, DOCUMENT), ("src/a.rs", "fn main() {}\n")]);
    let trace = traced_in(folder.path(), PATH, &none(), &[]).expect("it has ids");
    assert!(trace.is_silent());
    let words = human(&trace, Terminal { colour: false, width: 200 }, false);
    assert!(words.contains(
        "No requirement is mentioned anywhere. To begin, put the id into the name of a test: `test_fr_001_…`"
    ));
    assert!(!words.contains("NFR-003"), "{words}");
}

#[test]
fn ids_of_others_are_found_and_numbers_that_nobody_wrote_are_not() {
    let folder = repository(&[
        ("prd.md", "# Shop\n\n## Requirements\n\n### REQ-12: Refunds\n\nA clerk refunds.\n"),
        ("tests/a.py", "# REQ-12\n# FR-012\n"),
        ("src/a.py", "req12 = 1  # FR-001\n"),
    ]);
    let trace = traced_in(folder.path(), "prd.md", &none(), &[Evidence::Tests]).expect("it has ids");
    assert_eq!(numbers(&trace), [("REQ-12", 1, 0)]);
    // That document records no decisions, so all of its requirements are wanted.
    assert!(trace.requirements[0].wanted && trace.passes());
    assert_eq!(trace.strays, []);
}

#[test]
fn requirements_without_ids_cannot_be_looked_for() {
    let folder = repository(&[("prd.md", "# Shop\n\nNothing has an id here.\n")]);
    assert_eq!(traced_in(folder.path(), "prd.md", &none(), &[]), Err(TraceError::NoIds));
}

#[test]
fn words_of_documents_and_names_of_files_are_shown_harmlessly() {
    let hostile = DOCUMENT.replace("Refuse large exports", "<img src=x> | [a](javascript:b) \u{1b}[31m");
    let folder = repository(&[(PATH, &hostile), ("src/<b>`FR-002`.rs", "// FR-002\n")]);
    let trace = traced_in(folder.path(), PATH, &none(), &[]).expect("it has ids");
    let page = html(&trace).expect("the template is whole");
    assert!(!page.contains("<img") && !page.contains("<b>"), "{page}");
    let words = markdown(&trace);
    assert!(!words.contains("<img") && !words.contains("<b>") && words.contains("\\| \\[a\\]"), "{words}");
    assert!(!human(&trace, Terminal { colour: false, width: 80 }, true).contains('\u{1b}'));
}

#[test]
fn a_chinese_document_is_reported_in_chinese() {
    let folder = repository(&[
        (
            "docs/prd/001-x/requirements.md",
            "# 需求：便签\n## 已批准\n### FR-001：便签名称\n便签显示名称。\n### FR-002：删除\n",
        ),
        ("tests/a.py", "def test_fr_001(): pass\n"),
    ]);
    let trace =
        traced_in(folder.path(), "docs/prd/001-x/requirements.md", &none(), &[Evidence::Tests]).expect("it has ids");
    let words = human(&trace, Terminal { colour: false, width: 100 }, false);
    for said in ["2 条已批准的需求：测试提到 1 条", "测试和代码里都没有：FR-002", "要求在测试里提到，但没有：FR-002"]
    {
        assert!(words.contains(said), "{said} in\n{words}");
    }
}
