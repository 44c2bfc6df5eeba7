//! Decides whether a question is about the text, by the words that it shares with the text and with the prompt.

use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::{is_cjk, is_latin_word};
use reqgate_text::words::clarification::OF_ANY_QUESTION;

/// The smallest sum of the shared words: one of five letters or more, two of four, or two neighbouring Chinese characters.
const ENOUGH: usize = 2;

/// Returns true if the question shares a word with the text that is not part of every question.
pub(super) fn is_about(question: &str, text: &str) -> bool {
    let known = content_words(&without_phrases(text));
    let is_known = |word: &String| known.binary_search(word).is_ok();
    let mut shared: Vec<(String, usize)> = Vec::new();
    for (word, weight) in weighted(question) {
        if is_known(&word) && !shared.iter().any(|(other, _)| *other == word) {
            shared.push((word, weight));
        }
    }
    shared.iter().map(|(_, weight)| weight).sum::<usize>() >= ENOUGH
}

/// Returns true if every content word of the question is from the prompt: the model repeats our words.
pub(super) fn is_parroted(question: &str, ours: &str) -> bool {
    let known = content_words(ours);
    content_words(question).iter().all(|word| known.binary_search(word).is_ok())
}

/// The words of a question that show its subject, as [`content_words`] writes them, with their weights.
fn weighted(question: &str) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    let lower = without_phrases(question).to_lowercase();
    for word in lower.split(|c: char| !is_latin_word(c)).filter(|word| word.chars().any(char::is_alphabetic)) {
        let weight = match word.chars().count() {
            0..=3 => 0,
            4 => 1,
            _ => ENOUGH,
        };
        if weight > 0 && !OF_ANY_QUESTION.en.contains(word) {
            out.extend(content_words(word).into_iter().map(|stem| (stem, weight)));
        }
    }
    let chinese: String = lower.chars().map(|c| if is_cjk(c) { c } else { ' ' }).collect();
    let pairs = content_words(&chinese).into_iter().filter(|word| word.chars().nth(1).is_some());
    out.extend(pairs.map(|pair| (pair, ENOUGH)));
    out
}

/// Applied to both texts, so that the removal of a phrase does not create a pair of characters from its neighbours.
fn without_phrases(text: &str) -> String {
    if !text.chars().any(is_cjk) {
        return text.to_owned();
    }
    OF_ANY_QUESTION.zh.iter().fold(text.to_owned(), |rest, phrase| rest.replace(phrase, " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Improve the search\n\nThe search is too slow. There should be results which are relevant, in dark mode too.\n\n优化报表：加载要快，导出什么格式待定。";

    #[test]
    fn a_question_about_anything_is_about_nothing() {
        for question in [
            "What is missing from the whole text?",
            "What should be there, and which are those?",
            "What else belongs to it?",
            "Is it too dark?",
            "What is the number in the list?",
            "这种情况具体应该怎么处理？",
            "是否需要？",
        ] {
            assert!(!is_about(question, TEXT), "{question}");
        }
        for question in [
            "Within how many seconds must results be shown?",
            "Where does dark mode apply?",
            "Which searches are slow?",
            "报表应该在几秒内打开？",
            "需要哪些导出格式？",
            "Search 的结果有多少？",
        ] {
            assert!(is_about(question, TEXT), "{question}");
        }
    }

    #[test]
    fn words_of_the_prompt_alone_are_no_question() {
        let ours = "questions: at most 5, the most important first. about: the number in the list. Say what is missing from the whole text.\n1. a criterion names no outcome that somebody can see";
        for question in [
            "What is the most important first?",
            "What is the number in the list?",
            "Which criterion names no outcome?",
        ] {
            assert!(is_parroted(question, ours), "{question}");
        }
        assert!(!is_parroted("Which outcome of a payment can somebody see?", ours));
        assert!(!is_parroted("导出需要几秒？", ours));
    }
}
