//! Places in a text: byte spans for programs, lines and columns for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A half-open range of bytes `start..end` in `RequirementPacket::raw_text`, always on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// First byte, counted from 0.
    pub start: usize,
    /// One past the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// Makes the span `start..end`; a reversed pair becomes an empty span at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Length of the span in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns true if the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// The words that the span covers, or `""` if it does not fit the text.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Returns true if `other` lies wholly inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns true if the two spans share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The same span without the white space at the ends of its words.
    pub fn trimmed(self, text: &str) -> Self {
        let slice = self.slice(text);
        let start = self.start + (slice.len() - slice.trim_start().len());
        Self::new(start, start + slice.trim().len())
    }

    /// The smallest span that covers both.
    pub fn join(self, other: Span) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A place as an editor shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in Unicode scalar values, counted from 1.
    pub column: usize,
}

/// The number of bytes between two marks of a `LineIndex`.
const MARK_EVERY: usize = 1024;

/// The start of each line of a text, for converting a byte offset to a line and a column.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// The number of characters that begin before each multiple of `MARK_EVERY` bytes. Without these marks, each
    /// look-up in a long line would count from its beginning, and a text of one line would take time quadratic in its
    /// length.
    marks: Vec<usize>,
}

impl LineIndex {
    /// Reads `text` once; lines end at `\n` (a `\r` before it belongs to the line).
    pub fn new(text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut before = 0;
        let marks = text.as_bytes().chunks(MARK_EVERY).map(|chunk| {
            let mark = before;
            before += count_characters(chunk);
            mark
        });
        Self { starts, marks: marks.collect() }
    }

    /// The place of a byte offset in the text that the index was built from.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        let column = match text.get(start..offset) {
            Some(_) => self.characters_before(text, offset) - self.characters_before(text, start) + 1,
            None => 1,
        };
        Position { line, column }
    }

    /// The number of characters that begin before an offset of the text.
    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let mark = (offset / MARK_EVERY).min(self.marks.len().saturating_sub(1));
        let counted = self.marks.get(mark).copied().unwrap_or(0);
        counted + count_characters(text.as_bytes().get(mark * MARK_EVERY..offset).unwrap_or_default())
    }

    /// The first and last line, counted from 1, that a span touches.
    pub fn lines(&self, span: Span) -> (usize, usize) {
        let last = if span.is_empty() { span.start } else { span.end - 1 };
        let line = |offset| self.starts.partition_point(|start| *start <= offset).max(1);
        (line(span.start), line(last))
    }

    /// The bytes of a line, counted from 1, without its line end.
    pub fn line_span(&self, text: &str, line: usize) -> Span {
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(text.len());
        let end = self.starts.get(line).copied().unwrap_or(text.len());
        let words = text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        Span::new(start, start + words.len())
    }
}

/// The number of characters that begin in a piece of UTF-8.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0b1100_0000) != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_counts_characters_from_the_start_of_the_line() {
        proptest::proptest!(|(text in "[a中é\n😀]{0,40}", times in 1..200usize, offset in 0..20_000usize)| {
            let text = text.repeat(times);
            let place = LineIndex::new(&text).position(&text, offset);
            if let Some(before) = text.get(..offset) {
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().map_or(0, |words| words.chars().count()) + 1;
                proptest::prop_assert_eq!(place, Position { line, column });
            }
        });
    }

    #[test]
    fn look_up_in_a_long_line_does_not_read_the_line() {
        let text = "文".repeat(400_000);
        let index = LineIndex::new(&text);
        let sum: usize = (0..400_000).map(|at| index.position(&text, at * 3).column).sum();
        assert_eq!(sum, 400_000 * 400_001 / 2);
    }
}
