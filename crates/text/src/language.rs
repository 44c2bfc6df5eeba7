//! Detects whether a text is English or Chinese; [`super::other_language`] detects other languages.

use super::lexicon::is_cjk;
use reqgate_base::model::Language;

/// The language of a piece of text. Enough Chinese to carry the meaning makes it Chinese.
pub fn language_of(text: &str) -> Language {
    if text.is_ascii() {
        return Language::En;
    }
    let (mut cjk, mut latin_words, mut in_word) = (0usize, 0usize, false);
    for c in text.chars() {
        if is_cjk(c) {
            cjk += 1;
            in_word = false;
        } else if c.is_ascii_alphabetic() {
            latin_words += usize::from(!in_word);
            in_word = true;
        } else {
            in_word = false;
        }
    }
    if carries_the_meaning(cjk, latin_words) { Language::Zh } else { Language::En }
}

/// A Chinese word has about 1.6 characters; a ticket of Chinese sentences around English terms is a Chinese ticket.
pub(super) fn carries_the_meaning(cjk: usize, latin_words: usize) -> bool {
    cjk * 10 > latin_words * 6 && cjk > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_follows_the_words_that_carry_the_meaning() {
        assert_eq!(language_of("订单列表很卡 after login"), Language::Zh);
        assert_eq!(language_of("The page 登录 does not open in Chrome on Windows"), Language::En);
        assert_eq!(language_of("1234 !!"), Language::En);
    }
}
