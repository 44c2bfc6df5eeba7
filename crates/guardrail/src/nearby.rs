//! Looks at the words just before or after a place: they distinguish a telephone number from an order number.

use reqgate_base::model::Span;
use reqgate_text::words::Words;

/// The nearest character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// Up to `width` bytes of the text before `at`.
pub(super) fn before(text: &str, at: usize, width: usize) -> &str {
    text.get(text.ceil_char_boundary(at.saturating_sub(width))..at).unwrap_or("")
}

/// Up to `width` bytes of the text from `at` on.
pub(super) fn after(text: &str, at: usize, width: usize) -> &str {
    text.get(at..floor(text, at.saturating_add(width).min(text.len()))).unwrap_or("")
}

/// Returns true if one of the words is in the text as a whole word, in any case; other scripts need no word border.
pub(super) fn has_word(text: &str, words: &[String]) -> bool {
    let lower = text.to_lowercase();
    let bytes = Bytes::of(&lower);
    words.iter().filter(|word| bytes.have(word)).any(|word| {
        lower.match_indices(word.as_str()).any(|(at, found)| {
            let border = |c: char| !c.is_ascii_alphanumeric();
            let left = !word.starts_with(|c: char| c.is_ascii_alphanumeric())
                || lower[..at].chars().next_back().is_none_or(border);
            let right = !word.ends_with(|c: char| c.is_ascii_alphanumeric())
                || lower[at + found.len()..].chars().next().is_none_or(border);
            left && right
        })
    })
}

/// The bytes of a text: most words that are not in it are ruled out by one of theirs.
struct Bytes([bool; 256]);

impl Bytes {
    fn of(text: &str) -> Self {
        let mut bytes = [false; 256];
        text.bytes().for_each(|byte| bytes[usize::from(byte)] = true);
        Self(bytes)
    }

    fn have(&self, word: &str) -> bool {
        word.bytes().all(|byte| self.0[usize::from(byte)])
    }
}

/// The place in a text of a part that was cut from it.
pub(super) fn place_of(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Span::new(start, start + part.len())
}

/// The byte before `at`, if any.
pub(super) fn byte_before(bytes: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|before| bytes.get(before).copied())
}

/// The text after the word with which it begins, and after the blank that ends an English word.
pub(super) fn behind_word<'t>(text: &'t str, words: &Words) -> Option<&'t str> {
    let english = words.en.iter().find_map(|word| text.strip_prefix(word)?.strip_prefix(' '));
    english.or_else(|| words.zh.iter().find_map(|word| text.strip_prefix(word)))
}

/// Returns true if the last word of the text is one of these English words.
pub(super) fn ends_with_word(text: &str, words: &Words) -> bool {
    let last = text.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(text);
    words.en.contains(last)
}

/// The text before the word with which it ends, and before the blank that an English word follows.
pub(super) fn before_word<'t>(text: &'t str, words: &Words) -> Option<&'t str> {
    let english = words.en.iter().find_map(|word| text.strip_suffix(word)?.strip_suffix(' '));
    english.or_else(|| words.zh.iter().find_map(|word| text.strip_suffix(word)))
}

/// The line around `at`, without its end.
pub(super) fn line_around(text: &str, at: usize, width: usize) -> &str {
    let head = before(text, at, width);
    let tail = after(text, at, width);
    let start = at - head.rsplit('\n').next().unwrap_or(head).len();
    let end = at + tail.split('\n').next().unwrap_or(tail).len();
    text.get(start..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_words() {
        let words = ["tel".to_owned(), "电话".to_owned()];
        assert!(has_word("Tel: ", &words));
        assert!(has_word("联系电话", &words));
        assert!(!has_word("a motel", &words));
    }

    #[test]
    fn windows_end_on_character_boundaries() {
        assert_eq!(before("密码12", 6, 4), "码");
        assert_eq!(after("密码12", 0, 4), "密");
    }

    #[test]
    fn the_line_around_a_place_is_cut_at_line_ends() {
        assert_eq!(line_around("one\ntwo three\nfour", 6, 100), "two three");
    }
}
