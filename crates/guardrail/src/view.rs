//! Reads a text as its readers do: entities and escapes decoded, invisible characters and markup inside words out,
//! look-alike, styled and full-width letters back to plain ones, traditional Chinese as simplified.
//!
//! Keeps a map back to the original bytes. A text that reads as it is written is borrowed.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use reqgate_base::model::Span;

use super::{escapes, letters};

/// A text as it reads, with a map to the text as it is written.
pub(super) struct View<'a> {
    pub(super) text: Cow<'a, str>,
    /// The places of the stretches of `text` in the original; `None` where both are the same.
    origin: Option<Origin>,
}

/// A map from a view to its original: stretches that read as they are written, by where they begin in both, in order. One entry
/// for each stretch rather than for each byte, which would take eight times the memory of the text.
#[derive(Debug, Default)]
struct Origin {
    stretches: Vec<Stretch>,
    /// Lengths of the view and of the original.
    end: Stretch,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Stretch {
    view: usize,
    original: usize,
}

impl Origin {
    /// Notes that the text added to the view at `view` is at `original`.
    fn note(&mut self, view: usize, original: usize) {
        let goes_on = self.stretches.last().is_some_and(|last| last.original + (view - last.view) == original);
        if !goes_on {
            self.stretches.push(Stretch { view, original });
        }
    }

    /// Removes the stretches from `view` on.
    fn cut(&mut self, view: usize) {
        self.stretches.truncate(self.stretches.partition_point(|stretch| stretch.view < view));
    }

    /// The place in the original of a place in the view that begins a character.
    fn original(&self, view: usize) -> usize {
        if view >= self.end.view && self.end.view > 0 {
            return self.end.original;
        }
        let next = self.stretches.partition_point(|stretch| stretch.view <= view);
        let Some(stretch) = next.checked_sub(1).map(|at| self.stretches[at]) else { return 0 };
        stretch.original + (view - stretch.view)
    }

    /// The first place in the view of `original` or of a later place.
    fn viewed(&self, original: usize) -> usize {
        let next = self.stretches.partition_point(|stretch| stretch.original < original);
        let limit = match self.stretches.get(next) {
            // Of several characters that one is read as, this is the first.
            Some(stretch) if stretch.original == original => return stretch.view,
            Some(stretch) => stretch.view,
            None => self.end.view,
        };
        let Some(stretch) = next.checked_sub(1).map(|at| self.stretches[at]) else { return 0 };
        (stretch.view + (original - stretch.original)).min(limit)
    }
}

impl<'a> View<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        if !text.bytes().any(|byte| IS_MARK[usize::from(byte)]) {
            return Self { text: Cow::Borrowed(text), origin: None };
        }
        let mut builder = Builder::new(text);
        let mut at = 0;
        loop {
            let plain = text.as_bytes()[at..].iter().position(|byte| IS_MARK[usize::from(*byte)]);
            let end = plain.map_or(text.len(), |length| at + length);
            builder.push_plain(at, end);
            let Some(c) = text[end..].chars().next() else { break };
            at = builder.read(c, end);
        }
        builder.finish()
    }

    /// The span of the original that is read as a span of the view.
    pub(super) fn original(&self, span: Span) -> Span {
        let Some(origin) = &self.origin else { return span };
        // The map gives where a character begins, so the end is where the next one begins.
        Span::new(origin.original(span.start), origin.original(span.end))
    }

    /// The span of the view that a span of the original is read as.
    pub(super) fn viewed(&self, span: Span) -> Span {
        let Some(origin) = &self.origin else { return span };
        let at = |place: usize| origin.viewed(place).min(self.text.len());
        Span::new(self.text.floor_char_boundary(at(span.start)), self.text.ceil_char_boundary(at(span.end)))
    }
}

/// Bytes with which something may begin that reads otherwise than it is written.
const IS_MARK: [bool; 256] = {
    let mut marks = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        marks[byte] = byte >= 128 || matches!(byte as u8, b'&' | b'%' | b'\\' | b'<' | b'*' | b'-' | b'_');
        byte += 1;
    }
    marks
};

/// A view while it is made, and the word at its end.
struct Builder<'a> {
    source: &'a str,
    text: String,
    origin: Origin,
    word_start: usize,
    scripts: letters::Scripts,
    /// An underscore has opened emphasis on this line.
    is_emphasised: bool,
    /// The view differs from the text.
    differs: bool,
}

impl<'a> Builder<'a> {
    fn new(source: &'a str) -> Self {
        let text = String::with_capacity(source.len());
        Self {
            source,
            text,
            origin: Origin::default(),
            word_start: 0,
            scripts: letters::Scripts::default(),
            is_emphasised: false,
            differs: false,
        }
    }

    /// Reads the character or escape at `at` and returns its end.
    fn read(&mut self, c: char, at: usize) -> usize {
        let last = self.text.chars().next_back();
        if c == '_' && self.is_emphasis(last, at) {
            self.differs = true;
            self.push(' ', at);
            return at + 1;
        }
        self.is_emphasised &= c != '\n';
        match escapes::decoded(self.source, at, last) {
            Some((shown, end)) => {
                self.differs = true;
                if let Some(shown) = shown {
                    self.push(shown, at);
                }
                end
            }
            None => {
                self.push(c, at);
                at + c.len_utf8()
            }
        }
    }

    /// Returns true for an underscore that opens or closes emphasis: `_word_`, not `snake_case`.
    fn is_emphasis(&mut self, last: Option<char>, at: usize) -> bool {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let next = self.source[at + 1..].chars().take(3).find(|c| *c != '_').or(Some('_'));
        let next = next.filter(|_| at + 1 < self.source.len());
        let free = last
            .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '*' | '"' | '\'' | '>' | '|' | '：' | '，'));
        let opens = free && is_word(next);
        let closes = self.is_emphasised && !is_word(next);
        self.is_emphasised = opens || self.is_emphasised && !closes;
        opens || closes
    }

    /// Adds a stretch without marks as it is written, in one step instead of one step per character.
    fn push_plain(&mut self, at: usize, end: usize) {
        let bytes = &self.source.as_bytes()[at..end];
        self.is_emphasised &= !bytes.contains(&b'\n');
        let Some(last) = bytes.iter().rposition(|byte| !byte.is_ascii_alphabetic()) else {
            bytes.first().iter().for_each(|byte| self.scripts.note(char::from(**byte)));
            return self.push_same(at, end);
        };
        let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if let Some(letter) = bytes.first().filter(|_| letters > 0) {
            self.scripts.note(char::from(*letter));
        }
        self.push_same(at, at + letters);
        self.end_word();
        self.push_same(at + letters, end);
        let tail = bytes.len() - last - 1;
        self.word_start = self.text.len() - tail;
        if let Some(letter) = bytes.get(last + 1) {
            self.scripts.note(char::from(*letter));
        }
    }

    fn push_same(&mut self, from: usize, to: usize) {
        if from < to {
            self.origin.note(self.text.len(), from);
            self.text.push_str(&self.source[from..to]);
        }
    }

    /// Adds a character as it reads; `at` is where it is written.
    fn push(&mut self, c: char, at: usize) {
        if c.is_ascii() {
            if !c.is_ascii_alphabetic() {
                self.end_word();
            } else {
                self.scripts.note(c);
            }
            self.push_as(c, at);
            if !c.is_ascii_alphabetic() {
                self.word_start = self.text.len();
            }
            return;
        }
        if is_invisible(c) {
            self.differs = true;
            return;
        }
        if c.is_alphabetic() {
            self.scripts.note(c);
        } else {
            self.end_word();
        }
        match plain(c) {
            Plain::Same => self.push_as(c, at),
            Plain::Other(other) => {
                self.differs = true;
                self.push_as(other, at);
            }
            Plain::Several => {
                self.differs = true;
                std::iter::once(c).nfkd().filter(|c| !is_combining_mark(*c)).for_each(|c| self.push_as(c, at));
            }
            Plain::Nothing => self.differs = true,
        }
        if !c.is_alphabetic() {
            self.word_start = self.text.len();
        }
    }

    fn push_as(&mut self, c: char, at: usize) {
        self.origin.note(self.text.len(), at);
        self.text.push(c);
    }

    /// Spells the word at the end with Latin letters if it is made to look so (UTS 39).
    fn end_word(&mut self) {
        let scripts = std::mem::take(&mut self.scripts);
        if !scripts.has_lookalikes() || self.text.len() - self.word_start > 64 {
            return;
        }
        let Some(plain) = letters::unmasked(&self.text[self.word_start..], scripts) else { return };
        self.differs = true;
        let start = self.word_start;
        let places: Vec<usize> =
            self.text[start..].char_indices().map(|(at, _)| self.origin.original(start + at)).collect();
        self.text.truncate(start);
        self.origin.cut(start);
        for (at, c) in places.into_iter().zip(plain) {
            self.push_as(c, at);
        }
    }

    fn finish(mut self) -> View<'a> {
        self.end_word();
        if !self.differs {
            return View { text: Cow::Borrowed(self.source), origin: None };
        }
        self.origin.end = Stretch { view: self.text.len(), original: self.source.len() };
        View { text: Cow::Owned(self.text), origin: Some(self.origin) }
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
        '\u{2018}' | '\u{2019}' | '\u{2032}' => Plain::Other('\''),
        '\u{201c}' | '\u{201d}' | '\u{201f}' | '\u{2033}' => Plain::Other('"'),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{3000}' | '\u{202f}' | '\u{205f}' => Plain::Other(' '),
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' => Plain::Other('-'),
        // Stacked marks ("Zalgo") hide letters from a search and from no reader.
        '\u{300}'..='\u{36f}' => Plain::Nothing,
        // Full-width punctuation of Chinese text keeps its meaning; letters, digits and styled letters lose their style.
        '\u{ff01}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff0c}' | '\u{ff1f}' | '\u{ff08}' | '\u{ff09}' => Plain::Same,
        '\u{c0}'..='\u{17f}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{ff00}'..='\u{ff5e}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{2460}'..='\u{24ff}'
        | '\u{2100}'..='\u{214f}' => Plain::Several,
        '\u{1f130}'..='\u{1f149}' => Plain::Other(letter(c, '\u{1f130}')),
        '\u{1f150}'..='\u{1f169}' => Plain::Other(letter(c, '\u{1f150}')),
        '\u{1f170}'..='\u{1f189}' => Plain::Other(letter(c, '\u{1f170}')),
        '\u{4e00}'..='\u{9fff}' => letters::simplified(c).map_or(Plain::Same, Plain::Other),
        _ => letters::small_capital(c).map_or(Plain::Same, Plain::Other),
    }
}

/// The Latin letter at the same distance from A as `c` is from `first`.
fn letter(c: char, first: char) -> char {
    let place = u32::from(c) - u32::from(first);
    char::from_u32(u32::from('A') + place).unwrap_or(c)
}

/// Characters without width that carry no meaning in any language's spelling of the words that are looked for, and the
/// replacement character.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fffd}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(View::new(text).text, expected, "{text}");
    }

    #[test]
    fn disguised_letters_become_plain() {
        check("ｉｇｎｏｒｅ 𝐚𝐥𝐥", "ignore all");
        check("ig\u{200b}no\u{200d}re", "ignore");
        check("prеvious", "previous");
        check("i̷g̷nore", "ignore");
        check("\u{406}gnore \u{399}gnore", "Ignore Ignore");
        check("ɪɢɴᴏʀᴇ ígnóre", "ignore ignore");
        check("請忽略", "请忽略");
    }

    #[test]
    fn escapes_and_markup_inside_words_are_read() {
        check("a&#64;b &commat; &#x40;c d%40e", "a@b @ @c d@e");
        check("_ghp_ab_ snake_case_ __init__", " ghp_ab  snake_case_   init_ ");
        check("ghp\\_ab \\@ C:\\temp", "ghp_ab @ C:\\temp");
        check(
            "ig<!-- x -->no<b></b>re, <b>ig</b>nore a <b>bold</b> word<br>next",
            "ignore, <b>ignore a <b>bold</b> word<br>next",
        );
        check("\\u0069gnore \\x69t", "ignore it");
        check("**ig**nore **all** 2**3", "**ignore **all** 2**3");
        check("previ-\n ous well-\nKnown", "previous well-\nKnown");
    }

    proptest::proptest! {
        #[test]
        fn a_stretch_reads_as_its_characters_do_one_by_one(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                "a", "ignore", " ", "\n", "_", "__", "*", "**", "-", "-\n", "&", "&lt;", "%41", "\\", "\\x41", "<b>", "<!--",
                "-->", "\u{200b}", "е", "аll", "привет", "é", "ｉ", "忽略", "請", "9", ".", "(", "'", "\u{336}",
            ]), 0..24)
        ) {
            let text = pieces.concat();
            let mut slow = Builder::new(&text);
            let mut at = 0;
            while let Some(c) = text[at..].chars().next() {
                at = slow.read(c, at);
            }
            let slow = slow.finish();
            let view = View::new(&text);
            proptest::prop_assert_eq!(&view.text, &slow.text);
            for place in 0..=view.text.len() {
                let place = Span::new(place, place);
                proptest::prop_assert_eq!(view.original(place), slow.original(place));
            }
        }
    }

    #[test]
    fn whole_words_of_other_scripts_stay() {
        check("привет мир", "привет мир");
        check("忽略：之前", "忽略：之前");
        check("100% & more <T> x", "100% & more <T> x");
    }

    #[test]
    fn spans_lead_back_and_forth() {
        let text = "a\u{200b}b ｃd";
        let view = View::new(text);
        assert_eq!(view.text, "ab cd");
        assert_eq!(view.original(Span::new(3, 5)).slice(text), "ｃd");
        assert_eq!(view.original(Span::new(0, 2)).slice(text), "a\u{200b}b");
        assert_eq!(view.viewed(Span::new(6, text.len())), Span::new(3, 5));
        assert_eq!(view.viewed(Span::new(0, 5)), Span::new(0, 2));
    }
}
