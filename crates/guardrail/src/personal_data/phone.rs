//! Telephone numbers: international and national forms by their shape, anything shorter only where words announce it.

use reqgate_base::model::Span;

use super::{Place, nearby};

/// A number as written: its digits, the lengths of its groups and how it begins.
struct Written {
    digits: Vec<u8>,
    groups: Vec<usize>,
    separators: Vec<u8>,
    international: bool,
    bracketed: bool,
    end: usize,
}

/// Fewest and most digits of a number.
const FEWEST_DIGITS: usize = 7;
const MOST_DIGITS: usize = 15;
/// Most bytes of a number with its separators.
const LONGEST: usize = 64;

/// A telephone number that begins here.
pub(super) fn find(place: &Place<'_>) -> Option<Span> {
    // The longest number, with separators and brackets, fits into this many bytes.
    let digits = place.bytes[place.at..].iter().take(LONGEST).filter(|byte| byte.is_ascii_digit());
    let is_stuck = || !place.starts_word && (place.bytes[place.at] == b'(' || !follows_label(place));
    if digits.count() < FEWEST_DIGITS || is_stuck() || !may_begin(place) {
        return None;
    }
    let written = read(place)?;
    let count = written.digits.len();
    if !(FEWEST_DIGITS..=MOST_DIGITS).contains(&count) || is_monotonous(&written.digits) || is_date(&written) {
        return None;
    }
    let named_behind = place.is_named_behind(written.end);
    if !(place.may_end(written.end) || named_behind) {
        return None;
    }
    let named = named_behind || place.is_near(32) || follows_label(place);
    let is_plain = written.groups.len() == 1 && !written.international;
    let has_form = is_international(&written)
        || is_north_american(&written)
        || is_chinese(place, &written, named)
        || is_grouped_national(&written);
    let announced = named_behind || place.is_near(12);
    let is_form_value = place.is_form_value(written.end);
    let assigned = nearby::byte_before(place.bytes, place.at) == Some(b'=');
    let identifier = place.is_otherwise(16) && !announced
        || assigned && !(named || written.international || is_form_value)
        || is_plain && !named && !is_form_value && place.is_in_path();
    let found = if has_form {
        !identifier && (place.in_prose || written.international || named || is_dashed(&written))
    } else {
        !identifier && place.in_prose && named && is_local(&written)
    };
    found.then(|| place.span(written.end))
}

/// Returns false if the character before a number makes it part of a longer number or of a formula.
fn may_begin(place: &Place<'_>) -> bool {
    match nearby::byte_before(place.bytes, place.at) {
        Some(b'-' | b'.' | b'#' | b'$' | b'%' | b'&' | b'@' | b'~' | b'\\' | b'^') => false,
        Some(b'*' | b'_') => {
            let marked = place.at.checked_sub(2).map(|at| place.bytes[at]);
            !marked.is_some_and(|byte| byte.is_ascii_alphanumeric()) || place.is_near(32)
        }
        Some(before @ (b'/' | b':' | b',')) => {
            let number = place.at.checked_sub(2).is_some_and(|at| place.bytes[at].is_ascii_digit());
            let next = place.bytes.get(place.at).copied();
            // `12:34 567` and `1,234 567` go on from the number before.
            !number || next == Some(b'+') || is_long(place, before == b',')
        }
        _ => true,
    }
}

/// Returns true if ten digits follow, which is enough for a separate number. In a row, more kinds of separators may be between
/// them.
fn is_long(place: &Place<'_>, in_row: bool) -> bool {
    let goes_on =
        |byte: &&u8| byte.is_ascii_digit() || **byte == b'-' || in_row && matches!(**byte, b' ' | b'.' | b'(' | b')');
    let run = place.bytes[place.at..].iter().take(LONGEST).take_while(goes_on);
    run.filter(|byte| byte.is_ascii_digit()).count() >= 10
}

/// Returns true if a word for a telephone is attached to the number: `tel0655437108`.
fn follows_label(place: &Place<'_>) -> bool {
    let head = nearby::before(place.text, place.at, 16);
    let letters = head.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let word = &head[head.len() - letters..];
    let stands_alone = !head[..head.len() - letters].ends_with(|c: char| c.is_alphanumeric());
    letters > 1 && stands_alone && place.is_label(word)
}

/// The number that begins here: digits with at most three separators between two of them.
fn read(place: &Place<'_>) -> Option<Written> {
    let rest = &place.bytes[place.at..];
    let (mut count, mut end, mut gap) = (0, 0, 0);
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'0'..=b'9' => (count, end, gap) = (count + 1, at + 1, 0),
            b'+' if count == 0 => {}
            b' ' | b'-' | b'.' | b'(' | b')' | b'/' if gap < 3 => gap += 1,
            _ => break,
        }
        if count > MOST_DIGITS {
            return None;
        }
    }
    let number = &rest[..end];
    let groups = number.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).filter(|length| *length > 0);
    let after_first = number.iter().skip_while(|byte| !byte.is_ascii_digit());
    Some(Written {
        digits: number.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect(),
        groups: groups.collect(),
        separators: after_first.copied().filter(|byte| matches!(byte, b' ' | b'-' | b'.' | b'/')).collect(),
        international: rest.starts_with(b"+") || rest.starts_with(b"(+"),
        bracketed: rest.starts_with(b"("),
        end: extension_end(place.bytes, place.at + end),
    })
}

/// `x123`, `ext. 123` after the number.
fn extension_end(bytes: &[u8], end: usize) -> usize {
    let rest = bytes.get(end..).unwrap_or_default();
    for lead in [&b"x"[..], b" x", b" ext. ", b" ext ", b"ext"] {
        if let Some(number) = rest.strip_prefix(lead) {
            let digits = number.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
            if (1..=5).contains(&digits) {
                return end + lead.len() + digits;
            }
        }
    }
    end
}

/// `+` and a country code, eight to fifteen digits (ITU-T E.164).
fn is_international(written: &Written) -> bool {
    let first = written.digits[0];
    written.international && first != 0 && written.digits.len() >= 8 && (first != 1 || written.digits.len() == 11)
}

/// Three, three and four digits with an area code and an exchange that exist (North American Numbering Plan).
fn is_north_american(written: &Written) -> bool {
    let (digits, groups) = match written.groups.as_slice() {
        [1, rest @ ..] if written.digits[0] == 1 => (&written.digits[1..], rest),
        [3, rest @ ..] if written.digits[..3] == [0, 0, 1] => (&written.digits[3..], rest),
        whole => (written.digits.as_slice(), whole),
    };
    let uniform = written.separators.windows(2).all(|pair| pair[0] == pair[1]) || written.bracketed;
    groups == [3, 3, 4] && uniform && digits[0] >= 2 && digits[3] >= 2
}

/// Mobile numbers of mainland China, plain or 3-4-4, and area code with subscriber number.
fn is_chinese(place: &Place<'_>, written: &Written, named: bool) -> bool {
    let digits = &written.digits;
    let mobile = digits.len() == 11
        && digits[0] == 1
        && digits[1] >= 3
        && matches!(written.groups.as_slice(), [11] | [3, 4, 4])
        && (written.groups.len() > 1 || place.in_prose || named);
    let landline = digits[0] == 0
        && matches!(written.groups.as_slice(), [3 | 4, 7 | 8])
        && written.separators.first() == Some(&b'-')
        && digits[1] != 0;
    mobile || landline
}

/// Dashes or brackets between the groups, as tools hardly write numbers.
fn is_dashed(written: &Written) -> bool {
    written.bracketed || !written.separators.is_empty() && written.separators.iter().all(|byte| *byte == b'-')
}

/// A national number with its trunk zero, written in at least three groups.
fn is_grouped_national(written: &Written) -> bool {
    let uniform = written.separators.windows(2).all(|pair| pair[0] == pair[1]);
    let even = written.groups.iter().all(|length| (2..=5).contains(length));
    let dotted = written.separators.first() == Some(&b'.');
    written.digits[0] == 0
        && written.digits[1] != 0
        && (9..=12).contains(&written.digits.len())
        && written.groups.len() >= if dotted { 5 } else { 3 }
        && uniform
        && even
}

/// Any reasonable grouping, where words announce a telephone number.
fn is_local(written: &Written) -> bool {
    let groups = &written.groups;
    groups.len() <= 6 && groups.iter().all(|length| *length >= 1) && (groups.len() > 1 || written.digits.len() >= 7)
}

fn is_monotonous(digits: &[u8]) -> bool {
    let same = digits.iter().all(|digit| *digit == digits[0]);
    let rising = digits.windows(2).all(|pair| pair[1] == (pair[0] + 1) % 10);
    same || rising
}

/// `2023-11-04`, `04.11.2023`, with or without an hour after it.
fn is_date(written: &Written) -> bool {
    let joined = written.separators.first().is_some_and(|byte| matches!(byte, b'-' | b'.' | b'/'));
    let year = |digits: &[u8]| matches!(digits, [1, 9, ..] | [2, 0, ..]);
    match written.groups.as_slice() {
        [4, 1 | 2, 1 | 2, ..] => joined && year(&written.digits),
        [first @ (1 | 2), second @ (1 | 2), 4, ..] => joined && year(&written.digits[first + second..]),
        [4, 4] | [4, 2 | 3] => year(&written.digits) && year(&written.digits[4..]),
        _ => false,
    }
}
