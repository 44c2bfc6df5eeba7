//! Recognises scenarios (Given, When, Then; 假如, 当, 那么) by the words that begin their lines.

use super::lexicon::open_with;

const KEYWORDS_EN: [&str; 7] = ["given ", "when ", "then ", "and ", "but ", "scenario", "background:"];
const KEYWORDS_ZH: [&str; 11] = ["假如", "假设", "假定", "当", "那么", "并且", "而且", "但是", "则", "且", "场景"];

/// True if a line begins with a keyword of Gherkin.
pub fn is_gherkin_line(words: &str) -> bool {
    let words = words.trim_start_matches(['*', '_', '-', ' ']);
    // "**WHEN** the …": the stars behind the keyword go, too.
    let bare = words.chars().filter(|c| *c != '*');
    let opens = |keyword: &&str| open_with(bare.clone(), keyword);
    let with_colon = |keyword: &&str| {
        let word = keyword.trim_end();
        open_with(bare.clone(), word) && bare.clone().nth(word.len()) == Some(':')
    };
    KEYWORDS_EN.iter().any(|keyword| opens(keyword) || with_colon(keyword)) || KEYWORDS_ZH.iter().any(opens)
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
        let opens = |keyword: &&str| open_with(words.chars().filter(|c| *c != '*'), keyword);
        trigger |= ["given", "when ", "假如", "假设", "假定", "当"].iter().any(opens);
        outcome |= trigger && ["then ", "then:", "那么"].iter().any(opens);
    }
    (trigger, outcome)
}
