//! Measures how specific a part of a report is: content words, names of systems, numbers.
//!
//! "Android 13, app 4.2, 4 GB" helps a tester more than "my phone". Only the amount is counted, not its truth.

use reqgate_base::model::Span;
use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::{Cue, Reading};

/// The longest part that is counted, in bytes. It also bounds the work on pasted logs.
const LONGEST_READ: usize = 600;

/// Counts the content words in the spans; two adjacent pairs of Chinese characters count as one word.
pub(super) fn words(text: &str, spans: &[Span]) -> usize {
    let read: String = spans.iter().take(8).map(|span| beginning(span.slice(text))).collect::<Vec<_>>().join(" ");
    let words = content_words(&read);
    let pairs = words.iter().filter(|word| word.chars().any(is_cjk)).count();
    words.len() - pairs + pairs.div_ceil(2)
}

/// Counts names of systems and devices, and numbers, in the spans.
pub(super) fn facts(text: &str, reading: &Reading, spans: &[Span]) -> usize {
    let of = |span: &Span| reading.count_cue(*span, Cue::Platform) + numbers(beginning(span.slice(text)));
    spans.iter().take(8).map(of).sum()
}

/// Counts numbers with all their parts: `10.0.19045` is one. The mark of an item (`1.`) does not count.
fn numbers(words: &str) -> usize {
    let parts = words.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')));
    parts.filter(|part| part.trim_end_matches('.').len() > 1 && part.bytes().any(|b| b.is_ascii_digit())).count()
}

fn beginning(words: &str) -> &str {
    let end = (0..=words.len().min(LONGEST_READ)).rev().find(|end| words.is_char_boundary(*end));
    &words[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> [Span; 1] {
        [Span::new(0, text.len())]
    }

    #[test]
    fn an_exact_expectation_counts_more_than_an_empty_one() {
        for (vague, exact) in [
            ("It works.", "The row for order 7 shows “paid” and the sum 12.50."),
            ("正常显示", "列表第一行显示“已支付”，金额为 12.50 元"),
        ] {
            assert!(words(vague, &all(vague)) < words(exact, &all(exact)), "{vague} / {exact}");
        }
    }

    #[test]
    fn numbers_of_items_are_no_facts() {
        assert_eq!(numbers("1. phone 2. tablet"), 0);
        assert_eq!(numbers("Android 13, app v4.2, 4GB"), 3);
        assert_eq!(numbers("系统版本10.0.19045，内存16GB"), 2);
    }
}
