//! Takes from hostile text what could steer a terminal or hide words from a reader.
//!
//! Every text that is echoed in a report, an error or a log goes through here.

use std::borrow::Cow;

/// Labels of masked values. A mask in a text keeps the length of the value, so that places stay true; one that is shown does not.
pub const MASK_LABELS: [&str; 10] =
    ["[*]", "[secret]", "[email]", "[phone]", "[card]", "[iban]", "[id]", "[birth]", "[ip]", "[order]"];

/// The text as one harmless line: no escape sequences, no control, direction or invisible characters; each line end,
/// tab or other control character becomes a space. Masks are as long as their labels.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match harmless(text) {
        Cow::Borrowed(text) => short_masks(text),
        Cow::Owned(text) => Cow::Owned(short_masks(&text).into_owned()),
    }
}

fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(without_unsafe(text))
}

/// The text with masks that do not tell how long the values were.
pub fn short_masks(text: &str) -> Cow<'_, str> {
    let mut short = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices("]*") {
        let end = at + 1;
        if end > copied && MASK_LABELS.iter().any(|label| text[copied..end].ends_with(label)) {
            short.push_str(&text[copied..end]);
            copied = end + text[end..].bytes().take_while(|byte| *byte == b'*').count();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    short.push_str(&text[copied..]);
    Cow::Owned(short)
}

/// The first `most` characters of the text as one harmless line: a wrong value that an error repeats.
pub fn short_line(text: &str, most: usize) -> String {
    one_line(text).chars().take(most).collect()
}

/// The words of the text as one harmless line, one space between them.
pub fn words(text: &str) -> String {
    one_line(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with every line harmless; the lines stay, and so do masks.
pub fn lines(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// True for a character that must not be printed unchanged.
pub fn is_unsafe(c: char) -> bool {
    !matches!(c, ' '..='~') && (c.is_control() || is_line_separator(c) || is_invisible(c))
}

fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Characters that change the reading direction or have no width, so that the reader sees something else than what is
/// written. The zero-width joiners are kept: emoji and several scripts need them.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

fn without_unsafe(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\u{1B}' => skip_escape_sequence(&mut rest),
            '\u{9B}' => skip_control_sequence(&mut rest),
            // A line end written as two characters is one space.
            '\r' if rest.as_str().starts_with('\n') => {}
            _ if c.is_control() || is_line_separator(c) => clean.push(' '),
            _ if is_invisible(c) => {}
            _ => clean.push(c),
        }
    }
    clean
}

/// Skips what follows an escape character (ECMA-48).
fn skip_escape_sequence(rest: &mut std::str::Chars<'_>) {
    let mut ahead = rest.clone();
    match ahead.next() {
        Some('[') => {
            *rest = ahead;
            skip_control_sequence(rest);
        }
        // OSC, DCS, SOS, PM and APC carry a string up to a terminator. If another control character comes first, it is
        // not a sequence: then only the introducer is removed, which also keeps the time linear.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            *rest = ahead.clone();
            while let Some(c) = ahead.next() {
                match c {
                    '\u{07}' | '\u{9C}' => *rest = ahead.clone(),
                    '\u{1B}' if ahead.as_str().starts_with('\\') => {
                        ahead.next();
                        *rest = ahead.clone();
                    }
                    _ if !c.is_control() => continue,
                    _ => {}
                }
                return;
            }
        }
        Some(c) if c.is_ascii_graphic() => *rest = ahead,
        _ => {}
    }
}

/// Skips parameters and the final byte of a control sequence, e.g. `31m`.
fn skip_control_sequence(rest: &mut std::str::Chars<'_>) {
    let mut ahead = rest.clone();
    while let Some(c) = ahead.next() {
        match c {
            ' '..='?' => *rest = ahead.clone(),
            '@'..='~' => {
                *rest = ahead;
                return;
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_do_not_tell_the_length_of_the_value() {
        assert_eq!(one_line("key [secret]****, [email]**!"), "key [secret], [email]!");
        assert_eq!(one_line("pin [*]*"), "pin [*]");
        assert_eq!(one_line("**[docs]** and 2*[secret]*3"), "**[docs]** and 2*[secret]3");
        assert_eq!(one_line("a\nb [ip]***"), "a b [ip]");
    }

    #[test]
    fn escape_sequences_and_control_characters_vanish() {
        let cases = [
            ("plain words", "plain words"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[2J\u{1b}[1;1Hgone", "gone"),
            ("\u{9b}1mbold", "bold"),
            ("\u{1b}]0;title\u{07}after", "after"),
            ("\u{1b}]8;;https://evil.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]never ends", "never ends"),
            ("\u{1b}Mup", "up"),
            ("tail\u{1b}", "tail"),
            ("tail\u{1b}[", "tail"),
            ("a\r\nb\nc\td\u{0}e\u{85}f", "a b c d e f"),
            ("ab\u{202e}cd\u{200b}e", "abcde"),
            ("fam\u{200d}ily", "fam\u{200d}ily"),
            ("中文\u{2028}行", "中文 行"),
        ];
        for (text, expected) in cases {
            assert_eq!(one_line(text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_are_shortened_joined_or_kept() {
        assert_eq!(short_line("\u{1b}[31mab\ncd", 4), "ab c");
        assert_eq!(words(" a\n\tb \u{200b}c "), "a b c");
        assert_eq!(lines("a\u{1b}[2J\r\n\n b\u{7}"), "a \n\n b ");
    }

    #[test]
    fn nothing_unsafe_is_left_of_any_text() {
        proptest::proptest!(|(text: String)| {
            proptest::prop_assert!(!one_line(&text).chars().any(is_unsafe));
        });
    }
}
