//! Checks `lab/traceability.md`: its ids are complete, its files and tests exist, and its ids are not used anywhere
//! else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

const DOCUMENT: &str = "lab/traceability.md";
const NOT_YET: &str = "not yet";
const IN_PART: &str = "in part: ";
const NONE: &str = "–";

/// Files for readers, which must not contain ids of the inventory.
const READ_BY_PEOPLE: &[&str] = &[
    "README.md",
    "action.yml",
    "action",
    "config",
    "fuzz/seeds",
    "fuzz/fuzz_targets",
    "prompts",
    "rubrics",
    "src",
    "tests/benches",
    "tests/cases",
    "tests/e2e",
    "tests/integration",
    "tests/snapshots",
    "tests/suites",
    "tests/texts",
];

/// A table of the document: the requirements of one source.
#[derive(Default)]
struct Table {
    letter: String,
    /// The ids and their number from the header line.
    expected: BTreeSet<String>,
    count: usize,
    rows: Vec<Row>,
}

struct Row {
    id: String,
    what: String,
    place: String,
    test: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn pattern(expression: &str) -> Regex {
    Regex::new(expression).expect("the expression is one")
}

/// The tables of a text: a heading `## A. …`, a line `N ids: A-001–A-008, …`, rows of four cells.
fn tables(text: &str) -> Result<Vec<Table>, String> {
    let (heading, header) = (pattern(r"^## ([A-Z])\. "), pattern(r"^(\d+) ids: (.+)\.$"));
    let mut tables: Vec<Table> = Vec::new();
    for line in text.lines() {
        if let Some(found) = heading.captures(line) {
            tables.push(Table { letter: found[1].to_owned(), ..Table::default() });
            continue;
        }
        let Some(table) = tables.last_mut() else { continue };
        if let Some(found) = header.captures(line) {
            table.count = found[1].parse().map_err(|error| format!("{line}: {error}"))?;
            table.expected = expanded(&found[2])?;
        } else if line.starts_with('|') && !line.starts_with("|-") && !line.starts_with("| id |") {
            table.rows.push(row(line)?);
        }
    }
    Ok(tables)
}

fn row(line: &str) -> Result<Row, String> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
    let [id, what, place, test] = cells[..] else { return Err(format!("{line}: has {} cells, not 4", cells.len())) };
    Ok(Row { id: id.to_owned(), what: what.to_owned(), place: place.to_owned(), test: test.to_owned() })
}

/// The ids in ranges such as `A-001–A-003, A-010`.
fn expanded(ranges: &str) -> Result<BTreeSet<String>, String> {
    let mut ids = BTreeSet::new();
    for range in ranges.split(", ") {
        let (first, last) = range.split_once('–').unwrap_or((range, range));
        let parts = |id: &str| {
            let (letter, digits) = id.split_once('-')?;
            Some((letter.to_owned(), digits.len(), digits.parse::<u32>().ok()?))
        };
        let (Some((letter, width, from)), Some((other, _, to))) = (parts(first), parts(last)) else {
            return Err(format!("`{range}` is no range of ids"));
        };
        if letter != other || to < from {
            return Err(format!("`{range}` does not go upward"));
        }
        ids.extend((from..=to).map(|number| format!("{letter}-{number:0width$}")));
    }
    Ok(ids)
}

/// The faults of the document; empty if it has none.
fn faults(text: &str) -> Vec<String> {
    let tables = match tables(text) {
        Ok(tables) => tables,
        Err(error) => return vec![error],
    };
    let mut faults = Vec::new();
    let mut sources = Sources::default();
    for table in &tables {
        faults.extend(faults_of_ids(table));
        for row in &table.rows {
            faults.extend(faults_of_row(row, &mut sources).into_iter().map(|fault| format!("{}: {fault}", row.id)));
        }
    }
    let letters: String = tables.iter().map(|table| table.letter.as_str()).collect();
    if letters != "ABCDX" {
        faults.push(format!("the tables are {letters}, not ABCDX"));
    }
    faults
}

fn faults_of_ids(table: &Table) -> Vec<String> {
    let letter = &table.letter;
    let form = pattern(&format!("^{letter}-[0-9]{{{}}}$", if letter == "X" { 2 } else { 3 }));
    let ids: BTreeSet<String> = table.rows.iter().map(|row| row.id.clone()).collect();
    let mut faults: Vec<String> =
        ids.iter().filter(|id| !form.is_match(id)).map(|id| format!("{id} is no id of table {letter}")).collect();
    if table.rows.windows(2).any(|rows| rows[0].id >= rows[1].id) {
        faults.push(format!("table {letter}: an id stands twice or out of order"));
    }
    faults.extend(table.expected.difference(&ids).map(|id| format!("{id} has no row")));
    faults.extend(ids.difference(&table.expected).map(|id| format!("{id} is not announced above its table")));
    if table.count != table.rows.len() {
        faults.push(format!("table {letter} announces {} ids and has {}", table.count, table.rows.len()));
    }
    faults
}

fn faults_of_row(row: &Row, sources: &mut Sources) -> Vec<String> {
    let mut faults = Vec::new();
    if row.what.is_empty() {
        faults.push("does not say what".to_owned());
    }
    if row.place == NOT_YET {
        if row.test != NONE {
            faults.push("is not built and has a test".to_owned());
        }
        return faults;
    }
    let (places, rest) = quoted(row.place.strip_prefix(IN_PART).unwrap_or(&row.place));
    if places.is_empty() || !rest.is_empty() {
        faults.push(format!("`{}` is neither `{NOT_YET}` nor a list of paths", row.place));
    }
    faults.extend(places.iter().filter(|path| !root().join(path).exists()).map(|path| format!("{path} is not there")));
    let (tests, rest) = quoted(&row.test);
    if row.test != NONE && (tests.is_empty() || !rest.is_empty()) {
        faults.push(format!("`{}` is neither `{NONE}` nor a list of tests", row.test));
    }
    faults.extend(tests.iter().filter_map(|test| sources.objection(test)));
    faults
}

/// The texts in backticks, and the remaining text apart from commas.
fn quoted(cell: &str) -> (Vec<&str>, String) {
    let pieces: Vec<&str> = cell.split('`').collect();
    let inside = pieces.iter().skip(1).step_by(2).copied().collect();
    let beside: String = pieces.iter().step_by(2).copied().collect();
    (inside, beside.replace([',', ' '], ""))
}

/// The files of the tests, each read once.
#[derive(Default)]
struct Sources(BTreeMap<String, Option<String>>);

impl Sources {
    /// The reason why `path::name` is not a test; `None` if it is one.
    fn objection(&mut self, test: &str) -> Option<String> {
        let Some((path, name)) = test.split_once("::") else { return Some(format!("{test} names no test")) };
        let text = self.0.entry(path.to_owned()).or_insert_with(|| fs::read_to_string(root().join(path)).ok());
        let Some(text) = text else { return Some(format!("{path} is not there")) };
        let is_there = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
            Some("rs") => is_test(text, name),
            Some("py") => text.contains(&format!("    def {name}(")) && name.starts_with("test_"),
            Some("yaml") => text.lines().any(|line| line.strip_prefix("- name: ") == Some(name)),
            _ => false,
        };
        (!is_there).then(|| format!("{path} has no test `{name}`"))
    }
}

/// Returns true if a function of this name has the attribute `#[test]`.
fn is_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begins =
        |line: &str| line.starts_with(&format!("fn {name}(")) || line.starts_with(&format!("async fn {name}("));
    lines.iter().position(|line| begins(line)).is_some_and(|at| {
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.into_iter().any(|line| *line == "#[test]")
    })
}

fn document() -> String {
    fs::read_to_string(root().join(DOCUMENT)).expect("the document is in the repository")
}

#[test]
fn every_requirement_has_its_place_and_what_is_named_exists() {
    let faults = faults(&document());
    assert!(faults.is_empty(), "{DOCUMENT}:\n{}", faults.join("\n"));
}

/// The numbers at the head of the document match its tables.
#[test]
fn the_document_counts_rightly() {
    let text = document();
    let tables = tables(&text).expect("the tables can be read");
    let rows: Vec<&Row> = tables.iter().flat_map(|table| &table.rows).collect();
    let count = |is: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let (later, in_part) = (count(&|row| row.place == NOT_YET), count(&|row| row.place.starts_with(IN_PART)));
    let tested = count(&|row| row.test != NONE);
    let whole = rows.len() - later - in_part;
    let line = format!(
        "Of {} statements {whole} are built, {in_part} in part, {later} not yet; a test shows {tested} of them.",
        rows.len()
    );
    assert!(text.contains(&line), "write: {line}");
    // The sources have statements A to D; ids from A-190 on and X are resolutions of the project.
    let is_own = |row: &Row| row.id.starts_with("X-") || row.id.starts_with("A-19");
    let parts = |own: bool| {
        let of = |is: &dyn Fn(&Row) -> bool| count(&|row| is_own(row) == own && is(row));
        let (later, in_part) = (of(&|row| row.place == NOT_YET), of(&|row| row.place.starts_with(IN_PART)));
        let all = of(&|_| true);
        (all, format!("({} built, {in_part} in part, {later} not yet)", all - later - in_part))
    };
    let ((sources, of_sources), (own, of_own)) = (parts(false), parts(true));
    for line in [
        format!("{sources} are statements of the sources {of_sources}; the other {own}, A-190 to A-197 and X,"),
        format!("where the sources contradict each other {of_own}."),
    ] {
        assert!(text.contains(&line), "write: {line}");
    }
}

#[test]
fn a_document_that_is_wrong_is_found_out() {
    let good = "## A. One\n\n2 ids: A-001–A-002.\n\n| id | what | where | test |\n|---|---|---|---|\n\
                | A-001 | a | `src/lib.rs` | `tests/integration/traceability.rs::a_document_that_is_wrong_is_found_out` |\n\
                | A-002 | b | not yet | – |\n";
    let of = |text: &str| faults(text).into_iter().filter(|fault| !fault.contains("ABCDX")).collect::<Vec<_>>();
    assert_eq!(of(good), Vec::<String>::new());
    for (old, new, fault) in [
        ("src/lib.rs", "src/library.rs", "src/library.rs is not there"),
        ("::a_document", "::no_document", "has no test `no_document"),
        ("::a_document_that_is_wrong_is_found_out", "::faults_of_ids", "has no test `faults_of_ids`"),
        ("`src/lib.rs`", "somewhere", "neither"),
        ("A-002 | b", "A-003 | b", "A-002 has no row"),
        ("A-002 | b", "A-001 | b", "twice"),
        ("A-001 | a", "A-1 | a", "no id of table"),
        ("2 ids", "3 ids", "announces 3 ids and has 2"),
        ("| not yet | –", "| not yet | `src/lib.rs::x`", "is not built and has a test"),
        ("| A-002 | b |", "| A-002 |", "has 3 cells"),
    ] {
        let found = of(&good.replacen(old, new, 1));
        assert!(found.iter().any(|found| found.contains(fault)), "{new}: {found:?}");
    }
}

#[test]
fn no_id_of_the_inventory_stands_where_people_read() {
    let tables = tables(&document()).expect("the tables can be read");
    let ids: BTreeSet<&str> = tables.iter().flat_map(|table| &table.expected).map(String::as_str).collect();
    let form = pattern(r"\b[A-DX]-[0-9]{2,3}\b");
    let mut found = Vec::new();
    for path in READ_BY_PEOPLE.iter().flat_map(|path| files(&root().join(path))) {
        // This file contains ids as test data.
        if path.ends_with("integration/traceability.rs") {
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = String::from_utf8_lossy(&bytes);
        let here = form.find_iter(&text).filter(|id| ids.contains(id.as_str()));
        found.extend(here.map(|id| format!("{}: {}", path.display(), id.as_str())));
    }
    assert!(found.is_empty(), "ids belong into {DOCUMENT} alone:\n{}", found.join("\n"));
}

/// Every file at or below a path that is probably under version control; the output of tools is skipped.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    paths.retain(|path| !path.ends_with("node_modules") && !path.ends_with("__pycache__"));
    paths.sort();
    paths.iter().flat_map(|path| files(path)).collect()
}
