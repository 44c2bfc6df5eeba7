//! A place in a text where a value may begin, and the text around it.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::{Context, PersonalDataPattern, Placeholders};
use reqgate_text::words::told_values as lists;

use super::checksum::Check;
use super::{fits, nearby};

/// One place in a text, with the pattern whose value may begin there.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// False in the middle of a word, a decimal or a dashed chain of digits.
    pub(super) starts_word: bool,
    pub(super) in_prose: bool,
    pub(super) pattern: &'a PersonalDataPattern,
    pub(super) placeholders: &'a Placeholders,
}

/// Returns true where a number or a code may begin.
pub(super) fn starts_word(bytes: &[u8], at: usize) -> bool {
    match nearby::byte_before(bytes, at) {
        None => true,
        Some(byte) if byte.is_ascii_alphanumeric() => false,
        Some(b'-' | b'.' | b'+' | b'(') => {
            !nearby::byte_before(bytes, at - 1).is_some_and(|byte| byte.is_ascii_digit())
        }
        Some(_) => true,
    }
}

impl Place<'_> {
    /// The value of a shape that begins here, if its digits pass the check and its surroundings are as they must be.
    pub(super) fn shaped(&self, shape: &str, check: Option<Check>, context: Context) -> Option<Span> {
        let end = self.at + shape.len();
        let number = self.bytes.get(self.at..end)?;
        let is_one = number.iter().zip(shape.bytes()).all(|(byte, wanted)| fits(*byte, wanted))
            && self.starts_word
            && self.may_end(end)
            && check.is_none_or(|check| check(number));
        (is_one && self.is_in(context, end)).then(|| self.span(end))
    }

    fn is_in(&self, context: Context, end: usize) -> bool {
        context.is_anywhere()
            || context.field && self.is_field(end)
            || context.announced.is_some_and(|width| self.is_announced(width, end))
            || context.told.is_some_and(|width| self.is_told(width, end))
    }

    /// Returns true if a word of `near` is shortly before this place, on this line or the one before.
    pub(super) fn is_near(&self, width: usize) -> bool {
        let words = &*self.pattern.near;
        nearby::has_word(nearby::before(self.text, self.at, width), words)
    }

    /// Returns true if a word of `near` is shortly before the value or in the rest of its clause. For values with check digits.
    fn is_announced(&self, width: usize, end: usize) -> bool {
        let words = &*self.pattern.near;
        let rest = nearby::after(self.text, end, width);
        let clause = rest.split([',', ';', '.', '\n', '|', '，', '。']).next().unwrap_or(rest);
        self.is_near(width) || nearby::has_word(clause, words)
    }

    /// Returns true if a word of `near` is shortly before this place, or the text names the value after it:
    /// `K12345678 is the passport`, `K12345678 (passport)`.
    fn is_told(&self, width: usize, end: usize) -> bool {
        let words = &*self.pattern.near;
        let rest = nearby::after(self.text, end, 40).trim_start_matches([' ', '*', '`', '"', '\'', '(', '（']);
        let behind = |list| nearby::behind_word(rest, list);
        let being = behind(lists::BEING).or_else(|| behind(lists::BEING_IN_FRENCH)).or_else(|| rest.strip_prefix("= "));
        let rest = being.unwrap_or(rest);
        let behind = |list| nearby::behind_word(rest, list);
        let rest = behind(lists::ARTICLES).or_else(|| behind(lists::ARTICLES_CHINESE)).unwrap_or(rest);
        let is_name = |word: &String| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        self.is_near(width) || words.iter().any(is_name)
    }

    /// Returns true if the value fills a field: a cell of a row, a string, the content of an element, a value of a form.
    fn is_field(&self, end: usize) -> bool {
        let ends = |c: char| matches!(c, ',' | ';' | '|' | '\t' | '"' | '\'' | '`' | '/' | '<' | '&' | '\n');
        let begins = |c: char| matches!(c, ',' | ';' | '|' | '\t' | '"' | '\'' | '`' | '/' | '>');
        let head = nearby::before(self.text, self.at, 8).trim_end_matches([' ', '*']);
        let tail = nearby::after(self.text, end, 8).trim_start_matches([' ', '*']);
        let is_closed = tail.chars().next().is_none_or(ends);
        is_closed && !self.is_in_path() && head.ends_with(begins) || self.is_form_value(end)
    }

    /// Returns true if the value belongs to a form or the query of an address: `?field=value` or `field=value&`.
    pub(super) fn is_form_value(&self, end: usize) -> bool {
        let Some(head) = nearby::before(self.text, self.at, 48).strip_suffix('=') else { return false };
        let key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']');
        let rest = head.trim_end_matches(key);
        let tail = self.bytes.get(end);
        rest.len() < head.len() && (rest.ends_with(['?', '&']) || tail == Some(&b'&'))
    }

    /// Returns true if a word of `unless_near`, which gives the value another meaning, is directly before this place.
    pub(super) fn is_otherwise(&self, width: usize) -> bool {
        let words = &*self.pattern.unless_near;
        nearby::has_word(nearby::before(self.text, self.at, width), words)
    }

    /// Returns true for a word that announces the value or follows it.
    pub(super) fn is_label(&self, word: &str) -> bool {
        self.pattern.near.iter().chain(self.pattern.behind.iter()).any(|known| word.eq_ignore_ascii_case(known))
    }

    /// Returns true if a word that names the value is directly after it, as in `655 437 108 (office)`.
    pub(super) fn is_named_behind(&self, end: usize) -> bool {
        let words = &*self.pattern.behind;
        let rest = nearby::after(self.text, end, 24).trim_start_matches([' ', '(', '[', '-', ',', '/', '（']);
        let is_word = |c: &char| c.is_alphabetic();
        let length: usize = rest.chars().take_while(is_word).map(char::len_utf8).sum();
        let (word, tail) = rest.split_at(length);
        let ends = tail.trim_start_matches([' ', ':']).chars().next().is_none_or(|c| !c.is_alphanumeric());
        ends && words.iter().any(|known| word.eq_ignore_ascii_case(known))
    }

    /// Returns true if the value is in an address or a path, where numbers are ids.
    pub(super) fn is_in_path(&self) -> bool {
        let head = nearby::before(self.text, self.at, 200);
        let token = head.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '<' | '|')).next();
        token.is_some_and(|token| {
            token.starts_with(['/', '.', '#']) || token.contains("//") || token.starts_with("www.")
        })
    }

    /// Returns true if the value may end at `end`: not within a word, and not before a dash or dot that continues it.
    pub(super) fn may_end(&self, end: usize) -> bool {
        let next = self.bytes.get(end + 1);
        match self.bytes.get(end) {
            None => true,
            Some(byte) if byte.is_ascii_alphanumeric() => false,
            Some(b'-' | b'@') => !next.is_some_and(u8::is_ascii_alphanumeric),
            Some(b'.' | b'+') => !next.is_some_and(u8::is_ascii_digit),
            Some(_) => true,
        }
    }

    pub(super) fn span(&self, end: usize) -> Span {
        Span::new(self.at, end)
    }
}
