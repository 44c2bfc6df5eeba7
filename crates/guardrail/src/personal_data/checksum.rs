//! Check digits of identity documents, cards and accounts, by the names that `config/guardrail/personal-data.yaml` gives them.

/// A check that the digits of a number fit each other; the number still has its separators.
pub(super) type Check = fn(&[u8]) -> bool;

const CHECKS: [(&str, Check); 18] = [
    ("br-cpf", br_cpf),
    ("cn-resident-identity", cn_resident_identity),
    ("ean-13", ean_13),
    ("es-identity", es_identity),
    ("fi-personal-identity", fi_personal_identity),
    ("fr-social-security", fr_social_security),
    ("hk-identity", hk_identity),
    ("in-aadhaar", in_aadhaar),
    ("it-fiscal-code", it_fiscal_code),
    ("kr-resident-registration", kr_resident_registration),
    ("luhn", luhn),
    ("pl-pesel", pl_pesel),
    ("pl-pesel-with-date", pl_pesel_with_date),
    ("se-personal-identity", se_personal_identity),
    ("sg-nric", sg_nric),
    ("tw-identity", tw_identity),
    ("uk-national-insurance", uk_national_insurance),
    ("us-social-security", us_social_security),
];

pub(super) fn named(name: &str) -> Option<Check> {
    CHECKS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check)
}

/// The values of the digits; separators are left out.
fn digits(number: &[u8]) -> Vec<u32> {
    number.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0')).collect()
}

/// The value of the digits from `start` to `end` of a number, or of those that exist; separators do not count.
fn value(number: &[u8], start: usize, end: usize) -> u64 {
    digits(number).iter().take(end).skip(start).fold(0, |value, digit| value * 10 + u64::from(*digit))
}

/// The character at a place; zero where the number is shorter, as a shape of an installation's own may be.
fn at(number: &[u8], place: usize) -> u8 {
    number.get(place).copied().unwrap_or_default()
}

/// The value of a digit, or of a letter as if the digits went on with it.
fn rank(character: u8) -> u32 {
    char::from(character).to_digit(36).unwrap_or_default()
}

/// The sum of digits times weights, as far as both go.
fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Luhn (ISO/IEC 7812-1): payment cards and many national numbers.
pub(super) fn luhn(number: &[u8]) -> bool {
    let doubled = |(place, digit): (usize, &u32)| match digit * if place % 2 == 1 { 2 } else { 1 } {
        value @ 10.. => value - 9,
        value => value,
    };
    digits(number).iter().rev().enumerate().map(doubled).sum::<u32>().is_multiple_of(10)
}

/// ISO 7064 mod 97-10 over letters and digits, after the first four were moved to the end (ISO 13616).
pub(super) fn iban(characters: &[u8]) -> bool {
    let (head, tail) = characters.split_at(characters.len().min(4));
    let add = |rest: u32, byte: &u8| (rest * if byte.is_ascii_digit() { 10 } else { 100 } + rank(*byte)) % 97;
    tail.iter().chain(head).fold(0, add) == 1
}

fn ean_13(number: &[u8]) -> bool {
    weighted(&digits(number), &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}

/// Verhoeff's check over the group of the pentagon.
fn in_aadhaar(number: &[u8]) -> bool {
    const TURN: [u32; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let turned = |digit: u32, times: usize| (0..times % 8).fold(digit, |digit, _| TURN[digit as usize]);
    let product = |left: u32, right: u32| match (left / 5, right / 5) {
        (0, 0) => (left + right) % 5,
        (0, _) => (left + right) % 5 + 5,
        (_, 0) => (left + 5 - right) % 5 + 5,
        _ => (left + 5 - right % 5) % 5,
    };
    let digits = digits(number);
    digits.first().is_some_and(|first| *first >= 2)
        && digits.iter().rev().enumerate().fold(0, |sum, (place, digit)| product(sum, turned(*digit, place))) == 0
}

fn is_date(month: u64, day: u64) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

fn us_social_security(number: &[u8]) -> bool {
    let (area, group, serial) = (value(number, 0, 3), value(number, 3, 5), value(number, 5, 9));
    // Numbers that were printed in advertisements.
    let is_published = matches!(value(number, 0, 9), 123_456_789 | 78_051_120);
    (1..900).contains(&area) && area != 666 && group != 0 && serial != 0 && !is_published
}

/// GB 11643-1999: seventeen digits and a mark modulo 11.
fn cn_resident_identity(number: &[u8]) -> bool {
    let Some((mark, body)) = number.split_last() else { return false };
    let sum = weighted(&digits(body), &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    b"10X98765432"[sum as usize % 11] == mark.to_ascii_uppercase()
        && (b'1'..=b'8').contains(&at(number, 0))
        && (1900..=2026).contains(&value(number, 6, 10))
        && is_date(value(number, 10, 12), value(number, 12, 14))
}

fn br_cpf(number: &[u8]) -> bool {
    let digits = digits(number);
    let mark = |weights: &[u32]| weighted(&digits, weights) * 10 % 11 % 10;
    let marks = [mark(&[10, 9, 8, 7, 6, 5, 4, 3, 2]), mark(&[11, 10, 9, 8, 7, 6, 5, 4, 3, 2])];
    digits.get(9..) == Some(&marks[..]) && digits.iter().any(|digit| *digit != digits[0])
}

fn fi_personal_identity(number: &[u8]) -> bool {
    let is_century = matches!(at(number, 6), b'+' | b'-' | b'A' | b'B' | b'Y' | b'X');
    let mark = b"0123456789ABCDEFHJKLMNPRSTUVWXY"[value(number, 0, 9) as usize % 31];
    is_century && is_date(value(number, 2, 4), value(number, 0, 2)) && mark == at(number, 10)
}

fn kr_resident_registration(number: &[u8]) -> bool {
    let digits = digits(number);
    let sum = weighted(&digits, &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
    digits.get(12) == Some(&((11 - sum % 11) % 10)) && is_date(value(number, 2, 4), value(number, 4, 6))
}

/// Spanish documents; X, Y or Z before those of foreigners counts as 0, 1 or 2.
fn es_identity(number: &[u8]) -> bool {
    let lead = match at(number, 0).to_ascii_uppercase() {
        lead @ b'X'..=b'Z' => u64::from(lead - b'X') * 10_000_000,
        lead if lead.is_ascii_digit() => 0,
        _ => return false,
    };
    let sum = lead + value(number, 0, 8);
    number.last().map(u8::to_ascii_uppercase) == Some(b"TRWAGMYFPDXBNJZSQVHLCKE"[sum as usize % 23])
}

fn pl_pesel(number: &[u8]) -> bool {
    weighted(&digits(number), &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
}

/// The century is added to the month in steps of twenty.
fn pl_pesel_with_date(number: &[u8]) -> bool {
    pl_pesel(number) && is_date(value(number, 2, 4) % 20, value(number, 4, 6))
}

/// The last ten digits count; a century may be before them.
fn se_personal_identity(number: &[u8]) -> bool {
    let number = &number[number.len().saturating_sub(11)..];
    is_date(value(number, 2, 4), value(number, 4, 6)) && luhn(number)
}

fn fr_social_security(number: &[u8]) -> bool {
    matches!(at(number, 0), b'1' | b'2') && 97 - value(number, 0, 13) % 97 == value(number, 13, 15)
}

fn it_fiscal_code(number: &[u8]) -> bool {
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let value = |byte: u8| if byte.is_ascii_digit() { rank(byte) } else { rank(byte).saturating_sub(10) };
    let counted = |(place, byte): (usize, &u8)| if place % 2 == 0 { ODD[value(*byte) as usize] } else { value(*byte) };
    number.iter().take(15).enumerate().map(counted).sum::<u32>() % 26 == value(at(number, 15))
}

fn sg_nric(number: &[u8]) -> bool {
    let (offset, letters) = match at(number, 0) {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        _ => return false,
    };
    letters[(offset + weighted(&digits(number), &[2, 7, 6, 5, 4, 3, 2])) as usize % 11] == at(number, 8)
}

/// The mark in brackets is a digit, or A for ten.
fn hk_identity(number: &[u8]) -> bool {
    let Some(mark) = char::from(at(number, 8)).to_digit(11) else { return false };
    // A single letter counts as if a blank of value 36 were before it.
    let letters = 36 * 9 + rank(at(number, 0)) * 8;
    let digits = digits(number.get(..7).unwrap_or_default());
    (letters + weighted(&digits, &[7, 6, 5, 4, 3, 2]) + mark).is_multiple_of(11)
}

fn tw_identity(number: &[u8]) -> bool {
    let place = b"ABCDEFGHJKLMNPQRSTUVXYWZIO".iter().position(|letter| *letter == at(number, 0));
    let code = 10 + place.unwrap_or_default() as u32;
    (code / 10 + code % 10 * 9 + weighted(&digits(number), &[8, 7, 6, 5, 4, 3, 2, 1, 1])).is_multiple_of(10)
}

/// Letters that are given out: it has no check digit.
fn uk_national_insurance(number: &[u8]) -> bool {
    let is_given = !b"DFIQUV".contains(&at(number, 0)) && !b"DFIOQUV".contains(&at(number, 1));
    is_given && matches!(number.last(), Some(b'A'..=b'D'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luhn_accepts_a_valid_number_and_refuses_a_changed_one() {
        assert!(luhn(b"7992 7398 713"));
        assert!(!luhn(b"7992 7398 714"));
    }

    #[test]
    fn iban_check_digits_are_checked() {
        assert!(iban(b"DE89370400440532013000"));
        assert!(!iban(b"DE89370400440532013001"));
        assert!(!iban(b"DE8"));
    }

    #[test]
    fn verhoeff_sees_a_changed_digit_and_a_swap() {
        assert!(in_aadhaar(b"2363"));
        assert!(!in_aadhaar(b"2364"));
        assert!(!in_aadhaar(b"3263"));
    }

    #[test]
    fn no_check_reads_beyond_a_number() {
        for (_, check) in CHECKS {
            for length in 0..30 {
                for byte in [b'1', b'9', b'X', b'A', b' ', b'('] {
                    check(&vec![byte; length]);
                }
            }
        }
    }

    #[test]
    fn digits_are_read_from_the_left_whatever_is_between_them() {
        assert_eq!(value(b"1-2.3", 0, 3), 123);
        assert_eq!(weighted(&digits(b"123"), &[3, 2, 1]), 10);
    }
}
