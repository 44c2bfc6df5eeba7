//! Cuts a user story into role, wish and reason by its signal words.

use crate::words::stories::{REASONS, WISHES};
use reqgate_base::model::Span;

/// The parts of a story, as spans of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoryParts {
    /// The role: "As a clerk".
    pub role: Span,
    /// The wish: "I want to print".
    pub wish: Span,
    /// The reason with its signal: "so that …"; empty if the story has none.
    pub reason: Span,
    /// The words of the reason, without its signal.
    pub reason_words: Span,
}

/// The parts of a story; without a signal, the whole story is the wish.
pub fn story_parts(text: &str, story: Span) -> StoryParts {
    let words = story.slice(text);
    // ASCII only, so that offsets stay the same.
    let lower = words.to_ascii_lowercase();
    let wish = WISHES.iter().filter_map(|signal| lower.find(signal)).min().unwrap_or(0);
    let reason = REASONS
        .iter()
        .filter_map(|signal| lower[wish..].find(signal).map(|at| (wish + at, signal.len())))
        .min_by_key(|(at, length)| (*at, usize::MAX - length));
    let (from, signal) = reason.unwrap_or((words.len(), 0));
    let at = |offset: usize| story.start + offset;
    StoryParts {
        role: Span::new(story.start, at(wish)),
        wish: Span::new(at(wish), at(from)),
        reason: Span::new(at(from), story.end),
        reason_words: Span::new(at(from + signal), story.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(story: &str) -> [&str; 3] {
        let parts = story_parts(story, Span::new(0, story.len()));
        [parts.role.slice(story), parts.wish.slice(story), parts.reason_words.slice(story)]
    }

    #[test]
    fn english_and_chinese_stories_are_cut_at_their_signals() {
        assert_eq!(parts("As a clerk, I want tea so that I work"), ["As a clerk, ", "I want tea ", " I work"]);
        assert_eq!(parts("作为店员，我想喝茶，以便工作"), ["作为店员，", "我想喝茶，", "工作"]);
        assert_eq!(parts("Tea, please"), ["", "Tea, please", ""]);
    }
}
