//! Words from sources in a document: a Markdown reader shows them as text, never as a tag, an image, a link or a mention
//! of a person.

/// Keeps a mention from being one; it takes no room.
pub const GAP: &str = "&#8203;";

/// The replacements of [`escaped`] and their meanings.
const WRITTEN: [(&str, &str); 6] =
    [("&lt;", "<"), ("&amp;", "&"), ("&#40;", "("), ("&#58;", ":"), ("&#92;", "\\"), (GAP, "")];

/// Returns true for a character that would start a tag, the target of a link or image, or a mention at its place.
pub fn is_live(before: Option<char>, c: char, after: Option<char>) -> bool {
    match c {
        '<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
        '(' | ':' => before == Some(']'),
        '@' => !before.is_some_and(char::is_alphanumeric) && after.is_some_and(|c| c.is_ascii_alphanumeric()),
        _ => false,
    }
}

/// Words with entities in place of characters that would be markup. [`unescaped`] reverses this.
pub fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let (mut before, mut is_shield) = (None, false);
    for (at, c) in words.char_indices() {
        let rest = &words[at..];
        if c == '\\' && before != Some(c) {
            is_shield = shields(rest);
        }
        let after = rest.chars().nth(1);
        match c {
            '@' if is_live(before, c, after) => out.extend(["@", GAP]),
            '<' if is_live(before, c, after) => out.push_str("&lt;"),
            '(' if is_live(before, c, after) => out.push_str("&#40;"),
            ':' if is_live(before, c, after) => out.push_str("&#58;"),
            '&' if WRITTEN.iter().any(|(entity, _)| rest.starts_with(entity)) => out.push_str("&amp;"),
            // A backslash would cancel the entity after it.
            '\\' if is_shield => out.push_str("&#92;"),
            _ => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// Returns true for words that begin with backslashes and go on with markup or an entity, which the backslashes would cancel.
pub fn shields(words: &str) -> bool {
    let mut following = words.trim_start_matches('\\').chars();
    let next = following.next().filter(|_| words.starts_with('\\'));
    next.is_some_and(|next| next == '&' || is_live(Some('\\'), next, following.next()))
}

/// The words that `escaped` was given.
pub fn unescaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(at) = rest.find(['&', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((entity, meant)) = WRITTEN.iter().find(|(entity, _)| rest.starts_with(entity)) {
            out.push_str(meant);
            rest = &rest[entity.len()..];
        } else if rest.starts_with("\\<!--") {
            // So comments were kept from being one before there were entities.
            out.push_str("<!--");
            rest = &rest["\\<!--".len()..];
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_would_be_more_than_text_becomes_text() {
        for (words, expected) in [
            ("a < b && c > d, [role] (x)", "a < b && c > d, [role] (x)"),
            ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
            ("![x](http://e.example/p.png)", "![x]&#40;http://e.example/p.png)"),
            ("[x](javascript:alert(1))", "[x]&#40;javascript:alert(1))"),
            ("[x]: javascript:1", "[x]&#58; javascript:1"),
            ("ask @alice, not me@home", "ask @&#8203;alice, not me@home"),
            ("&lt;b>", "&amp;lt;b>"),
            ("\\<b>", "&#92;&lt;b>"),
        ] {
            assert_eq!(escaped(words), expected);
            assert_eq!(unescaped(expected), words);
        }
        assert_eq!(unescaped("a \\<!-- b"), "a <!-- b", "as it was written before");
    }

    proptest! {
        #[test]
        fn words_come_back_as_they_were(words in "[\\\\<>!/&;#()\\[\\]:@a-c0-9lt amp-]{0,30}|\\PC{0,20}") {
            prop_assert_eq!(unescaped(&escaped(&words)), words);
        }
    }
}
