//! Markup that trackers add: struck-out passages, colours, panels, type marks.

use crate::text::lexicon::is_cjk;

/// The longest passage that is struck out, in bytes.
const LONGEST: usize = 240;

/// Words without their marks.
#[derive(Debug, PartialEq, Eq)]
pub struct Plain {
    /// The remaining words.
    pub words: String,
    /// True if the statement begins with struck-out words: the rest gives the reason.
    pub is_struck: bool,
}

/// The words without struck-out parts and without the markup of a tracker.
pub fn plain(words: &str) -> Plain {
    let mut out = String::with_capacity(words.len());
    // Struck out at the beginning, and nothing else on that line yet.
    let mut opens = false;
    let mut is_struck = false;
    let mut at = 0;
    while let Some(c) = words[at..].chars().next() {
        let begins =
            out.chars().next_back().is_none_or(|last| last.is_whitespace() || matches!(last, '(' | '|' | '（'));
        let struck = begins.then(|| struck_length(&words[at..])).flatten();
        if let Some(length) = struck {
            opens |= !out.chars().any(char::is_alphanumeric);
            at += length;
        } else if let Some(length) = macro_length(&words[at..]).or_else(|| emoticon_length(&words[at..])) {
            at += length;
        } else {
            is_struck |= opens && c.is_alphanumeric();
            opens &= c != '\n';
            out.push(c);
            at += c.len_utf8();
        }
    }
    Plain { words: out, is_struck: is_struck || opens }
}

/// Bytes of `[偷笑]` or `:pray:` at the beginning of the words, as chats write faces.
fn emoticon_length(words: &str) -> Option<usize> {
    let inner = words.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inner, _)| inner);
    if let Some(inner) = inner.filter(|inner| inner.chars().all(is_cjk)) {
        return (1..=3).contains(&inner.chars().count()).then_some(inner.len() + 2);
    }
    let inner = words.strip_prefix(':').and_then(|rest| rest.split_once(':')).map(|(inner, _)| inner)?;
    let is_face =
        (2..=24).contains(&inner.len()) && inner.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_face.then_some(inner.len() + 2)
}

/// Bytes of `~~gone~~` or of Jira's `-gone-` at the beginning of the words.
fn struck_length(words: &str) -> Option<usize> {
    if let Some(inner) = words.strip_prefix("~~") {
        return inner.find("~~").filter(|end| (1..LONGEST).contains(end)).map(|end| end + 4);
    }
    let inner = words.strip_prefix('-')?;
    if !inner.starts_with(char::is_alphanumeric) {
        return None;
    }
    let line = inner.lines().next().unwrap_or_default();
    let closes = |at: &usize| {
        let before = line[..*at].chars().next_back();
        let after = line[at + 1..].chars().next();
        before.is_some_and(|c| !c.is_whitespace() && c != '-')
            && after.is_none_or(|c| c.is_whitespace() || matches!(c, '|' | ')' | '.' | ',' | ';' | '）' | '，' | '。'))
    };
    let end = line.match_indices('-').map(|(at, _)| at).take_while(|at| *at < LONGEST).find(closes)?;
    Some(end + 2)
}

/// Bytes of `{color:red}`, `{panel:title=…}`, `{{`, `}}` at the beginning of the words.
fn macro_length(words: &str) -> Option<usize> {
    if words.starts_with("{{") || words.starts_with("}}") {
        return Some(2);
    }
    let inner = words.strip_prefix('{')?;
    let names = ["color", "panel", "quote", "noformat", "info", "note", "warning", "tip", "expand", "code"];
    let named = names.iter().any(|name| inner.strip_prefix(name).is_some_and(|rest| rest.starts_with(['}', ':'])));
    named.then(|| inner.find('}').filter(|end| *end < LONGEST).map(|end| end + 2)).flatten()
}

/// The tags that HTML has; any other word in angle brackets is the author's.
const TAGS: [&str; 58] = [
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "blockquote",
    "body",
    "br",
    "button",
    "center",
    "cite",
    "code",
    "col",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "picture",
    "pre",
    "s",
    "samp",
    "section",
    "small",
    "source",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "ul",
];

/// True if the words behind a `<` begin as a tag of HTML does.
pub fn is_tag(behind: &str) -> bool {
    let bare = behind.strip_prefix('/').unwrap_or(behind);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(bare.len());
    let name = bare[..end].to_ascii_lowercase();
    let rest = bare[end..].trim_start();
    // `<a>` and `<button>` may be names of the author's; a tag of HTML that is closed or has attributes is one.
    let ends = rest.starts_with(['>', '/']) || bare[end..].starts_with(char::is_whitespace) && rest.contains('=');
    (TAGS.contains(&name.as_str()) || matches!(name.as_str(), "thead" | "tfoot" | "u" | "video" | "strike")) && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_struck_out_is_gone() {
        let of = |words: &str| plain(words).words.trim().to_owned();
        assert_eq!(of("within -5- 10 minutes"), "within  10 minutes");
        assert_eq!(of("kept for ~~30~~ 60 days"), "kept for  60 days");
        assert_eq!(of("a {color:red}red{color} {{name}}"), "a red name");
        for kept in
            ["use -v and -x", "a well-known e-mail - and more", "3 - 5 days", "-5 °C is cold", "{name} is shown"]
        {
            assert_eq!(of(kept), kept);
        }
        assert!(plain("-stickers on parcels- dropped by Ann").is_struck);
        assert!(plain("~~Fax~~ nobody has one").is_struck);
        assert!(!plain("-5 min- -6 min-\nThe list closes").is_struck);
        assert!(!plain("The list closes after -5- 6 minutes").is_struck);
    }

    #[test]
    fn only_tags_of_html_are_tags() {
        assert!(is_tag("br>") && is_tag("/p>") && is_tag("img src=\"x\">") && is_tag("br/>"));
        assert!(!is_tag("order id>") && !is_tag("customer>.csv") && !is_tag("name of the file>"));
    }
}
