//! Measures how random a value looks, and recognises placeholders.

use reqgate_rules::config::guardrail::Placeholders;
use reqgate_text::words::told_values::COVERED;

/// Shannon entropy of the bytes, in bits per byte.
pub(super) fn shannon(value: &str) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let total = value.len().max(1) as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f32 / total)
        .map(|share| -share * share.log2())
        .sum()
}

/// Returns true for values that are already masked or that are printed in a manual.
pub(super) fn is_masked(value: &str) -> bool {
    COVERED.stand_in(&value.to_ascii_lowercase())
}

/// Most letters and digits that a stand-in has besides its words, and the share of its length that they may be.
const MOST_BESIDES: usize = 3;
const SHARE_BESIDES: usize = 4;

/// Returns true if the value contains a typical part of a placeholder, repeats itself, or is little more than words such as `test`
/// and
/// `password`. Such words count as a password if they contain a mark, as password rules demand.
pub(super) fn is_stand_in(value: &str, placeholders: &Placeholders) -> bool {
    let lower = value.to_lowercase();
    let first = value.bytes().next();
    is_masked(value)
        || value.bytes().all(|byte| Some(byte) == first)
        || placeholders.secret_parts.iter().any(|part| lower.contains(part.as_str()))
        || is_words(&lower, &placeholders.secret_words) && !is_by_rule(value)
}

/// Letters, digits and a mark that no name has: `Abc@12345`.
fn is_by_rule(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
    has(u8::is_ascii_alphabetic) && has(u8::is_ascii_digit) && value.bytes().any(|byte| b"!@#$%^&*".contains(&byte))
}

fn is_words(lower: &str, words: &[String]) -> bool {
    let letters = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).count();
    let all = letters(lower);
    // Longer words first, as `secret` is one and `secrets` another.
    let mut known: Vec<&String> = words.iter().filter(|word| lower.contains(word.as_str())).collect();
    known.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let rest = known.iter().fold(lower.to_owned(), |rest, word| rest.replace(word.as_str(), " "));
    let besides = letters(&rest);
    !known.is_empty() && (besides <= MOST_BESIDES || besides * SHARE_BESIDES <= all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules::config::guardrail::WordList;

    #[test]
    fn random_values_have_more_entropy_than_words() {
        assert!(shannon("q8Zr2LmN5tVx9KwB") > 3.9);
        assert!(shannon("aaaaaaaa") < 0.1);
    }

    #[test]
    fn stand_ins_are_recognised() {
        let placeholders = Placeholders {
            secret_parts: WordList::of("changeme"),
            secret_words: WordList::of("test, here, password, your, key"),
            ..Placeholders::default()
        };
        for stand_in in ["my-changeme-1", "00000000", "your-password-here", "Test_Password1", "your_key_here_12"] {
            assert!(is_stand_in(stand_in, &placeholders), "{stand_in}");
        }
        for value in ["q8Zr2LmN", "kTest#82mQz", "WinterIsHere99!x", "Test@1234"] {
            assert!(!is_stand_in(value, &placeholders), "{value}");
        }
    }
}
