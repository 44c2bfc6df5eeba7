//! Every word and phrase that the gate looks for, in one automaton: a lower bound for the time of a gate that reads
//! these words.

use aho_corasick::AhoCorasick;
use reqgate::config::guardrail::GuardrailPatterns;
use reqgate::rules;
use serde_json::Value;

/// The keys of the shipped files that contain words.
const KEYS: [&str; 3] = ["en", "zh", "except"];

/// Finds every word of the rules, the vocabulary, the facets and the guardrail, ignoring case.
pub fn automaton() -> AhoCorasick {
    let mut words = Vec::new();
    for file in rules::shipped_files_for_judging() {
        collect(&serde_json::from_str(&file.text).expect("the shipped files are JSON"), false, &mut words);
    }
    let patterns = GuardrailPatterns::shipped().expect("the shipped patterns are valid");
    let weak = patterns.weak_signs().expect("the shipped signs are valid");
    let lists = patterns.words.values().chain(weak.signs.values());
    lists.flat_map(|list| list.iter()).for_each(|word| spell_out(word, &mut words));
    for word in &mut words {
        word.truncate(word.trim_end_matches(['~', '*']).len());
    }
    words.retain(|word| !word.trim().is_empty());
    words.sort_unstable();
    words.dedup();
    AhoCorasick::builder().ascii_case_insensitive(true).build(&words).expect("they fit into one automaton")
}

fn collect(value: &Value, are_words: bool, words: &mut Vec<String>) {
    match value {
        Value::String(word) if are_words => words.push(word.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, are_words, words)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| collect(value, KEYS.contains(&key.as_str()), words));
        }
        _ => {}
    }
}

/// Expands a pattern: `{a|b} c` gives `a c` and `b c`; `word(s)` gives `word` and `words`.
fn spell_out(pattern: &str, words: &mut Vec<String>) {
    let choice = pattern.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    match (choice, pattern.strip_suffix("(s)")) {
        (Some((head, (choices, tail))), _) => {
            choices.split('|').for_each(|choice| spell_out(&format!("{head}{choice}{tail}"), words));
        }
        (None, Some(word)) => words.extend([word.to_owned(), format!("{word}s")]),
        (None, None) => words.push(pattern.to_owned()),
    }
}
