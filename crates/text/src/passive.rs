//! Finds passive forms in English sentences ("is sent", "has not yet been approved") by a scan over the words.
//!
//! The scan needs no grammar: it looks for a form of *be* or *get*, words that may come between, and a participle.
//! Chinese marks the passive with 被 or not at all.

use super::lexicon::is_latin_word;
use crate::words::List;
use crate::words::passive::{ADJECTIVES, AUXILIARIES, BETWEEN, GET_FORMS, IRREGULAR_PARTICIPLES};
use reqgate_base::model::Span;

#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    span: Span,
    /// Only white space separates this word from the previous one.
    joined: bool,
}

/// The passive forms of a sentence, from the auxiliary to the participle, in order.
pub fn passives(sentence: &str) -> Vec<Span> {
    let words = words(sentence);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match participle_after(&words, at) {
            Some(end) => {
                found.push(words[at].span.join(words[end].span));
                at = end + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// The index of the participle that makes a passive with the auxiliary at `at`.
fn participle_after(words: &[Word<'_>], at: usize) -> Option<usize> {
    let is = |list: List, word: &str| list.iter().any(|entry| word.eq_ignore_ascii_case(entry));
    let auxiliary = words[at].text;
    let gets = is(GET_FORMS.en, auxiliary);
    if !gets && !is(AUXILIARIES.en, auxiliary) {
        return None;
    }
    for (index, word) in words.iter().enumerate().skip(at + 1).take(5) {
        if !word.joined {
            return None;
        }
        if is_participle(word.text) && !(gets && word.text.eq_ignore_ascii_case("read")) {
            return Some(index);
        }
        let between =
            is(BETWEEN.en, word.text) || word.text.len() > 3 && word.text.to_ascii_lowercase().ends_with("ly");
        if !between {
            return None;
        }
    }
    None
}

/// Returns true for the past participle of a verb, except adjectives like "tired".
fn is_participle(word: &str) -> bool {
    let is = |list: List| list.iter().any(|entry| word.eq_ignore_ascii_case(entry));
    let regular = word.len() > 4 && word.get(word.len() - 2..).is_some_and(|tail| tail.eq_ignore_ascii_case("ed"));
    (regular && !word.get(word.len() - 3..).is_some_and(|tail| tail.eq_ignore_ascii_case("eed")) && !is(ADJECTIVES.en))
        || is(IRREGULAR_PARTICIPLES.en)
        || word.eq_ignore_ascii_case("agreed")
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut start = None;
    let in_word = |c: char| is_latin_word(c) || matches!(c, '\'' | '’');
    for (index, c) in sentence.char_indices().chain([(sentence.len(), ' ')]) {
        match (start, in_word(c)) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                let gap = out.last().map_or("", |last| sentence.get(last.span.end..from).unwrap_or(""));
                let joined = gap.chars().all(char::is_whitespace);
                out.push(Word { text: &sentence[from..index], span: Span::new(from, index), joined });
                start = None;
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sentence: &str) -> Vec<&str> {
        passives(sentence).into_iter().map(|span| span.slice(sentence)).collect()
    }

    #[test]
    fn passives_are_found_with_words_between() {
        assert_eq!(found("The order has not yet been approved by Ann."), ["been approved"]);
        assert_eq!(found("It is automatically sent, and files are kept."), ["is automatically sent", "are kept"]);
        assert_eq!(found("Parcels got lost."), ["got lost"]);
    }

    #[test]
    fn active_sentences_and_adjectives_are_none() {
        for sentence in
            ["The clerk sends it.", "I am tired.", "The list is red.", "It was, he said, late.", "订单被取消"]
        {
            assert!(found(sentence).is_empty(), "{sentence}");
        }
    }
}
