//! The facts in a piece of text that a rewrite must keep: numbers, names, quoted words, and denials.

use reqgate_text::words::clarification::{DENIALS, LARGE_WORDS};
use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use reqgate_text::lexicon::is_cjk;

/// The facts of a piece of text, each in a plain form.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
    quoted: BTreeSet<String>,
    /// Every word, to distinguish a new name from a word at the start of a sentence.
    words: BTreeSet<String>,
    /// The text denies or forbids something.
    pub denies: bool,
}

/// Chinese characters that deny. They occur inside longer words, so each of them counts.
const DENIALS_ZH: [char; 7] = ['不', '没', '未', '无', '勿', '禁', '非'];

impl Facts {
    /// Collects the facts of a text.
    pub(super) fn of(text: &str) -> Self {
        let text: String = text.nfkc().collect();
        let mut facts = Self::default();
        facts.quotations(&text);
        facts.denies = text.chars().any(|c| DENIALS_ZH.contains(&c));
        let mut begins = true;
        for piece in
            text.split(|c: char| c.is_whitespace() || is_cjk(c) || "，。；：、！？（）「」『』《》".contains(c))
        {
            // A name in a Chinese sentence is between Chinese characters, so it is not at the start of a sentence.
            facts.word(piece, begins);
            begins = piece.is_empty() && begins || piece.ends_with(['.', '!', '?', ':', '-', '*', '#', '|', '"', '“']);
        }
        facts
    }

    /// Returns true if the other text has every fact of this one.
    pub(super) fn all_in(&self, other: &Self) -> bool {
        self.numbers.is_subset(&other.numbers)
            && self.names.iter().all(|name| other.words.contains(name))
            && self.quoted.iter().all(|words| other.quoted.contains(words))
    }

    fn word(&mut self, piece: &str, begins: bool) {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let Some(first) = word.chars().next() else { return };
        let plain = word.to_lowercase();
        let denied = DENIALS.en.contains(plain.as_str()) || plain.ends_with("n't") || plain.ends_with("n’t");
        self.denies |= denied;
        self.numbers(word);
        for part in plain.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            self.words.insert(part.to_owned());
        }
        let rest = &word[first.len_utf8()..];
        let large = first.is_uppercase() && !begins && !LARGE_WORDS.en.contains(plain.as_str());
        let odd = rest.chars().any(char::is_uppercase);
        let joined = rest.contains(['_', '/', '@', '.']) && word.chars().any(char::is_alphabetic);
        if large || odd || joined {
            self.names
                .extend(plain.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_owned));
        }
    }

    /// Adds the numbers of a word: `5,000` and `5000` are one number, `1.5` and `15` are two.
    fn numbers(&mut self, word: &str) {
        let mut number = String::new();
        let mut rest = word.chars().peekable();
        while let Some(c) = rest.next() {
            let before_digit = rest.peek().is_some_and(|next| next.is_numeric());
            match c {
                _ if c.is_numeric() => number.push(c),
                ',' if !number.is_empty() && before_digit => {}
                '.' | ':' if !number.is_empty() && before_digit => number.push(c),
                _ => self.number(&mut number),
            }
        }
        self.number(&mut number);
    }

    fn number(&mut self, number: &mut String) {
        if !number.is_empty() {
            self.numbers.insert(std::mem::take(number));
        }
    }

    /// Adds words between quotation marks or backticks, at most 200 characters.
    fn quotations(&mut self, text: &str) {
        const PAIRS: [(char, char); 6] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('`', '`'), ('《', '》')];
        for (open, close) in PAIRS {
            let mut rest = text;
            while let Some(at) = rest.find(open) {
                let inside = &rest[at + open.len_utf8()..];
                let Some(end) = inside.find(close) else { break };
                let words = &inside[..end];
                if !words.trim().is_empty() && words.chars().nth(200).is_none() {
                    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
                    self.quoted.insert(words.trim_end_matches(['.', ',', '。', '，']).to_owned());
                }
                rest = &inside[end + close.len_utf8()..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_quotations_are_told() {
        let facts =
            Facts::of("When 5,000 rows go to SAP (v1.5), the clerk Anna sees `Too many` in reports/orders.csv.");
        assert_eq!(facts.numbers.iter().map(String::as_str).collect::<Vec<_>>(), ["1.5", "5000"]);
        for name in ["sap", "anna", "orders", "csv"] {
            assert!(facts.names.contains(name), "{name}: {facts:?}");
        }
        assert!(!facts.names.contains("when") && facts.quoted.contains("too many") && !facts.denies);
    }

    #[test]
    fn chinese_keeps_its_figures_and_foreign_names() {
        let facts = Facts::of("导出到ＳＡＰ的订单不超过３００条，提示「太多」。");
        assert!(facts.numbers.contains("300") && facts.names.contains("sap") && facts.quoted.contains("太多"));
        assert!(facts.denies);
    }
}
