//! Public IP addresses, as distinct from version and section numbers; private and documentation ranges are left out.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use reqgate_base::model::Span;
use reqgate_text::words::told_values::ADDRESSES;
use reqgate_text::words::tool_output::LOG_MARKS;

use super::{Place, nearby};

/// An address that begins here.
pub(super) fn find(place: &Place<'_>) -> Option<Span> {
    let is_digit = place.bytes[place.at].is_ascii_digit();
    place.starts_word.then(|| is_digit.then(|| v4(place)).flatten().or_else(|| v6(place))).flatten()
}

fn v4(place: &Place<'_>) -> Option<Span> {
    let length =
        place.bytes[place.at..].iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let trailing = place.bytes[place.at..place.at + length].iter().rev().take_while(|byte| **byte == b'.').count();
    let end = place.at + length - trailing;
    let address = Ipv4Addr::from_str(place.text.get(place.at..end)?).ok()?;
    let ends = match place.bytes.get(end) {
        Some(b':') => place.bytes.get(end + 1).is_some_and(u8::is_ascii_digit) || place.may_end(end),
        Some(b'/') => true,
        _ => place.may_end(end),
    };
    let begins = match nearby::byte_before(place.bytes, place.at) {
        Some(b'-' | b'.' | b'v' | b'V' | b'~' | b'^' | b'<' | b'+' | b'#') => false,
        Some(b'/') if place.bytes[..place.at].ends_with(b"//") => true,
        Some(b'/' | b'=' | b':' | b',' | b'_' | b'@') => is_large(address) || place.is_near(48),
        _ => true,
    };
    let told = is_labelled(place);
    let found = ends
        && (begins || told)
        && is_public_v4(address)
        && !is_known(place, end)
        && (told || is_address(place, address, end));
    found.then(|| place.span(end))
}

fn v6(place: &Place<'_>) -> Option<Span> {
    let allowed = |byte: &&u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let length = place.bytes[place.at..].iter().take(46).take_while(allowed).count();
    let trailing = place.bytes[place.at..place.at + length].iter().rev().take_while(|byte| **byte == b'.').count();
    let end = place.at + length - trailing;
    let words = place.text.get(place.at..end)?;
    let colons = words.bytes().filter(|byte| *byte == b':').count();
    if words.len() < 9 || colons < 2 || !words.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let address = Ipv6Addr::from_str(words).ok()?;
    let is_hardware = colons == 7 && words.split(':').all(|group| group.len() == 2);
    let few_groups = words.split(':').filter(|group| !group.is_empty()).count() < 3;
    let ends = matches!(place.bytes.get(end), Some(b'/' | b'%')) || place.may_end(end);
    let found = ends && is_public_v6(address) && !is_hardware && !few_groups;
    found.then(|| place.span(end))
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, d] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let special = a == 0 || a >= 224 || (a == 198 && matches!(b, 18 | 19)) || (a == 192 && b == 0 && c == 0);
    let round = d == 0 && c == 0;
    !(address.is_private() || address.is_loopback() || address.is_link_local() || address.is_documentation())
        && !(shared || special || round)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let first = address.segments()[0];
    let second = address.segments()[1];
    let local = (first & 0xfe00) == 0xfc00 || (first & 0xffc0) == 0xfe80 || (first & 0xff00) == 0xff00;
    let documentation = (first == 0x2001 && second == 0x0db8) || (first & 0xfff0) == 0x3ff0;
    !local && !documentation && first != 0
}

fn is_known(place: &Place<'_>, end: usize) -> bool {
    let words = place.text.get(place.at..end).unwrap_or("");
    place.placeholders.ip_addresses.iter().any(|known| known == words)
}

/// Four small numbers with dots are as likely a version: context decides, and without any only large octets count. In code
/// and logs, words nearby say little.
fn is_address(place: &Place<'_>, address: Ipv4Addr, end: usize) -> bool {
    let with_port = place.bytes.get(end) == Some(&b':') && place.bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    let in_url = place.bytes[..place.at].ends_with(b"://");
    if with_port || in_url {
        return true;
    }
    if place.is_otherwise(28) {
        return false;
    }
    is_large(address) || place.in_prose && !in_log(place) && place.is_near(48)
}

/// Two numbers larger than those of most versions.
fn is_large(address: Ipv4Addr) -> bool {
    let mut octets = address.octets();
    octets.sort_unstable();
    octets[3] >= 100 && octets[2] >= 30
}

/// `IP address=`, `client_ip: "`: the address is the value of a setting or column that is called so.
fn is_labelled(place: &Place<'_>) -> bool {
    let head = nearby::before(place.text, place.at, 24).trim_end_matches([' ', '"', '\'', '`', '*']);
    let Some(head) = head.strip_suffix([':', '=', '：']).or_else(|| head.strip_suffix('是')) else { return false };
    let label = head.trim_end_matches([' ', '"', '\'', '`', '*']).to_ascii_lowercase();
    ADDRESSES
        .iter()
        .any(|known| label.strip_suffix(known).is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric())))
}

fn in_log(place: &Place<'_>) -> bool {
    let line = nearby::line_around(place.text, place.at, 300);
    let stamped = line.trim_start_matches(['[', '(', ' ', '>']).get(..5).is_some_and(|head| {
        let head = head.as_bytes();
        head[..2].iter().all(u8::is_ascii_digit)
            && (head[2] == b':' || head[..4].iter().all(u8::is_ascii_digit) && head[4] == b'-')
    });
    stamped || LOG_MARKS.stand_in(line)
}
