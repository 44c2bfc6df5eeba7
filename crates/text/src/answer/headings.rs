//! Headings of answered questions.

use crate::Reading;
use crate::words::open_points::{ANSWERED_HEADINGS, OPEN_HEADINGS};

/// Returns true below a heading of answered questions, unless a closer heading is about open questions.
pub fn is_under_answered(text: &str, reading: &Reading, section: usize) -> bool {
    let headings = std::iter::successors(reading.sections.get(section), |section| {
        section.parent.and_then(|parent| reading.sections.get(parent))
    });
    // "Still open: …" labels one item, whose answer may follow.
    let mut words = headings
        .filter(|section| !section.inline)
        .filter_map(|section| Some(section.heading?.slice(text).to_lowercase()));
    words
        .find_map(|words| match () {
            () if ANSWERED_HEADINGS.are_words_of(&words) => Some(true),
            () if OPEN_HEADINGS.iter().any(|word| words.contains(word)) => Some(false),
            () => None,
        })
        .unwrap_or_default()
}
