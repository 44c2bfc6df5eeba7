//! Finds questions by which the author weighs what to build.

use super::Sentence;
use super::lexicon::is_cjk;
use super::words::open_points::{DELIBERATIONS, INTERROGATIVES, LASTING, RULING, SELF_HELP};

/// "Should we support …?", "How long must it hold?", "Mail or text message?", 顺延还是照常？: the author asks what to build. "Can we
/// add …?" is the wish itself, asked politely.
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

/// "Mail or text message?", 是取消还是转人工？: the ways to choose from; 还是不行 says that something lasts.
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
