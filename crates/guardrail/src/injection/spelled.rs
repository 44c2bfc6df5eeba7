//! Words that are spelled in an odd way: letter by letter, with digits for letters, or joined to one name.

use reqgate_base::model::Span;

use super::word::Payload;

/// Fewest separate letters that are read as words.
const FEWEST_LETTERS: usize = 8;
/// Widest gap between two of them, in bytes.
const WIDEST_GAP: usize = 5;
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
    let mut run: Vec<Span> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(char::is_alphanumeric).map(|place| at + place) {
        let rest = &text[start..];
        let word = &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())];
        at = start + word.len();
        let mut letters = word.chars();
        let is_single = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
        if !is_single || !run.last().is_some_and(|last| is_gap(&text[last.end..start])) {
            payloads.extend(joined(text, &run));
            run.clear();
        }
        if is_single {
            run.push(Span::new(start, at));
        }
    }
    payloads.extend(joined(text, &run));
    payloads
}

fn is_gap(between: &str) -> bool {
    between.len() <= WIDEST_GAP && between.bytes().all(|byte| b" -._*/|~".contains(&byte))
}

/// The letters as words, which are apart where the mark is not the one between the first two.
fn joined(text: &str, letters: &[Span]) -> Option<Payload> {
    let [first, second, .., last] = letters else { return None };
    let within = &text[first.end..second.start];
    let mut decoded = first.slice(text).to_owned();
    for pair in letters.windows(2) {
        let letter = pair[1].slice(text);
        if text[pair[0].end..pair[1].start] != *within && !letter.starts_with(|c| matches!(c, '\u{4e00}'..='\u{9fff}'))
        {
            decoded.push(' ');
        }
        decoded.push_str(letter);
    }
    (letters.len() >= FEWEST_LETTERS).then(|| Payload { span: Span::new(first.start, last.end), decoded })
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

/// The text with digits and marks that represent letters as letters, in words of which `is_known` is true then. One
/// byte becomes one, so that places stay.
pub(super) fn with_letters(text: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'!' | b'$');
    let mut plain: Option<Vec<u8>> = None;
    let mut from = 0;
    // Only a word with such a sign in it can read otherwise.
    while let Some(sign) = bytes[from..].iter().position(|byte| is_sign(*byte)).map(|place| from + place) {
        let at = sign - bytes[from..sign].iter().rev().take_while(|byte| is_part(**byte)).count();
        let length = bytes[at..].iter().position(|byte| !is_part(*byte)).unwrap_or(bytes.len() - at);
        let word = &bytes[at..at + length];
        let signs = word.iter().filter(|byte| is_sign(**byte)).count();
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

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'0' | b'1' | b'!' | b'3' | b'4' | b'@' | b'5' | b'$' | b'7')
}

fn letter(sign: u8) -> Option<u8> {
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
