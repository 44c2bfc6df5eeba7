//! Finds questions by which the author weighs what to build.

use super::Sentence;
use super::words::open_points::DELIBERATIONS;

/// "Should we support …?": the author asks what to build. "Can we add …?" is the wish itself, asked politely.
pub fn deliberates(text: &str, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(text);
    words.ends_with(['?', '？']) && DELIBERATIONS.are_words_of(&words.to_lowercase())
}
