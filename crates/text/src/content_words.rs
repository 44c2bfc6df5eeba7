//! The words of a sentence that carry its meaning, in a form in which "prints labels" and "print a label" are equal.

use crate::lexicon::{is_cjk, is_latin_word};
use crate::words::content_words::EMPTY_WORDS;

/// The stems of the content words, sorted and without duplicates; numbers and "not" count as content.
pub fn content_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut latin = String::new();
    let mut chinese = String::new();
    for c in text.chars().chain([' ']) {
        if is_cjk(c) {
            chinese.push(c);
        } else {
            add_chinese(&mut chinese, &mut words);
        }
        if is_latin_word(c) {
            if c.is_ascii() { latin.push(c.to_ascii_lowercase()) } else { latin.extend(c.to_lowercase()) }
        } else if !latin.is_empty() {
            if !EMPTY_WORDS.has(&latin) {
                words.push(stem(&latin));
            }
            latin.clear();
        }
    }
    words.sort();
    words.dedup();
    words
}

/// Adds pairs of neighbouring characters, in place of Chinese words.
fn add_chinese(run: &mut String, words: &mut Vec<String>) {
    if run.is_empty() {
        return;
    }
    let mut rest = std::mem::take(run);
    for phrase in EMPTY_WORDS.zh.iter() {
        rest = rest.replace(phrase, " ");
    }
    for part in rest.split(' ') {
        let chars: Vec<char> = part.chars().collect();
        match chars.as_slice() {
            [] => {}
            [one] => words.push(one.to_string()),
            more => words.extend(more.windows(2).map(|pair| pair.iter().collect::<String>())),
        }
    }
}

/// Cuts the endings of English; crude, but the same on both sides of a comparison.
pub fn stem(word: &str) -> String {
    let may_end = word.ends_with(['s', 'n', 'g', 'y', 'd']);
    let cut = ["ations", "ation", "ings", "ing", "edly", "ies", "ied", "es", "ed", "s", "ly"]
        .iter()
        .filter(|_| may_end)
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 3));
    let mut stem = cut.unwrap_or(word).to_string();
    // "print-ed" and "stopp-ed", "fil-e" and "fil-ed" end alike.
    let last = stem.chars().last();
    if cut.is_some() && stem.len() > 3 && last.is_some_and(|c| stem[..stem.len() - c.len_utf8()].ends_with(c)) {
        stem.pop();
    }
    if stem.len() > 3 && (stem.ends_with('e') || stem.ends_with('y')) {
        stem.pop();
    }
    stem
}

/// The number of the first words that are among the second; both lists are sorted.
pub fn shared(some: &[String], others: &[String]) -> usize {
    some.iter().filter(|word| others.binary_search(word).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_are_equal() {
        assert_eq!(content_words("A label can be printed"), content_words("print labels"));
        assert_eq!(content_words("支持导出报表"), content_words("可以导出报表"));
        assert_ne!(content_words("1 copy"), content_words("2 copies"));
        assert_ne!(content_words("is shown"), content_words("is not shown"));
    }
}
