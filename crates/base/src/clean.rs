//! Removes parts of hostile text that could steer a terminal or hide words from a reader.
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

/// The text with masks that do not reveal the lengths of the values.
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

/// The longest rest of a word that is left out so that a shortened text ends with a whole one, in characters.
const LONGEST_REST: usize = 24;

/// The text as one harmless line of at most `most` characters. A longer one is cut after a word and ends with `…`; text
/// without spaces, such as Chinese, is cut between characters.
pub fn short_words(text: &str, most: usize) -> String {
    let line = one_line(text);
    let Some((end, _)) = line.char_indices().nth(most.saturating_sub(1)).filter(|_| line.chars().nth(most).is_some())
    else {
        return line.into_owned();
    };
    format!("{}…", whole_words(&line, end))
}

/// The text before `end`, without the part of a word that is cut there.
pub fn whole_words(text: &str, end: usize) -> &str {
    let (head, rest) = text.split_at(end);
    let last = head.rfind(char::is_whitespace).filter(|at| head[*at..].chars().count() <= LONGEST_REST);
    let is_cut = !rest.starts_with(char::is_whitespace);
    head[..last.filter(|_| is_cut).unwrap_or(end)].trim_end()
}

/// The text with the mark `stop` at its end, unless a sentence already ends there, also inside a quote.
pub fn ended(text: &str, stop: &str) -> String {
    let text = text.trim_end();
    let words = text.trim_end_matches(['”', '’', '"', '」', '』']);
    let is_ended = text.is_empty() || words.ends_with(['.', '!', '?', '。', '！', '？']);
    format!("{text}{}", if is_ended { "" } else { stop })
}

/// The text as it is quoted between “ and ”: its own marks of this kind become ‘ and ’.
pub fn inner_quotes(text: &str) -> String {
    text.replace('“', "‘").replace('”', "’")
}

/// The text without beginnings of logging commands of Azure Pipelines (`##vso[`, `##[`): its agent carries out a command that it finds
/// anywhere in a line.
pub fn without_log_commands(text: &str) -> Cow<'_, str> {
    if !text.contains("##") || !text.contains('[') {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if c == '#' && clean.ends_with('#') {
            clean.push(' ');
        }
        clean.push(c);
    }
    Cow::Owned(clean)
}

/// A name inside a Chinese sentence: where the name begins or ends with a Latin letter or a digit, it has a space there.
pub fn name_in_chinese(name: &str) -> String {
    let space = |edge: Option<char>| if edge.is_some_and(|c| c.is_ascii_alphanumeric()) { " " } else { "" };
    format!("{}{name}{}", space(name.chars().next()), space(name.chars().next_back()))
}

/// The words of the text as one harmless line, one space between them.
pub fn words(text: &str) -> String {
    one_line(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with every line harmless; line ends and masks stay.
pub fn lines(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// A text as a person types it: tabs and line ends stay, other control characters do not.
pub fn typed(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !is_unsafe(*c)).collect()
}

/// Returns true for a character that must not be printed unchanged.
pub fn is_unsafe(c: char) -> bool {
    !matches!(c, ' '..='~') && (c.is_control() || is_line_separator(c) || is_invisible(c))
}

fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns true for characters that change the reading direction or have no width, so that the reader sees another text
/// than is written. The zero-width joiners are kept: emoji and several scripts need them.
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

/// Skips the rest of an escape sequence (ECMA-48).
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
    fn no_logging_command_is_left() {
        for (text, expected) in [
            ("##vso[task.complete]", "# #vso[task.complete]"),
            ("a ####VSO[x]", "a # # # #VSO[x]"),
            ("##[error]x", "# #[error]x"),
            ("## heading", "## heading"),
            ("#1 [x]", "#1 [x]"),
        ] {
            assert_eq!(without_log_commands(text), expected);
        }
    }

    #[test]
    fn a_sentence_that_ends_inside_a_quote_gets_no_second_stop() {
        for (text, expected) in [
            ("left open: “The format is TBD.”", "left open: “The format is TBD.”"),
            ("left open: “the format”", "left open: “the format”."),
            ("no figure", "no figure."),
            ("Which one?", "Which one?"),
            ("", ""),
        ] {
            assert_eq!(ended(text, "."), expected);
        }
        assert_eq!(ended("核心内容还没定：“格式待定。”", "。"), "核心内容还没定：“格式待定。”");
        assert_eq!(inner_quotes("“添加任务”菜单"), "‘添加任务’菜单");
    }

    #[test]
    fn shortened_text_ends_with_a_whole_word_and_says_that_it_is_cut() {
        assert_eq!(short_words("Export all orders", 17), "Export all orders");
        assert_eq!(short_words("Export all orders", 16), "Export all…");
        assert_eq!(short_words("Export all orders", 11), "Export all…");
        assert_eq!(short_words("导出全部订单为表格", 6), "导出全部订…");
        assert_eq!(short_words(&"x".repeat(90), 80), format!("{}…", "x".repeat(79)));
        assert_eq!((short_words("", 3).as_str(), short_words("ab", 0).as_str()), ("", "…"));
    }

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
