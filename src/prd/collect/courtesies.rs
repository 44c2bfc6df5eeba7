//! Finds the lines of a source that say nothing about its matter: greetings, thanks, and the signature below them.

use std::collections::BTreeSet;

use crate::text::lexicon::is_cjk;
use crate::text::words::footers::CLOSINGS;
use crate::text::words::kinds::GREETINGS;

/// The longest line of this kind: in words and, for Chinese, in characters.
const MOST_WORDS: usize = 5;
const MOST_CHARACTERS: usize = 12;

/// The numbers of these lines, from 1.
pub fn courtesies(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut below_closing = false;
    for (line, number) in text.lines().zip(1..) {
        let words = line.trim();
        let lower = format!("{}\n", words.to_lowercase());
        let is_closing = is_short(words) && CLOSINGS.begin(&lower);
        let is_greeting = is_short(words) && GREETINGS.begin(&lower);
        below_closing = is_closing || below_closing && (is_separator(words) || may_sign(words));
        if is_greeting || below_closing {
            found.insert(number);
        }
    }
    found
}

fn is_short(words: &str) -> bool {
    words.split_whitespace().count() <= MOST_WORDS
        && (!words.contains(is_cjk) || words.chars().count() <= MOST_CHARACTERS)
}

fn is_separator(words: &str) -> bool {
    words.chars().all(|c| !c.is_alphanumeric())
}

/// True for a name, a role, a team: no bullet, heading, figure or sentence.
fn may_sign(words: &str) -> bool {
    is_short(words)
        && !words.starts_with(['-', '*', '#', '|', '>', '+'])
        && !words.ends_with(['.', '。', '?', '？', ':', '：'])
        && !words.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::courtesies;

    #[test]
    fn greetings_thanks_and_signatures_are_told_from_what_a_text_says() {
        let lines = |text: &str| courtesies(text).into_iter().collect::<Vec<_>>();
        let letter = "Hi team,\n\nExport orders.\n\nThanks,\nAna\n--\nAna Ruiz | Product\n\nLinks end after 14 days.\n";
        assert_eq!(lines(letter), [1, 5, 6, 7, 8, 9]);
        assert_eq!(lines("大家好！\n\n导出订单。\n\n谢谢！\n王芳\n"), [1, 5, 6]);
        assert_eq!(lines("- Links end.\n\nSee you next week!\n"), [3]);
        assert_eq!(lines("Thanks to the new index a search takes 2 seconds.\n\nAna\n"), [] as [u32; 0]);
        assert_eq!(lines("Thanks!\n\n## Rules\n\n- Links end\n"), [1, 2]);
    }
}
