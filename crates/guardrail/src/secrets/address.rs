//! Secrets in addresses and in requests: the user part of an address, authorisation headers, arguments of curl.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::Placeholders;

use super::super::nearby;
use super::assigned::{LONGEST, value_end};
use super::entropy;
use super::sign::{self, Sign};
use super::value::{is_code, is_in_place};

/// The password in `scheme://user:password@host`.
pub(super) fn address_password(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let rest = nearby::after(text, hit.1, 200);
    let authority = rest
        .split(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '`' | '<' | '>' | ')' | '?'))
        .next()?;
    let (credentials, host) = authority.rsplit_once('@')?;
    let (user, password) = credentials.split_once(':')?;
    // Manuals print the name of a service as its password: `postgres://admin:postgres@host`.
    let is_service = nearby::before(text, hit.0, 16).ends_with(password) || host.starts_with(password);
    let plausible = !host.is_empty() && password != user && password.len() >= 5 && !is_service;
    let start = hit.1 + user.len() + 1;
    (plausible && is_in_place(password, placeholders)).then(|| Span::new(start, start + password.len()))
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
    let random = value.len() >= 10 && entropy::shannon(value) >= 2.8 && !is_of_words(value);
    let known = value.bytes().all(|byte| byte.is_ascii_graphic());
    (random && known && !is_code(value, quote) && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(start, start + value.len()))
}

/// `Role-based`, `read_only`: words without a digit, of which each has at most its first letter in capitals, or all of them.
fn is_of_words(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).all(|word| {
        let rest = word.get(1..).unwrap_or_default();
        rest.bytes().all(|byte| byte.is_ascii_lowercase()) && !word.starts_with(|c: char| c.is_ascii_digit())
            || word.bytes().all(|byte| byte.is_ascii_uppercase())
    })
}

/// The password of `curl -u user:password`.
pub(super) fn curl_user(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    if !nearby::before(text, hit.0, 300).contains("curl") {
        return None;
    }
    let rest = nearby::after(text, hit.1, LONGEST);
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    let argument = rest[spaces..].split(|c: char| c.is_whitespace()).next()?;
    let colon = argument.find(':').filter(|_| !argument.contains("://"))?;
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
    let varied = varied || from > 0 && is_in_place(value, placeholders);
    (varied && plain && !is_variable && !entropy::is_stand_in(value, placeholders))
        .then(|| Span::new(start, start + value.len()))
}
