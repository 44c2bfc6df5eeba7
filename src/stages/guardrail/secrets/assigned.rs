//! Secrets known by where they stand: values of settings, passwords in addresses and commands.

use crate::config::guardrail::Placeholders;
use crate::model::Span;
use crate::text::words::told_values as lists;

use super::super::nearby;
use super::entropy;
use super::sign::{self, Sign};

/// Longest value that is read, in bytes.
const LONGEST: usize = 400;

/// The value of the setting whose name, or the end of whose name, stands at `hit`.
pub(super) fn value(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let bytes = text.as_bytes();
    let name = text.get(hit.0..hit.1)?.to_lowercase();
    let suffix = match bytes.get(hit.1) {
        Some(b'_' | b'-') | Some(b'0'..=b'9') => bytes[hit.1..]
            .iter()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count(),
        _ => 0,
    };
    let sign = sign::after_name(text, hit.0, hit.1 + suffix)?;
    let is_password = !lists::KEYS.stand_in(&name);
    let end = value_end(text, &sign, is_password);
    let value = text.get(sign.value..end)?;
    let looks_secret = match (is_password, sign.is_weak) {
        (true, false) => is_password_like(value),
        (true, true) => is_password_like(value) && value.len() >= 8 && is_varied(value),
        (false, false) => is_key_like(value),
        (false, true) => is_key_like(value) && value.len() >= 16,
    };
    (looks_secret && !is_code(value, sign.quote) && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(sign.value, end))
}

fn value_end(text: &str, sign: &Sign, is_password: bool) -> usize {
    let rest = nearby::after(text, sign.value, LONGEST);
    let word = rest.split(|c: char| c.is_whitespace() || c == '|' || !c.is_ascii()).next().unwrap_or(rest);
    let length = match sign.quote {
        Some(b'<') => word.find('<').unwrap_or(word.len()),
        Some(quote) => word.find([char::from(quote), '\\']).unwrap_or(word.len()),
        None => {
            let word = &word[..word.find(['"', '\'', '`']).unwrap_or(word.len())];
            let first = word.char_indices().skip(1).find(|(_, c)| matches!(c, ',' | ';' | '&' | '}' | ']' | ')'));
            match first {
                // A mark may belong to a password; what stands before it may be one already.
                Some((at, _)) if !is_password || is_password_like(&word[..at]) => at,
                _ => word.trim_end_matches([',', ';', ')', ']', '}', '.', ':']).len(),
            }
        }
    };
    let value = &word[..length];
    // Emphasis is closed as it was opened.
    let value = if sign.is_emphasised { value.trim_end_matches(['*', '_']) } else { value };
    sign.value + value.len()
}

/// The value before a name that it is told to have: `s4l!mAndern is the password`.
pub(super) fn value_before(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let head = nearby::before(text, hit.0, LONGEST);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '`' | '"');
    // 是数据库的密码: Chinese words before the name, up to the one that joins.
    let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c) && !matches!(c, '是' | '为');
    let name_start = head.trim_end_matches(is_name).trim_end_matches(is_chinese);
    let told = name_start.trim_end_matches(' ');
    let article = nearby::before_word(told, lists::ARTICLES).or_else(|| nearby::before_word(told, lists::NEW));
    let told = article.unwrap_or(told).trim_end_matches(' ');
    let rest = nearby::before_word(told, lists::BEING).or_else(|| told.strip_suffix(" ="))?;
    let rest = rest.trim_end_matches([' ', '*', '_', '`', '"', '\'', '”', '’', '」']);
    let start = rest.rfind(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '|') || !c.is_ascii());
    let word = &rest[start.map_or(0, |at| rest.ceil_char_boundary(at + 1))..];
    let value = word.trim_start_matches(['*', '_', '\'', '(']);
    let looks_secret = value.len() >= 8 && is_varied(value) && is_password_like(value)
        || value.len() >= 16 && is_key_like(value) && value.bytes().any(|byte| byte.is_ascii_digit());
    let end = hit.0 - (head.len() - rest.len());
    (looks_secret && !is_code(value, None) && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(end - value.len(), end))
}

/// Calls, variables and paths of a programming language are not values.
fn is_code(value: &str, quote: Option<u8>) -> bool {
    let called = value.find('(').is_some_and(|at| ends_name(&value[..at]));
    let call = called || value.contains("->") || value.contains("::") || value.contains("://");
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

fn is_key_like(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let token = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+/=~:!@#%^*$&".contains(&byte));
    token && value.len() >= 10 && digits >= 2 && letters >= 2 && entropy::shannon(value) >= 3.0
}

fn is_password_like(value: &str) -> bool {
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let special = value.bytes().any(|byte| b"!@#$%^&*?+=~".contains(&byte));
    let printable = value.bytes().all(|byte| byte.is_ascii_graphic());
    printable && (6..=72).contains(&value.len()) && letter && (digit || special) && entropy::shannon(value) >= 2.4
}

/// Letters with a digit, and with another case or a mark: no word, no version.
fn is_varied(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
    let cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let marks = value.bytes().any(|byte| b"!@#$%^&*?+~".contains(&byte));
    let plain = !value.starts_with('-') && !value.contains(['/', '(', '<', '=']);
    plain && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && (cases || marks)
}

/// The password of `sshpass -p password`.
pub(super) fn argument(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let rest = nearby::after(text, hit.1, LONGEST);
    let lead = rest.len() - rest.trim_start_matches([' ', '"', '\'']).len();
    let value = rest[lead..].split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).next()?;
    let start = hit.1 + lead;
    (is_password_like(value) && !is_code(value, None) && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(start, start + value.len()))
}

/// The password in `scheme://user:password@host`.
pub(super) fn address_password(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let rest = nearby::after(text, hit.1, 200);
    let authority = rest
        .split(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '`' | '<' | '>' | ')' | '?'))
        .next()?;
    let (credentials, host) = authority.rsplit_once('@')?;
    let (user, password) = credentials.split_once(':')?;
    let plausible = !host.is_empty() && password != user && password.len() >= 5 && !is_code(password, None);
    let varied = password.bytes().any(|byte| !byte.is_ascii_lowercase()) || password.len() >= 12;
    let start = hit.1 + user.len() + 1;
    (plausible && varied && !entropy::is_stand_in(password, placeholders))
        .then(|| Span::new(start, start + password.len()))
}

/// The credentials of an authorisation header.
pub(super) fn authorization(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let sign = sign::after_name(text, hit.0, hit.1).filter(|sign| !sign.is_weak)?;
    let mut start = sign.value;
    let line = nearby::after(text, start, LONGEST);
    let first = line.split(|c: char| c.is_whitespace()).next()?;
    let is_scheme =
        ["bearer", "basic", "token", "api-token", "apikey", "digest"].contains(&first.to_ascii_lowercase().as_str());
    if is_scheme {
        let spaces = line[first.len()..].len() - line[first.len()..].trim_start_matches(' ').len();
        start += first.len() + spaces;
    }
    let quote = sign.quote.or(Some(b'"'));
    let end = value_end(text, &Sign { value: start, quote, ..sign }, false);
    let value = text.get(start..end)?.trim_end_matches(['\'', '"', '`', ',', ';', ')']);
    let random = value.len() >= 10
        && entropy::shannon(value) >= 2.8
        && value.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let known = value.bytes().all(|byte| byte.is_ascii_graphic());
    (random && known && !is_code(value, quote) && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(start, start + value.len()))
}

/// The password of `curl -u user:password`.
pub(super) fn curl_user(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    if !nearby::before(text, hit.0, 300).contains("curl") {
        return None;
    }
    let rest = nearby::after(text, hit.1, LONGEST);
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    let argument = rest[spaces..].split(|c: char| c.is_whitespace()).next()?;
    let colon = argument.find(':')?;
    let bare = |part: &str| part.trim_matches(['"', '\'', '{', '}', '`', ',']).len();
    let (user, password) = (&argument[..colon], &argument[colon + 1..]);
    let (from, part) = if bare(password) > 0 { (colon + 1, password) } else { (0, user) };
    let lead = part.len() - part.trim_start_matches(['"', '\'', '{', '`']).len();
    let value = part.trim_matches(['"', '\'', '{', '}', '`', ',']);
    let varied =
        value.len() >= 6 && value.bytes().any(|byte| !byte.is_ascii_lowercase()) && entropy::shannon(value) >= 2.4;
    let plain = !argument.contains(['$', '<', '[', '(']) || value.contains(['@', '!']);
    let is_variable =
        argument.contains("$(") || argument.contains("${") || argument.contains("{{") || value.starts_with('$');
    let start = hit.1 + spaces + from + lead;
    (varied && plain && !is_variable && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(start, start + value.len()))
}
