//! Finds the start of the value of a setting: after `=`, `:`, `=>` and the like, in a table cell, an element, or a plain sentence.

use reqgate_text::words::told_values::{BEFORE_A_VALUE, BEING, PURPOSES};

use super::super::nearby;

/// A sign after a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    /// The start of the value.
    pub(super) value: usize,
    /// The quotation mark that it is in, or `<` for the content of an element.
    pub(super) quote: Option<u8>,
    /// The value is in bold or italics, which may begin before the name: `**Password policy**`.
    pub(super) is_emphasised: bool,
    /// Only the words around the value announce it: `the password is …`, `| password | … |`.
    pub(super) is_weak: bool,
    /// A verb announces the value: `the password is …`.
    pub(super) is_told: bool,
}

impl Sign {
    /// Returns true if the value that ends at `end` is in quotation marks.
    pub(super) fn is_closed(&self, text: &str, end: usize) -> bool {
        self.quote.is_some_and(|quote| quote != b'<' && text.as_bytes().get(end) == Some(&quote))
    }
}

/// Words of types that may be between a name and its sign.
const TYPES: [&str; 6] = ["string", "String", "str", "&str", "text", "std::string"];
/// The sign after the name from `start` to `end`.
pub(super) fn after_name(text: &str, start: usize, end: usize) -> Option<Sign> {
    let bytes = text.as_bytes();
    let skip = |at: usize, most: usize, allowed: &[u8]| {
        at + bytes.get(at..).unwrap_or_default().iter().take(most).take_while(|byte| allowed.contains(byte)).count()
    };
    if bytes.get(end) == Some(&b'>') {
        return element(text, start, end);
    }
    let named = skip(end, 12, b"\"'`]) \t\\*_");
    let named = after_type(text, named).map_or(named, |at| skip(at, 4, b" \t"));
    let sign = skip(named, 4, b":=>?|.+");
    let marks = bytes.get(named..sign).unwrap_or_default();
    let value = match (full_width(text, named), marks) {
        (Some(value), _) => value,
        (None, b"|") => return weak(text, sign),
        (None, []) => return weak(text, named).filter(|sign| sign.value > end),
        // `==` and `::` compare or name; they do not assign.
        (None, b"==" | b"===" | b"::" | b">" | b"." | b"?" | b"||" | b"+" | b">=" | b"..") => return None,
        (None, marks) if marks.contains(&b'=') || marks.contains(&b':') => sign,
        _ => return None,
    };
    let value = after_type(text, skip(value, 6, b" \t"))
        .map(|at| skip(at, 4, b" \t"))
        .filter(|at| bytes.get(*at) == Some(&b'='))
        .map_or(value, |at| at + 1);
    Some(Sign { is_weak: false, ..opened(text, value) })
}

/// The end of a type that is at `at`.
fn after_type(text: &str, at: usize) -> Option<usize> {
    let rest = nearby::after(text, at, 16);
    let word = TYPES.iter().find(|word| rest.starts_with(**word))?;
    (!rest[word.len()..].starts_with(|c: char| c.is_alphanumeric())).then_some(at + word.len())
}

fn full_width(text: &str, at: usize) -> Option<usize> {
    let rest = nearby::after(text, at, 3);
    rest.starts_with(['：', '＝']).then_some(at + 3)
}

fn element(text: &str, start: usize, end: usize) -> Option<Sign> {
    let head = nearby::before(text, start, 40);
    let opens = head.rfind('<').is_some_and(|at| !head[at..].contains(['>', '/', ' ']));
    let sign = Sign { value: end + 1, quote: Some(b'<'), is_emphasised: false, is_weak: false, is_told: false };
    opens.then_some(sign)
}

/// A value that no sign announces: after `is`, in quotation marks, in the next cell, or as an argument of a command.
fn weak(text: &str, at: usize) -> Option<Sign> {
    let rest = nearby::after(text, at, 40);
    let spaced = at + rest.len() - rest.trim_start_matches([' ', '\t', '已']).len();
    let spaced = spaced + purpose(nearby::after(text, spaced, LONGEST_PURPOSE));
    let rest = nearby::after(text, spaced, 40);
    let being = BEING
        .iter()
        .chain(BEFORE_A_VALUE.iter())
        .find(|word| rest.strip_prefix(*word).is_some_and(|tail| !word.is_ascii() || tail.starts_with([' ', ':'])));
    let value = spaced + being.map_or(0, |word| word.len());
    let value = value + if text[value..].starts_with('了') { '了'.len_utf8() } else { 0 };
    let sign = opened(text, value + usize::from(text.as_bytes().get(value) == Some(&b':')));
    Some(Sign { is_weak: true, is_told: being.is_some(), ..sign })
}

/// Longest stretch between a name and the verb that announces its value, in bytes.
const LONGEST_PURPOSE: usize = 60;

/// Length of `for the demo shop ` in `the password for the demo shop is …`.
fn purpose(rest: &str) -> usize {
    let is_purpose = nearby::behind_word(rest, PURPOSES).is_some();
    let clause = rest.split([',', ';', '.', ':', '\n']).next().unwrap_or(rest);
    clause.find(" is ").filter(|_| is_purpose).map_or(0, |at| at + 1)
}

/// Reads over spaces, stars and an opening quotation mark.
fn opened(text: &str, at: usize) -> Sign {
    let rest = nearby::after(text, at, 24);
    let mut lead = rest.trim_start_matches([' ', '\t', '\\']);
    let spaced = lead.len();
    // `**Password:** **value**` closes one emphasis and opens another.
    for _ in 0..2 {
        let stars = lead.len() - lead.trim_start_matches('*').len();
        if (1..=3).contains(&stars) {
            lead = lead[stars..].trim_start_matches(' ');
        }
    }
    let is_emphasised = lead.len() < spaced || is_within_emphasis(text, at);
    // `= ("abc"` and the like: a bracket around strings.
    let lead = lead.strip_prefix('(').filter(|inner| inner.starts_with(['"', '\''])).unwrap_or(lead);
    let bare = lead.trim_start_matches(['"', '\'', '`', '\\', '“', '‘', '「']);
    let opening = lead[..lead.len() - bare.len()].bytes().rfind(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    Sign { value: at + rest.len() - bare.len(), quote: opening, is_emphasised, is_weak: false, is_told: false }
}

/// Checks that the line of a place opens more emphasis before it than it closes; the star of a list item opens none.
fn is_within_emphasis(text: &str, at: usize) -> bool {
    let head = nearby::before(text, at, LONGEST_LEAD);
    let line = head.rsplit('\n').next().unwrap_or(head).trim_start();
    let line = line.strip_prefix("* ").unwrap_or(line);
    let marks = line.split(|c| c != '*').filter(|run| !run.is_empty()).count();
    marks % 2 == 1
}

/// Longest part of a line before a value in which emphasis is looked for, in bytes.
const LONGEST_LEAD: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(text: &str, name: &str) -> Option<(String, bool)> {
        let start = text.find(name).unwrap();
        let sign = after_name(text, start, start + name.len())?;
        Some((text[sign.value..].to_owned(), sign.is_weak))
    }

    #[test]
    fn signs_of_many_languages_are_read() {
        for text in
            ["token=x", "token: x", "token := x", "token => x", "token ?= x", "token .= x", "token ::= x", "token：x"]
        {
            assert_eq!(behind(text, "token"), Some(("x".to_owned(), false)), "{text}");
        }
        assert_eq!(behind("token string = \"x\"", "token"), Some(("x\"".to_owned(), false)));
        assert_eq!(behind("token: string = \"x\"", "token"), Some(("x\"".to_owned(), false)));
        assert_eq!(behind("**token:** **x**", "token"), Some(("x**".to_owned(), false)));
        assert_eq!(behind("<token>x</token>", "token"), Some(("x</token>".to_owned(), false)));
    }

    #[test]
    fn weak_signs_are_known_as_such() {
        assert_eq!(behind("the token is x", "token"), Some(("x".to_owned(), true)));
        assert_eq!(behind("| token | x |", "token"), Some(("x |".to_owned(), true)));
        assert_eq!(behind("token `x`", "token"), Some(("x`".to_owned(), true)));
    }

    #[test]
    fn comparisons_assign_nothing() {
        assert_eq!(behind("token == x", "token"), None);
        assert_eq!(behind("token::x", "token"), None);
        assert_eq!(behind("a > token>x", "token"), None);
    }
}
