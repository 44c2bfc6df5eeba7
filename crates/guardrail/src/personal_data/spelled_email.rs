//! E-mail addresses that are spelled out: `anna at nordwind dot se`, `anna [at] nordwind [dot] se`.

use std::sync::LazyLock;

use regex::Regex;

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::Placeholders;
use reqgate_text::words::mail_addresses as lists;

use super::super::nearby;
use super::email;

/// Up to four parts before the "at" and five after it. A spelled sign is a word in brackets or between single spaces.
static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let sign = |word: &str| format!(r"(?: ?(?:\[{word}\]|\({word}\)|\{{{word}\}}|<{word}>) ?| {word} )");
    let (part, last, dot, at) = ("[a-z0-9._+-]+", "[a-z0-9._+-]*[a-z0-9_+]", sign("dot"), sign("at"));
    let source =
        format!(r"(?i-u)({part}(?:{dot}{part}){{0,3}})(?:{at}| ?@[ \])}}>]{{0,2}})({part}(?:{dot}{last}){{1,4}})");
    Regex::new(&source).ok()
});

/// Every address of the text, in order.
pub(super) fn find(text: &str, placeholders: &Placeholders) -> Vec<Span> {
    let is_dot = |word: &[u8]| word[0] | 0x20 == b'd' && word.eq_ignore_ascii_case(b"dot");
    let has_dot = text.as_bytes().windows(3).any(is_dot);
    let Some(address) = ADDRESS.as_ref().filter(|_| has_dot) else { return Vec::new() };
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(captures) = address.captures_at(text, from) {
        let (Some(local), Some(domain)) = (captures.get(1), captures.get(2)) else { break };
        // Words that are not an address may be the beginning of one: "look at anna dot berg at shop dot se".
        from = domain.start();
        if is_address(text, local.as_str(), domain.as_str(), domain.end(), placeholders) {
            found.push(Span::new(local.start(), domain.end()));
            from = domain.end();
        }
    }
    found
}

fn is_address(text: &str, local: &str, domain: &str, end: usize, placeholders: &Placeholders) -> bool {
    let (local, domain) = (plain(local), plain(domain));
    let ending = domain.rsplit('.').next().unwrap_or(&domain);
    // "at" and "in" are words as well: a sentence does not go on after an address with such an ending.
    let goes_on = nearby::after(text, end, 2).trim_start_matches(' ').starts_with(|c: char| c.is_ascii_lowercase());
    lists::COMMON_ENDINGS.has(ending)
        && !(lists::WORDS_AND_ENDINGS.has(ending) && goes_on)
        && email::has_mail_domain(&domain)
        && !email::is_placeholder(placeholders, &local, &domain)
}

/// The words in lower case with dots for those that are spelled.
fn plain(words: &str) -> String {
    let parts = words.to_ascii_lowercase();
    let parts = parts.split([' ', '[', ']', '(', ')', '{', '}', '<', '>']);
    parts.filter(|part| !part.is_empty()).map(|part| if part == "dot" { "." } else { part }).collect()
}
