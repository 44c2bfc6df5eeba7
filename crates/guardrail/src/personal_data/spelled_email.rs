//! E-mail addresses that are spelled out: `anna at nordwind dot se`, `anna [at] nordwind [dot] se`.

use reqgate_base::model::Span;
use reqgate_text::words::mail_addresses as lists;

use super::super::nearby;
use super::{PersonalDataScreen, email};

/// Most parts before and behind the "at" that are read.
const MOST_PARTS: usize = 4;

/// Every address of the text, in order.
pub(super) fn find(text: &str, screen: &PersonalDataScreen) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found: Vec<Span> = Vec::new();
    for (at, word) in bytes.windows(3).enumerate() {
        let is_dot = word[0] | 0x20 == b'd' && word.eq_ignore_ascii_case(b"dot");
        if is_dot && found.last().is_none_or(|last| last.end <= at) {
            found.extend(around(text, at, screen));
        }
    }
    found
}

/// The address whose first spelled dot behind the "at" stands at `dot`.
fn around(text: &str, dot: usize, screen: &PersonalDataScreen) -> Option<Span> {
    let bytes = text.as_bytes();
    let (before, mut end) = spelled(bytes, dot, 3)?;
    let label = part_before(bytes, before)?;
    let (local_end, behind_at) = spelled_at(bytes, label.start)?;
    if behind_at != label.start {
        return None;
    }
    let last = part_before(bytes, local_end)?;
    let mut local = last.slice(text).to_owned();
    let mut start = last.start;
    for _ in 1..MOST_PARTS {
        let part = spelled_dot_before(bytes, start).and_then(|before| part_before(bytes, before));
        let Some(part) = part else { break };
        local = format!("{}.{local}", part.slice(text));
        start = part.start;
    }
    let mut domain = label.slice(text).to_owned();
    for _ in 0..MOST_PARTS {
        let next = part_after(bytes, end)?;
        domain = format!("{domain}.{}", next.slice(text));
        end = next.end;
        let word =
            end + bytes[end..].iter().take(3).take_while(|byte| matches!(byte, b' ' | b'[' | b'(' | b'{')).count();
        let is_dot = bytes.get(word..word + 3).is_some_and(|word| word.eq_ignore_ascii_case(b"dot"));
        match spelled(bytes, word, 3).filter(|(before, _)| is_dot && *before == end) {
            Some((_, behind)) => end = behind,
            None => break,
        }
    }
    let (local, domain) = (local.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let ending = domain.rsplit('.').next().filter(|ending| lists::COMMON_ENDINGS.has(ending))?;
    // "at" and "in" are words as well: a sentence does not go on behind an address with such an ending.
    let goes_on = nearby::after(text, end, 2).trim_start_matches(' ').starts_with(|c: char| c.is_ascii_lowercase());
    let is_address = !(lists::WORDS_AND_ENDINGS.has(ending) && goes_on) && email::has_mail_domain(&domain);
    (is_address && !email::is_placeholder(screen, &local, &domain)).then(|| Span::new(start, end))
}

/// Where the part before and the part behind a spelled sign meet it: a word in brackets, or between blanks.
fn spelled(bytes: &[u8], word: usize, length: usize) -> Option<(usize, usize)> {
    let end = word + length;
    let open = word.checked_sub(1).map(|at| bytes[at])?;
    let close = *bytes.get(end)?;
    let is_bracket = matches!((open, close), (b'[', b']') | (b'(', b')') | (b'{', b'}') | (b'<', b'>'));
    if is_bracket {
        let before = (word - 1) - usize::from(nearby::byte_before(bytes, word - 1) == Some(b' '));
        return Some((before, end + 1 + usize::from(bytes.get(end + 1) == Some(&b' '))));
    }
    (open == b' ' && close == b' ').then_some((word - 1, end + 1))
}

/// The same for the "at" that ends at `end`, or an `@` with blanks.
fn spelled_at(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let behind =
        bytes[..end].iter().rev().take(2).take_while(|byte| matches!(byte, b' ' | b']' | b')' | b'}' | b'>')).count();
    let word = end - behind;
    if nearby::byte_before(bytes, word) == Some(b'@') {
        let before = word - 1 - usize::from(nearby::byte_before(bytes, word - 1) == Some(b' '));
        return Some((before, end));
    }
    let start = word.checked_sub(2).filter(|start| bytes[*start..word].eq_ignore_ascii_case(b"at"))?;
    spelled(bytes, start, 2)
}

/// Where the part before a spelled dot ends that itself ends at `end`.
fn spelled_dot_before(bytes: &[u8], end: usize) -> Option<usize> {
    let behind = bytes[..end].iter().rev().take(2).take_while(|byte| matches!(byte, b' ' | b']' | b')' | b'}')).count();
    let word = end - behind;
    let start = word.checked_sub(3).filter(|start| bytes[*start..word].eq_ignore_ascii_case(b"dot"))?;
    spelled(bytes, start, 3).filter(|(_, behind)| *behind == end).map(|(before, _)| before)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+')
}

fn part_before(bytes: &[u8], end: usize) -> Option<Span> {
    let length = bytes[..end].iter().rev().take(64).take_while(|byte| is_part(**byte)).count();
    (length > 0).then(|| Span::new(end - length, end))
}

fn part_after(bytes: &[u8], start: usize) -> Option<Span> {
    let length = bytes[start..].iter().take(64).take_while(|byte| is_part(**byte)).count();
    let trailing = bytes[start..start + length].iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count();
    (length > trailing).then(|| Span::new(start, start + length - trailing))
}
