//! Turns the shipped YAML files into JSON inside the binary: reading them as YAML would take most of the start time.
//!
//! The types stay the same, a test compares both readings, and a rubric keeps the hash of its YAML text.

mod messages;

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

/// One table of shipped files: a Rust array of (path, JSON, hash), which a crate includes.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// The folder below the root of the repository.
    pub folder: &'static str,
    /// The name of the generated file.
    pub name: &'static str,
    /// The position of the YAML document in each file, from 0.
    pub document: usize,
    /// The destination of the examples.
    pub examples: Examples,
}

impl Table {
    /// Makes the table of whole files.
    pub const fn whole(folder: &'static str, name: &'static str) -> Self {
        Self { folder, name, document: 0, examples: Examples::Within }
    }

    /// Writes the table for the crate whose build script calls this.
    ///
    /// # Errors
    /// Fails for a file that is not YAML or cannot be read.
    pub fn write(self) -> Result<(), Box<dyn Error>> {
        let folder = shipped(self.folder)?;
        Ok(fs::write(made(self.name)?, compiled(&folder, self.document, self.examples)?)?)
    }
}

/// Writes a Rust module for each file of word lists, and a constant for each list.
///
/// # Errors
/// Fails for a list without words or without a way to match them.
pub fn write_words(name: &str) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(made(name)?, words(&shipped("rubrics")?.join(WORDS))?)?)
}

/// Writes the sentences of `messages/` as a Rust struct for each file.
///
/// # Errors
/// Fails for a sentence that a language lacks, or whose languages have other placeholders.
pub fn write_messages(name: &str) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(made(name)?, messages::compiled(&shipped("messages")?)?)?)
}

/// Writes the measured precision of the rules as a Rust array.
///
/// # Errors
/// Fails for a file of another form.
pub fn write_precision(name: &str) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(made(name)?, precision(&shipped("rubrics")?.join(PRECISION))?)?)
}

/// Returns the path of a folder of the repository; the build script runs again when it changes.
fn shipped(folder: &str) -> Result<PathBuf, Box<dyn Error>> {
    let path = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..").join(folder);
    println!("cargo::rerun-if-changed={}", path.display());
    Ok(path)
}

fn made(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    Ok(PathBuf::from(env::var("OUT_DIR")?).join(name))
}

/// The folder of the word lists that the program names: a Rust module per file, a constant per list.
const WORDS: &str = "words";

/// The name and the code of the constant of one list. A test checks that the list has no other keys and fits its examples.
fn word_list(topic: &str, list: &serde_json::Value) -> Result<(String, String), String> {
    let text = |key: &str| list.get(key).and_then(serde_json::Value::as_str).ok_or(format!("a list has no `{key}`"));
    let (id, purpose) = (text("id")?, text("purpose")?);
    let words = |key: &str| -> Result<Vec<&str>, String> {
        let written = list.get(key).and_then(serde_json::Value::as_array).into_iter().flatten();
        let words: Option<Vec<&str>> = written.map(serde_json::Value::as_str).collect();
        words.filter(|words| words.iter().all(|word| !word.trim().is_empty())).ok_or(format!("{id}: a word is text"))
    };
    let (en, zh) = (words("en")?, words("zh")?);
    if en.is_empty() && zh.is_empty() || !id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        return Err(format!("{id}: a list has words, and an id in lower case with hyphens"));
    }
    let matching = match text("match")? {
        "word" => "Word",
        "anywhere" => "Anywhere",
        "start" => "Start",
        "end" => "End",
        "whole" => "Whole",
        other => return Err(format!("{id}: `match` is word, anywhere, start, end or whole, not `{other}`")),
    };
    let constant = id.to_uppercase().replace('-', "_");
    let all: Vec<&str> = en.iter().chain(&zh).copied().collect();
    // The table holds numbers instead of the words: each reference to a text would have to be relocated when a process starts.
    let mut places = vec![0_usize; (2 * all.len()).next_power_of_two()];
    for (word, number) in all.iter().zip(1..) {
        let mut place = hashed(word) as usize % places.len();
        while places[place] != 0 {
            place = (place + 1) % places.len();
        }
        places[place] = number;
    }
    let longest = all.iter().map(|word| word.len()).max().unwrap_or(0);
    let (en, zh) = (run_together(&en)?, run_together(&zh)?);
    let code = format!(
        "    /// {purpose}\n    pub const {constant}: &Words = &Words {{ longest: {longest}, id: \"{topic}/{id}\", matching: Matching::{matching}, en: {en}, zh: {zh}, places: &{places:?} }};\n"
    );
    Ok((constant, code))
}

/// The code of words as one text. A reference for each would be longer than most words, and would be relocated at each start.
fn run_together(words: &[&str]) -> Result<String, String> {
    let mut ends = Vec::with_capacity(words.len());
    let mut text = String::new();
    for word in words {
        text.push_str(word);
        ends.push(u16::try_from(text.len()).map_err(|_| "a list has at most 65,535 bytes of words")?);
    }
    Ok(format!("List {{ text: {text:?}, ends: &{ends:?} }}"))
}

/// Hashes a word (FNV-1a) in the same way as crate `text`, which looks words up in the tables made here.
fn hashed(word: &str) -> u32 {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // The lowest bits alone hardly depend on the first letters.
    hash ^ hash >> 15
}

/// Rust modules with one constant per list, so that no list is read or looked up by name at run time.
fn words(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut files = Vec::new();
    walk(folder, folder, &mut files)?;
    files.sort();
    let (mut code, mut all) = (String::new(), String::new());
    for (name, path) in files {
        let topic = name.trim_end_matches(".yaml");
        let options = serde_saphyr::options! { strict_booleans: true };
        let lists: Vec<serde_json::Value> = serde_saphyr::from_str_with_options(&fs::read_to_string(&path)?, options)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let module = topic.replace('-', "_");
        writeln!(
            code,
            "/// Word lists of `rubrics/words/{name}`.\npub mod {module} {{\n    use super::{{List, Matching, Words}};"
        )?;
        for list in &lists {
            let (constant, line) = word_list(topic, list).map_err(|error| format!("{}: {error}", path.display()))?;
            code.push_str(&line);
            writeln!(all, "    {module}::{constant},")?;
        }
        code.push_str("}\n");
    }
    writeln!(code, "/// Every list, ordered by file.\npub const ALL: &[&Words] = &[\n{all}];")?;
    Ok(code)
}

/// The file with the measured precision of the rules. It has its own table, so that it need not be read at start.
const PRECISION: &str = "precision.yaml";

/// A Rust array of (rule, array of (origin, right, wrong)), ordered by rule.
fn precision(path: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let file: serde_json::Value = serde_saphyr::from_str(&text)?;
    let rules = file.get("rules").and_then(serde_json::Value::as_object).ok_or("precision.yaml has no rules")?;
    let mut rows = Vec::new();
    for (rule, origins) in rules {
        let mut row = format!("({rule:?}, &[");
        for (origin, tally) in origins.as_object().ok_or("an origin holds counts")? {
            let count = |key: &str| tally.get(key).and_then(serde_json::Value::as_u64).ok_or("a count is a number");
            write!(row, "({origin:?}, {}, {}), ", count("right")?, count("wrong")?)?;
        }
        row.push_str("]),\n");
        rows.push((rule.clone(), row));
    }
    rows.sort();
    Ok(format!("&[\n{}]\n", rows.into_iter().map(|(_, row)| row).collect::<String>()))
}

/// The destination of the examples of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examples {
    /// In the JSON of the file.
    Within,
    /// In a separate text, because no verdict needs them.
    Apart,
}

/// Returns false for files that have their own table.
fn is_wanted(folder: &Path, name: &str) -> bool {
    let is_apart = ["gaps/", "names/", "perspectives/", "reader/", "sections/", "words/"]
        .iter()
        .any(|folder| name.starts_with(folder));
    name != PRECISION && !(folder.ends_with("rubrics") && is_apart)
}

/// A Rust array of (path, JSON, hash of the YAML text), ordered by path. If examples are kept apart, the JSON has empty
/// lists in their place, and two more fields hold their byte range and their JSON.
fn compiled(folder: &Path, document: usize, examples: Examples) -> Result<String, Box<dyn Error>> {
    let mut files = Vec::new();
    walk(folder, folder, &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files.into_iter().filter(|(name, _)| is_wanted(folder, name)) {
        // Line ends differ between checkouts of the same file.
        let text = fs::read_to_string(&path)?.replace("\r\n", "\n");
        // `off` and `no` are text in these files.
        let options = serde_saphyr::options! { strict_booleans: true };
        let Some(part) = text.split("\n---\n").nth(document) else { continue };
        let mut value: serde_json::Value = serde_saphyr::from_str_with_options(part, options)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        if examples == Examples::Within {
            writeln!(code, "({name:?}, {:?}, {:?}),", value.to_string(), hash(&text))?;
            continue;
        }
        let (place, shown) = take_examples(&mut value);
        writeln!(code, "({name:?}, {:?}, {:?}, {place:?}, {shown:?}),", value.to_string(), hash(&text))?;
    }
    code.push_str("]\n");
    Ok(code)
}

/// Empties the examples of a file. Returns the byte range of the empty lists in the JSON, and the examples.
fn take_examples(value: &mut serde_json::Value) -> (std::ops::Range<usize>, String) {
    let Some(examples) = value.get_mut("examples").filter(|examples| examples.is_object()) else {
        return (0..0, String::new());
    };
    let shown = examples.to_string();
    // A mark that occurs nowhere else finds the place.
    let mark = "\u{1}";
    let lists = std::mem::replace(examples, mark.into());
    let mark = serde_json::Value::from(mark).to_string();
    let at = value.to_string().find(&mark).unwrap_or_default();
    let keys =
        lists.as_object().into_iter().flatten().map(|(key, _)| (key.clone(), serde_json::Value::Array(Vec::new())));
    let empty = serde_json::Value::Object(keys.collect());
    let place = at..at + empty.to_string().len();
    value["examples"] = empty;
    (place, shown)
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push((path.strip_prefix(root)?.to_string_lossy().replace('\\', "/"), path));
        }
    }
    Ok(())
}

/// First 16 hexadecimal digits of the SHA-256.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
