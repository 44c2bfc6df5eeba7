//! The width of a text in a terminal.

/// The number of columns that a text takes in a terminal: a Chinese character takes two.
pub fn display_width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    unicode_width::UnicodeWidthStr::width(text)
}
