//! Finds questions in which the author weighs different ways to build a feature.

use super::Sentence;
use super::lexicon::is_cjk;
use super::words::open_points::{DELIBERATIONS, INTERROGATIVES, LASTING, RULING, SELF_HELP};

/// Returns true for "Should we support …?", "How long must it hold?", "Mail or text message?", 顺延还是照常？: the author asks
/// for a decision about the product. "Can we add …?" is the wish itself, asked politely.
pub fn deliberates(text: &str, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(text);
    if !words.ends_with(['?', '？']) {
        return false;
    }
    let lower = words.to_lowercase();
    DELIBERATIONS.are_words_of(&lower)
        || !SELF_HELP.are_words_of(&lower)
            && (INTERROGATIVES.en.iter().any(|word| lower.starts_with(word)) && RULING.are_words_of(&lower)
                || offers_ways(&lower))
}

/// Returns true for a choice: "Mail or text message?", 是取消还是转人工？. In contrast, 还是不行 says that a state lasts.
fn offers_ways(question: &str) -> bool {
    let clause =
        question.trim_end_matches(['?', '？', ' ']).rsplit(['.', '。', '，', ';', '；']).next().unwrap_or(question);
    let chinese = || {
        let (one, other) = clause.split_once("还是")?;
        Some(one.chars().any(is_cjk) && !other.is_empty() && !LASTING.begin(other))
    };
    chinese() == Some(true)
        || clause.split_once(" or ").is_some_and(|(one, other)| !one.is_empty() && !other.starts_with("not"))
}
