//! E-mail addresses of persons, told from package versions, decorators, remotes and made-up addresses.

use crate::model::Span;

use super::Place;

/// Last labels that are file types or reserved names rather than domains of mail (RFC 2606, RFC 6762).
const NO_MAIL_DOMAINS: [&str; 26] = [
    "js",
    "ts",
    "jsx",
    "tsx",
    "json",
    "html",
    "css",
    "lock",
    "tgz",
    "gz",
    "zip",
    "png",
    "jpg",
    "svg",
    "gif",
    "jar",
    "test",
    "example",
    "invalid",
    "localhost",
    "local",
    "internal",
    "lan",
    "xml",
    "yaml",
    "txt",
];

/// The address around the `@` at this place.
pub(super) fn find(place: &Place<'_>) -> Option<Span> {
    let bytes = place.bytes;
    let start = local_start(bytes, place.at);
    let end = domain_end(bytes, place.at);
    let local = place.text.get(start..place.at)?.to_ascii_lowercase();
    let domain = place.text.get(place.at + 1..end)?.to_ascii_lowercase();
    let is_address = !local.is_empty() && has_mail_domain(&domain) && !is_remote(bytes, start, end);
    (is_address && !is_placeholder(place, &local, &domain)).then(|| Span::new(start, end))
}

fn local_start(bytes: &[u8], at: usize) -> usize {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-' | b'\'');
    let length = bytes[..at].iter().rev().take(64).take_while(|byte| allowed(byte)).count();
    let start = at - length;
    let skipped = bytes[start..at].iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    start + skipped
}

fn domain_end(bytes: &[u8], at: usize) -> usize {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let length = bytes[at + 1..].iter().take(253).take_while(|byte| allowed(byte)).count();
    let trailing = bytes[at + 1..at + 1 + length].iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count();
    at + 1 + length - trailing
}

fn has_mail_domain(domain: &str) -> bool {
    let Some((rest, last)) = domain.rsplit_once('.') else { return false };
    let is_name = last.len() >= 2 && (last.bytes().all(|byte| byte.is_ascii_alphabetic()) || last.starts_with("xn--"));
    is_name
        && !NO_MAIL_DOMAINS.contains(&last)
        && rest.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && !rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// `git@host:path`, `https://user@host` and `user@host/path` name a repository or a login, not a mailbox.
fn is_remote(bytes: &[u8], start: usize, end: usize) -> bool {
    let goes_on = bytes.get(end) == Some(&b':') && bytes.get(end + 1).is_some_and(|byte| !byte.is_ascii_whitespace());
    let path = bytes.get(end) == Some(&b'/');
    let before = &bytes[..start];
    let login = before.ends_with(b"//") || before.ends_with(b"ssh ") || before.ends_with(b"scp ");
    // `https://name:password@host` is a matter of the secrets.
    let credentials = before.ends_with(b":") && !before.ends_with(b"mailto:") && goes_on_from_scheme(before);
    goes_on || path || login || credentials
}

fn goes_on_from_scheme(before: &[u8]) -> bool {
    let tail = &before[before.len().saturating_sub(64)..];
    tail.windows(3).any(|window| window == b"://")
}

fn is_placeholder(place: &Place<'_>, local: &str, domain: &str) -> bool {
    let placeholders = &place.screen.placeholders;
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
        || local.contains("noreply")
        || local.contains("no-reply")
        || placeholders.email_names.iter().any(|known| name == known)
}
