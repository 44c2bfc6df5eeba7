//! Text that a human reader does not see: invisible characters, HTML comments, elements styled away, titles of links,
//! alternative texts and other attributes.

use reqgate_base::model::Span;

use super::super::nearby;

/// Fewest invisible characters in a row that do not come from copying or from an emoji.
const LONG_RUN: usize = 10;
/// Fewest tag characters in a row that are not the flag of a region (those have five or six and a black flag before them).
const TAGS: usize = 7;
/// Longest concealed element that is looked at, in bytes.
const LONGEST_ELEMENT: usize = 4_000;
/// Longest tag of one, in bytes.
const LONGEST_HEAD: usize = 300;
/// Ways to style an element away, without white space.
const CONCEALING: [&str; 12] = [
    "display:none",
    "visibility:hidden",
    "font-size:0",
    "font-size:1px",
    "opacity:0;",
    "opacity:0\"",
    "color:white",
    "color:#fff",
    "color:transparent",
    "left:-9999px",
    "text-indent:-9999",
    "color:rgba(0,0,0,0)",
];

/// Runs of characters that only a machine reads, with the id of their kind.
pub(super) fn invisible_runs(text: &str) -> Vec<(Span, &'static str)> {
    let mut runs = Vec::new();
    // The first bytes of all of these characters.
    let may_begin_one = |byte: &u8| matches!(byte, 0xe1 | 0xe2 | 0xef | 0xf3);
    let mut from = 0;
    while let Some(at) = text.as_bytes()[from..].iter().position(may_begin_one).map(|place| from + place) {
        let length: usize = text[at..].chars().take_while(|c| kind(*c).is_some()).map(char::len_utf8).sum();
        from = at + length.max(text[at..].chars().next().map_or(1, char::len_utf8));
        let span = Span::new(at, at + length);
        let count = |wanted| span.slice(text).chars().filter(|c| kind(*c) == Some(wanted)).count();
        let tags = count(Kind::Tag);
        if tags >= TAGS {
            runs.push((span, "tag-characters"));
        } else if tags + count(Kind::Blank) >= LONG_RUN {
            runs.push((span, "invisible-characters"));
        } else if count(Kind::Override) > 0 {
            runs.push((span, "reversed-text"));
        }
    }
    runs
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tag,
    Blank,
    Override,
}

fn kind(c: char) -> Option<Kind> {
    match c {
        '\u{e0020}'..='\u{e007f}' => Some(Kind::Tag),
        '\u{202d}' | '\u{202e}' => Some(Kind::Override),
        '\u{200b}'..='\u{200f}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{180e}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Some(Kind::Blank),
        _ => None,
    }
}

/// HTML comments, elements that are styled away, attributes and titles of links, in order and without overlaps.
pub(super) fn concealed_spans(text: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(place) = bytes[at..].iter().position(|byte| matches!(byte, b'<' | b']')).map(|place| at + place) {
        let found = if bytes[place] == b']' {
            link_title(text, place).or_else(|| alternative_text(text, place))
        } else if bytes[place..].starts_with(b"<!--") {
            Some(Span::new(place, comment_end(text, place)))
        } else {
            concealed_element_end(text, place).map(|end| Span::new(place, end)).or_else(|| attributes(text, place))
        };
        match found {
            Some(span) => {
                let start = spans.last().map_or(0, |last: &Span| last.end);
                spans.push(Span::new(span.start.max(start), span.end.max(start)));
                at = span.end.max(place + 1);
            }
            None => at = place + 1,
        }
    }
    spans
}

/// Longest title of a link or alternative text of a picture, in bytes.
const LONGEST_TITLE: usize = 600;

/// The title in `](address "title")`, `]: address "title"` and `[//]: # (title)`; `at` is the bracket.
fn link_title(text: &str, at: usize) -> Option<Span> {
    let rest = nearby::after(text, at + 1, LONGEST_TITLE);
    let line = rest.split('\n').next().unwrap_or(rest);
    let is_link = line.starts_with('(');
    let address = line.strip_prefix('(').or_else(|| line.strip_prefix(": "))?;
    let gap = address.trim_start().find([' ', '\t'])? + address.len() - address.trim_start().len();
    let tail = &address[gap..];
    let title = tail.trim_start();
    let mark = title.chars().next().filter(|mark| matches!(mark, '"' | '\'' | '('))?;
    let closing = if mark == '(' { ')' } else { mark };
    let start = line.len() - title.len() + 1;
    let inside = &title[1..];
    let length = if is_link { inside.find(closing)? } else { inside.rfind(closing).unwrap_or(inside.len()) };
    Some(Span::new(at + 1 + start, at + 1 + start + length))
}

/// The text of a picture: `![text](address)`; `at` is the bracket that closes it.
fn alternative_text(text: &str, at: usize) -> Option<Span> {
    if !matches!(text.as_bytes().get(at + 1), Some(b'(' | b'[')) {
        return None;
    }
    let before = nearby::before(text, at, LONGEST_TITLE);
    let open = before.rfind("![")?;
    (!before[open + 2..].contains([']', '\n'])).then(|| Span::new(at - before.len() + open + 2, at))
}

/// The values of the attributes of an element that is only a tag; `at` is its `<`.
fn attributes(text: &str, at: usize) -> Option<Span> {
    let rest = nearby::after(text, at + 1, LONGEST_TITLE);
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = rest.find('>')?;
    let tag = &rest[..end];
    let first = tag.find("=\"").or_else(|| tag.find("='"))?;
    (!tag.contains('<')).then(|| Span::new(at + 1 + first + 2, at + 1 + end))
}

fn comment_end(text: &str, start: usize) -> usize {
    let body = nearby::after(text, start, LONGEST_ELEMENT);
    start + body.find("-->").map_or(body.len(), |end| end + 3)
}

fn concealed_element_end(text: &str, start: usize) -> Option<usize> {
    let head = nearby::after(text, start, LONGEST_HEAD);
    let inside = &head[1..head.find('>')?];
    let name = &inside[..inside.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inside.len())];
    let attributes: String = inside[name.len()..].to_ascii_lowercase().split_whitespace().collect();
    let is_hidden = attributes == "hidden" || CONCEALING.iter().any(|style| attributes.contains(style));
    let body = nearby::after(text, start, LONGEST_ELEMENT);
    let end = || body.find(&format!("</{name}")).unwrap_or(body.len());
    (is_hidden && !name.is_empty()).then(|| start + end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_invisible_runs_are_found_and_emoji_are_not() {
        let tags: String = "drop all".chars().map(|c| char::from_u32(0xe0000 + u32::from(c)).unwrap()).collect();
        assert_eq!(invisible_runs(&format!("a{tags}b"))[0].1, "tag-characters");
        assert_eq!(invisible_runs(&format!("a{}b", "\u{200b}".repeat(12)))[0].1, "invisible-characters");
        assert_eq!(invisible_runs("abc\u{202e}fed")[0].1, "reversed-text");
        assert!(invisible_runs("👨\u{200d}👩\u{200d}👧 ok\u{fe0f}").is_empty());
    }

    #[test]
    fn concealed_elements_are_found() {
        let text = "a <!-- b --> c <span style=\"display: none\">d</span> <b>e</b>";
        let spans = concealed_spans(text);
        let words: Vec<_> = spans.iter().map(|span| span.slice(text)).collect();
        assert_eq!(words, ["<!-- b -->", "<span style=\"display: none\">d"]);
    }

    #[test]
    fn titles_and_attributes_are_hidden_places() {
        for text in [
            "[a](b.se \"hidden\")",
            "[a](b.se 'hidden')",
            "[a]: b.se \"hidden\"",
            "[//]: # (hidden)",
            "![hidden](a.png)",
            "![a](a.png \"hidden\")",
            "![hidden][ref]",
            "<a href=b title=\"hidden\">c</a>",
            "<img src=\"a.png\" alt='hidden'>",
        ] {
            let spans = concealed_spans(text);
            let place = text.find("hidden").unwrap();
            assert!(spans.iter().any(|span| span.contains(Span::new(place, place + 6))), "{text} {spans:?}");
        }
        assert!(concealed_spans("[a](b.se) [x] (\"seen\") a < b and c > d, [x]: see \"this").len() <= 1);
    }
}
