//! Detects reasons that only repeat the text, and reasons that were given before.

use reqgate_text::Quotable;
use reqgate_text::content_words::{content_words, shared};

/// Returns true if a reason adds no content: it consists of clauses of the text, or of words of the quote.
pub(super) fn repeats(reason: &str, quote: &str, quotes: &Quotable) -> bool {
    let weigh = |words: &str| words.chars().filter(|c| c.is_alphanumeric()).count();
    let copied = clauses(reason).filter(|clause| quotes.find(clause).is_some()).map(weigh).sum::<usize>();
    // One changed character does not make a copied sentence a reason.
    if copied * 4 >= weigh(reason) * 3 {
        return true;
    }
    let (words, known) = (content_words(reason), content_words(quote));
    let is_told_again = words.iter().all(|word| known.binary_search(word).is_ok());
    // "7 days from when?" asks with words of the quote; such a question needs no more than three of them.
    is_told_again && (words.is_empty() || words.len() > 3)
}

/// Splits words at punctuation; a mark inside a number does not split.
fn clauses(words: &str) -> impl Iterator<Item = &str> {
    let mut rest = words;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut marks = rest.char_indices().filter(|(at, c)| {
            let is_in_number = || rest[at + c.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
            "，。；：！？、".contains(*c) || ",.;:!?".contains(*c) && !is_in_number()
        });
        let (piece, after) = marks.next().map_or((rest, ""), |(at, c)| (&rest[..at], &rest[at + c.len_utf8()..]));
        rest = after;
        Some(piece)
    })
}

/// The reasons that were given, by their content words.
#[derive(Debug, Default)]
pub(super) struct Given(Vec<Vec<String>>);

impl Given {
    /// Returns true if a reason was given before: three of four words are the same. A new one is remembered.
    pub(super) fn has(&mut self, reason: &str) -> bool {
        let words = content_words(reason);
        let is_same = |other: &Vec<String>| shared(&words, other) * 4 >= words.len().max(other.len()) * 3;
        let has = self.0.iter().any(is_same);
        if !has {
            self.0.push(words);
        }
        has
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Refunds close after 7 days, at 0:00. The buyer gets a mail within 2.5 minutes.\n报表要美观大方,加载要快,数据要准确,支持多种格式导出等。相关人员应该能方便地查看。";

    #[test]
    fn a_reason_says_something_that_the_text_does_not() {
        let quotes = Quotable::new(TEXT);
        for (reason, quote) in [
            ("Refunds close after 7 days, at 0:00", "The buyer gets"),
            ("the buyer gets a mail", "Refunds close"),
            ("closing of refunds after 7 days", "Refunds close after 7 days"),
            ("报告要美观大方,加载要快,数据要准确,支持多种格式导出等。相关人员应该能方便地查看。", "加载要快"),
            ("It should be so.", "Refunds close"),
            ("", "Refunds close"),
        ] {
            assert!(repeats(reason, quote, &quotes), "{reason}");
        }
        for (reason, quote) in [
            ("7 days from when?", "Refunds close after 7 days"),
            ("the time zone of 0:00 is open", "at 0:00"),
            ("a mail after 2.5 minutes contradicts 7 days", "within 2.5 minutes"),
            ("没有写明多快算快", "加载要快"),
        ] {
            assert!(!repeats(reason, quote, &quotes), "{reason}");
        }
    }

    #[test]
    fn the_same_reason_in_almost_the_same_words_is_one() {
        let mut given = Given::default();
        assert!(!given.has("The text does not mention mobile, tablets or other devices, a missing benefit."));
        assert!(given.has("The text does not mention mobile, tablets or other devices, a missing outcome."));
        assert!(!given.has("The limit of devices is open."));
        assert!(!given.has("The date of release is open."));
        assert!(!given.has("验收标准部分没有提供") && given.has("验收标准部分没有提供。"));
    }
}
