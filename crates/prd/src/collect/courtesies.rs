//! Finds the lines of a source that carry no information: greetings, thanks, and signatures.

use std::collections::BTreeSet;

use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::Words;
use reqgate_text::words::calendar::MONTHS;
use reqgate_text::words::conversations::BYLINES;
use reqgate_text::words::footers::{ADDRESSED, CLOSINGS};
use reqgate_text::words::kinds::GREETINGS;

/// The longest courtesy line: in words and, for Chinese, in characters.
const MOST_WORDS: usize = 5;
const MOST_CHARACTERS: usize = 12;
/// The most words of a name after a greeting or thanks.
const MOST_NAMES: usize = 3;
/// The most lines of a signature.
const MOST_SIGNED: usize = 3;

/// The numbers of the courtesy lines, from 1. A signature must directly follow the closing of a letter.
pub(super) fn courtesies(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut may_follow = 0;
    // A short signature may be followed by a second line with the full name and role.
    let mut signed = "";
    for (line, number) in text.lines().zip(1..) {
        let words = line.trim();
        let is_closing = is_only(words, CLOSINGS);
        let is_signed = may_follow > 0 && !words.is_empty() && (is_separator(words) || may_sign(words));
        if is_closing || is_signed || is_only(words, GREETINGS) || is_byline(words) {
            found.insert(number);
        }
        let is_repeated = may_follow == 0 && !signed.is_empty() && words.starts_with(signed) && may_sign(words);
        if is_repeated {
            found.insert(number);
        }
        if is_signed && may_follow == MOST_SIGNED && words.chars().any(char::is_alphanumeric) {
            signed = words;
        } else if !words.is_empty() {
            signed = "";
        }
        may_follow = if is_closing {
            MOST_SIGNED
        } else if is_repeated {
            MOST_SIGNED - 1
        } else if is_signed {
            may_follow - 1
        } else {
            0
        };
    }
    found
}

/// Returns true for a line that consists of a word of the list and at most a name.
fn is_only(words: &str, list: &Words) -> bool {
    let lower = format!("{}\n", words.to_lowercase());
    let behind = |word: &str| words.get(word.trim_end().len()..).unwrap_or_default();
    is_short(words) && list.iter().any(|word| lower.starts_with(word) && names_at_most(behind(word)))
}

/// Returns true for an empty rest, punctuation, a name, or "everyone".
fn names_at_most(rest: &str) -> bool {
    let is_name = |word: &str| {
        let is_chinese = word.chars().all(is_cjk) && word.chars().count() <= 4;
        word.starts_with(char::is_uppercase) || is_chinese || ADDRESSED.has(word)
    };
    let mut names = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    !rest.starts_with(char::is_alphanumeric) && names.clone().count() <= MOST_NAMES && names.all(is_name)
}

/// Returns true for the line above a comment: `**@mei** (maintainer) · 8 Oct`, `@mei commented 3 days ago`.
fn is_byline(line: &str) -> bool {
    let line = line.trim_start_matches(['*', '_', '-', '#', '>', ' ']);
    let Some(handle) = line.strip_prefix('@') else { return false };
    let rest = handle.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let mut bare = String::new();
    let mut depth = 0_usize;
    for c in rest.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    let tells_when = |word: &str| {
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|c: char| c.is_ascii_digit());
        let is_month = MONTHS.en.iter().any(|month| bare == month || bare == &month[..3]);
        bare.is_empty() || is_month || BYLINES.has(bare) || BYLINES.zh.iter().any(|word| bare == word)
    };
    // After a colon comes the text of the message.
    let says = bare.trim_start_matches(['*', '_', ' ']).starts_with([':', '：']);
    !says && bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(tells_when)
}

fn is_short(words: &str) -> bool {
    words.split_whitespace().count() <= MOST_WORDS
        && (!words.contains(is_cjk) || words.chars().count() <= MOST_CHARACTERS)
}

fn is_separator(words: &str) -> bool {
    words.chars().all(|c| !c.is_alphanumeric())
}

/// Returns true for a name, a role or a team; bullets, headings, fields, figures and sentences are excluded.
fn may_sign(words: &str) -> bool {
    is_short(words)
        && !words.starts_with(['-', '*', '#', '|', '>', '+', '•'])
        && !words.ends_with(['.', '。', '?', '？'])
        && !words.contains([':', '：'])
        && !words.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::courtesies;

    #[test]
    fn greetings_thanks_and_signatures_are_told_from_what_a_text_says() {
        let lines = |text: &str| courtesies(text).into_iter().collect::<Vec<_>>();
        let letter = "Hi team,\n\nExport orders.\n\nThanks,\nAna\n--\nAna Ruiz | Product\n\nLinks end after 14 days.\n";
        assert_eq!(lines(letter), [1, 5, 6, 7, 8]);
        assert_eq!(lines("大家好！\n\n导出订单。\n\n谢谢！\n王芳\n"), [1, 5, 6]);
        assert_eq!(lines("Kind regards,\nGrace\n\nGrace Lim\nData Protection Officer\n\nLinks end\n"), [1, 2, 4, 5]);
        assert_eq!(lines("Kind regards,\nGrace\n\nLinks end at noon\n"), [1, 2]);
        assert_eq!(lines("- Links end.\n\nSee you next week!\n"), [3]);
        assert_eq!(lines("Thanks to the new index a search takes 2 seconds.\n\nAna\n"), [] as [u32; 0]);
        let thread = "**@mei-l** (maintainer, product) · 8 Oct\nLinks end.\n\n@ana commented 3 days ago\n> @ben: 5\n@mei 5 links\n";
        assert_eq!(lines(thread), [1, 4]);
        assert_eq!(lines("Thanks!\n\n## Rules\n\n- Links end\n"), [1]);
        assert_eq!(lines("Hello everyone!\nThank you, Ana and Ben\n多谢，王芳。\nThanks in advance.\n"), [1, 2, 3, 4]);
    }

    #[test]
    fn matter_that_begins_or_stands_like_a_courtesy_is_matter() {
        for text in [
            "Thank you page shows total\n",
            "感谢页显示总价\n",
            "Hello page shows name\n",
            "Best, cheapest route wins\n",
        ] {
            assert!(courtesies(text).is_empty(), "{text}");
        }
        let below = "Thanks,\nAna\n\nLinks end at noon\n\nCheers\nGoal: fast exports\n• Links end\n";
        assert_eq!(courtesies(below).into_iter().collect::<Vec<_>>(), [1, 2, 6]);
        let long = "Thanks,\nAna\nProduct\nExports\nLinks end at noon\n";
        assert_eq!(courtesies(long).into_iter().collect::<Vec<_>>(), [1, 2, 3, 4], "a signature has three lines");
    }
}
