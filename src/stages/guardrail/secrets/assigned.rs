//! Secrets known by where they stand: values of settings, passwords in addresses and commands, private key blocks.

use crate::config::guardrail::Placeholders;
use crate::model::Span;

use super::super::nearby;
use super::entropy;

/// Longest value that is read, in bytes.
const LONGEST: usize = 400;
/// Longest private key block that is read, in bytes.
const LONGEST_BLOCK: usize = 20_000;

/// The value of the setting whose name, or the end of whose name, stands at `hit`.
pub(super) fn value(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let bytes = text.as_bytes();
    let name = text.get(hit.0..hit.1)?.to_ascii_lowercase();
    let suffix = match bytes.get(hit.1) {
        Some(b'_' | b'-') | Some(b'0'..=b'9') => bytes[hit.1..]
            .iter()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count(),
        _ => 0,
    };
    let (start, quote) = after_sign(bytes, hit.1 + suffix)?;
    let end = value_end(text, start, quote);
    let value = text.get(start..end)?;
    let is_password = name.starts_with("pass") || name == "pwd";
    let looks_secret = if is_password { is_password_like(value) } else { is_key_like(value) };
    (looks_secret && !is_code(value, quote) && !entropy::is_stand_in(value, &placeholders.secret_parts))
        .then(|| Span::new(start, end))
}

/// Where the value begins behind `=`, `:`, `:=` or `=>`, and the quotation mark it is in.
fn after_sign(bytes: &[u8], from: usize) -> Option<(usize, Option<u8>)> {
    let skip = |at: usize, most: usize, allowed: &[u8]| {
        at + bytes.get(at..).unwrap_or_default().iter().take(most).take_while(|byte| allowed.contains(byte)).count()
    };
    let sign = skip(from, 12, b"\"'`] \t\\");
    let value = skip(sign, 2, b":=>");
    if value == sign || bytes.get(sign) == Some(&b'>') {
        return None;
    }
    // `==` and `::` compare or name; they assign nothing.
    if matches!(bytes.get(sign..value), Some(b"==" | b"::")) {
        return None;
    }
    let start = skip(value, 6, b" \t");
    let opening = skip(start, 2, b"\\\"'`");
    let quote = (opening > start).then(|| bytes[opening - 1]);
    Some((opening, quote))
}

fn value_end(text: &str, start: usize, quote: Option<u8>) -> usize {
    let rest = text.get(start..nearby::floor(text, (start + LONGEST).min(text.len()))).unwrap_or("");
    let stop = |c: char| match quote {
        Some(quote) => c == char::from(quote) || c == '\\' || c.is_whitespace(),
        None => c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '&' | '}' | ']' | ')'),
    };
    start + rest.find(stop).unwrap_or(rest.len())
}

/// Calls and paths of a programming language are not values.
fn is_code(value: &str, quote: Option<u8>) -> bool {
    let call = value.contains('(') || value.contains("->") || value.contains("::") || value.contains("://");
    let variable = value.starts_with(['$', '%', '{', '[', '@', '#', '/', '&', '*']);
    let dotted = quote.is_none()
        && value.split('.').count() > 1
        && value
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_'));
    call || variable || dotted
}

fn is_key_like(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let token = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+/=~:!@#%^*".contains(&byte));
    token && value.len() >= 10 && digits >= 2 && letters >= 2 && entropy::shannon(value) >= 3.0
}

fn is_password_like(value: &str) -> bool {
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let special = value.bytes().any(|byte| b"!@#$%^&*?+=~".contains(&byte));
    let printable = value.bytes().all(|byte| byte.is_ascii_graphic());
    printable && (6..=72).contains(&value.len()) && letter && (digit || special) && entropy::shannon(value) >= 2.4
}

/// A private key from its head to its foot, and how far the text was read.
pub(super) fn private_key(text: &str, at: usize) -> (Option<Span>, usize) {
    let rest = text.get(at..nearby::floor(text, (at + LONGEST_BLOCK).min(text.len()))).unwrap_or("");
    let head = rest.get(..nearby::floor(rest, 80.min(rest.len()))).unwrap_or("");
    let Some(after_head) = head.find("PRIVATE KEY").filter(|place| !head[..*place].contains('\n')) else {
        return (None, at + 1);
    };
    let foot = rest.find("-----END");
    let body_end = foot.unwrap_or(rest.len());
    let body = rest.get(after_head + 11..body_end).unwrap_or("");
    let letters =
        body.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')).count();
    if letters < 32 || entropy::is_masked(body) {
        return (None, at + body_end.max(1));
    }
    let end = match foot {
        Some(foot) => rest[foot..].find('\n').map_or(rest.len(), |line| foot + line),
        None => rest.len().min(after_head + 2_000),
    };
    let end = nearby::floor(rest, end);
    (Some(Span::new(at, at + end)), at + end)
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
    (plausible && varied && !entropy::is_stand_in(password, &placeholders.secret_parts))
        .then(|| Span::new(start, start + password.len()))
}

/// The credentials of an authorisation header.
pub(super) fn authorization(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let (mut start, mut quote) = after_sign(text.as_bytes(), hit.1)?;
    let line = nearby::after(text, start, LONGEST);
    let first = line.split(|c: char| c.is_whitespace()).next()?;
    let is_scheme =
        ["bearer", "basic", "token", "api-token", "apikey", "digest"].contains(&first.to_ascii_lowercase().as_str());
    if is_scheme {
        let spaces = line[first.len()..].len() - line[first.len()..].trim_start_matches(' ').len();
        start += first.len() + spaces;
    }
    quote = quote.or(Some(b'"'));
    let end = value_end(text, start, quote);
    let value = text.get(start..end)?.trim_end_matches(['\'', '"', '`', ',', ';', ')']);
    let random = value.len() >= 10
        && entropy::shannon(value) >= 2.8
        && value.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let known = value.bytes().all(|byte| byte.is_ascii_graphic());
    (random && known && !is_code(value, quote) && !entropy::is_stand_in(value, &placeholders.secret_parts))
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
    (varied && plain && !is_variable && !entropy::is_stand_in(value, &placeholders.secret_parts))
        .then(|| Span::new(start, start + value.len()))
}
