//! No shipped term may come from a single held-out text. Such a term would make the figures of that set too good.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Terms of everyday language that occur in one held-out text and nowhere else in this repository. A person checked
/// each of them. A new term must be as common as these, or be removed.
const ORDINARY: &str = include_str!("../texts/ordinary-terms.txt");

#[test]
fn no_term_occurs_in_one_held_out_text_and_nowhere_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (held_out, other): (Vec<PathBuf>, Vec<PathBuf>) = ["tests", "prompts"]
        .into_iter()
        .flat_map(|folder| files(&root.join(folder)))
        .partition(|path| is_held_out(path));
    let held_out: Vec<String> = held_out.iter().filter_map(|path| text(path)).collect();
    // The checksums of a lock file contain short words by chance. Two sets of open points are only used for counting,
    // and two were used for tuning.
    // Code is no language of tickets either.
    let is_language = |path: &&PathBuf| {
        !path.ends_with("ordinary-terms.txt")
            && path.extension().is_none_or(|ending| ending != "rs")
            && !path.ends_with("package-lock.json")
            && !path.parent().is_some_and(|folder| folder.ends_with("open_points"))
    };
    let other: Vec<String> = other.iter().filter(is_language).filter_map(|path| text(path)).collect();
    assert!(held_out.len() > 100 && other.len() > 500, "{} and {} texts", held_out.len(), other.len());

    let ordinary: Vec<&str> = ORDINARY.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let fitted: BTreeMap<String, String> = shipped_terms(root)
        .into_iter()
        .filter(|(term, _)| held_out.iter().filter(|text| holds(text, term)).count() == 1)
        .filter(|(term, _)| !other.iter().any(|text| holds(text, term)))
        .collect();
    let unread: Vec<String> = fitted
        .iter()
        .filter(|(term, _)| !ordinary.contains(&term.as_str()))
        .map(|(term, file)| format!("{term} ({file})"))
        .collect();
    assert!(unread.is_empty(), "{} terms occur in one held-out text only:\n{}", unread.len(), unread.join("\n"));
    let stale: Vec<&&str> = ordinary.iter().filter(|term| !fitted.contains_key(**term)).collect();
    assert!(
        stale.is_empty(),
        "these terms occur in another text now or in no list: remove their lines from tests/texts/ordinary-terms.txt: {stale:?}"
    );
}

#[test]
fn a_term_is_sought_as_a_word() {
    assert!(holds("the see-mail flag", "see-mail") && holds("it was misaligned.", "misalign"));
    assert!(!holds("the overseer", "see") && holds("请参见上文", "参见"));
}

/// Every term of a list under `rubrics/` in lower case, without its mark for endings, and a file that contains it.
fn shipped_terms(root: &Path) -> BTreeMap<String, String> {
    let mut terms = BTreeMap::new();
    for path in
        files(&root.join("rubrics")).iter().filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
    {
        let file: serde_json::Value = serde_saphyr::from_str(&text(path).expect("a text"))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.strip_prefix(root).expect("below the root").display().to_string();
        collect(&file, false, &mut |term| {
            let term = term.trim().trim_end_matches(['~', '*']).to_lowercase();
            if !term.is_empty() {
                terms.insert(term, name.clone());
            }
        });
    }
    assert!(terms.len() > 5_000, "{} terms", terms.len());
    terms
}

/// The strings of the lists called `en` and `zh`, outside examples and exceptions.
fn collect(value: &serde_json::Value, list: bool, found: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::String(term) if list => found(term),
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, list, found)),
        serde_json::Value::Object(fields) => {
            for (name, field) in fields.iter().filter(|(name, _)| !matches!(name.as_str(), "examples" | "except")) {
                collect(field, field.is_array() && matches!(name.as_str(), "en" | "zh"), found);
            }
        }
        _ => {}
    }
}

/// Returns true if a term occurs in a text; a term of letters must start at the start of a word.
fn holds(text: &str, term: &str) -> bool {
    text.match_indices(term)
        .any(|(at, _)| !term.is_ascii() || !text[..at].ends_with(|before: char| before.is_ascii_alphanumeric()))
}

fn is_held_out(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "heldout")
        || path.file_name().is_some_and(|name| name == "heldout.yaml")
}

fn text(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.to_lowercase())
}

/// Every file below a folder, in any order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .expect("a folder of the repository")
        .map(|entry| entry.expect("a readable entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
