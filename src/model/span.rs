//! Places in a text: byte spans, and the lines and columns that people read.

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
    /// The span `start..end`; a reversed pair is read as empty at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True if the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// The words that the span covers, or `""` where it does not fit the text.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// True if `other` lies wholly inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True if the two spans share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The same span without white space at either end of the words it covers.
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

/// Where each line of a text begins, so that a byte offset becomes a line and a column.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Reads `text` once; lines end at `\n` (a `\r` before it belongs to the line).
    pub fn new(text: &str) -> Self {
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        Self { starts }
    }

    /// The place of a byte offset in the text that the index was built from.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        let column = text.get(start..offset).map_or(1, |before| before.chars().count() + 1);
        Position { line, column }
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

    /// How many lines the text has.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }
}
