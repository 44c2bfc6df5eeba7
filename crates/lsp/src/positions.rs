//! Converts between bytes of a text and positions of the protocol, which count UTF-16 code units unless the client agrees to bytes.

use lsp_types::{Position, Range};
use reqgate_base::model::Span;

/// The unit in which the client counts columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: an emoji counts two. Every client supports it.
    Utf16,
}

impl Encoding {
    /// The name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// The lines of a text. A line ends with `\n`, `\r\n` or `\r`, as the protocol says.
pub(crate) struct Positions<'t> {
    text: &'t str,
    /// The bytes of each line, without its line end.
    lines: Vec<Span>,
    encoding: Encoding,
}

impl<'t> Positions<'t> {
    pub(crate) fn new(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let mut lines = Vec::new();
        let (mut start, mut at) = (0, 0);
        while at < bytes.len() {
            let end = at;
            at += match (bytes[at], bytes.get(at + 1)) {
                (b'\r', Some(b'\n')) => 2,
                (b'\r' | b'\n', _) => 1,
                _ => {
                    at += 1;
                    continue;
                }
            };
            lines.push(Span::new(start, end));
            start = at;
        }
        lines.push(Span::new(start, bytes.len()));
        Self { text, lines, encoding }
    }

    /// The position of a byte; one inside a character or a line end is moved back.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let line = self.lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        let span = self.lines[line];
        let before = offset.min(span.end) - span.start;
        let words = span.slice(self.text);
        let end = words.floor_char_boundary(before);
        let column = words[..end].chars().map(|c| self.encoding.width(c)).sum::<usize>();
        Position { line: number(line), character: number(column) }
    }

    /// The byte at a position; one after the end of its line or of the text is moved back.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(span) = self.lines.get(position.line as usize) else { return self.text.len() };
        let mut left = position.character as usize;
        let mut offset = span.start;
        for c in span.slice(self.text).chars() {
            let width = self.encoding.width(c);
            if left < width {
                break;
            }
            left -= width;
            offset += c.len_utf8();
        }
        offset
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The bytes of a range; a reversed one is empty.
    pub(crate) fn span(&self, range: Range) -> Span {
        Span::new(self.offset(range.start), self.offset(range.end))
    }

    /// The bytes of each line, without its line end.
    pub(crate) fn lines(&self) -> &[Span] {
        &self.lines
    }

    /// The line end that the text uses.
    pub(crate) fn line_end(&self) -> &'t str {
        match self.lines.get(1) {
            Some(second) => &self.text[self.lines[0].end..second.start],
            None => "\n",
        }
    }
}

/// A line or a column in the protocol. No text has as many as `u32` can count.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_the_units_of_the_client() {
        let text = "a中😀b\r\n\tc\rd\n";
        for (offset, utf16, utf8) in [
            (0, at(0, 0), at(0, 0)),
            (1, at(0, 1), at(0, 1)),
            (4, at(0, 2), at(0, 4)),
            (8, at(0, 4), at(0, 8)),
            (9, at(0, 5), at(0, 9)),
            (11, at(1, 0), at(1, 0)),
            (12, at(1, 1), at(1, 1)),
            (14, at(2, 0), at(2, 0)),
            (16, at(3, 0), at(3, 0)),
        ] {
            assert_eq!(Positions::new(text, Encoding::Utf16).position(offset), utf16, "{offset}");
            assert_eq!(Positions::new(text, Encoding::Utf8).position(offset), utf8, "{offset}");
            assert_eq!(Positions::new(text, Encoding::Utf16).offset(utf16), offset);
            assert_eq!(Positions::new(text, Encoding::Utf8).offset(utf8), offset);
        }
    }

    #[test]
    fn positions_outside_the_text_and_inside_a_character_are_moved_back() {
        let positions = Positions::new("a😀\nb", Encoding::Utf16);
        assert_eq!(positions.offset(at(0, 2)), 1);
        assert_eq!(positions.offset(at(0, 99)), 5);
        assert_eq!(positions.offset(at(99, 0)), 7);
        assert_eq!(positions.offset(at(u32::MAX, u32::MAX)), 7);
        assert_eq!(positions.position(3), at(0, 1));
        assert_eq!(positions.position(99), at(1, 1));
        assert_eq!(Positions::new("", Encoding::Utf16).position(0), at(0, 0));
        assert_eq!(Positions::new("", Encoding::Utf16).offset(at(0, 5)), 0);
        assert!(positions.span(Range { start: at(1, 0), end: at(0, 0) }).is_empty());
    }

    #[test]
    fn line_end_is_that_of_the_text() {
        for (text, expected) in [("", "\n"), ("a", "\n"), ("a\r\nb", "\r\n"), ("a\rb", "\r"), ("a\nb\r\n", "\n")] {
            assert_eq!(Positions::new(text, Encoding::Utf16).line_end(), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn conversion_there_and_back_changes_nothing(text in "[a中é😀\t\r\n ]{0,60}") {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let positions = Positions::new(&text, encoding);
                for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    // Between `\r` and `\n` an editor has no position.
                    if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                        continue;
                    }
                    prop_assert_eq!(positions.offset(positions.position(offset)), offset);
                }
            }
        }

        #[test]
        fn every_position_has_a_byte(text in "[a中😀\r\n]{0,20}", line in 0..30u32, character in 0..30u32) {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let positions = Positions::new(&text, encoding);
                let offset = positions.offset(at(line, character));
                prop_assert!(text.is_char_boundary(offset));
                let back = positions.position(offset);
                prop_assert_eq!(positions.offset(back), offset);
            }
        }
    }
}
