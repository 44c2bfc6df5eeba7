//! More identity documents, by their form and check digits: those of Asia, Britain, Canada and Switzerland, and passports.

use reqgate_base::model::Span;

use super::{Place, checksum};

type Found = Option<(&'static str, Span)>;

/// Documents whose number begins with a digit.
pub(super) fn beginning_with_digit(place: &Place<'_>) -> Found {
    (in_aadhaar(place).map(|span| ("in-aadhaar", span)))
        .or_else(|| ca_social_insurance(place).map(|span| ("ca-social-insurance", span)))
        .or_else(|| ch_social_security(place).map(|span| ("ch-social-security", span)))
}

/// Documents whose number begins with a letter.
pub(super) fn beginning_with_letter(place: &Place<'_>) -> Found {
    (sg_nric(place).map(|span| ("sg-nric", span)))
        .or_else(|| hk_identity(place).map(|span| ("hk-identity", span)))
        .or_else(|| tw_identity(place).map(|span| ("tw-identity", span)))
        .or_else(|| uk_national_insurance(place).map(|span| ("uk-national-insurance", span)))
        .or_else(|| passport(place).map(|span| ("passport", span)))
}

/// Reads `shape` from here on: `d` a digit, `A` a capital, anything else itself. Gives the bytes and the end.
fn shaped<'a>(place: &Place<'a>, shape: &[u8]) -> Option<(&'a [u8], usize)> {
    let slice = place.bytes.get(place.at..place.at + shape.len())?;
    let fits = slice.iter().zip(shape).all(|(byte, wanted)| match wanted {
        b'd' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_uppercase(),
        _ => byte == wanted,
    });
    let end = place.at + shape.len();
    (fits && place.may_end(end)).then_some((slice, end))
}

fn digits(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect()
}

fn in_aadhaar(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = match shaped(place, b"dddd dddd dddd") {
        Some(found) => found,
        None => shaped(place, b"dddddddddddd").filter(|(_, end)| place.is_announced("in-aadhaar", 32, *end))?,
    };
    let digits = digits(slice);
    (digits[0] >= 2 && checksum::verhoeff(&digits)).then(|| place.span(end))
}

fn ca_social_insurance(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = shaped(place, b"ddd ddd ddd").or_else(|| shaped(place, b"ddd-ddd-ddd"))?;
    (checksum::luhn(&digits(slice)) && place.is_announced("ca-social-insurance", 32, end)).then(|| place.span(end))
}

/// Thirteen digits of the goods numbering (EAN-13) that begin with the country.
fn ch_social_security(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = shaped(place, b"756.dddd.dddd.dd")?;
    let sum = checksum::weighted(&digits(slice), &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]);
    sum.is_multiple_of(10).then(|| place.span(end))
}

fn sg_nric(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = shaped(place, b"AdddddddA")?;
    let (offset, letters) = match slice[0] {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        _ => return None,
    };
    let sum = offset + checksum::weighted(&digits(slice), &[2, 7, 6, 5, 4, 3, 2]);
    (letters[sum as usize % 11] == slice[8]).then(|| place.span(end))
}

fn hk_identity(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = shaped(place, b"Adddddd(d)").or_else(|| shaped(place, b"Adddddd(A)"))?;
    let mark = if slice[8] == b'A' { 10 } else { u32::from(slice[8].checked_sub(b'0')?) };
    // One letter counts as if a blank of value 36 stood before it.
    let sum = 36 * 9
        + u32::from(slice[0] - b'A' + 10) * 8
        + checksum::weighted(&digits(&slice[1..7]), &[7, 6, 5, 4, 3, 2])
        + mark;
    sum.is_multiple_of(11).then(|| place.span(end))
}

fn tw_identity(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = shaped(place, b"Addddddddd")?;
    let code = 10 + b"ABCDEFGHJKLMNPQRSTUVXYWZIO".iter().position(|letter| *letter == slice[0])? as u32;
    let sum = code / 10 + code % 10 * 9 + checksum::weighted(&digits(slice), &[8, 7, 6, 5, 4, 3, 2, 1, 1]);
    let known = place.is_field(end) || place.is_announced("tw-identity", 40, end);
    (sum.is_multiple_of(10) && known).then(|| place.span(end))
}

fn uk_national_insurance(place: &Place<'_>) -> Option<Span> {
    let (slice, end) = match shaped(place, b"AA dd dd dd A") {
        Some(found) => found,
        None => shaped(place, b"AAddddddA").filter(|(_, end)| place.is_told("uk-national-insurance", 40, *end))?,
    };
    let given = !b"DFIQUV".contains(&slice[0]) && !b"DFIOQUV".contains(&slice[1]);
    (given && matches!(slice.last(), Some(b'A'..=b'D'))).then(|| place.span(end))
}

fn passport(place: &Place<'_>) -> Option<Span> {
    let (_, end) = (shaped(place, b"Adddddddd"))
        .or_else(|| shaped(place, b"Addddddd"))
        .or_else(|| shaped(place, b"AAddddddd"))
        .or_else(|| shaped(place, b"AAdddddd"))?;
    place.is_told("passport", 40, end).then(|| place.span(end))
}
