//! Words that are spelled in an odd way: letter by letter, with digits for letters, or joined to one name.

use reqgate_base::model::Span;

use super::word::Payload;

/// Fewest letters that stand apart one by one before they are read as words.
const FEWEST_LETTERS: usize = 8;
/// Fewest words of a name that is read as a sentence, and longest name, in bytes.
const FEWEST_WORDS: usize = 3;
const LONGEST_NAME: usize = 120;

/// Every run of text that reads otherwise than it is spelled.
pub(super) fn payloads(text: &str) -> Vec<Payload> {
    let mut payloads = letter_by_letter(text);
    payloads.extend(names(text));
    payloads
}

/// `i g n o r e  t h i s`, `i-g-n-o-r-e t-h-i-s`, `忽 略 它`: single letters with the same mark between them.
fn letter_by_letter(text: &str) -> Vec<Payload> {
    let mut payloads = Vec::new();
    let mut run = Run::default();
    let bytes = text.as_bytes();
    let mut previous_is_letter = false;
    let mut next = 0;
    while let Some(c) = text[next..].chars().next() {
        let at = next;
        next += c.len_utf8();
        // A word ends whatever was spelled before it; its letters need no look one by one.
        if c.is_ascii_alphanumeric() && bytes.get(next).is_some_and(u8::is_ascii_alphanumeric) {
            run.finish(&mut payloads);
            next += bytes[next..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            previous_is_letter = true;
            continue;
        }
        let next_is_letter = text[next..].starts_with(char::is_alphanumeric);
        let is_wide = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}');
        let is_single = c.is_alphabetic() && !previous_is_letter && !next_is_letter;
        if is_single {
            run.add(at, c, is_wide(c));
        } else if !matches!(c, ' ' | '-' | '.' | '_' | '*' | '/' | '|' | '~') || run.gap.len() > 4 {
            run.finish(&mut payloads);
        } else if run.count > 0 {
            run.gap.push(c);
        }
        previous_is_letter = c.is_alphanumeric();
    }
    run.finish(&mut payloads);
    payloads
}

#[derive(Default)]
struct Run {
    start: usize,
    end: usize,
    count: usize,
    decoded: String,
    /// What stands behind the last letter, and what stood between the first two.
    gap: String,
    within: String,
}

impl Run {
    fn add(&mut self, at: usize, c: char, is_wide: bool) {
        if self.count == 0 {
            self.start = at;
        } else if self.count == 1 {
            self.within = self.gap.clone();
        } else if self.gap != self.within && !is_wide {
            self.decoded.push(' ');
        }
        self.gap.clear();
        self.decoded.push(c);
        self.count += 1;
        self.end = at + c.len_utf8();
    }

    fn finish(&mut self, payloads: &mut Vec<Payload>) {
        if self.count == 0 {
            return;
        }
        if self.count >= FEWEST_LETTERS {
            payloads
                .push(Payload { span: Span::new(self.start, self.end), decoded: std::mem::take(&mut self.decoded) });
        }
        *self = Self::default();
    }
}

/// `ignore_all_of_it` and `IgnoreAllOfIt`: names of at least three words, in words.
fn names(text: &str) -> Vec<Payload> {
    let bytes = text.as_bytes();
    let mut payloads = Vec::new();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(is_part).map(|place| at + place) {
        let length = bytes[start..].iter().position(|byte| !is_part(byte)).unwrap_or(bytes.len() - start);
        at = start + length;
        let is_plain = !bytes[start..at].iter().any(u8::is_ascii_digit);
        if is_plain && (16..=LONGEST_NAME).contains(&length) {
            let decoded = in_words(&text[start..at]);
            if decoded.split(' ').filter(|word| word.len() > 1).count() >= FEWEST_WORDS {
                payloads.push(Payload { span: Span::new(start, at), decoded });
            }
        }
    }
    payloads
}

fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut previous = '_';
    for c in name.chars() {
        if c == '_' || c.is_ascii_uppercase() && previous.is_ascii_lowercase() {
            words.push(' ');
        }
        if c != '_' {
            words.push(c.to_ascii_lowercase());
        }
        previous = c;
    }
    words
}

/// The text with digits and marks that stand for letters as letters, in words of which `is_known` is true then. One
/// byte stands for one, so that places stay.
pub(super) fn with_letters(text: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'!' | b'$');
    let mut plain: Option<Vec<u8>> = None;
    let mut from = 0;
    // Only a word with such a sign in it can read otherwise.
    while let Some(sign) = bytes[from..].iter().position(|byte| IS_SIGN[usize::from(*byte)]).map(|place| from + place) {
        let at = sign - bytes[from..sign].iter().rev().take_while(|byte| is_part(**byte)).count();
        let length = bytes[at..].iter().position(|byte| !is_part(*byte)).unwrap_or(bytes.len() - at);
        let word = &bytes[at..at + length];
        let signs = word.iter().filter(|byte| letter(**byte).is_some()).count();
        let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        if signs > 0 && letters > signs && (3..=20).contains(&length) {
            let read: Vec<u8> = word.iter().map(|byte| letter(*byte).unwrap_or(*byte)).collect();
            if std::str::from_utf8(&read).is_ok_and(&is_known) {
                plain.get_or_insert_with(|| bytes.to_vec())[at..at + length].copy_from_slice(&read);
            }
        }
        from = at + length;
    }
    plain.and_then(|plain| String::from_utf8(plain).ok())
}

/// Which bytes stand for a letter.
const IS_SIGN: [bool; 256] = {
    let mut signs = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        signs[byte as usize] = letter(byte).is_some();
        byte += 1;
    }
    signs
};

const fn letter(sign: u8) -> Option<u8> {
    Some(match sign {
        b'0' => b'o',
        b'1' | b'!' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Vec<String> {
        payloads(text).into_iter().map(|payload| payload.decoded).collect()
    }

    #[test]
    fn spaced_letters_are_words() {
        assert_eq!(decoded("d r o p   a l l   i t"), ["drop all it"]);
        assert_eq!(decoded("say d-r-o-p a-l-l o-f"), ["drop all of"]);
        assert_eq!(decoded("放 下 所 有 的 事 情 吧"), ["放下所有的事情吧"]);
        assert!(decoded("a b c or x y").is_empty());
    }

    #[test]
    fn long_names_are_words() {
        assert_eq!(decoded("call drop_all_old_rows now"), ["drop all old rows"]);
        assert_eq!(decoded("call DropAllTheOldRows"), ["drop all the old rows"]);
    }

    #[test]
    fn digits_stand_for_letters_in_known_words() {
        let known = |word: &str| word == "ignore";
        assert_eq!(with_letters("1gn0re the utf8 b0x", known).as_deref(), Some("ignore the utf8 b0x"));
        assert_eq!(with_letters("ignore it", known), None);
    }
}
