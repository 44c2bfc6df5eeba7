//! The words of a statement: without markup, as a sentence, and compared with those of another.

use reqgate_docs::write::one_line;
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::lexicon::is_cjk;

/// Words on one line, without the marks of emphasis.
pub(crate) fn plain(words: &str) -> String {
    let words = words.replace("**", "").replace("__", "").replace('`', "");
    one_line(&words)
}

/// The length of a statement: the number of its content words; two Chinese characters count about as one.
pub(crate) fn substance(words: &str) -> usize {
    content_words(words).len()
}

/// Words without the blanks and marks around them.
pub(crate) fn trimmed(words: &str) -> &str {
    let marks = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | '，' | '、' | '。' | ';' | '；' | '…' | '*' | '_' | '-' | '–' | '—' | '!' | '！')
    };
    words
        .trim_start_matches(|c| marks(c) || matches!(c, '.' | ':' | '：'))
        .trim_end_matches(marks)
        .trim_end_matches(['.', ':', '：'])
}

/// Returns true if one statement says nearly all that the other one says.
pub(crate) fn says_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (content_words(one), content_words(other));
    let (less, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let common = shared(&less, &more);
    !less.is_empty() && common * 10 >= more.len() * 8
        || less.len() >= 4 && common == less.len() && common * 10 >= more.len() * 6
}

/// Returns true for two statements with the same content words in any form and order, so that neither denies the other.
pub(crate) fn says_just_the_same(one: &str, other: &str) -> bool {
    content_words(one) == content_words(other)
}

/// Words that begin with a capital letter, unless they begin with a name of code or an address.
pub(crate) fn capitalised(words: &str) -> String {
    let first = words.split_whitespace().next().unwrap_or_default();
    let inner = first.trim_end_matches([',', '.', ':', ';', '!', '?']);
    if inner.chars().any(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | '_' | '(' | ':' | '<'))
        || inner.chars().skip(1).any(char::is_uppercase)
    {
        return words.to_owned();
    }
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Words as a sentence, with a capital letter and a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let words = capitalised(words.trim().trim_end_matches(['?', '？']).trim_end());
    let ended = words.ends_with(['.', '。', '!', '！', '?', '？', ':', '：', '”', '"']);
    let mark = if words.chars().any(is_cjk) { "。" } else { "." };
    if ended || words.is_empty() { words } else { format!("{words}{mark}") }
}
