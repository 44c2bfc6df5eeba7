//! Recognises scenarios (Given, When, Then; 假如, 当, 那么) by the words that begin their lines.

const KEYWORDS_EN: [&str; 7] = ["given ", "when ", "then ", "and ", "but ", "scenario", "background:"];
const KEYWORDS_ZH: [&str; 11] = ["假如", "假设", "假定", "当", "那么", "并且", "而且", "但是", "则", "且", "场景"];

/// True if a line begins with a keyword of Gherkin.
pub fn is_gherkin_line(words: &str) -> bool {
    let words = words.trim_start_matches(['*', '_', '-', ' ']);
    // "**WHEN** the …": the stars behind the keyword go, too.
    let head: String = words.chars().filter(|c| *c != '*').take(12).flat_map(char::to_lowercase).collect();
    KEYWORDS_EN.iter().any(|k| head.starts_with(k) || head.starts_with(&format!("{}:", k.trim())))
        || KEYWORDS_ZH.iter().any(|k| head.starts_with(k))
}

/// True if a piece of text is a scenario: it has an outcome (Then, 那么) and a trigger or a state before it.
pub fn is_gherkin(text: &str) -> bool {
    gherkin_parts(text, false).1
}

/// Whether lines hold a trigger (Given, When) and, behind one, an outcome; `triggered` if one was seen before.
pub fn gherkin_parts(text: &str, triggered: bool) -> (bool, bool) {
    let mut trigger = triggered;
    let mut outcome = false;
    for line in text.lines() {
        let words = line.trim_start_matches(['*', '_', '-', '#', '>', ' ', '\t', '\u{3000}']);
        let head: String = words.chars().filter(|c| *c != '*').take(6).flat_map(char::to_lowercase).collect();
        trigger |= ["given", "when ", "假如", "假设", "假定", "当"].iter().any(|k| head.starts_with(k));
        outcome |= trigger && (head.starts_with("then ") || head.starts_with("then:") || head.starts_with("那么"));
    }
    (trigger, outcome)
}
