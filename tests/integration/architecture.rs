//! The layers of the house: reads every import under `src/` and fails on one that goes upward or sideways.

mod imports;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use imports::imports;

/// Every room and its layer. A room may import itself and lower layers, never a room of its own layer.
///
/// A new top-level module fails the test until it has been given its place here.
const LAYERS: &[(&str, u8)] = &[
    ("bounded_json", 0),
    ("clean", 0),
    ("files", 0),
    ("hash", 0),
    ("suggest", 0),
    // The macro `names!`, which stands at the root like every exported macro.
    ("names", 0),
    ("model", 1),
    ("page", 1),
    ("net", 1),
    ("sticky_comment", 1),
    ("yaml", 1),
    ("text", 2),
    // A network beside the signs of the text; it knows nothing of rules and policies.
    ("local_reader", 2),
    ("llm", 2),
    ("github", 2),
    ("jira", 2),
    ("rules", 3),
    ("prompts", 3),
    ("config", 3),
    ("workflow", 3),
    ("stages/intake", 4),
    ("stages/guardrail", 4),
    ("stages/structuring", 4),
    ("stages/structure_check", 4),
    ("stages/scoring", 4),
    ("stages/gate", 4),
    ("report", 4),
    // Over the network like `github` and `jira`, and above the breaker of `llm` and the settings of `config`.
    ("search", 4),
    ("orders", 5),
    // Has a chat model carry out orders.
    ("review", 6),
    ("pipeline", 7),
    ("catalog", 7),
    ("audit", 8),
    ("prd", 8),
    ("hook", 8),
    // Runs the pipeline on what `github` brings, and the audit: it stands above both.
    ("action", 9),
    // Measures the critics of `prd`.
    ("eval", 9),
    ("serve", 10),
    ("main", BINARY),
    ("cli", BINARY),
];

/// The layer of the binary, whose rooms belong together.
const BINARY: u8 = 11;

/// A file longer than this is two files.
const LONGEST_FILE: usize = 500;

/// Files that may be longer, up to so many lines, and why.
const LONG_FILES: &[(&str, usize, &str)] =
    &[("text/blocks.rs", 650, "one pass over the lines: its states mean nothing apart")];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every `.rs` file below `src/`, as its path relative to it with `/` between the parts, and its text.
fn files() -> Vec<(String, String)> {
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
    walk(&source(), &source(), &mut out);
    out.sort();
    out
}

/// The module that a file is: `stages/gate/path.rs` is `["stages", "gate", "path"]`, `lib.rs` is the root.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    match path {
        "lib" => Vec::new(),
        _ => path.split('/').map(str::to_owned).collect(),
    }
}

/// The room that a module lies in; `None` for the root, where rooms are only declared.
fn room_of(module: &[String]) -> Option<String> {
    match module {
        [] => None,
        [first, second, ..] if first == "stages" => Some(format!("stages/{second}")),
        [first, ..] => Some(first.clone()),
    }
}

fn layer_of(room: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == room).map(|(_, layer)| *layer)
}

/// Why `from` must not import `to`; `None` if it may.
fn objection(from: &str, to: &str) -> Option<String> {
    if from == to {
        return None;
    }
    let (Some(own), Some(other)) = (layer_of(from), layer_of(to)) else {
        let unknown = if layer_of(from).is_none() { from } else { to };
        return Some(format!(
            "`{unknown}` is no room of the house: give it a layer in tests/integration/architecture.rs"
        ));
    };
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => None,
        std::cmp::Ordering::Equal if own == BINARY => None,
        std::cmp::Ordering::Equal => Some(format!("sideways: `{from}` and `{to}` are both in layer {own}")),
        std::cmp::Ordering::Less => Some(format!("upward: `{from}` is in layer {own}, `{to}` in layer {other}")),
    }
}

/// The objections to the imports of one file.
fn objections(file: &str, text: &str) -> BTreeSet<String> {
    let module = module_of(file);
    let Some(from) = room_of(&module) else { return BTreeSet::new() };
    if module == ["stages"] {
        // Where the stages are declared; an import here would hand one to another.
        return imports(&module, text).iter().map(|target| format!("{file}: imports {}", target.join("::"))).collect();
    }
    imports(&module, text)
        .iter()
        .filter_map(|target| {
            let to = room_of(target).unwrap_or_else(|| "the root".to_owned());
            objection(&from, &to).map(|reason| format!("{file}: {} – {reason}", target.join("::")))
        })
        .collect()
}

#[test]
fn no_import_goes_upward_or_sideways() {
    let files = files();
    assert!(files.len() > 50, "only {} files found", files.len());
    let found: Vec<String> = files.iter().flat_map(|(file, text)| objections(file, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Which module imports which, tests and parents with their children left out.
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

/// The circles of imports, of any length: one shortest way back to itself for each module that has one.
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

/// A circle, beginning with its first module by name, so that it is told once.
fn in_order(way: &[Vec<String>]) -> String {
    let first = way.iter().enumerate().min_by_key(|(_, module)| (*module).clone()).map_or(0, |(at, _)| at);
    let names: Vec<String> = way.iter().cycle().skip(first).take(way.len()).map(|module| module.join("::")).collect();
    names.join(" → ")
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let found: Vec<String> = circles(&files()).into_iter().collect();
    assert!(found.is_empty(), "move what all of them need into a module of its own: {}", found.join("; "));
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
fn every_module_has_a_layer() {
    let modules = files().into_iter().filter_map(|(file, _)| {
        let module = module_of(&file);
        (module != ["stages"]).then(|| room_of(&module)).flatten()
    });
    let unplaced: BTreeSet<String> = modules.filter(|room| layer_of(room).is_none()).collect();
    assert!(unplaced.is_empty(), "no layer for {unplaced:?}: place it in tests/integration/architecture.rs");
}

#[test]
fn no_file_is_too_long() {
    let allowed =
        |file: &str| LONG_FILES.iter().find(|(name, ..)| *name == file).map_or(LONGEST_FILE, |(_, most, _)| *most);
    let too_long: Vec<String> = files()
        .iter()
        .map(|(file, text)| (file, text.lines().count()))
        .filter(|(file, lines)| *lines > allowed(file))
        .map(|(file, lines)| format!("src/{file} has {lines} lines, at most {} are allowed", allowed(file)))
        .collect();
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let silent: Vec<String> =
        files().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(file, _)| file).collect();
    assert!(silent.is_empty(), "no `//!` header: {silent:?}");
}

#[test]
fn upward_and_sideways_imports_are_objected_to() {
    let bad = [
        ("model/span.rs", "use crate::text::Reading;", "upward"),
        ("text/blocks.rs", "fn f() -> crate::rules::Rule { todo() }", "upward"),
        ("rules/load.rs", "use crate::config::Config;", "sideways"),
        ("stages/gate/mod.rs", "use super::scoring::score;", "sideways"),
        ("stages/gate/path.rs", "use super::super::scoring::{self, score};", "sideways"),
        ("stages/gate/mod.rs", "use super::*;", "no room"),
        ("stages/gate/mod.rs", "use crate::{model::Span, report::{Format, Summary}};", "sideways"),
        ("stages/gate/mod.rs", "mod tests { use super::super::intake::RawInput; }", "sideways"),
        ("report/json/mod.rs", "use super::super::pipeline;", "upward"),
        ("report/json/mod.rs", "use crate::attic::Box;", "no room"),
        ("catalog.rs", "use crate::pipeline::Pipeline;", "sideways"),
        ("cli/mod.rs", "use reqgate::attic::Box;", "no room"),
        ("config/mod.rs", "use crate::cli::Arguments;", "upward"),
    ];
    for (file, text, reason) in bad {
        let found = objections(file, text);
        assert!(found.iter().any(|found| found.contains(reason)), "{file}: {text}: {found:?}");
    }
}

#[test]
fn downward_imports_and_own_rooms_are_fine() {
    let good = [
        ("text/blocks.rs", "use crate::model::{Span, finding::{self, Finding as F}}; use super::markup;"),
        ("stages/gate/path.rs", "use super::Repair; use crate::stages::gate::waivers; use crate::rules::Rubric;"),
        ("stages/gate/mod.rs", "pub(in crate::stages::gate) fn f() {} mod tests { use super::*; }"),
        (
            "stages/gate/mod.rs",
            "// use crate::report::Format;\n/* use super::scoring; */ const A: &str = \"crate::report::x\";",
        ),
        ("pipeline.rs", "use crate::stages::{gate, intake::{RawInput, detect}, scoring};"),
        ("cli/mod.rs", "use crate::main; use reqgate::{pipeline::Pipeline, report};"),
        ("main.rs", "mod cli; fn main() { cli::run(); crate::cli::run(); reqgate::report::Format::Human; }"),
        ("lib.rs", "pub mod model; pub use crate::report::Format;"),
    ];
    for (file, text) in good {
        assert_eq!(objections(file, text), BTreeSet::new(), "{file}: {text}");
    }
}
