//! E-mail addresses of persons, as distinct from package versions, decorators, remotes and made-up addresses.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::Placeholders;
use reqgate_text::words::mail_addresses as lists;

use super::{Place, nearby};

/// Longest local part and domain, in bytes (RFC 5321).
const LONGEST_LOCAL: usize = 64;
const LONGEST_DOMAIN: usize = 253;

/// The address around the `@`, or its replacement, at this place.
pub(super) fn find(place: &Place<'_>) -> Option<Span> {
    let (before, after) = sign(place)?;
    let start = local_start(place.bytes, before);
    let end = without_file_type(place.text, after, domain_end(place.bytes, after));
    let local = plain(place.text.get(start..before)?);
    let domain = plain(place.text.get(after..end)?);
    let is_address = !local.is_empty() && has_mail_domain(&domain) && !is_remote(place.text, start, end);
    (is_address && !is_placeholder(place.placeholders, &local, &domain)).then(|| Span::new(start, end))
}

/// The end of the local part and the start of the domain: around `@`, `(at)` or `[at]`.
fn sign(place: &Place<'_>) -> Option<(usize, usize)> {
    if place.bytes[place.at] == b'@' {
        return Some((place.at, place.at + 1));
    }
    let written = place.bytes.get(place.at..place.at + 4)?;
    if !matches!(written.to_ascii_lowercase().as_slice(), b"(at)" | b"[at]") {
        return None;
    }
    let spaced = usize::from(nearby::byte_before(place.bytes, place.at) == Some(b' '));
    let end = place.at + 4;
    Some((place.at - spaced, end + usize::from(place.bytes.get(end) == Some(&b' '))))
}

/// In lower case, with dots that are written as `[.]` or `(dot)`.
fn plain(words: &str) -> String {
    words.to_ascii_lowercase().replace("[.]", ".").replace("[dot]", ".").replace("(dot)", ".")
}

fn local_start(bytes: &[u8], at: usize) -> usize {
    let allowed = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-' | b'\'' | b'[' | b']')
    };
    let head = &bytes[at.saturating_sub(LONGEST_LOCAL)..at];
    let mut length = head.iter().rev().take_while(|byte| allowed(byte)).count();
    // A bracket belongs to the address only around a dot.
    let word = &head[head.len() - length..];
    let brackets = word.iter().enumerate().rev().find(|(place, byte)| {
        **byte == b'[' && !word[*place..].starts_with(b"[.]") || **byte == b']' && !word[..=*place].ends_with(b"[.]")
    });
    if let Some((place, _)) = brackets {
        length -= place + 1;
    }
    let start = at - length;
    let skipped = bytes[start..at].iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    start + skipped
}

fn domain_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from.min(bytes.len())..];
    let rest = &rest[..rest.len().min(LONGEST_DOMAIN)];
    let mut length = 0;
    while let Some(byte) = rest.get(length) {
        let tail = &rest[length..];
        length += match byte {
            b'.' | b'-' => 1,
            byte if byte.is_ascii_alphanumeric() => 1,
            b'[' if tail.starts_with(b"[.]") => 3,
            b'[' | b'(' if matches!(tail.get(1..5), Some(b"dot]" | b"dot)")) => 5,
            _ => break,
        };
    }
    let trailing = rest[..length].iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count();
    from + length - trailing
}

/// `anna@shop.se.txt` is the name of a file about a person: the end of the domain without the type of the file.
fn without_file_type(text: &str, start: usize, end: usize) -> usize {
    let domain = text.get(start..end).unwrap_or("").to_ascii_lowercase();
    let shorter = domain.rsplit_once('.').filter(|(_, last)| lists::OTHER_ENDINGS.has(last)).map(|(rest, _)| rest);
    let is_domain = |rest: &&str| rest.rsplit_once('.').is_some_and(|(_, last)| lists::COMMON_ENDINGS.has(last));
    shorter.filter(is_domain).map_or(end, |rest| start + rest.len())
}

/// Returns true for a domain that may receive mail.
pub(super) fn has_mail_domain(domain: &str) -> bool {
    let Some((rest, last)) = domain.rsplit_once('.') else { return false };
    let is_name = last.len() >= 2 && (last.bytes().all(|byte| byte.is_ascii_alphabetic()) || last.starts_with("xn--"));
    let is_number = rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_name
        && !lists::OTHER_ENDINGS.has(last)
        && rest.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && (!is_number || lists::NUMBERED_ENDINGS.has(last) && rest.len() >= 3 && !rest.contains('.'))
}

/// `git@host:path`, `https://user@host` and `scp user@host` name a repository or a login, not a mailbox.
fn is_remote(text: &str, start: usize, end: usize) -> bool {
    let after = nearby::after(text, end, 100);
    let path = after.strip_prefix(':').map(|path| path.split(char::is_whitespace).next().unwrap_or(path));
    let repository = path.is_some_and(|path| path.contains('/') || path.ends_with(".git"));
    let before = nearby::before(text, start, 64);
    let login = before.ends_with("//") || before.strip_suffix(' ').is_some_and(|head| lists::LOGINS.end(head));
    // `https://name:password@host` is a matter of the secrets.
    let credentials = before.ends_with(':') && !before.ends_with("mailto:") && before.contains("://");
    repository || login || credentials
}

/// Returns true for made-up addresses and for addresses that programs send from.
pub(super) fn is_placeholder(placeholders: &Placeholders, local: &str, domain: &str) -> bool {
    let made_up_domain = placeholders
        .email_domains
        .iter()
        .any(|known| domain.strip_suffix(known.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    let name = local.split('+').next().unwrap_or(local);
    let labels_are_single = domain.split('.').next().is_some_and(|label| label.len() == 1);
    let stand_in = local.bytes().all(|byte| matches!(byte, b'x' | b'.' | b'-' | b'_'));
    made_up_domain
        || domain.starts_with("example.")
        || domain.contains(".example.")
        || labels_are_single
        || stand_in
        || lists::SENDERS.stand_in(local)
        || placeholders.email_names.iter().any(|known| name == known)
}
