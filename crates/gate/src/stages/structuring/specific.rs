//! Counts the specific words of a sentence, so that filler does not count as content.

use super::statement;
use reqgate_base::model::Span;
use reqgate_text::Sentence;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::content_words::GENERIC;

/// Counts the specific words of a sentence: step verbs and filler do not count; quotes, numbers and code always do.
pub(crate) fn specific_words(text: &str, sentence: &Sentence) -> usize {
    specific(text, sentence.span)
}

/// Counts the specific words of a span.
pub(super) fn specific(text: &str, span: Span) -> usize {
    let words = span.slice(text);
    let literal = usize::from(statement::has_literal(words)) * 2;
    let mut latin = 0;
    for (index, word) in words
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '\'' | '_' | '-' | '.')))
        .filter(|w| !w.is_empty())
        .enumerate()
    {
        let lower = word.to_ascii_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let named = index > 0 && word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
        latin +=
            usize::from(word.bytes().any(|b| b.is_ascii_digit()) || named || (word.len() > 2 && !GENERIC.has(bare)));
    }
    latin + chinese(words) + literal
}

/// Counts specific Chinese words at two characters each, without general words.
fn chinese(words: &str) -> usize {
    if words.is_ascii() || !words.chars().any(is_cjk) {
        return 0;
    }
    let mut rest = words.to_string();
    for term in GENERIC.zh.iter() {
        if rest.contains(term) {
            rest = rest.replace(term, " ");
        }
    }
    rest.chars().filter(|c| is_cjk(*c)).count() / 2
}
