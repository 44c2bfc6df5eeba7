//! Decides by the words in a sign whether they come from a template: an instruction, a question, an example, the name of a slot.

use crate::display_width;
use crate::form_parts::is_shouted_instruction;
use crate::lexicon::is_cjk;
use crate::words::placeholders::{ASKS, EXAMPLES, FIGURES, FILLS, INSTRUCTIONS, MODIFIERS, NOUNS, SAMPLES, TAGS};

/// The smallest width of an instruction, in columns: 【描述】 is a heading.
const LONG: usize = 10;

/// The words in a sign.
pub(super) struct Content<'t> {
    words: &'t str,
    lower: String,
}

impl<'t> Content<'t> {
    pub(super) fn of(words: &'t str) -> Self {
        let words = words.trim().trim_matches(['*', '_', '"', '“', '”']).trim();
        Self { words, lower: words.to_lowercase() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn has_letters(&self) -> bool {
        self.words.chars().filter(|c| c.is_alphabetic()).count() >= 2 || self.words.contains('…')
    }

    /// Returns true for several words, or several Chinese characters.
    pub(super) fn is_phrase(&self) -> bool {
        self.words.split_whitespace().count() >= 2 || self.words.chars().filter(|c| is_cjk(*c)).count() >= 2
    }

    pub(super) fn is_long(&self) -> bool {
        display_width(self.words) >= LONG
    }

    /// Returns true if the text is only words and the signs between words; code has other signs.
    pub(super) fn is_words(&self) -> bool {
        let fits = |c: char| {
            c.is_alphanumeric()
                || c == ' '
                || matches!(c, '_' | '-' | '\'' | '’' | ',' | '/' | '?' | '？' | '，' | '、' | '.' | '…')
        };
        self.words.starts_with(char::is_alphabetic) && self.words.chars().all(fits) && !self.words.contains("...")
            || self.words.starts_with(is_cjk) && self.words.chars().all(fits)
    }

    /// Returns true for the name of a tag or a macro.
    pub(super) fn is_markup(&self) -> bool {
        let first = self.lower.split_whitespace().next().unwrap_or_default();
        TAGS.has(first.trim_matches('/')) && !(self.is_phrase() && self.names_a_slot())
    }

    pub(super) fn is_of_a_template(&self) -> bool {
        self.instructs() || self.asks() || self.shows_an_example() || self.names_a_slot()
    }

    pub(super) fn instructs(&self) -> bool {
        INSTRUCTIONS.begin(&self.lower) && self.is_phrase()
    }

    pub(super) fn is_fill(&self) -> bool {
        FILLS.begin(&self.lower)
    }

    /// Returns true for words that ask to be filled in; a button "Insert row" begins with a capital.
    pub(super) fn is_left_to_fill(&self) -> bool {
        self.is_fill()
            && self.is_phrase()
            && self.words.starts_with(|c: char| c.is_lowercase() || matches!(c, '待' | '此'))
    }

    pub(super) fn asks(&self) -> bool {
        ASKS.begin(&self.lower) || self.words.ends_with(['?', '？']) && self.is_phrase()
    }

    pub(super) fn is_shouted(&self) -> bool {
        is_shouted_instruction(self.words)
    }

    pub(super) fn shows_an_example(&self) -> bool {
        EXAMPLES.begin(&self.lower)
            || SAMPLES.has(&self.lower)
            || [", e.g.", "，例如", "，如：", "(e.g."].iter().any(|mark| self.lower.contains(mark))
    }

    /// Returns true for the name of a figure: "number", 数量.
    pub(super) fn names_a_figure(&self) -> bool {
        FIGURES.has(&self.lower)
    }

    /// Returns true for names of slots: "Brief Title", "state at the start", 具体功能.
    pub(super) fn names_a_slot(&self) -> bool {
        if self.words.chars().any(is_cjk) {
            return names_in_chinese(&self.lower);
        }
        let mut words = self
            .lower
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-')))
            .filter(|word| !word.is_empty());
        let is_noun = |word: &str| NOUNS.has(word) || word.strip_suffix('s').is_some_and(|one| NOUNS.has(one));
        let mut named = false;
        words.all(|word| {
            let noun = is_noun(word);
            named |= noun;
            noun || MODIFIERS.has(word) || word.bytes().all(|byte| byte.is_ascii_digit())
        }) && named
    }
}

/// The same for words without spaces between them; the longest name is tried first.
fn names_in_chinese(words: &str) -> bool {
    let mut rest: String = words.chars().filter(|c| !c.is_whitespace() && !c.is_ascii_digit()).collect();
    let mut named = false;
    while !rest.is_empty() {
        let longest = |list: &crate::words::Words| {
            list.zh.iter().filter(|word| rest.starts_with(word)).map(str::len).max().unwrap_or(0)
        };
        let (noun, other) = (longest(NOUNS), longest(MODIFIERS));
        let length = noun.max(other);
        if length == 0 {
            return false;
        }
        named |= noun >= other;
        rest.drain(..length);
    }
    named
}
