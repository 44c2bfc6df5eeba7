//! A ratchet for plain words: the count of each file's awkward phrases may only fall. `tests/texts/plain-words.yaml` has the patterns,
//! `tests/texts/plain-words-left.txt` the counts; `UPDATE=1` writes lower ones.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    kind: String,
    instead: String,
    pattern: String,
    fires: Vec<String>,
    silent: Vec<String>,
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn patterns() -> Vec<(Pattern, Regex)> {
    let text = fs::read_to_string(root("tests/texts/plain-words.yaml")).expect("the patterns can be read");
    let patterns: Vec<Pattern> = serde_saphyr::from_str(&text).expect("the patterns are valid");
    patterns
        .into_iter()
        .map(|one| {
            let regex = Regex::new(&one.pattern).expect("the pattern compiles");
            (one, regex)
        })
        .collect()
}

fn files(folder: &Path, ending: &str, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target" && name != "reader-data") {
            files(&path, ending, out);
        } else if path.extension().is_some_and(|own| own == ending) {
            out.push(path);
        }
    }
}

/// The prose of a file: the text of each comment line in code, and of each English line in a file of messages.
fn prose(path: &Path, text: &str) -> Vec<(usize, String)> {
    let is_code = path.extension().is_some_and(|ending| ending == "rs");
    let line = |(index, line): (usize, &str)| {
        let line = line.trim_start();
        let words = match is_code {
            true => line.strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim_start()),
            false => line.strip_prefix("en: ").map(|rest| rest.trim_start_matches('"')),
        };
        words.map(|words| (index + 1, words.to_owned()))
    };
    text.lines().enumerate().filter_map(line).collect()
}

#[test]
fn patterns_find_their_examples() {
    for (own, regex) in patterns() {
        for words in &own.fires {
            assert!(regex.is_match(words), "{}: `{words}`", own.kind);
        }
        for words in &own.silent {
            assert!(!regex.is_match(words), "{}: `{words}`", own.kind);
        }
    }
}

#[test]
fn words_become_plainer_only() {
    let patterns = patterns();
    let mut paths = Vec::new();
    for folder in ["crates", "lab/src", "src"] {
        files(&root(folder), "rs", &mut paths);
    }
    files(&root("messages"), "yaml", &mut paths);
    let mut left: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a source file is UTF-8");
        let name = path.strip_prefix(root("")).expect("it is below the root").to_string_lossy().replace('\\', "/");
        for (line, words) in prose(&path, &text) {
            for (own, _) in patterns.iter().filter(|(_, regex)| regex.is_match(&words)) {
                let (count, places) = left.entry(name.clone()).or_default();
                *count += 1;
                let _ = writeln!(places, "  {name}:{line}: {}: write {}\n    {words}", own.kind, own.instead);
            }
        }
    }
    let record = root("tests/texts/plain-words-left.txt");
    let written: String = left.iter().map(|(name, (count, _))| format!("{count} {name}\n")).collect();
    let known = fs::read_to_string(&record).unwrap_or_default();
    let allowed: BTreeMap<&str, usize> = known
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(count, name)| Some((name, count.parse().ok()?)))
        .collect();
    let worse: String = left
        .iter()
        .filter(|(name, (count, _))| *count > allowed.get(name.as_str()).copied().unwrap_or_default())
        .map(|(_, (_, places))| places.as_str())
        .collect();
    if std::env::var_os("UPDATE").is_some() && (worse.is_empty() || known.is_empty()) {
        fs::write(&record, written).expect("the record can be written");
        return;
    }
    assert!(worse.is_empty(), "new awkward phrases (docs/style.md says what to write):\n{worse}");
    let better: String = known.lines().filter(|line| !written.lines().any(|now| now == *line)).collect();
    assert!(
        written == known,
        "tests/texts/plain-words-left.txt allows more awkward phrases than there are: {better}. Lower it: UPDATE=1 cargo test --test \
         integration words_become_plainer"
    );
}
