//! Fits words into the columns of a terminal.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use reqgate_base::clean::one_line;

/// The indentation of every line below a headline, in columns.
const INDENT: usize = 2;

/// The width of the terminal and its support for colours.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// ANSI colours are written.
    pub colour: bool,
    /// The number of columns that lines must fit into.
    pub width: usize,
}

/// A text with an optional mark before it; further lines are aligned with the first.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The mark; it may contain reqgate's own colour sequences.
    pub mark: &'a str,
    /// The width of the mark in columns; 0 means that the text starts at the margin.
    pub mark_width: usize,
    /// The text, which may be hostile.
    pub text: &'a str,
}

impl<'a> Row<'a> {
    /// A text at the margin, without a mark.
    pub fn text(text: &'a str) -> Self {
        Self { mark: "", mark_width: 0, text }
    }

    /// An item of a list, marked with `mark`.
    pub fn item(mark: &'a str, text: &'a str) -> Self {
        Self { mark, mark_width: mark.width(), text }
    }
}

impl Layout {
    /// The text in a style, or plain if colours are off.
    pub fn painted(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// The row broken into lines, each with its line end.
    pub fn row(&self, row: &Row<'_>) -> String {
        let indent = if row.mark_width == 0 { INDENT } else { 2 * INDENT };
        let hang = if row.mark_width == 0 { indent } else { indent + row.mark_width + 1 };
        let mut lines = String::new();
        for (number, line) in wrapped(&one_line(row.text), self.width.saturating_sub(hang)).iter().enumerate() {
            if number == 0 && row.mark_width > 0 {
                let missing = if row.mark.is_empty() { row.mark_width } else { 0 };
                lines.push_str(&format!("{:indent$}{}{:missing$} {line}\n", "", row.mark, ""));
            } else {
                lines.push_str(&format!("{:hang$}{line}\n", ""));
            }
        }
        lines
    }
}

/// A bar of ten blocks for a score of 0 to 100.
pub fn bar(score: f64) -> String {
    let filled = (1..=10).filter(|tenth| score >= f64::from(*tenth) * 10.0 - 5.0).count();
    format!("{}{}", "█".repeat(filled), "░".repeat(10 - filled))
}

/// Breaks the text into lines of at most `width` columns: between words, and inside a word that is wider than a line.
/// Text without spaces, such as Chinese, breaks between characters.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(10);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let wide = word.width();
        let space = usize::from(used > 0);
        let is_long = wide > width;
        if used + space + wide > width && !is_long {
            lines.push(String::new());
            used = 0;
        } else if used > 0 && used + space < width {
            push(&mut lines, " ");
            used += 1;
        }
        if !is_long {
            push(&mut lines, word);
            used += wide;
            continue;
        }
        for c in word.chars() {
            let wide = c.width().unwrap_or(0);
            if used + wide > width {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, c.encode_utf8(&mut [0; 4]));
            used += wide;
        }
    }
    lines
}

fn push(lines: &mut [String], text: &str) {
    lines.last_mut().expect("there is always a line").push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_breaks_between_words_and_inside_long_ones() {
        assert_eq!(wrapped("one two three four", 10), ["one two", "three four"]);
        assert_eq!(wrapped("abcdefghijklmnop", 10), ["abcdefghij", "klmnop"]);
        assert_eq!(wrapped("页面必须在两秒内打开", 10), ["页面必须在", "两秒内打开"]);
        assert_eq!(wrapped("", 10), [""]);
    }

    #[test]
    fn no_line_is_wider_than_asked_for() {
        proptest::proptest!(|(text in "[a中 é]{0,80}", width in 10..40usize)| {
            for line in wrapped(&text, width) {
                proptest::prop_assert!(line.width() <= width, "{:?}", line);
            }
        });
    }

    #[test]
    fn further_lines_hang_below_the_first() {
        let layout = Layout { colour: false, width: 20 };
        assert_eq!(layout.row(&Row::item("1.", "one two three four")), "    1. one two three\n       four\n");
        assert_eq!(layout.row(&Row::text("one two three four")), "  one two three four\n");
    }
}
