//! Decodes escapes, which represent another character or none: entities, percent and backslash escapes, markup inside a word.

use super::nearby;

/// Longest tag, and longest comment, that is read over inside a word, in bytes.
const LONGEST_TAG: usize = 80;
const LONGEST_COMMENT: usize = 200;
/// Elements that only style a piece of a word; others separate words.
const INLINE: [&str; 19] = [
    "a", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "s", "small", "span", "strong", "sub", "sup",
    "tt", "u", "wbr",
];
/// Named entities of characters that occur in values and orders, each followed by its character. Invisible ones come last.
const NAMED: &str = "amp & lt < gt > quot \" apos ' commat @ period . comma , colon : semi ; num # excl ! dollar $ percnt % ast * \
    lowbar _ hyphen - dash - plus + equals = sol / lpar ( rpar ) shy \u{ad} zwnj \u{200c} ZeroWidthSpace \u{200b}";
const SPACES: [&str; 4] = ["nbsp", "ensp", "emsp", "thinsp"];

/// The character, or no character, that the bytes at `at` represent, and their end. `None` if they represent themselves.
/// `last` is the character that was read before.
pub(super) fn decoded(text: &str, at: usize, last: Option<char>) -> Option<(Option<char>, usize)> {
    match text.as_bytes()[at] {
        b'&' => entity(text, at).map(|(shown, end)| (Some(shown), end)),
        b'%' => hexadecimal(text, at + 1, 2).filter(is_plain).map(|shown| (Some(shown), at + 3)),
        b'\\' => backslash(text, at),
        b'<' => markup(text, at, last).map(|end| (None, end)),
        b'*' => emphasis(text, at, last).map(|end| (None, end)),
        b'-' => hyphen(text, at, last).map(|end| (None, end)),
        _ => None,
    }
}

fn is_plain(c: &char) -> bool {
    matches!(c, ' '..='~')
}

fn hexadecimal(text: &str, at: usize, digits: usize) -> Option<char> {
    let digits = text.get(at..at + digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

fn entity(text: &str, at: usize) -> Option<(char, usize)> {
    let rest = nearby::after(text, at + 1, 16);
    let name = &rest[..rest.find(';')?];
    let end = at + name.len() + 2;
    let shown = match name.strip_prefix('#') {
        Some(number) => {
            let value = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(value).filter(|c| !c.is_control())?
        }
        None if SPACES.contains(&name) => ' ',
        None => {
            let mut words = NAMED.split_whitespace();
            std::iter::from_fn(|| words.next().zip(words.next())).find(|(known, _)| *known == name)?.1.chars().next()?
        }
    };
    Some((shown, end))
}

/// `\u0069`, `\x69`, and a mark that Markdown would take for its own.
fn backslash(text: &str, at: usize) -> Option<(Option<char>, usize)> {
    let next = *text.as_bytes().get(at + 1)?;
    match next {
        b'u' => hexadecimal(text, at + 2, 4).filter(|c| !c.is_control()).map(|shown| (Some(shown), at + 6)),
        b'x' => hexadecimal(text, at + 2, 2).filter(is_plain).map(|shown| (Some(shown), at + 4)),
        _ if next.is_ascii_punctuation() => Some((None, at + 1)),
        _ => None,
    }
}

/// A comment or an inline element in the middle of a word or value.
fn markup(text: &str, at: usize, last: Option<char>) -> Option<usize> {
    if !last.is_some_and(goes_on) {
        return None;
    }
    let end = if text[at..].starts_with("<!--") {
        at + nearby::after(text, at, LONGEST_COMMENT).find("-->")? + 3
    } else {
        let tag = nearby::after(text, at + 1, LONGEST_TAG);
        let tag = &tag[..tag.find('>')?];
        let name = tag.trim_start_matches('/');
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(name);
        INLINE.iter().find(|known| name.eq_ignore_ascii_case(known))?;
        at + tag.len() + 2
    };
    let next = text[end..].chars().next();
    next.is_some_and(|next| next == '<' || goes_on(next)).then_some(end)
}

fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '@' | '.' | '_' | '-')
}

/// `**` or `***` between two letters.
fn emphasis(text: &str, at: usize, last: Option<char>) -> Option<usize> {
    let stars = text.as_bytes()[at..].iter().take(4).take_while(|byte| **byte == b'*').count();
    let next = text[at + stars..].chars().next();
    let within = last.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic);
    (matches!(stars, 2 | 3) && within).then_some(at + stars)
}

/// A word that is divided at the end of a line.
fn hyphen(text: &str, at: usize, last: Option<char>) -> Option<usize> {
    let rest = text[at + 1..].strip_prefix("\r\n").or_else(|| text[at + 1..].strip_prefix('\n'))?;
    let word = rest.trim_start_matches([' ', '>']);
    let within = last.is_some_and(|c| c.is_ascii_lowercase()) && word.starts_with(|c: char| c.is_ascii_lowercase());
    (within && rest.len() - word.len() < 16).then_some(text.len() - word.len())
}
