//! Tags of HTML in a ticket: headings, and words without the tags around them.

use std::borrow::Cow;

/// Tags that only give the style of words or the block that they are in.
const TAGS: [&str; 28] = [
    "a", "b", "big", "br", "center", "code", "dd", "details", "div", "dl", "dt", "em", "font", "h1", "h2", "h3", "h4",
    "h5", "h6", "i", "li", "ol", "p", "small", "span", "strong", "summary", "ul",
];

/// `<h2 align="center">Title</h2>`: the level of the heading, and the byte range of its words in the line. The summary
/// of details is a heading if `is_part` knows its words.
pub(super) fn heading(line: &str, is_part: impl Fn(&str) -> bool) -> Option<(u8, usize, usize)> {
    let (outer, before) = tag(line)?;
    let before = if outer == "details" { before } else { 0 };
    let (name, length) = tag(&line[before..])?;
    let start = before + length;
    let words = &line[start..];
    let end = words.rfind("</").filter(|end| tag(&words[*end..]).is_some_and(|(closing, _)| closing == name))?;
    let is_whole = end + tag(&words[end..])?.1 == words.len() && !without_tags(&words[..end]).trim().is_empty();
    let level = match name {
        "summary" => is_part(words[..end].trim()).then_some(LAST_LEVEL)?,
        name => name.strip_prefix('h')?.parse().ok()?,
    };
    is_whole.then_some((level, start, start + end))
}

/// The lowest level of a heading.
const LAST_LEVEL: u8 = 6;

/// The words of a text without the tags around them. A tag that is never closed is a word: "Support `<summary>` in lists".
pub fn without_tags(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('<') {
        let is_around = |(name, length): &(&str, usize)| {
            let closes = || text[at + length..].contains(&format!("</{name}"));
            *name == "br" || text[at..].starts_with("</") || text[..at].trim().is_empty() || closes()
        };
        if let Some((_, length)) = tag(&text[at..]).filter(|found| at >= copied && is_around(found)) {
            out.push_str(&text[copied..at]);
            copied = at + length;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The name of the known tag at the start of a text, and its length in bytes.
fn tag(text: &str) -> Option<(&'static str, usize)> {
    let inside = text.strip_prefix('<')?;
    let close = inside.find(['>', '<']).filter(|close| inside.as_bytes()[*close] == b'>')?;
    let written = inside[..close].trim_start_matches('/');
    let end = written.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(written.len());
    let known = TAGS.iter().find(|known| written[..end].eq_ignore_ascii_case(known))?;
    let is_plain = written[end..].is_empty() || written[end..].starts_with([' ', '/']);
    is_plain.then_some((*known, close + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_found_with_their_words() {
        let is_part = |words: &str| words == "Logs";
        let words = |line: &'static str| heading(line, is_part).map(|(level, start, end)| (level, &line[start..end]));
        assert_eq!(words("<h2>Show the date</h2>"), Some((2, "Show the date")));
        assert_eq!(words("<H1 align=\"center\"><b>订单</b></H1>"), Some((1, "<b>订单</b>")));
        assert_eq!(words("<details><summary>Logs</summary>"), Some((6, "Logs")));
        for line in [
            "<summary>Click me</summary>",
            "<details>",
            "<h2>Show",
            "<h2></h2>",
            "<h7>x</h7>",
            "<p>x</p>",
            "<h2>a</h2> b",
            "<h2>a</h3>",
            "h2. x",
        ] {
            assert_eq!(words(line), None, "{line}");
        }
    }

    #[test]
    fn words_lose_their_tags_and_nothing_else() {
        for (text, words) in [
            ("<p>As a clerk<br/>I want it</p>", "As a clerkI want it"),
            ("<summary>Open questions</summary>", "Open questions"),
            ("`<mail>` and a < b > c and <T> stay", "`<mail>` and a < b > c and <T> stay"),
            ("<b <b>x</b>", "<b x"),
            ("Support <details> and <summary>", "Support <details> and <summary>"),
            ("<p>The first sentence.", "The first sentence."),
        ] {
            assert_eq!(without_tags(text), words, "{text}");
        }
    }
}
