//! Checks the dependencies between crates and the order of modules within each. The manifests are the rules; these
//! tests read them.

mod imports;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use imports::imports;

/// Every crate with the crates that it may depend on. Other crates cannot be imported; tests of a crate may use more.
const CRATES: &[(&str, &[&str])] = &[
    ("shipped", &[]),
    ("messages", &[]),
    ("base", &["messages"]),
    ("reader", &[]),
    ("text", &["base"]),
    ("docs", &["base"]),
    ("rules", &["base", "text"]),
    ("guardrail", &["base", "messages", "text", "rules"]),
    ("net", &["base", "rules"]),
    ("gate", &["base", "docs", "messages", "text", "rules", "guardrail", "reader"]),
    ("report", &["base", "messages", "text"]),
    ("playground", &["base", "gate", "guardrail", "report", "rules"]),
    ("flow", &["base", "messages", "net"]),
    ("orders", &["base", "text", "guardrail", "net", "gate", "flow"]),
    ("prd", &["base", "docs", "messages", "text", "rules", "guardrail", "net", "gate", "report", "flow", "orders"]),
    ("audit", &["base", "messages", "net", "gate", "report"]),
    ("hook", &["base", "messages", "gate", "report"]),
    ("lsp", &["base", "docs", "messages", "rules", "gate", "report"]),
    (
        "action",
        &["base", "docs", "messages", "text", "rules", "guardrail", "net", "gate", "report", "flow", "prd", "audit"],
    ),
    (
        "serve",
        &[
            "base",
            "messages",
            "text",
            "rules",
            "guardrail",
            "net",
            "gate",
            "report",
            "flow",
            "orders",
            "prd",
            "audit",
            "action",
        ],
    ),
    ("lab", &["base", "text", "rules", "net", "gate", "flow", "prd"]),
];

/// Crates without input and output, with the files that are exceptions. The lists may only become shorter.
const PURE: &[(&str, &[&str])] = &[
    ("messages", &[]),
    ("base", &["files.rs"]),
    ("text", &[]),
    ("docs", &[]),
    ("rules", &["config/discovery.rs", "config/guardrail/patterns.rs", "folder.rs", "prompts.rs"]),
    ("guardrail", &[]),
    ("reader", &[]),
    ("gate", &["orders/order.rs", "review/asking.rs"]),
    ("report", &[]),
    ("orders", &[]),
];

/// Names that only code with input and output uses.
const OUTSIDE: [&str; 6] = ["std::fs", "std::net::Tcp", "std::process", "std::env", "SystemTime", "Instant::now"];

/// The maximum number of lines in a file; a longer file should be split.
const LONGEST_FILE: usize = 500;

/// Files that may be longer, with their maximum and the reason.
const LONG_FILES: &[(&str, usize, &str)] =
    &[("text/src/blocks.rs", 650, "one pass over the lines: its states mean nothing apart")];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of every crate, by its short name; the command line is the crate ``.
fn folders() -> BTreeMap<String, PathBuf> {
    let mut out = BTreeMap::from([(String::new(), root().to_owned()), ("lab".to_owned(), root().join("lab"))]);
    for entry in fs::read_dir(root().join("crates")).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        out.insert(name, path);
    }
    out
}

/// Every `.rs` file of a crate, as its path below `src/` with `/` between the parts, and its text.
fn files(folder: &Path) -> Vec<(String, String)> {
    fn walk(folder: &Path, root: &Path, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("reading {}: {error}", folder.display())) {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                walk(&path, root, out);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).expect("it lies below").to_string_lossy().replace('\\', "/");
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("reading {name}: {error}"));
                out.push((name, text));
            }
        }
    }
    let mut out = Vec::new();
    let source = folder.join("src");
    walk(&source, &source, &mut out);
    out.sort();
    out
}

/// Every file of every crate, by its path below `crates`: `text/src/blocks.rs`.
fn all_files() -> Vec<(String, String)> {
    let of = |(name, folder): (String, PathBuf)| {
        files(&folder).into_iter().map(move |(file, text)| (format!("{name}/src/{file}"), text))
    };
    folders().into_iter().flat_map(of).collect()
}

/// The crates that a manifest names under `[dependencies]`.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let section = manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
    let named = section.lines().filter_map(|line| line.strip_prefix("reqgate-"));
    named.filter_map(|line| line.split([' ', '=', '.']).next()).map(str::to_owned).collect()
}

/// The module of a file: `stages/gate/path.rs` is `["stages", "gate", "path"]`, `lib.rs` is the root.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    match path {
        "lib" | "main" => Vec::new(),
        _ => path.split('/').map(str::to_owned).collect(),
    }
}

/// The code of a file before its tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()
}

fn is_of_tests(file: &str) -> bool {
    file.ends_with("tests.rs") || file.contains("/tests/") || file.ends_with("for_programs.rs")
}

#[test]
fn crates_depend_on_those_below_them_only() {
    let allowed: BTreeMap<&str, BTreeSet<String>> =
        CRATES.iter().map(|(name, below)| (*name, below.iter().map(|name| (*name).to_owned()).collect())).collect();
    for (name, folder) in folders().into_iter().filter(|(name, _)| !name.is_empty()) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a manifest");
        let Some(below) = allowed.get(name.as_str()) else { panic!("`{name}` is new: say in CRATES what it may use") };
        let used = dependencies(&manifest);
        assert_eq!(&used, below, "what `{name}` uses, and what CRATES allows");
    }
    assert_eq!(
        dependencies("[package]\n[dependencies]\nreqgate-a = 1\nserde = 1\n\n[dev-dependencies]\nreqgate-b = 1"),
        ["a".to_owned()].into()
    );
}

#[test]
fn pure_crates_have_no_input_and_no_output() {
    let all = folders();
    for (name, allowed) in PURE {
        let found: Vec<String> = files(&all[*name])
            .into_iter()
            .filter(|(file, text)| {
                !is_of_tests(file) && OUTSIDE.iter().any(|outside| without_tests(text).contains(outside))
            })
            .map(|(file, _)| file)
            .collect();
        assert_eq!(found, *allowed, "the files of `{name}` with input or output");
    }
}

#[test]
fn stages_of_the_gate_do_not_import_each_other() {
    let gate = &folders()["gate"];
    for (file, text) in files(gate).into_iter().filter(|(file, _)| file.starts_with("stages/")) {
        let module = module_of(&file);
        let sideways: Vec<Vec<String>> = imports(&module, &text)
            .into_iter()
            .filter(|path| path.len() > 1 && path[0] == "stages" && Some(&path[1]) != module.get(1))
            .collect();
        assert!(sideways.is_empty(), "{file}: {sideways:?}");
    }
}

/// The imports between modules, without tests and without imports between a parent and its children.
fn edges(files: &[(String, String)]) -> BTreeSet<(Vec<String>, Vec<String>)> {
    let modules: BTreeSet<Vec<String>> = files.iter().map(|(file, _)| module_of(file)).collect();
    let mut edges = BTreeSet::new();
    for (file, text) in files {
        let own = module_of(file);
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for path in imports(&own, code) {
            let named = (1..=path.len()).rev().map(|length| &path[..length]).find(|part| modules.contains(*part));
            if let Some(named) = named.filter(|named| !own.starts_with(named) && !named.starts_with(&own)) {
                edges.insert((own.clone(), named.to_vec()));
            }
        }
    }
    edges
}

/// The import cycles of any length: for each module in a cycle, one shortest path back to itself.
fn circles(files: &[(String, String)]) -> BTreeSet<String> {
    let edges = edges(files);
    let after = |module: &Vec<String>| {
        let from = (module.clone(), Vec::new());
        edges
            .range(from..)
            .take_while(|(other, _)| *other == *module.clone())
            .map(|(_, to)| to.clone())
            .collect::<Vec<_>>()
    };
    let starts: BTreeSet<&Vec<String>> = edges.iter().map(|(from, _)| from).collect();
    let mut found = BTreeSet::new();
    for start in starts {
        let mut way_to: BTreeMap<Vec<String>, Vec<Vec<String>>> = BTreeMap::new();
        let mut next = VecDeque::from([(start.clone(), vec![start.clone()])]);
        while let Some((module, way)) = next.pop_front() {
            for to in after(&module) {
                if to == *start {
                    found.insert(in_order(&way));
                    next.clear();
                    break;
                }
                if !way_to.contains_key(&to) {
                    let longer: Vec<_> = way.iter().cloned().chain([to.clone()]).collect();
                    way_to.insert(to.clone(), longer.clone());
                    next.push_back((to, longer));
                }
            }
        }
    }
    found
}

/// A cycle that starts with its first module by name, so that it is reported once.
fn in_order(way: &[Vec<String>]) -> String {
    let first = way.iter().enumerate().min_by_key(|(_, module)| (*module).clone()).map_or(0, |(at, _)| at);
    let names: Vec<String> = way.iter().cycle().skip(first).take(way.len()).map(|module| module.join("::")).collect();
    names.join(" → ")
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    for (name, folder) in folders() {
        let found: Vec<String> = circles(&files(&folder)).into_iter().collect();
        assert!(found.is_empty(), "{name}: move what all of them need into a module of its own: {}", found.join("; "));
    }
}

#[test]
fn circles_of_any_length_are_found() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file("text/mod.rs", "pub mod a; use a::A;"),
        file("text/a.rs", "use super::b::B; use super::T;"),
        file("text/b.rs", "fn f() { super::a::g() }"),
    ];
    assert_eq!(circles(&files), BTreeSet::from(["text::a → text::b".to_owned()]));
    let files = [
        file("text/a.rs", "use super::b::B;"),
        file("text/b.rs", "fn f() { crate::text::c::g() }"),
        file("text/c.rs", "use super::{a::A, d::D};"),
        file("text/d.rs", "use crate::model::Span;"),
    ];
    assert_eq!(circles(&files), BTreeSet::from(["text::a → text::b → text::c".to_owned()]));
}

#[test]
fn no_file_is_too_long() {
    let allowed =
        |file: &str| LONG_FILES.iter().find(|(name, ..)| *name == file).map_or(LONGEST_FILE, |(_, most, _)| *most);
    let too_long: Vec<String> = all_files()
        .iter()
        .map(|(file, text)| (file, text.lines().count()))
        .filter(|(file, lines)| *lines > allowed(file))
        .map(|(file, lines)| format!("{file} has {lines} lines, at most {} are allowed", allowed(file)))
        .collect();
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let silent: Vec<String> =
        all_files().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(file, _)| file).collect();
    assert!(silent.is_empty(), "no `//!` header: {silent:?}");
}
