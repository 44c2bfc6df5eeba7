//! Payment cards (Luhn and issuer ranges) and international bank account numbers (country length and mod 97).

use reqgate_base::model::Span;

use super::{Place, checksum, nearby};

/// Length of an IBAN by country (ISO 13616 registry).
const IBAN_LENGTHS: &str = "\
    AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 \
    ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 \
    LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 \
    QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 TN24 TR26 UA29 VA22";

/// An account number that begins here.
pub(super) fn iban(place: &Place<'_>) -> Option<Span> {
    let head = place.bytes.get(place.at..place.at + 4)?;
    let country = std::str::from_utf8(&head[..2]).ok()?.to_ascii_uppercase();
    if !place.starts_word || !head[2..].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let length = IBAN_LENGTHS.split(' ').find_map(|entry| entry.strip_prefix(&country)?.parse().ok())?;
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
    let (digits, groups, end) = place.starts_word.then(|| read_groups(place)).flatten()?;
    if !place.may_end(end)
        || !checksum::luhn(&place.bytes[place.at..end])
        || digits.iter().all(|digit| *digit == digits[0])
    {
        return None;
    }
    let regular = matches!(
        groups.as_slice(),
        [12..=19] | [4, 4, 4, 4] | [4, 4, 4, 4, 3] | [4, 6, 5] | [4, 6, 4] | [4, 4, 4, 1] | [4, 4, 4]
    );
    let is_card = regular
        && (is_issued(&digits)
            || (groups.len() == 1 || digits.len() < 16) && place.is_near(48) && is_plausible(&digits));
    let is_card =
        is_card && (groups.len() > 1 || digits.len() >= 14 && !is_identifier(place, end) || place.is_near(48));
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
    place.is_otherwise(14) || in_path && !place.is_form_value(end)
}
