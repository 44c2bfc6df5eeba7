//! Numbers of national identity documents that can be checked by their form and check digits.

use reqgate_base::model::Span;

use super::{Place, checksum};

type Found = Option<(&'static str, Span)>;

const SPANISH_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
const FINNISH_MARKS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";

/// Documents whose number begins with a digit.
pub(super) fn beginning_with_digit(place: &Place<'_>) -> Found {
    (us_social_security(place).map(|span| ("us-social-security", span)))
        .or_else(|| cn_resident_identity(place).map(|span| ("cn-resident-identity", span)))
        .or_else(|| br_cpf(place).map(|span| ("br-cpf", span)))
        .or_else(|| fi_personal_identity(place).map(|span| ("fi-personal-identity", span)))
        .or_else(|| kr_resident_registration(place).map(|span| ("kr-resident-registration", span)))
        .or_else(|| announced(place))
}

/// Documents whose number begins with a letter.
pub(super) fn beginning_with_letter(place: &Place<'_>) -> Found {
    (it_fiscal_code(place).map(|span| ("it-fiscal-code", span)))
        .or_else(|| es_foreigner(place).map(|span| ("es-identity", span)))
}

/// Numbers whose form alone is too common: a word must announce them.
fn announced(place: &Place<'_>) -> Found {
    (es_identity(place).map(|span| ("es-identity", span)))
        .or_else(|| pl_pesel(place).map(|span| ("pl-pesel", span)))
        .or_else(|| se_personal_identity(place).map(|span| ("se-personal-identity", span)))
        .or_else(|| fr_social_security(place).map(|span| ("fr-social-security", span)))
}

/// Reads `shape` from here on: `d` a digit, anything else itself. Gives the digits and the end.
fn shaped(place: &Place<'_>, shape: &[u8]) -> Option<(Vec<u8>, usize)> {
    let slice = place.bytes.get(place.at..place.at + shape.len())?;
    let fits = |(byte, wanted): (&u8, &u8)| if *wanted == b'd' { byte.is_ascii_digit() } else { byte == wanted };
    slice.iter().zip(shape).all(fits).then(|| {
        let digits = slice.iter().zip(shape).filter(|(_, wanted)| **wanted == b'd').map(|(byte, _)| byte - b'0');
        (digits.collect(), place.at + shape.len())
    })
}

fn us_social_security(place: &Place<'_>) -> Option<Span> {
    let dashed = shaped(place, b"ddd-dd-dddd");
    let (digits, end) = match dashed {
        Some(found) => found,
        None => shaped(place, b"ddd dd dddd")
            .or_else(|| shaped(place, b"ddd.dd.dddd"))
            .or_else(|| shaped(place, b"ddddddddd"))
            .filter(|(_, end)| place.is_told("us-social-security", 32, *end))?,
    };
    let area = checksum::modulo(&digits[..3], 1000);
    let serial = checksum::modulo(&digits[5..], 10_000);
    let valid = area != 0 && area != 666 && area < 900 && digits[3..5] != [0, 0] && serial != 0;
    let published = digits == [1, 2, 3, 4, 5, 6, 7, 8, 9] || digits == [0, 7, 8, 0, 5, 1, 1, 2, 0];
    (valid && !published && place.may_end(end)).then(|| place.span(end))
}

fn is_birth_date(year: u32, month: u32, day: u32) -> bool {
    (1900..=2026).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// GB 11643-1999: seventeen digits and a mark modulo 11.
fn cn_resident_identity(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = shaped(place, b"ddddddddddddddddd")?;
    let mark = place.bytes.get(end)?.to_ascii_uppercase();
    let sum = checksum::weighted(&digits, &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    let expected = b"10X98765432"[sum as usize % 11];
    let date = (
        checksum::modulo(&digits[6..10], 10_000),
        checksum::modulo(&digits[10..12], 100),
        checksum::modulo(&digits[12..14], 100),
    );
    let valid = mark == expected && (1..=8).contains(&digits[0]) && is_birth_date(date.0, date.1, date.2);
    (valid && place.may_end(end + 1)).then(|| place.span(end + 1))
}

fn br_cpf(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = shaped(place, b"ddd.ddd.ddd-dd")?;
    let mark = |weights: &[u32]| {
        let rest = checksum::weighted(&digits, weights) * 10 % 11;
        if rest == 10 { 0 } else { rest }
    };
    let first = mark(&[10, 9, 8, 7, 6, 5, 4, 3, 2]);
    let second = mark(&[11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    let valid = first == u32::from(digits[9])
        && second == u32::from(digits[10])
        && digits.iter().any(|digit| *digit != digits[0]);
    (valid && place.may_end(end)).then(|| place.span(end))
}

fn fi_personal_identity(place: &Place<'_>) -> Option<Span> {
    let slice = place.bytes.get(place.at..place.at + 11)?;
    let century = matches!(slice[6], b'+' | b'-' | b'A' | b'B' | b'Y' | b'X');
    if !century || !slice[..6].iter().chain(&slice[7..10]).all(u8::is_ascii_digit) {
        return None;
    }
    let digits: Vec<u8> = slice[..6].iter().chain(&slice[7..10]).map(|byte| byte - b'0').collect();
    let valid = is_birth_date(1950, checksum::modulo(&digits[2..4], 100), checksum::modulo(&digits[..2], 100))
        && FINNISH_MARKS[checksum::modulo(&digits, 31) as usize] == slice[10];
    (valid && place.may_end(place.at + 11)).then(|| place.span(place.at + 11))
}

fn kr_resident_registration(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = shaped(place, b"dddddd-ddddddd")?;
    let sum = checksum::weighted(&digits, &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
    let valid = (11 - sum % 11) % 10 == u32::from(digits[12])
        && is_birth_date(1950, checksum::modulo(&digits[2..4], 100), checksum::modulo(&digits[4..6], 100));
    // The last digits of numbers given out since October 2020 are random, so a word may stand in for the check digit.
    let found = valid || place.is_near("kr-resident-registration", 32);
    (found && place.may_end(end) && digits[2..4] != [0, 0]).then(|| place.span(end)).filter(|_| valid)
}

fn es_identity(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = shaped(place, b"dddddddd")?;
    let dash = usize::from(place.bytes.get(end) == Some(&b'-'));
    let letter = place.bytes.get(end + dash)?.to_ascii_uppercase();
    let valid = SPANISH_LETTERS[checksum::modulo(&digits, 23) as usize] == letter;
    let end = end + dash + 1;
    let is_field = place.bytes[end - 1].is_ascii_uppercase() && place.is_field(end);
    let known = is_field || place.is_announced("es-identity", 32, end);
    (valid && place.may_end(end) && known).then(|| place.span(end))
}

fn es_foreigner(place: &Place<'_>) -> Option<Span> {
    let slice = place.bytes.get(place.at..place.at + 9)?;
    let lead = match slice[0].to_ascii_uppercase() {
        b'X' => 0,
        b'Y' => 1,
        b'Z' => 2,
        _ => return None,
    };
    if !slice[1..8].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits: Vec<u8> = std::iter::once(lead).chain(slice[1..8].iter().map(|byte| byte - b'0')).collect();
    let valid = SPANISH_LETTERS[checksum::modulo(&digits, 23) as usize] == slice[8].to_ascii_uppercase();
    (valid && place.may_end(place.at + 9)).then(|| place.span(place.at + 9))
}

fn pl_pesel(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = shaped(place, b"ddddddddddd")?;
    let sum = checksum::weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
    let valid = sum.is_multiple_of(10) && place.may_end(end);
    // The century is added to the month in steps of twenty.
    let month = checksum::modulo(&digits[2..4], 100) % 20;
    let is_date = is_birth_date(1950, month, checksum::modulo(&digits[4..6], 100));
    let known = is_date && place.is_field(end) || place.is_announced("pl-pesel", 32, end);
    (valid && known).then(|| place.span(end))
}

fn se_personal_identity(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = match shaped(place, b"dddddd-dddd") {
        Some(found) => found,
        None => shaped(place, b"dddddddd-dddd").map(|(digits, end)| (digits[2..].to_vec(), end))?,
    };
    let date = is_birth_date(1950, checksum::modulo(&digits[2..4], 100), checksum::modulo(&digits[4..6], 100));
    let valid = date && checksum::luhn(&digits) && place.may_end(end);
    (valid && (place.is_field(end) || place.is_announced("se-personal-identity", 40, end))).then(|| place.span(end))
}

fn fr_social_security(place: &Place<'_>) -> Option<Span> {
    let (digits, end) = shaped(place, b"d dd dd dd ddd ddd dd").or_else(|| shaped(place, b"ddddddddddddddd"))?;
    let key = checksum::modulo(&digits[13..], 100);
    let valid = matches!(digits[0], 1 | 2) && 97 - checksum::modulo(&digits[..13], 97) == key && place.may_end(end);
    (valid && (place.is_field(end) || place.is_announced("fr-social-security", 40, end))).then(|| place.span(end))
}

fn it_fiscal_code(place: &Place<'_>) -> Option<Span> {
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let slice = place.bytes.get(place.at..place.at + 16)?;
    let letters = |range: std::ops::Range<usize>| slice[range].iter().all(u8::is_ascii_alphabetic);
    let digits = |range: std::ops::Range<usize>| slice[range].iter().all(u8::is_ascii_digit);
    let form = letters(0..6) && digits(6..8) && letters(8..9) && digits(9..11) && letters(11..12) && digits(12..15);
    if !form || !letters(15..16) {
        return None;
    }
    let value =
        |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte.to_ascii_uppercase() - b'A' });
    let sum: u32 = slice[..15]
        .iter()
        .enumerate()
        .map(|(place, byte)| if place % 2 == 0 { ODD[value(*byte) as usize] } else { value(*byte) })
        .sum();
    let valid = sum % 26 == value(slice[15]);
    (valid && place.may_end(place.at + 16)).then(|| place.span(place.at + 16))
}
