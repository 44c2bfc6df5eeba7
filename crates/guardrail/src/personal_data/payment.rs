//! Payment cards (Luhn and issuer ranges) and international bank account numbers (country length and mod 97).

use reqgate_base::model::Span;

use super::{Place, checksum, nearby};

/// Length of an IBAN by country (ISO 13616 registry).
const IBAN_LENGTHS: [(&[u8; 2], usize); 82] = [
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BI", 27),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DJ", 27),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FK", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MN", 20),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NI", 28),
    (b"NL", 18),
    (b"NO", 15),
    (b"OM", 23),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"RU", 33),
    (b"SA", 24),
    (b"SC", 31),
    (b"SD", 18),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"SO", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VA", 22),
];

/// An account number that begins here.
pub(super) fn iban(place: &Place<'_>) -> Option<Span> {
    let head = place.bytes.get(place.at..place.at + 4)?;
    if !(head[0].is_ascii_alphabetic()
        && head[1].is_ascii_alphabetic()
        && head[2].is_ascii_digit()
        && head[3].is_ascii_digit())
    {
        return None;
    }
    let country = [head[0].to_ascii_uppercase(), head[1].to_ascii_uppercase()];
    let length = IBAN_LENGTHS.iter().find(|(code, _)| **code == country)?.1;
    let mut characters = Vec::with_capacity(length);
    let mut end = place.at;
    while characters.len() < length {
        match place.bytes.get(end)? {
            byte if byte.is_ascii_alphanumeric() => characters.push(*byte),
            b' ' | b'-' | b'\n' if end > place.at && place.bytes[end - 1].is_ascii_alphanumeric() => {}
            _ => return None,
        }
        end += 1;
    }
    (place.may_end(end) && checksum::iban(&characters)).then(|| place.span(end))
}

/// A card number that begins here.
pub(super) fn card(place: &Place<'_>) -> Option<Span> {
    let (digits, groups, end) = read_groups(place)?;
    if !place.may_end(end) || !checksum::luhn(&digits) || digits.iter().all(|digit| *digit == digits[0]) {
        return None;
    }
    let regular = matches!(
        groups.as_slice(),
        [12..=19] | [4, 4, 4, 4] | [4, 4, 4, 4, 3] | [4, 6, 5] | [4, 6, 4] | [4, 4, 4, 1] | [4, 4, 4]
    );
    let is_card = regular
        && (is_issued(&digits)
            || (groups.len() == 1 || digits.len() < 16) && place.is_near("payment-card", 48) && is_plausible(&digits));
    let is_card = is_card
        && (groups.len() > 1 || digits.len() >= 14 && !is_identifier(place, end) || place.is_near("payment-card", 48));
    is_card.then(|| place.span(end))
}

/// Digits from here on, the lengths of their groups, and where they end.
fn read_groups(place: &Place<'_>) -> Option<(Vec<u8>, Vec<usize>, usize)> {
    let mut digits: Vec<u8> = Vec::with_capacity(19);
    let mut groups = vec![0];
    let mut end = place.at;
    let mut separator: Option<&[u8]> = None;
    loop {
        match place.bytes.get(end).copied() {
            Some(byte) if byte.is_ascii_digit() => {
                if digits.len() == 19 {
                    return None;
                }
                digits.push(byte - b'0');
                *groups.last_mut()? += 1;
            }
            Some(b' ' | b'-' | b'.' | b'\n')
                if digits.len() < 16 && groups.last().is_some_and(|length| matches!(length, 4 | 6)) =>
            {
                let rest = &place.bytes[end..];
                let length = rest.iter().take(4).take_while(|byte| matches!(byte, b' ' | b'-' | b'.' | b'\n')).count();
                let mark = &rest[..length];
                let is_mark = matches!(mark, [_] | [b' ', b'-' | b'.', b' ']);
                let is_same = separator.is_none_or(|known| known == mark || is_blank(known) && is_blank(mark));
                if !is_mark || !is_same || !rest.get(length).is_some_and(u8::is_ascii_digit) {
                    break;
                }
                separator = Some(mark);
                groups.push(0);
                end += length;
                continue;
            }
            _ => break,
        }
        end += 1;
    }
    (digits.len() >= 12).then_some((digits, groups, end))
}

/// A blank or the end of a line.
fn is_blank(mark: &[u8]) -> bool {
    matches!(mark, b" " | b"\n")
}

/// Ranges that issuers use today, with the lengths that go with them.
fn is_issued(digits: &[u8]) -> bool {
    let prefix = |length: usize| digits[..length].iter().fold(0_u32, |value, digit| value * 10 + u32::from(*digit));
    let (two, three, four) = (prefix(2), prefix(3), prefix(4));
    match digits.len() {
        13 => digits[0] == 4,
        14 => matches!(three, 300..=305) || matches!(two, 36 | 38 | 39),
        15 => matches!(two, 34 | 37) || matches!(four, 1800 | 2131),
        16 => {
            digits[0] == 4
                || matches!(two, 51..=55 | 62 | 65)
                || matches!(four, 2221..=2720 | 3528..=3589 | 6011)
                || matches!(three, 644..=649)
                || matches!(four, 5018 | 5020 | 5038 | 6304 | 6759 | 6761..=6763)
        }
        19 => digits[0] == 4 || two == 62,
        _ => false,
    }
}

/// First digits of the bank card industry (ISO/IEC 7812: 3 to 6, and 1 or 2 of older or newer ranges).
fn is_plausible(digits: &[u8]) -> bool {
    matches!(digits[0], 1..=6)
}

/// `id 4929…`, `trace=4929…` and the like.
fn is_identifier(place: &Place<'_>, end: usize) -> bool {
    let in_path = matches!(nearby::byte_before(place.bytes, place.at), Some(b'=' | b'#')) || place.is_in_path();
    place.is_otherwise("phone-number", 14) || in_path && !place.is_form_value(end)
}
