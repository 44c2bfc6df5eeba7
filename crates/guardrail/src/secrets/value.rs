//! Checks if a value looks like a secret. The more certain its place, the less it must look like one.

use reqgate_rules::config::guardrail::Placeholders;

use super::entropy;

/// Shortest and longest password that is masked, in bytes.
const SHORTEST: usize = 4;
const LONGEST: usize = 72;

/// Returns true for a value at a place that certainly holds a password: an option of a command, the user part of an address.
/// A plain word is enough there; names of variables, placeholders and words in capitals are not.
pub(super) fn is_in_place(value: &str, placeholders: &Placeholders) -> bool {
    let is_written = value.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_name_in_capitals = value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_path = value.starts_with(['/', '.', '~']) && value[1..].contains('/');
    is_written
        && (SHORTEST..=LONGEST).contains(&value.len())
        && letters + digits >= 3
        && !value.starts_with('-')
        && !is_name_in_capitals
        && !is_path
        && !is_code(value, Some(b'"'))
        && !entropy::is_stand_in(value, placeholders)
}

/// Returns true for a word without a digit or a mark, as in `the password is "sunflower"`.
pub(super) fn is_word(value: &str) -> bool {
    (6..=LONGEST).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Calls, attributes, variables and paths of a programming language are not values.
pub(super) fn is_code(value: &str, quote: Option<u8>) -> bool {
    let called = value.find('(').is_some_and(|at| ends_name(&value[..at]));
    let attribute = value.contains("=\"") || value.contains("='");
    let call = called || attribute || value.contains("->") || value.contains("::") || value.contains("://");
    let dotted = quote.is_none()
        && value.split('.').count() > 1
        && value
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_'));
    call || dotted || is_variable(value)
}

/// `$HOME`, `%TEMP%`, `{name}`, `[0]`, `@user`, `#fff`, `/etc/key`, `&key`: a mark and a name, in the manner of its language.
fn is_variable(value: &str) -> bool {
    let mut characters = value.chars();
    let Some(first) = characters.next() else { return true };
    let rest = characters.as_str();
    match first {
        '$' => rest.starts_with(['{', '(']) || is_plain_name(rest),
        '%' => rest.starts_with(['(', '{', 's']) || rest.ends_with('%'),
        '{' => rest.starts_with('{') || is_name(rest.trim_end_matches('}')),
        '[' => is_name(rest.trim_end_matches(']')) && rest.ends_with(']'),
        '#' => rest.len() <= 8 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()) || is_plain_name(rest),
        '/' => rest.contains('/') || is_plain_name(rest),
        '@' | '&' | '*' => is_plain_name(rest),
        _ => false,
    }
}

/// Three letters or more, as before the bracket of a call.
fn ends_name(words: &str) -> bool {
    words.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count() >= 3
}

fn is_name(words: &str) -> bool {
    words.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'[' | b']' | b'\''))
}

/// A name as people give them: digits only at its end, if it has both cases.
fn is_plain_name(words: &str) -> bool {
    let stem = words.trim_end_matches(|c: char| c.is_ascii_digit());
    let has = |test: fn(&u8) -> bool| stem.bytes().any(|byte| test(&byte));
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    is_name(words) && !mixed
}

/// Long, with digits and letters, and random.
pub(super) fn is_key_like(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let token = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+/=~:!@#%^*$&".contains(&byte));
    token && value.len() >= 10 && digits >= 2 && letters >= 2 && entropy::shannon(value) >= 3.0
}

/// Six characters or more with a letter, and a digit or a mark.
pub(super) fn is_password_like(value: &str) -> bool {
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let special = value.bytes().any(|byte| b"!@#$%^&*?+=~".contains(&byte));
    let printable = value.bytes().all(|byte| byte.is_ascii_graphic());
    printable && (6..=LONGEST).contains(&value.len()) && letter && (digit || special) && entropy::shannon(value) >= 2.4
}

/// Letters with a digit, and with another case or a mark: no word, no version.
pub(super) fn is_varied(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
    let cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let marks = value.bytes().any(|byte| b"!@#$%^&*?+~".contains(&byte));
    let plain = !value.starts_with('-') && !value.contains(['/', '(', '<', '=']);
    plain && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && (cases || marks)
}

/// A word with one digit after it, as people number things.
pub(super) fn is_numbered(value: &str) -> bool {
    let name = value.strip_suffix(|c: char| c.is_ascii_digit());
    name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Varied, and with a mark inside that names and versions do not have.
pub(super) fn has_marks(value: &str) -> bool {
    is_varied(value) && value.len() >= 6 && value.bytes().any(|byte| b"!@#$%^&*?+~".contains(&byte))
}
