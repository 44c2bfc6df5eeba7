//! Reads a text as a model would: invisible characters out, look-alike letters and styled letters back to plain ones.
//!
//! Keeps a map back to the original bytes. Plain ASCII is borrowed as it is.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

use crate::model::Span;

/// A text with a map to the text that it was made from.
pub(super) struct Normalised<'a> {
    pub(super) text: Cow<'a, str>,
    /// Byte offset in the original for every byte of `text`, and one for its end; `None` where both are the same.
    origin: Option<Vec<usize>>,
}

impl<'a> Normalised<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        if text.is_ascii() {
            return Self { text: Cow::Borrowed(text), origin: None };
        }
        let mut builder =
            Builder { text: String::with_capacity(text.len()), origin: Vec::with_capacity(text.len() + 1) };
        let mut word_start = 0;
        let mut scripts = Scripts::default();
        for (at, c) in text.char_indices() {
            if is_invisible(c) {
                continue;
            }
            if c.is_alphabetic() {
                scripts.note(c);
            } else {
                builder.unmask(word_start, scripts);
                scripts = Scripts::default();
            }
            builder.push(c, at);
            if !c.is_alphabetic() {
                word_start = builder.text.len();
            }
        }
        builder.unmask(word_start, scripts);
        builder.origin.push(text.len());
        Self { text: Cow::Owned(builder.text), origin: Some(builder.origin) }
    }

    /// The span of the original that a span of the normalised text stands for.
    pub(super) fn original(&self, span: Span) -> Span {
        match &self.origin {
            None => span,
            Some(origin) => {
                let at = |place: usize| origin.get(place).or(origin.last()).copied().unwrap_or(0);
                // The map gives where a character begins, so the end is where the next one begins.
                Span::new(at(span.start), at(span.end))
            }
        }
    }
}

/// Which scripts the letters of a word come from.
#[derive(Debug, Clone, Copy, Default)]
struct Scripts {
    latin: bool,
    lookalike: bool,
}

impl Scripts {
    fn note(&mut self, c: char) {
        self.latin |= c.is_ascii_alphabetic();
        // Greek, Cyrillic, Armenian and Cherokee have letters that look like Latin ones.
        self.lookalike |= matches!(c, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}');
    }
}

struct Builder {
    text: String,
    origin: Vec<usize>,
}

impl Builder {
    fn push(&mut self, c: char, at: usize) {
        match plain(c) {
            Plain::Same => self.push_as(c, at),
            Plain::Other(other) => self.push_as(other, at),
            Plain::Several => {
                std::iter::once(c).nfkd().filter(|c| !is_combining_mark(*c)).for_each(|c| self.push_as(c, at))
            }
            Plain::Nothing => {}
        }
    }

    fn push_as(&mut self, c: char, at: usize) {
        self.text.push(c);
        self.origin.resize(self.text.len(), at);
    }

    /// Replaces a word that mixes Latin with look-alike letters by its skeleton (UTS 39).
    fn unmask(&mut self, start: usize, scripts: Scripts) {
        if !(scripts.latin && scripts.lookalike) || self.text.len() - start > 64 {
            return;
        }
        let word = self.text.split_off(start);
        let origin = self.origin.split_off(start);
        for (at, c) in word.char_indices() {
            if c.is_ascii() {
                self.push_as(c, origin[at]);
            } else {
                skeleton(c.encode_utf8(&mut [0; 4])).for_each(|c| self.push_as(c, origin[at]));
            }
        }
    }
}

enum Plain {
    Same,
    Other(char),
    Several,
    Nothing,
}

fn plain(c: char) -> Plain {
    match c {
        '\u{0}'..='\u{7f}' => Plain::Same,
        '\u{2018}' | '\u{2019}' | '\u{2032}' => Plain::Other('\''),
        '\u{201c}' | '\u{201d}' | '\u{201f}' | '\u{2033}' => Plain::Other('"'),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{3000}' | '\u{202f}' | '\u{205f}' => Plain::Other(' '),
        // Stacked marks ("Zalgo") hide letters from a search and from no reader.
        '\u{300}'..='\u{36f}' => Plain::Nothing,
        // Full-width punctuation of Chinese text keeps its meaning; letters, digits and styled letters lose their style.
        '\u{ff01}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff0c}' | '\u{ff1f}' => Plain::Same,
        '\u{ff00}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}' | '\u{2460}'..='\u{24ff}' | '\u{2100}'..='\u{214f}' => {
            Plain::Several
        }
        '\u{1f130}'..='\u{1f149}' => Plain::Other(letter(c, '\u{1f130}')),
        '\u{1f150}'..='\u{1f169}' => Plain::Other(letter(c, '\u{1f150}')),
        '\u{1f170}'..='\u{1f189}' => Plain::Other(letter(c, '\u{1f170}')),
        _ => Plain::Same,
    }
}

/// The Latin letter at the same distance from A as `c` is from `first`.
fn letter(c: char, first: char) -> char {
    let place = u32::from(c) - u32::from(first);
    char::from_u32(u32::from('A') + place).unwrap_or(c)
}

/// Characters without width that carry no meaning in any language's spelling of the words that are looked for.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Normalised::new(text).text, expected);
    }

    #[test]
    fn disguised_letters_become_plain() {
        check("ｉｇｎｏｒｅ 𝐚𝐥𝐥", "ignore all");
        check("ig\u{200b}no\u{200d}re", "ignore");
        check("prеvious", "previous");
        check("i̷g̷nore", "ignore");
    }

    #[test]
    fn whole_words_of_other_scripts_stay() {
        check("привет мир", "привет мир");
        check("忽略：之前", "忽略：之前");
    }

    #[test]
    fn spans_lead_back_to_the_original() {
        let text = "a\u{200b}b ｃd";
        let normalised = Normalised::new(text);
        assert_eq!(normalised.text, "ab cd");
        assert_eq!(normalised.original(Span::new(3, 5)).slice(text), "ｃd");
        assert_eq!(normalised.original(Span::new(0, 2)).slice(text), "a\u{200b}b");
    }
}
