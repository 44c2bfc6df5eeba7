//! Finds personal data: one pass over the bytes that tries a check wherever its kind of value could begin.

mod checksum;
mod documents;
mod email;
mod identity;
mod labelled;
mod network;
mod payment;
mod phone;
mod spelled_email;

use std::collections::HashMap;

use reqgate_base::model::{GuardrailKind, Span};
use reqgate_rules::config::guardrail::{GuardrailPatterns, PersonalDataCheck, Placeholders};
use reqgate_text::words::told_values as lists;

use super::{Find, nearby, without_overlaps};
use labelled::Labels;

/// Looks for every kind of personal data.
#[derive(Debug)]
pub(super) struct PersonalDataScreen {
    checks: HashMap<String, PersonalDataCheck>,
    labels: Labels,
    placeholders: Placeholders,
}

/// One place in a text with what a check may look at.
#[derive(Clone, Copy)]
struct Place<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    in_prose: bool,
    screen: &'a PersonalDataScreen,
}

impl PersonalDataScreen {
    pub(super) fn new(patterns: &GuardrailPatterns) -> Self {
        let checks = patterns.personal_data.iter().map(|check| (check.id.clone(), check.clone())).collect();
        Self { checks, labels: Labels::new(), placeholders: patterns.placeholders.clone() }
    }

    /// Every find, without overlaps.
    pub(super) fn find(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let labelled = self.labels.find(text).into_iter();
        let spelled = spelled_email::find(text, self).into_iter().map(|span| ("email-address", span));
        let apart = labelled.chain(spelled).map(|(pattern, span)| self.found(pattern, span));
        without_overlaps(self.shaped(text, not_prose), apart.collect())
    }

    fn found(&self, pattern: &str, span: Span) -> Find {
        Find { kind: self.kind(pattern), pattern: pattern.to_owned(), span, because: Vec::new() }
    }

    /// Every find that has a form of its own, in order and without overlaps.
    fn shaped(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let bytes = text.as_bytes();
        let mut finds: Vec<Find> = Vec::new();
        let mut free_from = 0;
        let mut code = not_prose;
        let mut at = 0;
        // Whatever is looked for has one of these marks within its first bytes, and most words have none near.
        let mut mark = next_mark(bytes, 0);
        while at < bytes.len() {
            if mark < at {
                mark = next_mark(bytes, at);
            }
            if at + MARK_WITHIN < mark {
                at = (mark - MARK_WITHIN).min(bytes.len());
                continue;
            }
            let byte = bytes[at];
            if !matches!(byte, b'@' | b'+' | b'(' | b'[' | b':' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') {
                at += 1;
                continue;
            }
            if byte.is_ascii_alphabetic() && !starts_word(bytes, at) {
                at += 1;
                continue;
            }
            while let Some((_, later)) = code.split_first().filter(|(span, _)| span.end <= at) {
                code = later;
            }
            let in_prose = code.first().is_none_or(|span| at < span.start);
            let place = Place { text, bytes, at, in_prose, screen: self };
            match place.check() {
                Some((pattern, span)) if span.start >= free_from => {
                    finds.push(self.found(pattern, span));
                    free_from = span.end;
                    at = span.end.max(at + 1);
                }
                _ => at += 1,
            }
        }
        finds
    }

    fn kind(&self, pattern: &str) -> GuardrailKind {
        self.checks.get(pattern).map_or(GuardrailKind::NationalId, |check| check.kind)
    }
}

/// Most bytes of letters before the first mark of a value that begins with letters.
const MARK_WITHIN: usize = 8;

/// Where the next digit, colon, `@`, `+` or bracket stands; the end of the text if there is none.
fn next_mark(bytes: &[u8], from: usize) -> usize {
    let is_mark = |byte: &u8| matches!(byte, b'0'..=b':' | b'@' | b'+' | b'(' | b'[');
    bytes[from..].iter().position(is_mark).map_or(bytes.len(), |at| from + at)
}

/// True where a number or a code could begin: not in the middle of a word, a decimal or a dashed chain of digits.
fn starts_word(bytes: &[u8], at: usize) -> bool {
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
    /// The check that finds something here, and where it stands.
    fn check(&self) -> Option<(&'static str, Span)> {
        let byte = self.bytes[self.at];
        if matches!(byte, b'@' | b'(' | b'[') {
            let found = email::find(self).map(|span| ("email-address", span));
            if found.is_some() || byte != b'(' {
                return found;
            }
        }
        if !starts_word(self.bytes, self.at) {
            let glued = byte != b'(' && phone::follows_label(self);
            return glued.then(|| phone::find(self)).flatten().map(|span| ("phone-number", span));
        }
        let digit = byte.is_ascii_digit();
        if byte.is_ascii_alphabetic() {
            let plausible = self.bytes[self.at..].iter().take(8).any(u8::is_ascii_digit)
                || self.bytes[self.at..].iter().take(7).any(|byte| *byte == b':');
            if !plausible {
                return None;
            }
            return (payment::iban(self).map(|span| ("bank-account", span)))
                .or_else(|| identity::beginning_with_letter(self))
                .or_else(|| documents::beginning_with_letter(self))
                .or_else(|| network::v6(self).map(|span| ("ip-address", span)));
        }
        if digit {
            let found = (identity::beginning_with_digit(self))
                .or_else(|| payment::card(self).map(|span| ("payment-card", span)))
                .or_else(|| documents::beginning_with_digit(self))
                .or_else(|| network::v4(self).map(|span| ("ip-address", span)))
                .or_else(|| network::v6(self).map(|span| ("ip-address", span)));
            if found.is_some() {
                return found;
            }
        }
        if byte == b':' {
            return network::v6(self).map(|span| ("ip-address", span));
        }
        phone::find(self).map(|span| ("phone-number", span))
    }

    /// True if a context word of the check stands shortly before this place, on this line or the one before.
    fn is_near(&self, pattern: &str, width: usize) -> bool {
        let words = self.screen.checks.get(pattern).map(|check| &*check.near).unwrap_or_default();
        nearby::has_word(nearby::before(self.text, self.at, width), words)
    }

    /// True if a context word of the check stands shortly before the value or in the rest of its clause; for values with
    /// check digits.
    fn is_announced(&self, pattern: &str, width: usize, end: usize) -> bool {
        let words = self.screen.checks.get(pattern).map(|check| &*check.near).unwrap_or_default();
        let rest = nearby::after(self.text, end, width);
        let clause = rest.split([',', ';', '.', '\n', '|', '，', '。']).next().unwrap_or(rest);
        self.is_near(pattern, width) || nearby::has_word(clause, words)
    }

    /// True if a context word of the check stands shortly before this place, or the value is told to be one:
    /// `K12345678 is the passport`, `K12345678 (passport)`.
    fn is_told(&self, pattern: &str, width: usize, end: usize) -> bool {
        let words = self.screen.checks.get(pattern).map(|check| &*check.near).unwrap_or_default();
        let rest = nearby::after(self.text, end, 40).trim_start_matches([' ', '*', '`', '"', '\'', '(', '（']);
        let behind = |list| nearby::behind_word(rest, list);
        let being = behind(lists::BEING).or_else(|| behind(lists::BEING_IN_FRENCH)).or_else(|| rest.strip_prefix("= "));
        let rest = being.unwrap_or(rest);
        let behind = |list| nearby::behind_word(rest, list);
        let rest = behind(lists::ARTICLES).or_else(|| behind(lists::ARTICLES_CHINESE)).unwrap_or(rest);
        let is_name = |word: &String| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        self.is_near(pattern, width) || words.iter().any(is_name)
    }

    /// True if the value is all of a field: a cell of a row, a string, the content of an element, a value of a form.
    fn is_field(&self, end: usize) -> bool {
        let ends = |c: char| matches!(c, ',' | ';' | '|' | '\t' | '"' | '\'' | '`' | '/' | '<' | '&' | '\n');
        let begins = |c: char| matches!(c, ',' | ';' | '|' | '\t' | '"' | '\'' | '`' | '/' | '>');
        let head = nearby::before(self.text, self.at, 8).trim_end_matches([' ', '*']);
        let tail = nearby::after(self.text, end, 8).trim_start_matches([' ', '*']);
        let is_closed = tail.chars().next().is_none_or(ends);
        is_closed && !self.is_in_path() && head.ends_with(begins) || self.is_form_value(end)
    }

    /// True if the value is one of a form, as in an address: `?field=value` or `field=value&`.
    fn is_form_value(&self, end: usize) -> bool {
        let Some(head) = nearby::before(self.text, self.at, 48).strip_suffix('=') else { return false };
        let key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']');
        let rest = head.trim_end_matches(key);
        let tail = self.bytes.get(end);
        rest.len() < head.len() && (rest.ends_with(['?', '&']) || tail == Some(&b'&'))
    }

    /// True if a word of the check that makes it something else stands directly before this place.
    fn is_otherwise(&self, pattern: &str, width: usize) -> bool {
        let words = self.screen.checks.get(pattern).map(|check| &*check.unless_near).unwrap_or_default();
        nearby::has_word(nearby::before(self.text, self.at, width), words)
    }

    /// True if the word is one of those that announce the value or stand behind it.
    fn is_label(&self, pattern: &str, word: &str) -> bool {
        let Some(check) = self.screen.checks.get(pattern) else { return false };
        check.near.iter().chain(check.behind.iter()).any(|known| word.eq_ignore_ascii_case(known))
    }

    /// True if a word that names the value stands directly behind it, as in `655 437 108 (office)`.
    fn is_named_behind(&self, pattern: &str, end: usize) -> bool {
        let words = self.screen.checks.get(pattern).map(|check| &*check.behind).unwrap_or_default();
        let rest = nearby::after(self.text, end, 24).trim_start_matches([' ', '(', '[', '-', ',', '/', '（']);
        let is_word = |c: &char| c.is_alphabetic();
        let length: usize = rest.chars().take_while(is_word).map(char::len_utf8).sum();
        let (word, tail) = rest.split_at(length);
        let ends = tail.trim_start_matches([' ', ':']).chars().next().is_none_or(|c| !c.is_alphanumeric());
        ends && words.iter().any(|known| word.eq_ignore_ascii_case(known))
    }

    /// True if the value stands in an address or a path, where numbers are ids.
    fn is_in_path(&self) -> bool {
        let head = nearby::before(self.text, self.at, 200);
        let token = head.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '<' | '|')).next();
        token.is_some_and(|token| {
            token.starts_with(['/', '.', '#']) || token.contains("//") || token.starts_with("www.")
        })
    }

    /// True if the value may end at `end`: no word goes on, and no dash or dot that does.
    fn may_end(&self, end: usize) -> bool {
        let next = self.bytes.get(end + 1);
        match self.bytes.get(end) {
            None => true,
            Some(byte) if byte.is_ascii_alphanumeric() => false,
            Some(b'-' | b'@') => !next.is_some_and(u8::is_ascii_alphanumeric),
            Some(b'.' | b'+') => !next.is_some_and(u8::is_ascii_digit),
            Some(_) => true,
        }
    }

    fn span(&self, end: usize) -> Span {
        Span::new(self.at, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the examples of every shipped check.
    #[test]
    fn every_example_of_a_check_behaves_as_stated() {
        let patterns = GuardrailPatterns::shipped().unwrap();
        let screen = PersonalDataScreen::new(&patterns);
        let mut wrong = Vec::new();
        let examples = GuardrailPatterns::shipped_examples().unwrap();
        for check in &patterns.personal_data {
            let own = &examples[&check.id];
            let hit = |text: &String| screen.find(text, &[]).iter().any(|find| find.pattern == check.id);
            wrong.extend(own.fires.iter().filter(|text| !hit(text)).map(|text| format!("{} misses {text}", check.id)));
            wrong.extend(own.silent.iter().filter(|text| hit(text)).map(|text| format!("{} hits {text}", check.id)));
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn hostile_runs_are_read_without_panic() {
        let screen = PersonalDataScreen::new(&GuardrailPatterns::shipped().unwrap());
        for unit in ["@", "a.", "1", "1 ", "1.", "+1", "(", ":", "a:", "f:", "é@é.é ", "1-", "a@a.", "٣"] {
            screen.find(&unit.repeat(20_000), &[]);
        }
    }

    #[test]
    fn addresses_in_code_are_told_from_versions() {
        let screen = PersonalDataScreen::new(&GuardrailPatterns::shipped().unwrap());
        for text in [
            "host 91.198.174.192",
            "client_ip: \"91.198.174.192\"",
            "2026-03-04 10:11:12 INFO ip=2a00:1450:4001:81b::200e",
            "2026-03-04 10:11:12 INFO request from 91.198.174.192",
            "curl http://41.73.9.26/orders",
        ] {
            assert_eq!(screen.find(text, &[]).len(), 1, "{text}");
            assert_eq!(screen.find(text, &[Span::new(0, text.len())]).len(), 1, "{text}");
        }
        for text in ["server 4.18.0.25", "version 3.1.101.201", "lib-3.1.101.201.so", "host 10.0.0.12"] {
            assert_eq!(screen.find(text, &[Span::new(0, text.len())]).len(), 0, "{text}");
        }
    }
}
